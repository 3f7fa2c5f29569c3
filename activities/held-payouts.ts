/** What an operator decides about a payment that its partner took and then knew nothing of. */
import { refuse } from '../db/model/errors.ts'
import { eventsFrom } from '../db/model/flow.ts'
import type { PaymentId } from '../db/model/ids.ts'
import { paymentFlow } from '../db/model/payment-flow.ts'
import { partnerOf } from '../db/model/partner.ts'
import { noteNewsAgain } from '../db/partner-callbacks.ts'
import { failForgotten } from '../db/payouts.ts'
import { asSystem } from '../db/sql.ts'
import { moneyPartner } from './partners/money.ts'

/**
 * Fails a payment on hold, and gives its money back, where the partner itself says that it does not know it. Refuses
 * `not_found`, and `invalid_state` where the payment is not on hold, or the partner knows it: then its word counts.
 */
export async function failHeldPayout(id: PaymentId, reason: string): Promise<void> {
  const payment = (await noteNewsAgain(id)) ?? refuse('not_found')
  const known = await moneyPartner(partnerOf(payment.rail)).getPayout(id)
  if (known) refuse('invalid_state', { current: payment.status, partner: known.status })
  if (payment.status !== 'on_hold') {
    refuse('invalid_state', { current: payment.status, allowed: eventsFrom(paymentFlow, payment.status) })
  }
  await asSystem(payment.organization_id, (tx) => failForgotten(tx, id, reason))
}
