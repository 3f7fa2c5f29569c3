/** Payments that are made of a quote: by bank, by blockchain, or by service ID as POST /payments makes them. */
import { rulesOf } from '../approvals/policies.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { policyOf, ruleFor } from '../model/approvals/policy.ts'
import { refuseFirst } from '../model/errors.ts'
import type { UserId } from '../model/ids.ts'
import type { QuotedPaymentRequest } from '../model/payments/payment.ts'
import { writePayment } from './creation.ts'
import { obstaclesOf } from './checks.ts'
import { checkUsable, findQuote } from './quotes.ts'
import { type Tx, within } from '../sql.ts'

/**
 * Makes the payment of a quote, which is used up: payment, approval, events and claim in one transaction, once; false when
 * the claim was taken by another request: then nothing is written. Refuses `not_found`, `quote_already_used`,
 * `quote_expired`, and then the first of what stands against it (payment-obstacles.ts).
 */
export async function createQuotedPayment(
  tx: Tx,
  claim: Claim,
  requesterId: UserId,
  request: QuotedPaymentRequest,
): Promise<boolean> {
  const { quote_id: quoteId, market } = request
  const { id } = claim
  if (!(await takeClaim(tx, claim))) return false
  const [found, rules, blocked] = await Promise.allSettled([
    findQuote(within(tx), quoteId, { userId: requesterId, lock: true }), // first: what follows sees who was before us
    rulesOf(within(tx)),
    obstaclesOf(within(tx), { quoteId, userId: requesterId, market }),
  ])
  if (found.status === 'rejected') throw found.reason
  if (rules.status === 'rejected') throw rules.reason
  const quote = found.value
  checkUsable(quote, id)
  if (blocked.status === 'rejected') throw blocked.reason
  refuseFirst(blocked.value)
  const rule = ruleFor(rules.value, { action_type: 'withdrawal', amount: quote.deducting })
  if (!rule) throw new Error('a payment always waits for approval')

  await Promise.all([
    tx`update payment_quotes set payment_id = ${id} where id = ${quoteId}`,
    writePayment(tx, id, {
      requesterId,
      request,
      policy: policyOf(rule),
      terms: quote,
      tag: request.tag === undefined ? (quote.tag ?? quote.contact_tag) : request.tag,
    }),
  ])
  return true
}
