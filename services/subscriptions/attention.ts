/** Attention for a subscription whose next month could not be paid. */
import { type Kind, actionFor, itemAction, itemSubject } from '../attention-kind.ts'
import { describe, AnswerMoney, quoteName, uuid } from '../../domain/text.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { sql } from '../../db/postgres/sql.ts'

const Subject = itemSubject('subscription', { subscription_id: uuid })
const Action = itemAction('renew_subscription', {
  subscription_id: uuid,
  offer_id: uuid,
  required: describe(AnswerMoney, 'Amount that the renewal needs.'),
})

type Facts = {
  readonly offer_id: string
  readonly offer: string
  readonly amount: string
  readonly currency: string
}

const standing = actionFor('organization.update')

/** Raised by a failed charge, until the next month is paid or the subscription has expired. */
export const renewSubscription: Kind<Facts, typeof Action, typeof Subject> = {
  kind: 'renew_subscription',
  audience: 'organization',
  action: Action,
  subjects: [Subject],
  items: (reader) => sql`
    select s.id as obligation_id, s.failing_since as raised_at, s.attempt_at as due_at, o.id as offer_id,
      coalesce(o.display_name, o.name) as offer, o.amount::text as amount, o.currency
    from subscriptions s join subscription_offers o on o.id = coalesce(s.scheduled_offer_id, s.offer_id)
    where s.organization_id = ${reader.organizationId} and s.status = 'active' and s.failing_since is not null`,
  raisedAt: (reader, id) => sql`
    (select max(e.occurred_at) from events e
      where e.subject_id = ${id} and e.organization_id = ${reader.organizationId} and e.type = 'subscription.renewal_failed')`,
  standing,
  describe: (reader, { id, facts }, viewer) => {
    const required = moneyOf(facts.amount, facts.currency)
    return {
      title: 'Pay for the next month of the subscription',
      summary: `The plan ${quoteName(facts.offer)} could not be renewed: ${required.amount} ${required.currency} were not available.`,
      ...standing(viewer),
      href: `/organizations/${reader.organizationId}/subscription`,
      action: { kind: 'renew_subscription', subscription_id: id, offer_id: facts.offer_id, required },
      subject: { type: 'subscription', subscription_id: id },
    }
  },
}
