/** Syncs of organizations with their books, set by set; each item is posted once, even after a crash. */
import {
  type Item,
  type ItemKind,
  KINDS,
  type Outcome,
  type Posting,
  findLastTries,
  findPosting,
  nextItems,
  recordItems,
} from '../../services/accounting/items.ts'
import { keepBooks, readNames } from '../../services/accounting/books.ts'
import { accountCodes } from '../../services/accounting/mappings.ts'
import {
  type Progress,
  completeRun,
  connectedOrganizations,
  noteProgress,
  noteUnreachable,
  pauseRun,
  requestRun,
} from '../../services/accounting/sync-runs.ts'
import { type Tx, asSystem, readerOf } from '../../db/postgres/sql.ts'
import { organizationOf } from '../../db/processes/views.ts'
import type { AccountCodes } from '../../domain/accounting/mapping.ts'
import type { BooksNames } from '../../domain/accounting/names.ts'
import type { OrganizationId, SyncRunId } from '../../domain/ids.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { XeroFailure } from '../../partners/xero-http.ts'
import { type Put, findDocuments, listAccounts, listTaxRates, listTracking, putDocuments } from '../../partners/xero.ts'
import { log } from '../../platform/log.ts'
import { type Document, KIND_OF, rejectionOf, searchKeyOf, writeDocument } from './documents.ts'
import { type Call, withBooks } from './session.ts'

/** Organizations per page of the scheduled sync. */
const PAGE = 200
/** Items per set; the ids of a set must fit into one URL. */
const SET = 25
/** Longest step; the loop then takes the next one, so that a cancellation is noticed. */
const STEP_MS = 40_000

export type SyncPage = { readonly after: string | null }
export type SyncedPage = SyncPage & { readonly begun: number }

/** Begins the syncs of a page of connected organizations; `after` is null at the end. */
export async function beginSyncs({ after }: SyncPage): Promise<SyncedPage> {
  const page = await connectedOrganizations(after, PAGE)
  for (const { id, organization_id: organizationId } of page) {
    await asSystem(organizationId, (tx) => requestRun(tx, id, { trigger: 'schedule', requestedBy: null }))
  }
  return { after: page.length < PAGE ? null : (page.at(-1)?.id ?? null), begun: page.length }
}

export const readAccounts = (ref: ProcessRef<SyncRunId>): Promise<void> =>
  askBooks(
    ref,
    ({ accountsRead }) => !accountsRead,
    async (organizationId, sync, call) => {
      const accounts = await call(listAccounts)
      const rates = await call(listTaxRates)
      const options = await call(listTracking)
      await asSystem(organizationId, (tx) => keepBooks(tx, sync, { accounts, rates, options }))
    },
  )

/** Posts set after set; the outcome of each is recorded before the next. Completes the sync at the end. */
export const postSyncPage = (ref: ProcessRef<SyncRunId>): Promise<void> =>
  askBooks(ref, ({ accountsRead }) => accountsRead, post)

/** Calls Xero if the sync is due; records a used-up rate limit or a missing answer. */
async function askBooks(
  ref: ProcessRef<SyncRunId>,
  isDue: (sync: Posting) => boolean,
  ask: (organizationId: OrganizationId, sync: Posting, call: Call) => Promise<void>,
): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const sync = await findPosting(readerOf(organizationId), id)
  if (!sync || !isDue(sync)) return
  try {
    await withBooks(organizationId, sync.connectionId, (call) => ask(organizationId, sync, call))
  } catch (error) {
    if (!(error instanceof XeroFailure)) throw error
    await noteFailure(organizationId, id, error)
  }
}

/** Records a failure; `withBooks` has ended the run already if the consent was refused. */
async function noteFailure(organizationId: OrganizationId, id: SyncRunId, failure: XeroFailure): Promise<void> {
  const { kind, message, seconds } = failure
  if (kind === 'denied')
    return log.warn({ run_id: id }, 'an accounting program refused the connection: it must be connected again')
  if (kind === 'busy') return asSystem(organizationId, (tx) => pauseRun(tx, id, seconds ?? 1, message))
  log.warn({ err: failure, run_id: id }, 'an accounting program gave no clear answer')
  await asSystem(organizationId, (tx) => noteUnreachable(tx, id, message))
}

async function post(organizationId: OrganizationId, sync: Posting, call: Call): Promise<void> {
  const { codes, names } = await asSystem(organizationId, async (tx) => ({
    codes: await accountCodes(tx),
    names: await readNames(tx, sync.tenantId),
  }))
  // before accounts are chosen, errors of single items would only repeat that
  const lookedThrough = codes.size > 0
  if (lookedThrough && !(await postAll(organizationId, sync, { call, codes, names }))) {
    return asSystem(organizationId, (tx) => noteProgress(tx, sync.runId, progressOf('transaction', [])))
  }
  await asSystem(organizationId, (tx) => completeRun(tx, sync.runId, { lookedThrough }))
}

