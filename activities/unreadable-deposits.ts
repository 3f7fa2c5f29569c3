/** What partners say and nobody can read: noted for the operator, so that nothing waits for it. */
import { log } from '../platform/log.ts'
import type { MoneyPartner } from '../domain/callbacks/partner.ts'
import { syncUnreadable } from '../db/audit/findings.ts'
import { recordUnreadableRecords } from '../db/callbacks/unreadable-records.ts'
import { type PartnerDeposit, isUnknownMoney, moneyPartner } from '../partners/money-partners.ts'

/**
 * A partner's deposit; null if there is nothing to be booked. One in a currency that the books do not know becomes a
 * finding for the operator, and is nothing to be booked until the partner lists it in one that they do.
 */
export async function readDeposit(partner: MoneyPartner, id: string): Promise<PartnerDeposit | null> {
  try {
    return await moneyPartner(partner).getDeposit(id)
  } catch (error) {
    if (!isUnknownMoney(error)) throw error
    log.error({ err: error, partner, partner_deposit_id: id }, 'a deposit is of money that the books do not know')
    await recordUnreadableRecords(partner, 'deposits', [{ name: id, isZeroAmount: false }])
    await syncUnreadable()
    return null
  }
}
