/** Attention items of payments: on hold, not made on their day, and ended by the bank's answer about a payee. */
import * as v from 'valibot'
import { type Kind, type ViewerSeverity, actionFor, itemAction } from '../attention-kind.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { BatchSubject, PaymentSubject } from '../../domain/attention/attention.ts'
import type { PayeeResult } from '../../domain/payee-checks/payee-check.ts'
import { quoteName, uuid } from '../../domain/text.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'

const Action = itemAction('payment_on_hold', { payment_id: uuid })

type Facts = { readonly amount: string; readonly currency: string; readonly payee: string; readonly reason: string }

/** Selects when a payment `p` was put on hold; `updated_at` moves whenever the partner is asked again. */
const heldSince = (p: Fragment): Fragment => sql`
  coalesce((select max(e.occurred_at) from events e where e.subject_id = ${p}.id and e.organization_id = ${p}.organization_id
    and e.type = 'payment.held'), ${p}.inserted_at)`

const severityFor = (): ViewerSeverity => ({ severity: 'blocking', actionable_by_viewer: false })

export const paymentOnHold: Kind<Facts, typeof Action, typeof PaymentSubject> = {
  kind: 'payment_on_hold',
  audience: 'organization',
  action: Action,
  subjects: [PaymentSubject],
  items: (reader, { ownOnly, userId }) => sql`
    select p.id as obligation_id, ${heldSince(sql`p`)} as raised_at, null::timestamptz as due_at,
      p.landing_amount::text as amount, p.landing_currency as currency, p.destination_name as payee,
      p.status_detail as reason
    from payments p where p.organization_id = ${reader.organizationId} and p.status = 'on_hold'
    ${ownOnly ? sql`and p.created_by = ${userId}` : sql``}`,
  raisedAt: (reader, id) => sql`
    (select ${heldSince(sql`p`)} from payments p where p.id = ${id} and p.organization_id = ${reader.organizationId}
      and exists (select from events e where e.subject_id = p.id and e.type = 'payment.held'))`,
  standing: severityFor,
  describe: (reader, { id, facts }) => {
    const { amount, currency } = moneyOf(facts.amount, facts.currency)
    return {
      title: 'A payment is on hold',
      summary: `${amount} ${currency} to ${quoteName(facts.payee)} are on hold: ${facts.reason}. The money stays reserved for it.`,
      ...severityFor(),
      href: `/organizations/${reader.organizationId}/payments/${id}`,
      action: { kind: 'payment_on_hold', payment_id: id },
      subject: { type: 'payment', payment_id: id },
    }
  },
}

const FailedAction = itemAction('payment_schedule_failed', {
  payment_id: v.nullable(uuid),
  payment_batch_id: v.nullable(uuid),
})
/** Days for which a payment that was not made is shown. */
const SHOWN_DAYS = 30

type FailedPayment = {
  readonly amount: string | null
  readonly currency: string | null
  /** Payee of a payment, or name of a batch. */
  readonly payee: string
  readonly is_batch: boolean
  readonly execute_on: string
  readonly refused: string
}

const failedStanding = actionFor('payments.send_fiat')

/** Selects the payments and batches that were given up on their day, as rows `s`. */
const selectMissed = ({ organizationId }: Reader): Fragment => sql`
  from (
    select s.failed_at, s.execute_on, s.refused, p.id, p.landing_amount, p.landing_currency, p.destination_name as payee,
      p.created_by, false as is_batch,
      exists (select from payments n where n.destination_id = p.destination_id and n.inserted_at > s.failed_at
        and n.landing_amount = p.landing_amount and n.landing_currency = p.landing_currency
        and not has_ended_unpaid(n.status)) as paid_since
    from payment_schedules s join payments p on p.id = s.id
    where s.organization_id = ${organizationId} and s.failed_at is not null
    union all
    select s.failed_at, s.execute_on, s.refused, b.id, null, null, b.name, b.submitted_by, true, false
    from payment_schedules s join payment_batches b on b.approval_request_id = s.id
    where s.organization_id = ${organizationId} and s.failed_at is not null
  ) s`

export const paymentScheduleFailed: Kind<
  FailedPayment,
  typeof FailedAction,
  typeof PaymentSubject | typeof BatchSubject
