/** Payments are made in one transaction, whichever operation asked for one. */
import type { ContactOrder, NewPayment, Payment, QuoteOrder } from '../../domain/payments/payment.ts'
import { createPayment } from '../../db/payments/creation.ts'
import { findPayment } from '../../db/payments/payments.ts'
import { refuseOtherBody } from '../http/create-once.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import type { Context } from '../http/route.ts'

type Texts = Pick<NewPayment, 'payout_reason' | 'statement_description' | 'internal_notes'>
type Making = Context<'requestId' | 'person' | 'read' | 'write' | 'claim', { readonly body: Texts }>

/**
 * Makes the payment of this request, once for its claim, and answers it as it was made. If another request has the
 * claim, the same body gets that one's payment, and another body is refused with `idempotency_key_reused`.
 */
export async function createPaymentOnce(context: Making, wanted: ContactOrder | QuoteOrder): Promise<Payment> {
  const { read, write, claim, person, body, requestId } = context
  const { payout_reason, statement_description, internal_notes = null } = body
  const order = { ...wanted, payout_reason, statement_description, internal_notes, request_id: requestId }
  const made = await repeating(() => write((tx) => createPayment(tx, claim, person.userId, order), BRIEF_LOCKS))
  if (made) return made
  await refuseOtherBody(claim)
  return findPayment(read, claim.id)
}
