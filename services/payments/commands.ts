/** Creates payments on request. What changes them later: changes.ts. */
import { v5 } from 'uuid'
import {
  type AccountChange,
  type ChangeFacts,
  coolingOffBlockers,
  payeeKeyOf,
} from '../../domain/account-changes/change.ts'
import { type DestinationType, payeeInWords } from '../../domain/destinations/destination.ts'
import { refuse, refuseFirst } from '../../domain/errors.ts'
import { paymentFlow } from '../../domain/payments/flow.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { ApprovalId, ContactId, DestinationId, EventId, PaymentId, QuoteId, UserId } from '../../domain/ids.ts'
import { type Money, canonicalMoney } from '../../domain/money/money.ts'
import { isMismatch } from '../../domain/payee-checks/payee-check.ts'
import { paymentEvents } from '../../domain/payments/events.ts'
import {
  AWAITING_APPROVAL_DETAIL,
  type ContactOrder,
  type Payment,
  type PaymentOrder,
  type QuoteOrder,
} from '../../domain/payments/payment.ts'
import { SVC_ID_CURRENCY } from '../../domain/money/currencies.ts'
import { RATE_MINUTES } from '../../domain/payments/quote.ts'
import { maxDeducting } from '../../domain/payments/schedule.ts'
import { RAIL } from '../../domain/rails.ts'
import { config } from '../../platform/config.ts'
import { describeChange, noteChange } from '../account-changes/changes.ts'
import { factsOfDestination, lockRequests, mayBeChanged } from '../account-changes/facts.ts'
import { policyUnder } from '../approvals/policies.ts'
import { insertApproval } from '../approvals/requests.ts'
import { storeAddress } from '../contacts/addresses.ts'
import { defaultOf, payeeOfRow, showAccount } from '../contacts/destinations.ts'
import { type OpenPayeeCheck, nextCheckAt, openCheck, toHashedCheck } from '../payee-checks/checks.ts'
import { insertEvent } from '../events.ts'
import { ruleOfPayment } from '../limits/limits.ts'
import { pipeline } from '../../db/postgres/pipeline.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { summaryOf } from './approval-target.ts'
import {
  type QuoteStanding,
  type RequesterStanding,
  contactBlockers,
  coversAnswer,
  quoteBlockers,
  requesterBlockers,
  requesterColumns,
  selectQuoteStanding,
} from './checks.ts'
import { type PaymentRow, paymentColumns, toPayment } from './payments.ts'
import { type QuoteRow, type StoredQuote, requireUsable, selectQuote, toStoredQuote } from './quotes.ts'
import { type PlannedDay, insertSchedule, planDay } from '../schedules/schedule.ts'

const DERIVED_NAMESPACE = '1f0d7f3a-96f0-4e0c-8c57-6d8a9b8f0c42'
/** Derives the id of what a payment brings with it, so that a repeat finds the same rows. */
const deriveId = (id: PaymentId, part: string): string => v5(`${id}:${part}`, DERIVED_NAMESPACE)

/** Payee, amounts and costs of a payment, and the rules in force, which say who approves it. */
type Terms = Pick<
  StoredQuote & QuoteStanding,
  | 'contact_id'
  | 'contact_name'
  | 'destination_id'
  | 'payee'
  | 'payee_organization_id'
  | 'payee_address'
  | 'rail'
  | 'deducting'
  | 'landing'
  | 'fee'
  | 'rate'
  | 'tag'
  | 'preparers'
> &
  Pick<RequesterStanding, 'rules'> & {
    readonly quote_id: QuoteId | null
    readonly fingerprint: string | null
    readonly change: ChangeFacts | null
    /** Answer of the bank about the payee; null if no bank was asked. */
    readonly check: OpenPayeeCheck | null
    readonly acknowledged: boolean
    /** Destination of a contact that has the account under another name; null for none. */
    readonly known_as: DestinationId | null
  }

