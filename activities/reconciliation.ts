/** Reconciliation with a partner: compares its lists with our books. */
import { ApplicationFailure } from '@temporalio/common'
import { v7 } from 'uuid'
import * as v from 'valibot'
import { noteBehind } from '../services/audit/behind.ts'
import { log } from '../platform/log.ts'
import { instant } from '../domain/pagination.ts'
import { isOwnId } from '../domain/ids.ts'
import type { ConnectionName, ListName } from '../domain/partner.ts'
import { transaction } from '../db/postgres/sql.ts'
import { findConnection } from '../services/connections/connections.ts'
import { isPaused } from '../services/connections/pauses.ts'
import { isTraded } from '../services/covers/desks.ts'
import { recordCallback } from '../services/callbacks/callbacks.ts'
import { syncUnreadable } from '../services/audit/findings.ts'
import { forgetUnreadableRecords, recordUnreadableRecords } from '../services/callbacks/unreadable-records.ts'
import * as reconciliations from '../services/audit/reconciliation.ts'
import { isFinal } from '../partners/http.ts'
import { moneyPartner } from '../partners/money-partners.ts'
import { tradesAt } from '../partners/rates.ts'
import type { UnreadableRecord } from '../partners/schemas.ts'

/** Steps of a reconciliation: a list that is read and compared, unknown deposits, our own exposure, a sweep at last. */
type Step = ListName | 'unknown' | 'exposure' | 'sweep'

/** Part of a reconciliation. The cursor of a list is in its row; without steps it is the whole from its beginning. */
export type Part = {
  readonly partner: ConnectionName
  readonly steps?: readonly Step[]
  /** Lists that could not be read in this round. */
  readonly unread?: readonly ListName[]
  /** Lists that the partner refuses to show: a repeat would get the same answer. */
  readonly refused?: readonly ListName[]
  readonly rounds?: number
  /** Last unknown deposit that was called about. */
  readonly after?: string | null
}
export type ReconciliationResult = { readonly records: number; readonly differences: number; readonly unknown: number }
/** Findings of a part, and the next part: after a pause if lists could not be read. */
export type ReconciledPart = ReconciliationResult & { readonly next?: Part & { readonly pause_seconds?: number } }

const LOGGED_MAX = 10
/** Longest part, but for the page that it is in; the run then takes the next one. */
const PART_MS = 20_000
const UNKNOWN_PAGE = 1000
/** Most rounds of lists that cannot be read; they take about eight minutes. */
const ROUNDS_MAX = 10

/** Lists the steps of a connection. Payouts come first: outsiders cannot write into their list. */
function stepsOf(name: ConnectionName): readonly Step[] {
  if (findConnection(name)?.kind !== 'rates')
    return ['payouts', 'deposits', 'unknown', ...(moneyPartner(name).sweep ? (['sweep'] as const) : [])]
  return isTraded(name) ? ['exposure', 'trades'] : ['exposure']
}

/**
 * Reconciles a part: reads a list for some seconds, page by page, and compares it at its end. Differences are findings.
 * An unreadable list does not stop the others: it is read again in another round. Idempotent; what was read is not read
 * again after a crash.
 */
export async function reconcilePartner(part: Part): Promise<ReconciledPart> {
  const { partner, steps = stepsOf(partner), unread = [], refused = [], rounds = 1 } = part
  const [step, ...later] = steps
  if (step === undefined) throw new Error('a part has a step')
  const found = { records: 0, differences: 0, unknown: 0 }
  const goOn = (rest: readonly Step[], failed: Partial<ListFailures> = {}) =>
    nextPart(partner, rest, { unread, refused, ...failed }, rounds)
  if (step === 'exposure') return { ...found, differences: await checkExposure(), ...goOn(later) }
  if (step === 'sweep') {
    await sweep(partner)
    return { ...found, ...goOn(later) }
  }
  if (step === 'unknown') {
    const { called, after } = await importUnknownDeposits(partner, part.after ?? null)
    if (after !== null) return { ...found, unknown: called, next: { ...part, partner, steps, after } }
    await recheckReturned(partner)
    return { ...found, unknown: called, ...goOn(later) }
  }
  const read = await readPart(partner, step)
  if (read === 'unread') return { ...found, ...goOn(later, { unread: [...unread, step] }) }
  if (read === 'refused') return { ...found, ...goOn(later, { refused: [...refused, step] }) }
  if (!read.isWhole) return { ...found, records: read.records, next: { ...part, partner, steps } }
  return { ...found, records: read.records, differences: await compare(partner, step, read.since), ...goOn(later) }
}

