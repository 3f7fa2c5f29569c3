/** What an operator decides about a payment that its partner took and then knew nothing of. */
import { refuse } from '../domain/errors.ts'
import type { PaymentId } from '../domain/ids.ts'
import { callAgain } from '../db/callbacks/callbacks.ts'
import { failUnknownPayout } from '../db/payments/payouts.ts'
import { asSystem } from '../db/sql.ts'
import { askPayout } from './payouts.ts'

/**
 * Fails a payment on hold, or one whose cancellation waits, and gives its money back, if the partner itself says that
 * it does not know it any more. Refuses `not_found`, and `invalid_state` if the payment stands elsewhere, if the
 * partner knows it, whose word counts then, and where it never took it: such a one is sent as soon as the partner
 * answers.
 */
export async function failHeldPayout(id: PaymentId, reason: string): Promise<void> {
  const payment = (await callAgain(id)) ?? refuse('not_found')
  const { organization_id: organizationId, status } = payment
  const known = await askPayout(organizationId, id)
  if (known) refuse('invalid_state', { current: status, partner: known.status })
  await asSystem(organizationId, (tx) => failUnknownPayout(tx, id, reason))
}
