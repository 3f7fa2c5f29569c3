/** The reconciliation with a partner: its own lists are read, and compared with our books. */
import { v7 } from 'uuid'
import { log } from '../../db/log.ts'
import type { ListName, Lister } from '../../db/model/partners/partner-list.ts'
import type { MoneyPartner } from '../../db/model/partners/partner.ts'
import { noteCallback } from '../../db/partners/callbacks.ts'
import { keepUnreadable } from '../../db/audit/findings.ts'
import { forgetOddities, noteOddities } from '../../db/partners/unreadable-records.ts'
import * as reconciliations from '../../db/audit/reconciliation.ts'
import { type Oddity, type PartnerPage, moneyPartner } from '../clients/money-partners.ts'
import { listTrades } from '../clients/rates.ts'

export type PartnerRef = { readonly partner: Lister }
export type Reconciled = { readonly records: number; readonly differences: number; readonly unknown: number }

const LOGGED_MAX = 10

/**
 * Reads what is new in each list of the partner, once a day all of it, and keeps every difference as a finding. A list that
 * cannot be read keeps the others from nothing, and fails this at the end. Safe to repeat.
 * @public the workflow calls it by its proxy
 */
export async function reconcilePartner({ partner }: PartnerRef): Promise<Reconciled> {
  return partner === 'rates' ? reconcileTrades() : reconcileMoney(partner)
}

/** Payouts first: nobody outside can write into their list. */
async function reconcileMoney(partner: MoneyPartner): Promise<Reconciled> {
  const client = moneyPartner(partner)
  const payouts = await settled(reconcileList(partner, 'payouts', client.listPayouts))
  const deposits = await settled(reconcileList(partner, 'deposits', client.listDeposits))
  const unknown = await takeInUnknown(partner) // of those pages too that came before one that did not
  await lookAtUnreturned(partner)
  if ('failure' in payouts) throw payouts.failure
  if ('failure' in deposits) throw deposits.failure
  return {
    records: payouts.records + deposits.records,
    differences: payouts.differences + deposits.differences,
    unknown,
  }
}

const settled = <Result>(work: Promise<Result>): Promise<Result | { failure: unknown }> =>
  work.catch((failure: unknown) => ({ failure }))

async function reconcileList(
  partner: MoneyPartner,
  list: reconciliations.MoneyList,
  pageAfter: (after?: string) => Promise<PartnerPage<reconciliations.PartnerRecord>>,
): Promise<{ records: number; differences: number }> {
  const keep = (data: readonly reconciliations.PartnerRecord[]) => reconciliations.keepRecords(partner, list, data)
  const { records, since } = await readList(partner, list, pageAfter, keep)
  const differences = await reconciliations.differencesTo(partner, list, since)
  await reconciliations.keepDifferences(partner, list, differences)
  tell(partner, differences)
  for (const { paymentId, status } of await reconciliations.unheardPayments(partner, differences)) {
    // once for each status: where asking does not mend it, the finding stays
    const id = `reconciliation:${paymentId}:${status}`
    await noteCallback({ partner, id, subject: 'payment', subjectId: paymentId })
  }
  return { records, differences: differences.length }
}

function tell(partner: Lister, differences: readonly { check: string; subject: string }[]): void {
  if (differences.length === 0) return
  const [count, first] = [differences.length, differences.slice(0, LOGGED_MAX)]
  log.error({ partner, count, differences: first }, 'a partner differs from us')
}

/** Treats deposits that we know nothing of as if the partner had just called about them; answers how many. */
async function takeInUnknown(partner: MoneyPartner): Promise<number> {
  const unknown = await reconciliations.unknownDeposits(partner)
  for (const id of unknown) {
    log.warn({ partner, partner_deposit_id: id }, 'a deposit was never heard of')
    await noteCallback({ partner, id: `reconciliation:${v7()}`, subject: 'deposit', subjectId: id })
  }
  return unknown.length
}

/** Treats deposits that the partner has sent back, and that we still hold, as if it had just called about them: once each. */
async function lookAtUnreturned(partner: MoneyPartner): Promise<void> {
  for (const id of await reconciliations.unreturnedDeposits(partner)) {
    await noteCallback({ partner, id: `reconciliation:${id}:returned`, subject: 'deposit', subjectId: id })
  }
}

/** The rates desk's trades against the swaps that they cover. A swap without cover is told also while the desk is away. */
async function reconcileTrades(): Promise<Reconciled> {
  const uncovered = await reconciliations.keepUncovered()
  if (uncovered.length > 0) {
    log.error({ count: uncovered.length, swaps: uncovered.slice(0, LOGGED_MAX) }, 'swaps are not covered')
  }
  const { records, since } = await readList('rates', 'trades', listTrades, async (trades) => {
    await reconciliations.keepTrades(trades)
    return true
  })
  const differences = await reconciliations.keepTradeDifferences(since)
  tell('rates', differences)
  return { records, differences: differences.length + uncovered.length, unknown: 0 }
}

/**
 * Reads a list to its end; `keep` keeps a page of it, and answers whether it need not be read again soon. Answers how many
 * records that were, and when it began. What cannot be read is noted for the operator.
 */
async function readList<Entry extends { readonly id: string }>(
  partner: Lister,
  list: ListName,
  pageAfter: (after?: string) => Promise<PartnerPage<Entry>>,
  keep: (entries: readonly Entry[]) => Promise<boolean>,
): Promise<{ records: number; since: string }> {
  const start = await reconciliations.whereToRead(partner, list)
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
    await keepUnreadable()
  }
}

/** Notes what a page has besides: what cannot be read, and deposits of nothing, told once each. `ids` are the others. */
async function noteOdd(
  partner: Lister,
  list: ListName,
  page: { after: string | undefined; odd: readonly Oddity[]; ids: readonly string[] },
): Promise<void> {
  await forgetOddities(partner, list, page.ids)
  if (page.odd.length === 0) return
  const named = page.odd.map(({ id, position, isNothing }) => ({
    name: id ?? `${position} after ${page.after ?? 'nothing'}`,
    isNothing: isNothing && list === 'deposits',
  }))
  for (const { name, isNothing } of await noteOddities(partner, list, named)) {
    if (isNothing) log.info({ partner, list, name }, 'a deposit is of nothing, and passed over')
    else log.error({ partner, list, name }, 'a record of a partner cannot be read')
  }
}