/** Has what arrived moved to where payouts are paid from, unless the connection is paused. The next round goes on. */
async function sweep(partner: ConnectionName): Promise<void> {
  if (await transaction((tx) => isPaused(tx, partner))) return
  try {
    const moves = (await moneyPartner(partner).sweep?.()) ?? 0
    if (moves > 0) log.info({ partner, moves }, 'what arrived moves to where payouts are paid from')
  } catch (error) {
    log.error({ partner, err: error }, 'what arrived could not be moved to where payouts are paid from')
  }
}

type ListFailures = { readonly unread: readonly ListName[]; readonly refused: readonly ListName[] }

/** Names the next part; lists that could not be read come again, after a backoff. Fails when they have come often. */
function nextPart(
  partner: ConnectionName,
  steps: readonly Step[],
  { unread, refused }: ListFailures,
  rounds: number,
): Pick<ReconciledPart, 'next'> {
  if (steps.length > 0) return { next: { partner, steps, unread, refused, rounds } }
  if (unread.length > 0 && rounds < ROUNDS_MAX) {
    const again = unread.includes('deposits') ? [...unread, 'unknown' as const] : unread
    return { next: { partner, steps: again, refused, rounds: rounds + 1, pause_seconds: 2 ** (rounds - 1) } }
  }
  const lost = [...unread, ...refused]
  if (lost.length === 0) return {}
  throw ApplicationFailure.nonRetryable(`the ${partner} does not let us read its ${lost.join(' and ')}`, 'Unread')
}

/** Compares a list that was read to its end; answers the number of differences. */
async function compare(partner: ConnectionName, list: ListName, since: string): Promise<number> {
  if (list !== 'trades') return compareMoney(partner, list, since)
  const differences = await reconciliations.storeTradeDifferences(since)
  reportDifferences(partner, differences)
  return differences.length
}

async function compareMoney(partner: ConnectionName, list: reconciliations.MoneyList, since: string): Promise<number> {
  const differences = await reconciliations.differencesTo(partner, list, since)
  await reconciliations.storeDifferences(partner, list, differences)
  reportDifferences(partner, differences)
  await noteLost(partner, differences)
  for (const { paymentId, status } of await reconciliations.listUnansweredPayments(partner, differences)) {
    // once for each status: if a poll does not help, the finding stays
    const id = `reconciliation:${paymentId}:${status}`
    await recordCallback({ partner, id, subject: 'payment', subjectId: paymentId })
  }
  return differences.length
}

/** Records payouts with ids like ours that the database lacks: it was restored to an earlier state. */
async function noteLost(partner: ConnectionName, differences: readonly reconciliations.Difference[]): Promise<void> {
  const lost = differences.filter(
    ({ check, subject }) => check === `${partner}_payout_of_no_payment` && isOwnId(subject),
  )
  await noteBehind(lost.map(({ subject }) => ({ organizationId: null, subject: `payment:${subject}` })))
}

function reportDifferences(partner: ConnectionName, differences: readonly { check: string; subject: string }[]): void {
  if (differences.length === 0) return
  const [count, first] = [differences.length, differences.slice(0, LOGGED_MAX)]
  log.error({ partner, count, differences: first }, 'a partner differs from us')
}

/** Has unknown deposits taken in, for some seconds; `after` is the last one of them unless that were all. */
async function importUnknownDeposits(
  partner: ConnectionName,
  from: string | null,
): Promise<{ called: number; after: string | null }> {
  const until = Date.now() + PART_MS
  let called = 0
  for (let after = from; ;) {
    const unknown = await reconciliations.unknownDeposits(partner, after, UNKNOWN_PAGE)
    for (const id of unknown) {
      log.warn({ partner, partner_deposit_id: id }, 'the partner does not know an announced deposit')
      await recordCallback({ partner, id: `reconciliation:${v7()}`, subject: 'deposit', subjectId: id })
    }
    called += unknown.length
    if (unknown.length < UNKNOWN_PAGE) return { called, after: null }
    after = unknown.at(-1) ?? null
    if (Date.now() > until) return { called, after }
  }
}

