/** Creates payments on request. What changes them later: changes.ts. */
import { v5 } from 'uuid'
import { type AccountChange, payeeKeyOf } from '../../domain/account-changes/change.ts'
import { inSubject } from '../../domain/attachments/attachment.ts'
import type { RequestContent } from '../../domain/approvals/sentence.ts'
import { paymentFlow } from '../../domain/payments/flow.ts'
import type { ApprovalId, BillId, EventId, PaymentId, UserId } from '../../domain/ids.ts'
import { type Money } from '../../domain/money/money.ts'
import { isMismatch } from '../../domain/payee-checks/payee-check.ts'
import { externalInEvent } from '../../domain/external.ts'
import { paymentEvents } from '../../domain/payments/events.ts'
import { AWAITING_APPROVAL_DETAIL, type Payment, type PaymentOrder } from '../../domain/payments/payment.ts'
import { RATE_MINUTES } from '../../domain/payments/quote.ts'
import { toSpeedRow } from '../../domain/payments/speed.ts'
import { maxDeducting } from '../../domain/payments/schedule.ts'
import { RAIL } from '../../domain/rails.ts'
import { config } from '../../platform/config.ts'
import { describeChange, noteChange } from '../account-changes/changes.ts'
import { policyUnder } from '../approvals/policies.ts'
import { insertApproval, requireSentBack } from '../approvals/requests.ts'
import { requireLabels } from '../labels/labels.ts'
import { showAccount } from '../contacts/destinations.ts'
import { nextCheckAt, toHashedCheck } from '../payee-checks/checks.ts'
import { insertEvent } from '../events.ts'
import { toExternalRow } from '../external.ts'
import { ruleOfPayment } from '../limits/limits.ts'
import { originsOf } from '../../domain/approvals/routing.ts'
import { factsOfPayment, requireCoded } from '../routing/payees.ts'
import { insertPayer, payerAccount } from '../payers/payers.ts'
import { pipeline } from '../../db/postgres/pipeline.ts'
import { type Fragment, type Tx, sql, within, values } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { type PaymentRow, paymentColumns, toPayment } from './payments.ts'
import { type Terms, contactTerms, lockQuoteTerms } from './terms.ts'
import { type PlannedDay, insertSchedule, planDay } from '../schedules/schedule.ts'

const DERIVED_NAMESPACE = '1f0d7f3a-96f0-4e0c-8c57-6d8a9b8f0c42'
/** Derives the id of what a payment brings with it, so that a repeat finds the same rows. */
const deriveId = (id: PaymentId, part: string): string => v5(`${id}:${part}`, DERIVED_NAMESPACE)

/** Creates a payment of a quote, or by service ID without one. Refuses as quotedTerms() or contactTerms(). */
export async function createPayment(tx: Tx, id: PaymentId, requesterId: UserId, order: PaymentOrder): Promise<Payment> {
  await requireLabels(tx, order.labels)
  const terms = await ('quote_id' in order
    ? lockQuoteTerms(tx, id, requesterId, order)
    : contactTerms(tx, requesterId, order))
  const { rail, deducting, landing, fee, rate, quote_id } = terms
  const { rules, contact_id: contactId } = terms
  if (terms.change) await noteChange(tx, terms.change)
  const asking = { requester: requesterId, targetType: RAIL[rail].target }
  const former = order.former_approval_id ? await requireSentBack(tx, order.former_approval_id, asking) : null
  const accountChange = await describeChange(within(tx), terms.change, showAccount)
  const { barred = [], note } = order.bill ?? {}
  const preparers = [...(order.bill?.preparers ?? []), ...terms.preparers]
  const origins = originsOf(tx.actor, preparers.length)
  const { destination_id: destinationId } = terms
  const paying = { rules, origins, contactId, destinationId, labels: order.labels, billId: order.bill?.id ?? null }
  const facts = await factsOfPayment(within(tx), paying)
  const rule = await ruleOfPayment(tx, requesterId, { rules, deducting, contactId, facts })
  requireCoded(rule, facts, paying.billId)
  const exchanges = rate !== null
  const planned = await planDay(tx, order.on, [
    { rail, currencies: exchanges ? [deducting.currency, landing.currency] : [landing.currency] },
  ])
  const max = planned && exchanges ? maxDeducting(deducting, config.scheduleTolerance) : null
  const policy = await policyUnder(tx, rule, { barred, preparers })
  // Derived ids are uuids of the kind that their column says.
  const approvalId = deriveId(id, 'approval') as ApprovalId
  const eventId = deriveId(id, 'created') as EventId
  const cause = `request:${order.request_id}`
  wake(tx, paymentFlow, { ids: [id], why: 'created', status: 'awaiting_approval', rail })
  const { payments } = await pipeline({
    // the event causes the approval's, and a payment names its approval
    event: insertEvent(tx, paymentEvents.created, {
      id: eventId,
      subjectId: id,
      cause,
      payload: { rail, quote_id, payment_batch_id: null, deducting, landing, fee, rate, ...externalInEvent(order) },
    }),
    ...insertApproval(tx, {
      id: approvalId,
      target_type: RAIL[rail].target,
      target_id: id,
      requester_id: requesterId,
      policy,
      subject: {
        ...subjectOf(id, terms, accountChange),
        ...dayInSubject(planned, max),
        ...inSubject(order.bill?.attachments ?? null),
      },
      content: contentOf(terms, planned, note),
      cause,
      preparers,
      former_id: order.bill ? lastAbout(order.bill.id) : former,
      ...(exchanges && !planned && { expires_within_minutes: RATE_MINUTES }),
      ...(planned && { expires_at: planned.starts_at }),
    }),
    ...(planned && { schedule: insertSchedule(tx, id, planned, max) }),
    payments: insertPayment(tx, { id, approvalId, eventId, requesterId }, terms, order),
  })
  const [row] = payments
  if (!row) throw new Error('the payment was not written')
  return toPayment(row)
}

