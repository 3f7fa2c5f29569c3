/** Attention: held deposits whose sender is to be named. */
import { type Kind, actionFor, itemAction } from '../attention-kind.ts'
import { waitsForSender } from './deposits.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { DepositSubject } from '../../domain/attention/attention.ts'
import { uuid } from '../../domain/text.ts'
import { sql } from '../../db/postgres/sql.ts'

const Action = itemAction('travel_rule', { deposit_id: uuid })

type Facts = { readonly amount: string; readonly currency: string }

const standing = actionFor('payments.send_fiat')

export const travelRule: Kind<Facts, typeof Action, typeof DepositSubject> = {
  kind: 'travel_rule',
  audience: 'organization',
  action: Action,
  subjects: [DepositSubject],
  items: (reader) => sql`
    select deposits.id as obligation_id, deposits.inserted_at as raised_at, deposits.release_by as due_at,
      deposits.amount::text, deposits.currency
    from deposits where deposits.organization_id = ${reader.organizationId} and ${waitsForSender()}`,
  raisedAt: (reader, id) => sql`
    (select d.inserted_at from deposits d
      where d.id = ${id} and d.organization_id = ${reader.organizationId} and d.release_by is not null)`,
  standing,
  describe: (reader, { id, facts }, viewer) => {
    const { amount, currency } = moneyOf(facts.amount, facts.currency)
    return {
      title: 'Say who sent a deposit',
      summary: `${amount} ${currency} wait until it is known who sent them. Where nobody says so in time, they go back.`,
      ...standing(viewer),
      href: `/organizations/${reader.organizationId}/deposits/${id}`,
      action: { kind: 'travel_rule', deposit_id: id },
      subject: { type: 'deposit', deposit_id: id },
    }
  },
}
