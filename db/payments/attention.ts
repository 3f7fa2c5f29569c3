/** Attention items of payments on hold. A partner or an operator releases them; members cannot. */
import { type Kind, type ViewerSeverity, itemAction } from '../attention-kind.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { PaymentSubject } from '../../domain/attention/attention.ts'
import { quoteName, uuid } from '../../domain/text.ts'
import { type Fragment, sql } from '../sql.ts'

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