/** Selects the last request about a bill, if that was sent back. */
const lastAbout = (bill: BillId): Fragment => sql`(
  select case when f.sent_back then f.id end from payments p join approvals f on f.id = p.approval_request_id
  where p.bill_id = ${bill} order by p.inserted_at desc, p.id desc limit 1)`

type PaymentIds = {
  readonly id: PaymentId
  readonly approvalId: ApprovalId
  readonly eventId: EventId
  readonly requesterId: UserId
}

/** Builds the statement that writes a payment, and uses up its quote. */
function insertPayment(
  tx: Tx,
  { id, approvalId, eventId, requesterId }: PaymentIds,
  terms: Terms,
  order: PaymentOrder,
) {
  const { rail, deducting, landing, fee, rate, quote_id, check, payer, network } = terms
  const connection = sql`(select q.connection from payment_quotes q where q.id = ${quote_id})`
  return tx<PaymentRow[]>`
      with used as (update payment_quotes set payment_id = ${id} where id = ${quote_id})
        ${payer ? sql`, payer as (${insertPayer(tx, payer)})` : sql``}
      insert into payments ${values({
        id,
        organization_id: tx.organizationId,
        payment_contact_id: terms.contact_id,
        destination_id: terms.destination_id,
        destination_name: terms.contact_name,
        payee_organization_id: terms.payee_organization_id,
        payee_address_id: terms.payee_address?.id ?? null,
        payer_id: payer?.id ?? null,
        payer_account_id: payer && payerAccount(tx, { rail, connection, currency: sql`${landing.currency}`, network }),
        approval_request_id: approvalId,
        event_id: eventId,
        rail,
        connection,
        status: 'awaiting_approval',
        status_detail: AWAITING_APPROVAL_DETAIL,
        deducting_amount: deducting.amount,
        deducting_currency: deducting.currency,
        landing_amount: landing.amount,
        landing_currency: landing.currency,
        fee_amount: fee.amount,
        fee_feed_id: sql`case when ${fee.amount}::numeric > 0 then uuidv7() end`,
        rate,
        quote_id: rail === 'svc_id' ? null : quote_id,
        payout_reason: order.payout_reason,
        statement_description: order.statement_description,
        internal_notes: order.internal_notes,
        tag: terms.tag,
        labels: sql.json([...order.labels]),
        ...toExternalRow(order),
        ...toSpeedRow(terms.pace),
        bill_id: order.bill?.id ?? null,
        payee_key: payeeKeyOf(terms.contact_name),
        payee_check_id: check?.id ?? null,
        payee_acknowledged: terms.acknowledged && isMismatch(check?.result ?? null),
        payee_check_due_at: sql`(select ${nextCheckAt(sql`k`)} from payee_checks k where k.id = ${check?.id ?? null})`,
        created_by: requesterId,
      })}
      returning ${paymentColumns()}`
}

/** Builds the subject of the approval, to which its step-up is bound: amounts, costs and the account paid. */
function subjectOf(id: PaymentId, terms: Terms, change: AccountChange | null): Readonly<Record<string, unknown>> {
  const { destination_id: payee, fingerprint, deducting, landing, fee, rate, check, payer } = terms
  const { payee_address: address } = terms
  // a payment by service ID is the same however it was asked for
  if (terms.rail === 'svc_id') return { target_id: id, ...deducting, payee, ...(change && { account_change: change }) }
  const more = {
    ...(payer && { payer: payer.id }),
    ...(address && { payee_address: address.fingerprint }),
    ...(check && { payee_check: toHashedCheck(check) }),
    ...(change && { account_change: change }),
    ...(terms.known_as && { known_as: terms.known_as }),
    ...(terms.pace.speed === 'instant' && terms.pace),
  }
  return { target_id: id, deducting, landing, fee, rate, payee, fingerprint, ...more }
}

/** Adds the day to a subject, and what the payment may cost on it. */
const dayInSubject = (planned: PlannedDay | null, max: Money | null) => ({
  ...(planned && { execute_on: planned.execute_on }),
  ...(max && { max_deducting: max }),
})

/** Says what a payment asks for, with the note of its bill. */
const contentOf = (
  { landing, deducting, fee, contact_name: name, payee: account, pace }: Terms,
  planned: PlannedDay | null,
  note?: string | null,
): RequestContent => ({
  kind: 'payment',
  landing,
  deducting,
  fee,
  name,
  account,
  ...(planned && { execute_on: planned.execute_on }),
  ...(pace.speed === 'instant' && { instant: { fallback: pace.fallback } }),
  note,
})