type Books = { readonly call: Call; readonly codes: AccountCodes; readonly names: BooksNames }
/** Items of one kind, and the runs that tried them last. */
type ItemSet = { readonly kind: ItemKind; readonly items: readonly Item[]; readonly tries: ReadonlyMap<string, string> }

/** Posts all items; false if the time of the step is over first. */
async function postAll(organizationId: OrganizationId, sync: Posting, books: Books): Promise<boolean> {
  const until = Date.now() + STEP_MS
  for (const kind of KINDS) {
    for (;;) {
      const set = await asSystem(organizationId, (tx) => readSet(tx, kind, sync))
      if (set.items.length === 0) break
      if (Date.now() > until) return false
      const outcomes = await postSet(set, books)
      await asSystem(organizationId, async (tx) => {
        await recordItems(tx, kind, sync, outcomes)
        await noteProgress(tx, sync.runId, progressOf(kind, outcomes))
      })
    }
  }
  return true
}

async function readSet(tx: Tx, kind: ItemKind, sync: Posting): Promise<ItemSet> {
  const items = await nextItems(tx, kind, sync, SET)
  return { kind, items, tries: items.length > 0 ? await findLastTries(tx, kind, sync, items) : new Map() }
}

async function postSet(set: ItemSet, { call, codes, names }: Books): Promise<Outcome[]> {
  const unposted: Outcome[] = []
  const documents: Document[] = []
  for (const item of set.items) {
    const one = writeDocument(item, codes, names)
    if ('error' in one) unposted.push({ id: item.id, status: 'skipped', error: one.error })
    else documents.push({ item, document: one.document })
  }
  return [...unposted, ...(documents.length > 0 ? await putOnce(set, documents, call) : [])]
}

/** Posts the documents that the books lack. Idempotent after a crash and in a restored database. */
async function putOnce(set: ItemSet, documents: readonly Document[], call: Call): Promise<Outcome[]> {
  const there = await findAll(set.kind, documents, call)
  const missing = documents.filter(({ item }) => !there.has(item.id))
  const made: Put[] = []
  for (const part of chunksOf(missing)) made.push(...(await putMissing(set, part, call)))
  return documents.map(({ item }) => {
    const { id } = item
    const externalId = there.get(id)
    if (externalId !== undefined) return { id, status: 'pushed', externalId }
    const outcome = made[missing.findIndex((one) => one.item.id === id)]
    if (!outcome) throw new Error('what is not in the books was put there, or refused')
    if ('externalId' in outcome) return { id, status: 'pushed', externalId: outcome.externalId }
    return { id, status: 'failed', error: rejectionOf(item, outcome.refused) }
  })
}

/** Characters of documents in one call: Xero takes 3.5 MB. */
const CALL_CHARACTERS_MAX = 800_000

/** Divides documents into those of one call. */
function chunksOf(documents: readonly Document[]): Document[][] {
  const chunks: Document[][] = []
  let size = Infinity
  for (const one of documents) {
    const own = JSON.stringify(one.document).length
    if (size + own > CALL_CHARACTERS_MAX) chunks.push([])
    size = (size + own > CALL_CHARACTERS_MAX ? 0 : size) + own
    chunks.at(-1)?.push(one)
  }
  return chunks
}

/** Finds the documents that the books have, page by page: much may have the number of a bill. */
async function findAll(kind: ItemKind, documents: readonly Document[], call: Call): Promise<Map<string, string>> {
  const keys = documents.map(({ item }) => searchKeyOf(item))
  const all = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const found = await call((access) => findDocuments(access, KIND_OF[kind], keys, page))
    for (const [id, externalId] of found.there) all.set(id, externalId)
    if (found.isLast || keys.every(({ id }) => all.has(id))) return all
  }
}

/** Posts a set; if Xero refuses it as a whole, posts each alone, so that one bad item does not block the others. */
async function putMissing(set: ItemSet, missing: readonly Document[], call: Call): Promise<Put[]> {
  const { kind, tries } = set
  const contents = missing.map(({ document }) => document)
  // another run repeats the call of this one, but not one whose outcome was recorded
  const after = missing.map(({ item }) => tries.get(item.id) ?? null)
  try {
    return await call((access) => putDocuments(access, KIND_OF[kind], contents, after))
  } catch (error) {
    if (!(error instanceof XeroFailure) || error.kind !== 'refused') throw error
    if (missing.length === 1) return [{ refused: error.message }]
  }
  const made: Put[] = []
  for (const one of missing) made.push(...(await putMissing(set, [one], call)))
  return made
}

/** Counts outcomes. A payment is not counted: the document that it pays is. */
function progressOf(kind: ItemKind, outcomes: readonly Outcome[]): Progress {
  const count = (status: Outcome['status']) => outcomes.filter((outcome) => outcome.status === status).length
  const isPayment = kind === 'bill_payment' || kind === 'invoice_payment'
  return {
    pushed: isPayment ? 0 : count('pushed'),
    skipped: count('skipped'),
    failed: count('failed'),
    errors: outcomes.flatMap((outcome) => (outcome.status === 'pushed' ? [] : [outcome.error])),
  }
}
