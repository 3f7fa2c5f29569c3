/** Attention items of accounts that wait: for people who may confirm them by a call, and did not bring them. */
import { type Kind, decisionFor, itemAction, itemSubject } from '../attention-kind.ts'
import { minuteOf } from '../../domain/instants.ts'
import { quoteName, uuid } from '../../domain/text.ts'
import { sql } from '../../db/postgres/sql.ts'
import { bringersOf } from './changes.ts'
import { usableAt } from './suppliers.ts'

const Action = itemAction('account_changed', { payment_destination_id: uuid })
const Subject = itemSubject('payment_destination', { payment_destination_id: uuid, payment_contact_id: uuid })

type Facts = { readonly name: string; readonly contact_id: string; readonly until: string }

const standing = decisionFor('payment_destinations.update')

export const accountChanged: Kind<Facts, typeof Action, typeof Subject> = {
  kind: 'account_changed',
  audience: 'organization',
  action: Action,
  subjects: [Subject],
  items: (reader, { userId, ownOnly }) => sql`
    select d.id as obligation_id, w.raised_at, w.until as due_at, c.name, c.id as contact_id, w.until
    from (select a.destination_id, min(a.inserted_at) as raised_at,
        min(${usableAt(sql`e`)}) + make_interval(hours => min(o.account_change_hours)) as until
      from organizations o join account_changes a on a.organization_id = o.id
      join payment_destinations e on e.id = a.destination_id and e.deleted_at is null and not e.pending
      where o.id = ${reader.organizationId} and not ${ownOnly}
        and ${usableAt(sql`e`)} > business_now() - make_interval(hours => o.account_change_hours)
      group by 1) w
    join payment_destinations d on d.id = w.destination_id
    join payment_contacts c on c.id = d.payment_contact_id
    where not exists (select from account_callbacks k where k.destination_id = d.id)
      and ${userId}::uuid not in (${bringersOf(reader)})`,
  raisedAt: (reader, id) => sql`
    (select min(a.inserted_at) from account_changes a
      where a.destination_id = ${id} and a.organization_id = ${reader.organizationId})`,
  standing,
  describe: (reader, { id, facts }, viewer) => ({
    title: 'Call a payee whose account has changed',
    summary: `Another account of ${quoteName(facts.name)} waits until ${minuteOf(facts.until)}. Ask the payee on a way that you knew before, and record the call.`,
    ...standing(viewer),
    href: `/organizations/${reader.organizationId}/payment-contacts/${facts.contact_id}`,
    action: { kind: 'account_changed', payment_destination_id: id },
    subject: { type: 'payment_destination', payment_destination_id: id, payment_contact_id: facts.contact_id },
  }),
}