/** Creates a payment of a quote, or by service ID without one. Refuses as quotedTerms() or contactTerms(). */
export async function createPayment(tx: Tx, id: PaymentId, requesterId: UserId, order: PaymentOrder): Promise<Payment> {
  const terms = await ('quote_id' in order
    ? lockQuoteTerms(tx, id, requesterId, order)
    : contactTerms(tx, requesterId, order))
  const { rail, deducting, landing, fee, rate, quote_id, check } = terms
  const { rules, contact_id: contactId } = terms
  if (terms.change) await noteChange(tx, terms.change)
  const accountChange = await describeChange(within(tx), terms.change, showAccount)
  const rule = await ruleOfPayment(tx, requesterId, { rules, deducting, contactId })
  const { barred = [], note } = order.bill ?? {}
  const preparers = [...(order.bill?.preparers ?? []), ...terms.preparers]
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
      payload: { rail, quote_id, payment_batch_id: null, deducting, landing, fee, rate },
    }),
    ...insertApproval(tx, {
      id: approvalId,
      target_type: RAIL[rail].target,
      target_id: id,
      requester_id: requesterId,
      policy,
      subject: { ...subjectOf(id, terms, accountChange), ...dayInSubject(planned, max) },
      summary: summaryOf(terms, joinNotes(planned, note)),
      cause,
      preparers,
      ...(exchanges && !planned && { expires_within_minutes: RATE_MINUTES }),
      ...(planned && { expires_at: planned.starts_at }),
    }),
    ...(planned && { schedule: insertSchedule(tx, id, planned, max) }),
    payments: tx<PaymentRow[]>`
      with used as (update payment_quotes set payment_id = ${id} where id = ${quote_id})
      insert into payments (id, organization_id, payment_contact_id, destination_id, destination_name,
        payee_organization_id, payee_address_id, approval_request_id, event_id, rail, status, status_detail, deducting_amount,
        deducting_currency, landing_amount, landing_currency, fee_amount, fee_feed_id, rate, quote_id, payout_reason,
        statement_description, internal_notes, tag, bill_id, payee_key, payee_check_id, payee_acknowledged,
        payee_check_due_at, created_by)
      values (${id}, ${tx.organizationId}, ${terms.contact_id}, ${terms.destination_id}, ${terms.contact_name},
        ${terms.payee_organization_id}, ${terms.payee_address?.id ?? null}, ${approvalId}, ${eventId}, ${rail},
        'awaiting_approval', ${AWAITING_APPROVAL_DETAIL}, ${deducting.amount}, ${deducting.currency}, ${landing.amount}, ${landing.currency},
        ${fee.amount}, case when ${fee.amount}::numeric > 0 then uuidv7() end, ${rate},
        ${rail === 'svc_id' ? null : quote_id}, ${order.payout_reason}, ${order.statement_description},
        ${order.internal_notes}, ${terms.tag}, ${order.bill?.id ?? null}, ${payeeKeyOf(terms.contact_name)},
        ${check?.id ?? null}, ${terms.acknowledged && isMismatch(check?.result ?? null)},
        (select ${nextCheckAt()} from payee_checks k where k.id = ${check?.id ?? null}), ${requesterId})
      returning ${paymentColumns()}`,
  })
  const [row] = payments
  if (!row) throw new Error('the payment was not written')
  return toPayment(row)
}

/** Locks a quote and reads its terms. Refuses `not_found`, as requireUsable(), and the first of quoteBlockers(). */
async function lockQuoteTerms(
  tx: Tx,
  id: PaymentId,
  userId: UserId,
  {
    quote_id: quoteId,
    market,
    tag,
    bill,
    acknowledge_payee_check: acknowledges,
  }: QuoteOrder & Pick<PaymentOrder, 'bill'>,
): Promise<Terms> {
  const { quotes, standings } = await pipeline({
    // the lock comes first: the second statement sees what was committed before it was given
    quotes: tx<
      QuoteRow[]
    >`${selectQuote(tx, quoteId, userId, lockRequests(tx, sql`(select w.destination_id from payment_quotes w where w.id = ${quoteId})`))}
      for no key update of q`,
    standings: tx<QuoteStanding[]>`${selectQuoteStanding(tx, quoteId, userId, bill)}`,
  })
  const quote = toStoredQuote(quotes[0])
  requireUsable(quote, id)
  const standing = standings[0] ?? refuse('not_found')
  const address = standing.payee_address ?? (await storeAddress(tx, standing.rail === 'fiat' && bill?.payeeAddress))
  const acknowledged = acknowledges && coversAnswer(standing)
  refuseFirst(quoteBlockers({ ...standing, payee_address: address }, market, { acknowledged }))
  const { rules, change, payee_check: row } = standing
  const known = bill?.known ?? null
  return {
    ...quote,
    payee: known ? payeeOfRow(quote.destination, known.holder) : quote.payee,
    known_as: known && known.destinationId,
    payee_address: address,
    quote_id: quoteId,
    rules,
    change,
    check: row && openCheck(row),
    acknowledged,
    tag: tag === undefined ? (quote.tag ?? quote.contact_tag) : tag,
  }
}