> = {
  kind: 'payment_schedule_failed',
  audience: 'organization',
  action: FailedAction,
  subjects: [PaymentSubject, BatchSubject],
  // done with another payment of the same to the same account
  items: (reader, { ownOnly, userId }) => sql`
    select s.id as obligation_id, s.failed_at as raised_at, null::timestamptz as due_at,
      s.landing_amount::text as amount, s.landing_currency as currency, s.payee, s.is_batch, s.execute_on::text, s.refused
    ${selectMissed(reader)}
    where not s.paid_since and s.failed_at > business_now() - make_interval(days => ${SHOWN_DAYS})
    ${ownOnly ? sql`and s.created_by = ${userId}` : sql``}`,
  raisedAt: (reader, id, { ownOnly, userId }) => sql`
    (select s.failed_at ${selectMissed(reader)} where s.id = ${id} ${ownOnly ? sql`and s.created_by = ${userId}` : sql``})`,
  standing: failedStanding,
  describe: (reader, { id, facts }, viewer) => {
    const { amount, currency, payee, is_batch: isBatch, execute_on: day } = facts
    const money = amount !== null && currency !== null ? moneyOf(amount, currency) : null
    const what = money ? `${money.amount} ${money.currency} to ${quoteName(payee)}` : quoteName(payee)
    return {
      title: isBatch ? 'A payment batch was not made on its day' : 'A payment was not made on its day',
      summary: `${what} on ${day}: ${facts.refused.replaceAll('_', ' ')}. Nothing was deducted.`,
      ...failedStanding(viewer),
      href: `/organizations/${reader.organizationId}/${isBatch ? 'payment-batches' : 'payments'}/${id}`,
      action: {
        kind: 'payment_schedule_failed',
        payment_id: isBatch ? null : id,
        payment_batch_id: isBatch ? id : null,
      },
      subject: isBatch ? { type: 'payment_batch', payment_batch_id: id } : { type: 'payment', payment_id: id },
    }
  },
}

const Mismatch = itemAction('payee_mismatch', { payment_id: uuid, payment_contact_id: uuid })
const MISMATCH_DAYS = 14

type MismatchFacts = Omit<Facts, 'reason'> & {
  readonly contact_id: string
  readonly result: PayeeResult
  readonly failed: boolean
}

/** Selects when a payment `p` was ended. */
const endOf = (p: Fragment): Fragment => sql`
  (select max(e.occurred_at) from events e where e.subject_id = ${p}.id and e.organization_id = ${p}.organization_id
    and e.type in ('payment.failed', 'payment.cancelled'))`

const mismatchFor = actionFor('payments.send_fiat')

export const payeeMismatch: Kind<MismatchFacts, typeof Mismatch, typeof PaymentSubject> = {
  kind: 'payee_mismatch',
  audience: 'organization',
  action: Mismatch,
  subjects: [PaymentSubject],
  items: (reader, { ownOnly, userId }) => sql`
    select p.id as obligation_id, ended.at as raised_at, null::timestamptz as due_at,
      p.landing_amount::text as amount, p.landing_currency as currency, p.destination_name as payee,
      p.payment_contact_id as contact_id, k.result, p.status = 'failed' as failed
    from payments p join payee_checks k on k.id = p.payee_ended_by cross join lateral (select ${endOf(sql`p`)} as at) ended
    where p.organization_id = ${reader.organizationId} and p.payee_ended_by is not null
      and ended.at > business_now() - make_interval(days => ${MISMATCH_DAYS})
      and not exists (select from payments later
        where later.destination_id = p.destination_id and later.inserted_at > ended.at)
    ${ownOnly ? sql`and p.created_by = ${userId}` : sql``}`,
  raisedAt: (reader, id, { ownOnly, userId }) => sql`
    (select ${endOf(sql`p`)} from payments p
      where p.id = ${id} and p.organization_id = ${reader.organizationId} and p.payee_ended_by is not null
        ${ownOnly ? sql`and p.created_by = ${userId}` : sql``})`,
  standing: mismatchFor,
  describe: (reader, { id, facts }, viewer) => {
    const { amount, currency } = moneyOf(facts.amount, facts.currency)
    const how = facts.failed ? 'were not paid, and are available again' : 'are not paid: the request was cancelled'
    return {
      title: 'The bank gives another answer about a payee',
      summary: `${amount} ${currency} to ${quoteName(facts.payee)} ${how}. ${SAYS[facts.result]}`,
      ...mismatchFor(viewer),
      href: `/organizations/${reader.organizationId}/payments/${id}`,
      action: { kind: 'payee_mismatch', payment_id: id, payment_contact_id: facts.contact_id },
      subject: { type: 'payment', payment_id: id },
    }
  },
}

const SAYS: Readonly<Record<PayeeResult, string>> = {
  match: 'The bank now says that the name belongs to the account: ask for the payment again.',
  close_match: 'The bank now knows the account under a similar name: look at it, then ask again.',
  no_match: 'The bank now knows the account under another name: ask the payee by a number that you know.',
  not_possible: 'The bank cannot compare the name.',
}
