/** What is written when a payment is made, however it was asked for. */
import { v5 } from 'uuid'
import { requestApproval } from '../approvals/approvals.ts'
import { record } from '../events.ts'
import type { Policy } from '../model/approvals/requirements.ts'
import type { ApprovalId, EventId, PaymentId, QuoteId, UserId } from '../model/ids.ts'
import { paymentFlow } from '../model/flows/payment.ts'
import { RATE_MINUTES } from '../model/payments/quote.ts'
import { AWAITING_APPROVAL_DETAIL, type Payment, type PaymentRequest } from '../model/payments/payment.ts'
import type { KeptQuote } from './quotes.ts'
import type { Tx } from '../sql.ts'
import { wake } from '../wakes.ts'
import { RAIL } from '../model/rails.ts'

const DERIVED_NAMESPACE = '1f0d7f3a-96f0-4e0c-8c57-6d8a9b8f0c42'
/** Ids of what a payment brings with it, derived from its own so that a repeat finds the same rows. */
const derivedId = (id: PaymentId, part: string): string => v5(`${id}:${part}`, DERIVED_NAMESPACE)

/** What is paid to whom: a quote, or what stands for one where a payment by service ID was asked for without. */
type Terms = Pick<
  KeptQuote,
  | 'contact_id'
  | 'contact_name'
  | 'destination_id'
  | 'payee_organization_id'
  | 'rail'
  | 'deducting'
  | 'landing'
  | 'fee'
  | 'rate'
> & { readonly id: QuoteId | null; readonly fingerprint: string | null }

export type NewPaymentRow = {
  readonly requesterId: UserId
  readonly request: Omit<PaymentRequest, 'amount' | 'currency' | 'payment_contact_id'>
  readonly policy: Policy
  readonly terms: Terms
  readonly tag: Payment['tag']
}

/** Writes approval, payment and event, and wakes its process. What may stand against it was asked before. */
export async function writePayment(tx: Tx, id: PaymentId, payment: NewPaymentRow): Promise<void> {
  const { requesterId, request, policy, terms } = payment
  // Derived ids are uuids of the kind that their column says.
  const approvalId = derivedId(id, 'approval') as ApprovalId
  const eventId = derivedId(id, 'created') as EventId
  const cause = `request:${request.request_id}`
  wake(tx, paymentFlow, { ids: [id], why: 'created', status: 'awaiting_approval', rail: terms.rail })
  await Promise.all([
    requestApproval(tx, {
      id: approvalId,
      target_type: RAIL[terms.rail].target,
      target_id: id,
      requester_id: requesterId,
      policy,
      subject: subjectOf(id, terms),
      summary: summaryOf(terms),
      cause,
      ...(terms.rate !== null && { expires_within_minutes: RATE_MINUTES }),
    }),
    insertPayment(tx, { id, approvalId, eventId, ...payment }),
    record(tx, {
      id: eventId,
      stream: 'payments',
      subjectId: id,
      type: 'payment.created',
      cause,
      payload: loggedOf(terms),
    }),
  ])
}

/** What the step-up of who approves is bound to: both amounts, what it costs, and the account that the money goes to. */
function subjectOf(id: PaymentId, terms: Terms): Readonly<Record<string, unknown>> {
  const { destination_id: payee, fingerprint, deducting, landing, fee, rate } = terms
  // a payment by service ID is the same however it was asked for
  if (terms.rail === 'svc_id') return { target_id: id, ...deducting, payee }
  return { target_id: id, deducting, landing, fee, rate, payee, fingerprint }
}

/** What leaves the account, and what of it arrives where that is another currency. */
function summaryOf({ deducting, landing, contact_name: name }: Terms): string {
  const arriving = landing.currency === deducting.currency ? '' : ` (${landing.amount} ${landing.currency})`
  return `${deducting.amount} ${deducting.currency}${arriving} to ${name}`
}

function loggedOf({ rail, deducting, landing, fee, rate, id }: Terms): Readonly<Record<string, unknown>> {
  return rail === 'svc_id' ? deducting : { quote_id: id, deducting, landing, fee, rate }
}

async function insertPayment(
  tx: Tx,
  payment: NewPaymentRow & { id: PaymentId; approvalId: ApprovalId; eventId: EventId },
): Promise<void> {
  const { request, terms } = payment
  const { deducting, landing, fee, rail } = terms
  await tx`
    insert into payments (id, organization_id, payment_contact_id, destination_id, destination_name,
      payee_organization_id, approval_request_id, event_id, rail, status, status_detail, deducting_amount,
      deducting_currency, landing_amount, landing_currency, fee_amount, fee_feed_id, rate, quote_id, payout_reason,
      statement_description, internal_notes, tag, created_by)
    values (${payment.id}, ${tx.organizationId}, ${terms.contact_id}, ${terms.destination_id}, ${terms.contact_name},
      ${terms.payee_organization_id}, ${payment.approvalId}, ${payment.eventId}, ${rail}, 'awaiting_approval',
      ${AWAITING_APPROVAL_DETAIL}, ${deducting.amount}, ${deducting.currency}, ${landing.amount}, ${landing.currency},
      ${fee.amount}, case when ${fee.amount}::numeric > 0 then uuidv7() end, ${terms.rate},
      ${rail === 'svc_id' ? null : terms.id}, ${request.payout_reason}, ${request.statement_description},
      ${request.internal_notes}, ${payment.tag}, ${payment.requesterId})`
}
