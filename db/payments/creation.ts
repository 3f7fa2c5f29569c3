/** How a payment is made: of a quote, or by service ID without one. */
import { v5 } from 'uuid'
import { requestApproval } from '../approvals/requests.ts'
import { rulesOf } from '../approvals/policies.ts'
import { record } from '../events.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { inOrder } from '../in-order.ts'
import { policyOf, ruleFor } from '../../domain/approvals/policy.ts'
import type { Policy } from '../../domain/approvals/requirements.ts'
import type { ApprovalId, EventId, PaymentId, UserId } from '../../domain/ids.ts'
import { paymentFlow } from '../../domain/flows/payment.ts'
import { paymentEvents } from '../../domain/payments/events.ts'
import { RATE_MINUTES } from '../../domain/payments/quote.ts'
import {
  AWAITING_APPROVAL_DETAIL,
  type Payment,
  type PaymentOrder,
  type PaymentTexts,
} from '../../domain/payments/payment.ts'
import { quoted } from '../../domain/text.ts'
import { type PaymentRow, paymentColumns, toPayment } from './payments.ts'
import { type Terms, contactTerms, quotedTerms } from './terms.ts'
import { type Tx, within } from '../sql.ts'
import { wake } from '../wakes.ts'
import { RAIL } from '../../domain/rails.ts'

const DERIVED_NAMESPACE = '1f0d7f3a-96f0-4e0c-8c57-6d8a9b8f0c42'
/** Ids of what a payment brings with it, derived from its own so that a repeat finds the same rows. */
const derivedId = (id: PaymentId, part: string): string => v5(`${id}:${part}`, DERIVED_NAMESPACE)

/**
 * Makes a payment once for its claim, which names it: payment, approval, event and claim in one transaction. Null, with
 * nothing written, if another request has the claim: a repeat is never refused. Refuses what quotedTerms() refuses, or
 * contactTerms().
 */
export async function createPayment(
  tx: Tx,
  claim: Claim,
  requesterId: UserId,
  order: PaymentOrder,
): Promise<Payment | null> {
  if (!(await takeClaim(tx, claim))) return null // waits for who has it: what follows sees what that one wrote
  const { id } = claim
  const reader = within(tx)
  const [terms, rules] = await inOrder(
    () =>
      'quote_id' in order ? quotedTerms(reader, id, requesterId, order) : contactTerms(reader, requesterId, order),
    () => rulesOf(reader),
  )
  const rule = ruleFor(rules, { action_type: 'withdrawal', amount: terms.deducting })
  if (!rule) throw new Error('a payment always waits for approval')
  const barred = order.bill?.barred ?? []
  const policy = { ...policyOf(rule), ...(barred.length > 0 && { barred }) }
  return insertPaymentWithApproval(tx, id, { requesterId, order, policy, terms })
}

type NewPaymentRow = {
  readonly requesterId: UserId
  readonly order: PaymentTexts & Pick<PaymentOrder, 'request_id' | 'bill'>
  readonly policy: Policy
  readonly terms: Terms
}

/** Writes approval, payment and event, uses the quote up, and wakes the payment's process. */
async function insertPaymentWithApproval(tx: Tx, id: PaymentId, payment: NewPaymentRow): Promise<Payment> {
  const { requesterId, order, policy, terms } = payment
  // Derived ids are uuids of the kind that their column says.
  const approvalId = derivedId(id, 'approval') as ApprovalId
  const eventId = derivedId(id, 'created') as EventId
  const cause = `request:${order.request_id}`
  wake(tx, paymentFlow, { ids: [id], why: 'created', status: 'awaiting_approval', rail: terms.rail })
  // the event causes the approval's, and a payment names its approval
  const [, , made] = await inOrder(
    () =>
      record(tx, paymentEvents.created, {
        id: eventId,
        subjectId: id,
        cause,
        payload: loggedOf(terms),
      }),
    () =>
      requestApproval(tx, {
        id: approvalId,
        target_type: RAIL[terms.rail].target,
        target_id: id,
        requester_id: requesterId,
        policy,
        subject: subjectOf(id, terms),
        summary: summaryOf(terms, order.bill?.note),
        cause,
        ...(terms.rate !== null && { expires_within_minutes: RATE_MINUTES }),
      }),
    () => insertPayment(tx, { id, approvalId, eventId, ...payment }),
    async () => terms.quote_id && tx`update payment_quotes set payment_id = ${id} where id = ${terms.quote_id}`,
  )
  return made
}

/**
 * What the step-up of who approves is bound to: both amounts, what it costs, and the account that the money goes to.
 */
function subjectOf(id: PaymentId, terms: Terms): Readonly<Record<string, unknown>> {
  const { destination_id: payee, fingerprint, deducting, landing, fee, rate } = terms
  // a payment by service ID is the same however it was asked for
  if (terms.rail === 'svc_id') return { target_id: id, ...deducting, payee }
  return { target_id: id, deducting, landing, fee, rate, payee, fingerprint }
}

/** What leaves the account, what of it arrives if that is another currency, and who gets it, whatever we call them. */
function summaryOf({ deducting, landing, contact_name: name, payee }: Terms, note?: string | null): string {
  const arriving = landing.currency === deducting.currency ? '' : ` (${landing.amount} ${landing.currency})`
  return `${deducting.amount} ${deducting.currency}${arriving} to ${quoted(name)}: ${payee}${note ? `; ${note}` : ''}`
}

const loggedOf = ({ rail, deducting, landing, fee, rate, quote_id }: Terms) => ({
  rail,
  quote_id,
  payment_batch_id: null,
  deducting,
  landing,
  fee,
  rate,
})

async function insertPayment(
  tx: Tx,
  payment: NewPaymentRow & { id: PaymentId; approvalId: ApprovalId; eventId: EventId },
): Promise<Payment> {
  const { order, terms } = payment
  const { deducting, landing, fee, rail } = terms
  const [row] = await tx<PaymentRow[]>`
    insert into payments (id, organization_id, payment_contact_id, destination_id, destination_name,
      payee_organization_id, approval_request_id, event_id, rail, status, status_detail, deducting_amount,
      deducting_currency, landing_amount, landing_currency, fee_amount, fee_feed_id, rate, quote_id, payout_reason,
      statement_description, internal_notes, tag, bill_id, created_by)
    values (${payment.id}, ${tx.organizationId}, ${terms.contact_id}, ${terms.destination_id}, ${terms.contact_name},
      ${terms.payee_organization_id}, ${payment.approvalId}, ${payment.eventId}, ${rail}, 'awaiting_approval',
      ${AWAITING_APPROVAL_DETAIL}, ${deducting.amount}, ${deducting.currency}, ${landing.amount}, ${landing.currency},
      ${fee.amount}, case when ${fee.amount}::numeric > 0 then uuidv7() end, ${terms.rate},
      ${rail === 'svc_id' ? null : terms.quote_id}, ${order.payout_reason}, ${order.statement_description},
      ${order.internal_notes}, ${terms.tag}, ${order.bill?.id ?? null}, ${payment.requesterId})
    returning ${paymentColumns()}`
  if (!row) throw new Error('the payment was not written')
  return toPayment(row)
}