/** The requester, and the contact with its default destination, as far as there are such. */
type Payee = RequesterStanding &
  Pick<Terms, 'contact_name' | 'payee_organization_id' | 'tag'> & {
    readonly contact_id: ContactId | null
    readonly contact_status: string
    readonly destination_id: DestinationId | null
    readonly type: DestinationType
    readonly svc_id: string | null
    readonly may_be_changed: boolean
  }

/**
 * Reads the terms of a payment by service ID to a contact's default destination. Refuses what blocks the
 * requester, then `not_found`, `destination_missing`, `unsupported_rail`, what is wrong with the amount
 * (`unsupported_currency`, `amount_precision`, `amount_too_large`), `contact_not_approved`, `same_account` and
 * `account_cooling_off`.
 */
async function contactTerms(
  tx: Tx,
  userId: UserId,
  { payment_contact_id: contactId, amount }: ContactOrder,
): Promise<Terms> {
  const [found] = await tx<Payee[]>`
    select ${requesterColumns()}, c.id as contact_id, c.name as contact_name, c.status as contact_status, c.tag,
      d.id as destination_id, d.type, d.payee_organization_id, d.svc_id, ${mayBeChanged()} as may_be_changed
    from ${lockRequests(tx, defaultOf(sql`${contactId}::uuid`))} members m
    join organizations o on o.id = m.organization_id
    left join payment_contacts c on c.id = ${contactId} and c.organization_id = o.id and c.deleted_at is null
    left join payment_destinations d on d.id = ${defaultOf(sql`c.id`)}
    where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`
  if (!found || isGone(found.organization_status)) refuse('not_found')
  refuseFirst(requesterBlockers(found, 'svc_id'))
  const { contact_id, contact_name, destination_id, type, payee_organization_id, rules, tag } = found
  if (!contact_id) refuse('not_found')
  if (!destination_id) refuse('destination_missing')
  if (type !== 'svc_id' || !payee_organization_id) refuse('unsupported_rail', { rail: type })
  const { currency } = amount
  if (currency !== SVC_ID_CURRENCY) refuse('unsupported_currency', { currency, supported: [SVC_ID_CURRENCY] })
  const money = canonicalMoney(amount)
  refuseFirst(contactBlockers(found.contact_status))
  if (payee_organization_id === tx.organizationId) refuse('same_account')
  const nameKey = payeeKeyOf(contact_name)
  const change = found.may_be_changed ? await factsOfDestination(within(tx), destination_id, { nameKey }) : null
  refuseFirst(coolingOffBlockers(change, money))
  return {
    quote_id: null,
    contact_id,
    contact_name,
    destination_id,
    payee: payeeInWords(found.svc_id, null),
    fingerprint: null,
    payee_organization_id,
    payee_address: null,
    rail: 'svc_id',
    deducting: money,
    landing: money,
    fee: { amount: '0', currency },
    rate: null,
    tag,
    preparers: [],
    rules,
    change,
    check: null,
    acknowledged: false,
    known_as: null,
  }
}

/** Builds the subject of the approval, to which its step-up is bound: amounts, costs and the account paid. */
function subjectOf(id: PaymentId, terms: Terms, change: AccountChange | null): Readonly<Record<string, unknown>> {
  const { destination_id: payee, fingerprint, deducting, landing, fee, rate, payee_address: address, check } = terms
  // a payment by service ID is the same however it was asked for
  if (terms.rail === 'svc_id') return { target_id: id, ...deducting, payee, ...(change && { account_change: change }) }
  const more = {
    ...(address && { payee_address: address.fingerprint }),
    ...(check && { payee_check: toHashedCheck(check) }),
    ...(change && { account_change: change }),
    ...(terms.known_as && { known_as: terms.known_as }),
  }
  return { target_id: id, deducting, landing, fee, rate, payee, fingerprint, ...more }
}

/** Adds the day to a subject, and what the payment may cost on it. */
const dayInSubject = (planned: PlannedDay | null, max: Money | null) => ({
  ...(planned && { execute_on: planned.execute_on }),
  ...(max && { max_deducting: max }),
})

/** Joins the day and the note of a bill. */
const joinNotes = (planned: PlannedDay | null, note?: string | null): string | null =>
  [planned && `on ${planned.execute_on}`, note].filter(Boolean).join('; ') || null
