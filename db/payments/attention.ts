/** Attention items of payments: on hold, which a partner or an operator releases, and not made on their day. */
import { type Kind, type ViewerSeverity, actionFor, itemAction } from '../attention-kind.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { PaymentSubject } from '../../domain/attention/attention.ts'
import { quoteName, uuid } from '../../domain/text.ts'
import { type Fragment, type Reader, sql } from '../sql.ts'

const Action = itemAction('payment_on_hold', { payment_id: uuid })

type Facts = { readonly amount: string; readonly currency: string; readonly payee: string; readonly reason: string }

/** Selects when a payment `p` was put on hold; `updated_at` moves whenever the partner is asked again. */
const heldSince = (): Fragment => sql`
  coalesce((select max(e.occurred_at) from events e where e.subject_id = p.id and e.organization_id = p.organization_id
    and e.type = 'payment.held'), p.inserted_at)`

const severityFor = (): ViewerSeverity => ({ severity: 'blocking', actionable_by_viewer: false })

export const paymentOnHold: Kind<Facts, typeof Action, typeof PaymentSubject> = {
  kind: 'payment_on_hold',
  audience: 'organization',
  action: Action,
  subjects: [PaymentSubject],
  items: (reader, { ownOnly, userId }) => sql`
    select p.id as obligation_id, ${heldSince()} as raised_at, null::timestamptz as due_at,
      p.landing_amount::text as amount, p.landing_currency as currency, p.destination_name as payee,
      p.status_detail as reason
    from payments p where p.organization_id = ${reader.organizationId} and p.status = 'on_hold'
    ${ownOnly ? sql`and p.created_by = ${userId}` : sql``}`,
  raisedAt: (reader, id) => sql`
    (select ${heldSince()} from payments p where p.id = ${id} and p.organization_id = ${reader.organizationId}
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

const FailedAction = itemAction('payment_schedule_failed', { payment_id: uuid })
/** Days for which a payment that was not made is shown. */
const SHOWN_DAYS = 30

type Failed = Omit<Facts, 'reason'> & { readonly execute_on: string; readonly refused: string }

const failedStanding = actionFor('payments.send_fiat')

/** Selects the payments `p` that were given up on their day, with their schedules `s`. */
const selectMissed = ({ organizationId }: Reader): Fragment => sql`
  from payment_schedules s join payments p on p.id = s.id
  where s.organization_id = ${organizationId} and s.failed_at is not null`

export const paymentScheduleFailed: Kind<Failed, typeof FailedAction, typeof PaymentSubject> = {
  kind: 'payment_schedule_failed',
  audience: 'organization',
  action: FailedAction,
  subjects: [PaymentSubject],
  // done with another payment of the same to the same account
  items: (reader, { ownOnly, userId }) => sql`
    select p.id as obligation_id, s.failed_at as raised_at, null::timestamptz as due_at,
      p.landing_amount::text as amount, p.landing_currency as currency, p.destination_name as payee,
      s.execute_on::text, s.refused
    ${selectMissed(reader)} and s.failed_at > business_now() - make_interval(days => ${SHOWN_DAYS})
      and not exists (select from payments n where n.destination_id = p.destination_id
        and n.inserted_at > s.failed_at and n.landing_amount = p.landing_amount
        and n.landing_currency = p.landing_currency and not has_ended_unpaid(n.status))
    ${ownOnly ? sql`and p.created_by = ${userId}` : sql``}`,
  raisedAt: (reader, id, { ownOnly, userId }) => sql`
    (select s.failed_at ${selectMissed(reader)} and s.id = ${id} ${ownOnly ? sql`and p.created_by = ${userId}` : sql``})`,
  standing: failedStanding,
  describe: (reader, { id, facts }, viewer) => {
    const { amount, currency } = moneyOf(facts.amount, facts.currency)
    const reason = facts.refused.replaceAll('_', ' ')
    return {
      title: 'A payment was not made on its day',
      summary: `${amount} ${currency} to ${quoteName(facts.payee)} on ${facts.execute_on}: ${reason}. Nothing was deducted.`,
      ...failedStanding(viewer),
      href: `/organizations/${reader.organizationId}/payments/${id}`,
      action: { kind: 'payment_schedule_failed', payment_id: id },
      subject: { type: 'payment', payment_id: id },
    }
  },
}