/** Records a callback, once, for each held deposit that the partner has sent back. */
async function recheckReturned(partner: ConnectionName): Promise<void> {
  for (const id of await reconciliations.listUnreturnedDeposits(partner)) {
    await recordCallback({ partner, id: `reconciliation:${id}:returned`, subject: 'deposit', subjectId: id })
  }
}

/** Checks late covers and the limit of our position, for which no desk is asked; answers the number of findings. */
async function checkExposure(): Promise<number> {
  const uncovered = await reconciliations.storeUncovered()
  if (uncovered.length > 0) {
    log.error({ count: uncovered.length, covers: uncovered.slice(0, LOGGED_MAX) }, 'exchanges stay uncovered')
  }
  const over = await reconciliations.storeOverLimit()
  if (over) log.error('our own position is over its limit: no currencies are exchanged')
  return uncovered.length + Number(over)
}

type Page = { readonly odd: readonly UnreadableRecord[]; readonly next: string | null; readonly ids: readonly string[] }
type ReadPage = Page & {
  /** None of its records has changed for long: it need not be read again soon. */
  readonly isQuiet: boolean
}

/** Reads a page of a list, and stores its records. */
async function readPage(partner: ConnectionName, list: ListName, after: string | undefined): Promise<ReadPage> {
  if (list === 'trades') {
    const { data, odd, next } = await tradesAt(partner).listTrades(after)
    return { odd, next, ids: data.map(({ id }) => id), isQuiet: await reconciliations.storeTrades(partner, data) }
  }
  const driver = moneyPartner(partner)
  const page = list === 'payouts' ? await driver.payouts(after) : await driver.deposits(after)
  const data = page.data.map((one): reconciliations.PartnerRecord => {
    const movedAt = 'receivedAt' in one ? one.receivedAt : one.changedAt
    return { ...one, movedAt: v.is(instant, movedAt) ? movedAt : null } // a time that is on no calendar says nothing
  })
  const isQuiet = (await reconciliations.storeRecords(partner, list, data)) && !page.isUnfinished
  return { odd: page.odd, next: page.next, ids: data.map(({ id }) => id), isQuiet }
}

type ReadPart = { readonly records: number; readonly isWhole: boolean; readonly since: string }

/** Reads a list on for some seconds; its cursor is stored with each page. A failure is recorded. */
async function readPart(partner: ConnectionName, list: ListName): Promise<ReadPart | 'unread' | 'refused'> {
  const until = Date.now() + PART_MS
  const seen = new Set<string | null>() // cursors: a list that comes back to one never ends
  let records = 0
  try {
    for (;;) {
      const reading = await reconciliations.resumeReading(partner, list)
      const { after, quietUntil, since } = reading
      seen.add(after)
      const { odd, next, ids, isQuiet } = await readPage(partner, list, after ?? undefined)
      records += ids.length
      await noteOdd(partner, list, { after, odd, ids })
      if (next === null) {
        await reconciliations.finishReading(partner, list, reading)
        return { records, isWhole: true, since }
      }
      if (seen.has(next)) throw new Error(`the ${partner} repeats a page of its ${list}`)
      seen.add(next)
      const moved = { after: next, quietUntil: isQuiet && quietUntil === after ? next : quietUntil }
      await reconciliations.advanceReading(partner, list, reading, moved)
      if (Date.now() > until) return { records, isWhole: false, since }
    }
  } catch (error) {
    log.warn({ err: error, partner, list }, 'a list of a partner could not be read')
    await reconciliations.failReading(partner, list)
    return isFinal(error) ? 'refused' : 'unread'
  } finally {
    await syncUnreadable()
  }
}

/** Stores unreadable records and deposits of zero, and logs each once. */
async function noteOdd(
  partner: ConnectionName,
  list: ListName,
  page: { after: string | null; odd: readonly UnreadableRecord[]; ids: readonly string[] },
): Promise<void> {
  await forgetUnreadableRecords(partner, list, page.ids)
  if (page.odd.length === 0) return
  const named = page.odd.map(({ id, position, isZeroAmount }) => ({
    name: id ?? `${position} after ${page.after ?? 'nothing'}`,
    isZeroAmount: isZeroAmount && list === 'deposits',
  }))
  for (const { name, isZeroAmount } of await recordUnreadableRecords(partner, list, named)) {
    if (isZeroAmount) log.info({ partner, list, name }, 'a deposit of zero was skipped')
    else log.error({ partner, list, name }, 'a record of a partner is unreadable')
  }
}
