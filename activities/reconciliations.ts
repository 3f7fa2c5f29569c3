/** The reconciliation with a partner: its own lists are read, and compared with our books. */
import { v7 } from 'uuid'
import { log } from '../db/log.ts'
import type { MoneyPartner } from '../db/model/partner.ts'
import { noteCallback } from '../db/partner-callbacks.ts'
import * as reconciliations from '../db/reconciliations.ts'
import { type PartnerPage, moneyPartner } from './partners/money.ts'

export type PartnerRef = { readonly partner: MoneyPartner }
export type Reconciled = { readonly records: number; readonly differences: number; readonly unknown: number }

/**
 * Reads what is new in both lists of the partner, once a day all of them, and keeps every difference as a finding. A
 * deposit that we know nothing of is treated as if the partner had just called about it. Safe to repeat.
 * @public the workflow calls it by its proxy
 */
export async function reconcilePartner({ partner }: PartnerRef): Promise<Reconciled> {
  const client = moneyPartner(partner)
  const since = await reconciliations.startOfReading()
  const records =
    (await readList(partner, 'payouts', client.listPayouts)) +
    (await readList(partner, 'deposits', client.listDeposits))
  const differences = await reconciliations.differencesTo(partner, since)
  await reconciliations.keepDifferences(partner, differences)
  if (differences.length > 0) {
    log.error(
      { partner, count: differences.length, differences: differences.slice(0, 10) },
      'a partner differs from us',
    )
  }
  const unknown = await reconciliations.unknownDeposits(partner)
  for (const id of unknown) {
    log.warn({ partner, partner_deposit_id: id }, 'a deposit was never heard of')
    await noteCallback({ partner, id: `reconciliation:${v7()}`, subject: 'deposit', subjectId: id })
  }
  return { records, differences: differences.length, unknown: unknown.length }
}

/** Reads a list to its end and keeps it; answers how many records that were. */
async function readList(
  partner: MoneyPartner,
  list: reconciliations.PartnerList,
  pageAfter: (after?: string) => Promise<PartnerPage<reconciliations.PartnerRecord>>,
): Promise<number> {
  const start = await reconciliations.whereToRead(partner, list)
  let [after, quietUntil] = [start.from, start.from]
  let [records, quiet] = [0, true]
  for (;;) {
    const { data, next } = await pageAfter(after)
    records += data.length
    quiet = (await reconciliations.keepRecords(partner, list, data)) && quiet
    if (next === null) break
    if (next === after) throw new Error(`the ${partner} repeats a page of its ${list}`)
    if (quiet) quietUntil = next
    after = next
  }
  await reconciliations.finishReading(partner, list, { from: quietUntil, whole: start.whole })
  return records
}
