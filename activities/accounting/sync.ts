/**
 * Posts what is new to the books of an organization, a set at a time; each is posted once, whatever dies in between.
 */
import { type Item, type ItemKind, KINDS, type Outcome, nextItems, recordItems } from '../../db/accounting/items.ts'
import { accountCodes, keepAccounts } from '../../db/accounting/mappings.ts'
import { type Syncing, findSyncing } from '../../db/accounting/posting.ts'
import { completeRun, noteProgress, noteUnreachable, pauseRun } from '../../db/accounting/sync-runs.ts'
import { log } from '../../platform/log.ts'
import type { AccountCodes } from '../../domain/accounting/mapping.ts'
import type { OrganizationId, SyncRunId } from '../../domain/ids.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { asSystem, readerOf } from '../../db/sql.ts'
import { organizationOf } from '../../db/views.ts'
import { type Put, findDocuments, listAccounts, putDocuments } from '../../partners/xero.ts'
import { XeroFailure } from '../../partners/xero-http.ts'
import { KIND_OF, written } from './documents.ts'
import { room } from '../room.ts'
import { type Call, withBooks } from './session.ts'

/** So many at a time: an address that asks for as many ids is not too long for anybody. */
const SET = 25
/** A step ends by then, and the loop takes the next one: a cancellation is heard. */
const STEP_MS = 40_000

/** Of the places that the calls to all partners have in a process: payments find one while thousands are synced. */
const withinRoom = room(15)
/** Those without a place try again by and by, and not all at once. */
const [PAUSE_SECONDS, PAUSE_MORE_SECONDS] = [10, 50]

/** Reads the chart of accounts, as it is when a sync begins. Nothing if it was read. */
export const readAccounts = (ref: ProcessRef<SyncRunId>): Promise<void> =>
  askBooks(
    ref,
    ({ accountsRead }) => !accountsRead,
    async (organizationId, sync, call) => {
      const accounts = await call(listAccounts)
      await asSystem(organizationId, (tx) => keepAccounts(tx, sync, accounts))
    },
  )

/**
 * Posts set after set, each of which is looked for in the books, and put there if it is not; the outcome is recorded
 * before the next one. Completes the sync when nothing is left.
 */
export const postSyncPage = (ref: ProcessRef<SyncRunId>): Promise<void> =>
  askBooks(ref, ({ accountsRead }) => accountsRead, post)

/** Speaks with Xero if the sync is due for it; records that it takes no more for now, or does not answer. */
async function askBooks(
  ref: ProcessRef<SyncRunId>,
  isDue: (sync: Syncing) => boolean,
  ask: (organizationId: OrganizationId, sync: Syncing, call: Call) => Promise<void>,
): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const sync = await findSyncing(readerOf(organizationId), id)
  if (!sync || !isDue(sync)) return
  try {
    const had = await withinRoom(() =>
      withBooks(organizationId, sync.connectionId, (call) => ask(organizationId, sync, call)),
    )
    if (had) return
    const seconds = PAUSE_SECONDS + Math.random() * PAUSE_MORE_SECONDS
    await asSystem(organizationId, (tx) => pauseRun(tx, id, seconds, 'other books are being posted to'))
  } catch (error) {
    if (!(error instanceof XeroFailure)) throw error
    await noteFailure(organizationId, id, error)
  }
}

/** A refusal of the consent has ended the run already (`withBooks`). */
async function noteFailure(organizationId: OrganizationId, id: SyncRunId, failure: XeroFailure): Promise<void> {
  const { kind, message, seconds } = failure
  if (kind === 'denied')
    return log.warn({ run_id: id }, 'an accounting program refuses us: it has to be connected again')
  if (kind === 'busy') return asSystem(organizationId, (tx) => pauseRun(tx, id, seconds ?? 1, message))
  log.warn({ err: failure, run_id: id }, 'an accounting program gives no clear answer')
  await asSystem(organizationId, (tx) => noteUnreachable(tx, id, message))
}

async function post(organizationId: OrganizationId, sync: Syncing, call: Call): Promise<void> {
  const codes = await asSystem(organizationId, accountCodes)
  // before anything is chosen there is nothing to say about each item
  const lookedThrough = codes.size > 0
  if (lookedThrough && !(await postAll(organizationId, sync, { call, codes }))) {
    return asSystem(organizationId, (tx) => noteProgress(tx, sync.runId, NOTHING))
  }
  await asSystem(organizationId, (tx) => completeRun(tx, sync.runId, { lookedThrough }))
}

