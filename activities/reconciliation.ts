/** Reconciliation with a partner: compares its lists with our books. */
import { v7 } from 'uuid'
import { noteBehind } from '../db/audit/behind.ts'
import { log } from '../platform/log.ts'
import { isOwnId } from '../domain/ids.ts'
import type { ListName, MoneyPartner, ReconciledPartner } from '../domain/callbacks/partner.ts'
import { recordCallback } from '../db/callbacks/callbacks.ts'
import { syncUnreadable } from '../db/audit/findings.ts'
import { forgetUnreadableRecords, recordUnreadableRecords } from '../db/callbacks/unreadable-records.ts'
import * as reconciliations from '../db/audit/reconciliation.ts'
import { type UnreadableRecord, type PartnerPage, moneyPartner } from '../partners/money-partners.ts'
import { listTrades } from '../partners/rates.ts'

export type PartnerRef = { readonly partner: ReconciledPartner }
export type Reconciled = { readonly records: number; readonly differences: number; readonly unknown: number }

const LOGGED_MAX = 10

/**
 * Reads each list of a partner and stores its differences as findings. An unreadable list does not stop the others; the
 * activity fails at the end. Idempotent.
 */
export async function reconcilePartner({ partner }: PartnerRef): Promise<Reconciled> {
  return partner === 'rates' ? reconcileTrades() : reconcileMoney(partner)
}

/** Reconciles payouts first: outsiders cannot write into their list. */
async function reconcileMoney(partner: MoneyPartner): Promise<Reconciled> {
  const client = moneyPartner(partner)
  const payouts = await orFailure(reconcileList(partner, 'payouts', client.listPayouts))
  const deposits = await orFailure(reconcileList(partner, 'deposits', client.listDeposits))
  const unknown = await importUnknownDeposits(partner) // includes the pages before one that failed
  await recheckReturned(partner)
  if ('failure' in payouts) throw payouts.failure
  if ('failure' in deposits) throw deposits.failure
  return {
    records: payouts.records + deposits.records,
    differences: payouts.differences + deposits.differences,
    unknown,
  }
}

const orFailure = <Result>(work: Promise<Result>): Promise<Result | { failure: unknown }> =>
  work.catch((failure: unknown) => ({ failure }))

async function reconcileList(
  partner: MoneyPartner,
  list: reconciliations.MoneyList,
  pageAfter: (after?: string) => Promise<PartnerPage<reconciliations.PartnerRecord>>,
): Promise<{ records: number; differences: number }> {
  const keep = (data: readonly reconciliations.PartnerRecord[]) => reconciliations.storeRecords(partner, list, data)
  const { records, since } = await readList(partner, list, pageAfter, keep)
  const differences = await reconciliations.differencesTo(partner, list, since)
  await reconciliations.storeDifferences(partner, list, differences)
  reportDifferences(partner, differences)
  await noteLost(partner, differences)
  for (const { paymentId, status } of await reconciliations.listUnansweredPayments(partner, differences)) {
    // once for each status: if a poll does not help, the finding stays
    const id = `reconciliation:${paymentId}:${status}`
    await recordCallback({ partner, id, subject: 'payment', subjectId: paymentId })
  }
  return { records, differences: differences.length }
}

/** Records payouts with ids like ours that the database lacks: it was restored to an earlier state. */
async function noteLost(partner: MoneyPartner, differences: readonly reconciliations.Difference[]): Promise<void> {
  const lost = differences.filter(
    ({ check, subject }) => check === `${partner}_payout_of_no_payment` && isOwnId(subject),
  )
  await noteBehind(lost.map(({ subject }) => ({ organizationId: null, subject: `payment:${subject}` })))
}

function reportDifferences(
  partner: ReconciledPartner,
  differences: readonly { check: string; subject: string }[],
): void {
  if (differences.length === 0) return
  const [count, first] = [differences.length, differences.slice(0, LOGGED_MAX)]
  log.error({ partner, count, differences: first }, 'a partner differs from us')
}

async function importUnknownDeposits(partner: MoneyPartner): Promise<number> {
  const unknown = await reconciliations.unknownDeposits(partner)
  for (const id of unknown) {
    log.warn({ partner, partner_deposit_id: id }, 'the partner does not know an announced deposit')
    await recordCallback({ partner, id: `reconciliation:${v7()}`, subject: 'deposit', subjectId: id })
  }
  return unknown.length
}

/** Records a callback, once, for each held deposit that the partner has sent back. */
async function recheckReturned(partner: MoneyPartner): Promise<void> {
  for (const id of await reconciliations.listUnreturnedDeposits(partner)) {
    await recordCallback({ partner, id: `reconciliation:${id}:returned`, subject: 'deposit', subjectId: id })
  }
}

/** Compares the desk's trades with covers. Checks late covers and the limit of the position even without the desk. */
async function reconcileTrades(): Promise<Reconciled> {
  const uncovered = await reconciliations.storeUncovered()
  if (uncovered.length > 0) {
    log.error({ count: uncovered.length, covers: uncovered.slice(0, LOGGED_MAX) }, 'exchanges stay uncovered')
  }
  const over = await reconciliations.storeOverLimit()
  if (over) log.error('our own position is over its limit: no currencies are exchanged')
  const { records, since } = await readList('rates', 'trades', listTrades, async (trades) => {
    await reconciliations.storeTrades(trades)
    return true
  })
  const differences = await reconciliations.storeTradeDifferences(since)
  reportDifferences('rates', differences)
  return { records, differences: differences.length + uncovered.length + Number(over), unknown: 0 }
}

/**
 * Reads a list to its end; `keep` stores a page, and tells if it need not be read again soon. Returns the number of
 * records, and the start of the read.
 */
async function readList<Entry extends { readonly id: string }>(
  partner: ReconciledPartner,
  list: ListName,
  pageAfter: (after?: string) => Promise<PartnerPage<Entry>>,
  keep: (entries: readonly Entry[]) => Promise<boolean>,
): Promise<{ records: number; since: string }> {
  const start = await reconciliations.readPosition(partner, list)
  try {
    let [after, quietUntil] = [start.from, start.from]
    let [records, quiet] = [0, true]
    for (;;) {
      const { data, odd, next } = await pageAfter(after)
      records += data.length
      quiet = (await keep(data)) && quiet
      await noteOdd(partner, list, { after, odd, ids: data.map(({ id }) => id) })
      if (next === null) break
      if (next === after) throw new Error(`the ${partner} repeats a page of its ${list}`)
      if (quiet) quietUntil = next
      after = next
    }
    await reconciliations.finishReading(partner, list, { ...start, from: quietUntil })
    return { records, since: start.since }
  } catch (error) {
    log.warn({ err: error, partner, list }, 'a list of a partner could not be read')
    await reconciliations.failReading(partner, list)
    throw error
  } finally {
    await syncUnreadable()
  }
}

/** Stores unreadable records and deposits of zero, and logs each once. */
async function noteOdd(
  partner: ReconciledPartner,
  list: ListName,
  page: { after: string | undefined; odd: readonly UnreadableRecord[]; ids: readonly string[] },
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
