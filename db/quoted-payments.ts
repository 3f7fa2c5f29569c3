/** Payments that are made of a quote: by bank, by blockchain, or by service ID as POST /payments makes them. */
import { requestApproval } from './approvals.ts'
import { rulesOf } from './approval-policies.ts'
import { takeClaim } from './claim.ts'
import { record } from './events.ts'
import { policyOf, ruleFor } from './model/approval-policy.ts'
import { refuse } from './model/errors.ts'
import type { ApprovalId, EventId, PaymentId, UserId } from './model/ids.ts'
import { TARGET_OF_RAIL } from './model/payment-flow.ts'
import { RATE_MINUTES } from './model/payment-quote.ts'
import { AWAITING_APPROVAL_DETAIL, type QuotedPaymentRequest } from './model/payment.ts'
import { type PaymentState, derivedId, paymentState } from './payments.ts'
import { obstaclesOf, refuseFirst } from './payment-obstacles.ts'
import { type KeptQuote, checkUsable, findQuote } from './payment-quotes.ts'
import { type Tx, within } from './sql.ts'

/**
 * Makes the payment of a quote, which is used up: payment, approval, events and claim in one transaction, once; a repeat
 * answers what the first one wrote. Refuses `not_found`, `quote_already_used`, `quote_expired`, and then the first of what
 * stands against it (payment-obstacles.ts).
 */
export async function createQuotedPayment(
  tx: Tx,
  id: PaymentId,
  requesterId: UserId,
  request: QuotedPaymentRequest,
): Promise<PaymentState> {
  const { quote_id: quoteId, market } = request
  const [found, known, rules, blocked] = await Promise.allSettled([
    findQuote(within(tx), quoteId, { userId: requesterId, lock: true }), // first: what follows sees who was before us
    paymentState(tx, id),
    rulesOf(within(tx)),
    obstaclesOf(within(tx), { quoteId, userId: requesterId, market }),
  ])
  if (known.status === 'rejected') throw known.reason
  if (known.value) return known.value
  if (found.status === 'rejected') throw found.reason
  if (rules.status === 'rejected') throw rules.reason
  const quote = found.value
  checkUsable(quote, id)
  if (blocked.status === 'rejected') throw blocked.reason
  refuseFirst(blocked.value)
  const rule = ruleFor(rules.value, { action_type: 'withdrawal', amount: quote.deducting })
  if (!rule) throw new Error('a payment always waits for approval')

  // Derived ids are uuids of the kind that their column says.
  const approvalId = derivedId(id, 'approval') as ApprovalId
  const eventId = derivedId(id, 'created') as EventId
  const cause = `request:${request.request_id}`
  await Promise.all([
    tx`update payment_quotes set payment_id = ${id} where id = ${quoteId}`,
    takeClaim(tx, { id, bodyHash: request.body_hash }),
    requestApproval(tx, {
      id: approvalId,
      action_type: 'withdrawal',
      target_type: TARGET_OF_RAIL[quote.rail],
      target_id: id,
      requester_id: requesterId,
      policy: policyOf(rule),
      subject: subjectOf(id, quote),
      summary: summaryOf(quote),
      cause,
      ...(quote.rate !== null && { expires_within_minutes: RATE_MINUTES }),
    }),
    insertPayment(tx, { id, approvalId, eventId, requesterId, request, quote }),
    record(tx, {
      id: eventId,
      stream: 'payments',
      subjectId: id,
      type: 'payment.created',
      cause,
      payload: loggedOf(quote),
    }),
  ])
  return (await paymentState(tx, id)) ?? refuse('not_found')
}

/** What the step-up of who approves is bound to: both amounts, what it costs, and the account that the money goes to. */
function subjectOf(id: PaymentId, quote: KeptQuote): Readonly<Record<string, unknown>> {
  const { destination_id: payee, fingerprint, deducting, landing, fee, rate } = quote
  // a payment by service ID is the same however it was asked for
  if (quote.rail === 'svc_id') return { target_id: id, ...deducting, payee }
  return { target_id: id, deducting, landing, fee, rate, payee, fingerprint }
}

/** What leaves the account, and what of it arrives where that is another currency. */
function summaryOf({ deducting, landing, contact_name: name }: KeptQuote): string {
  const arriving = landing.currency === deducting.currency ? '' : ` (${landing.amount} ${landing.currency})`
  return `${deducting.amount} ${deducting.currency}${arriving} to ${name}`
}

function loggedOf({ rail, deducting, landing, fee, rate, id }: KeptQuote): Readonly<Record<string, unknown>> {
  return rail === 'svc_id' ? deducting : { quote_id: id, deducting, landing, fee, rate }
}

async function insertPayment(
  tx: Tx,
  payment: {
    id: PaymentId
    approvalId: ApprovalId
    eventId: EventId
    requesterId: UserId
    request: QuotedPaymentRequest
    quote: KeptQuote
  },
): Promise<void> {
  const { request, quote } = payment
  const { deducting, landing, fee, rail } = quote
  const tag = request.tag === undefined ? (quote.tag ?? quote.contact_tag) : request.tag
  await tx`
    insert into payments (id, organization_id, payment_contact_id, destination_id, destination_name,
      payee_organization_id, approval_request_id, event_id, rail, status, status_detail, deducting_amount,
      deducting_currency, landing_amount, landing_currency, fee_amount, fee_feed_id, rate, quote_id, payout_reason,
      statement_description, internal_notes, tag, created_by)
    values (${payment.id}, ${tx.organizationId}, ${quote.contact_id}, ${quote.destination_id}, ${quote.contact_name},
      ${quote.payee_organization_id}, ${payment.approvalId}, ${payment.eventId}, ${rail}, 'awaiting_approval',
      ${AWAITING_APPROVAL_DETAIL}, ${deducting.amount}, ${deducting.currency}, ${landing.amount}, ${landing.currency},
      ${fee.amount}, case when ${fee.amount}::numeric > 0 then uuidv7() end, ${quote.rate},
      ${rail === 'svc_id' ? null : quote.id}, ${request.payout_reason}, ${request.statement_description},
      ${request.internal_notes}, ${tag}, ${payment.requesterId})`
}