type Books = { readonly call: Call; readonly codes: AccountCodes }

/** False if the time of the step is over before nothing is left. */
async function postAll(organizationId: OrganizationId, sync: Syncing, books: Books): Promise<boolean> {
  const until = Date.now() + STEP_MS
  for (const kind of KINDS) {
    for (;;) {
      const items = await asSystem(organizationId, (tx) => nextItems(tx, kind, sync, SET))
      if (items.length === 0) break
      if (Date.now() > until) return false
      await postSet(organizationId, sync, kind, items, books)
    }
  }
  return true
}

async function postSet(
  organizationId: OrganizationId,
  sync: Syncing,
  kind: ItemKind,
  items: readonly Item[],
  { call, codes }: Books,
): Promise<void> {
  const unposted: Outcome[] = []
  const documents: { readonly id: string; readonly document: object }[] = []
  for (const item of items) {
    const one = written(item, codes)
    if ('error' in one) unposted.push({ id: item.id, status: 'skipped', error: one.error })
    else documents.push({ id: item.id, document: one.document })
  }
  const outcomes = [...unposted, ...(documents.length > 0 ? await put(sync, kind, documents, call) : [])]
  await asSystem(organizationId, async (tx) => {
    await recordItems(tx, kind, sync, outcomes)
    await noteProgress(tx, sync.runId, progressOf(kind, outcomes))
  })
}

type Written = { readonly id: string; readonly document: object }

/** What is in the books already, after a death or in a database that was restored, is not put there again. */
async function put({ runId }: Syncing, kind: ItemKind, documents: readonly Written[], call: Call): Promise<Outcome[]> {
  const there = await call((access) =>
    findDocuments(
      access,
      KIND_OF[kind],
      documents.map(({ id }) => id),
    ),
  )
  const missing = documents.filter(({ id }) => !there.has(id))
  const made = missing.length > 0 ? await putMissing(runId, kind, missing, call) : []
  return documents.map(({ id }) => {
    const externalId = there.get(id)
    if (externalId !== undefined) return { id, status: 'pushed', externalId }
    const outcome = made[missing.findIndex((one) => one.id === id)]
    if (!outcome) throw new Error('what is not in the books was put there, or refused')
    return outcomeOf(kind, id, outcome)
  })
}

/** If Xero refuses a set as a whole, each is asked for alone: one must not keep the others out. */
async function putMissing(runId: string, kind: ItemKind, missing: readonly Written[], call: Call): Promise<Put[]> {
  const putThem = (some: readonly Written[]) =>
    call((access) =>
      putDocuments(
        access,
        KIND_OF[kind],
        some.map(({ document }) => document),
        runId,
      ),
    )
  try {
    return await putThem(missing)
  } catch (error) {
    if (!(error instanceof XeroFailure) || error.kind !== 'refused') throw error
    if (missing.length === 1) return [{ refused: error.message }]
  }
  const made: Put[] = []
  for (const one of missing) made.push(...(await putMissing(runId, kind, [one], call)))
  return made
}

function outcomeOf(kind: ItemKind, id: string, outcome: Put): Outcome {
  if ('externalId' in outcome) return { id, status: 'pushed', externalId: outcome.externalId }
  const error = { kind, id, code: 'rejected', message: outcome.refused, mapping_type: null } as const
  return { id, status: 'failed', error }
}

const NOTHING = { pushed: 0, skipped: 0, failed: 0, errors: [] }

/** A payment belongs to what it pays, which is counted already. */
function progressOf(kind: ItemKind, outcomes: readonly Outcome[]) {
  const count = (status: Outcome['status']) => outcomes.filter((outcome) => outcome.status === status).length
  const counted = kind !== 'bill_payment' && kind !== 'invoice_payment'
  return {
    pushed: counted ? count('pushed') : 0,
    skipped: count('skipped'),
    failed: count('failed'),
    errors: outcomes.flatMap((outcome) => (outcome.status === 'pushed' ? [] : [outcome.error])),
  }
}
