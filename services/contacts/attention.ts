/** Attention item of an organization that pays banks without the addresses of payees. */
import { type Kind, actionFor, itemAction, itemSubject } from '../attention-kind.ts'
import { describe, integer, uuid } from '../../domain/text.ts'
import { config } from '../../platform/config.ts'
import { sql } from '../../db/postgres/sql.ts'
import { incompleteContacts } from './incomplete.ts'

const Action = itemAction('complete_payee', { organization_id: uuid })
const Subject = itemSubject('payment_contacts', {
  organization_id: uuid,
  count: describe(integer, 'Number of contacts.'),
})

type Facts = { readonly contacts: number }

const severityFor = actionFor('payment_contacts.update')

export const completePayee: Kind<Facts, typeof Action, typeof Subject> = {
  kind: 'complete_payee',
  audience: 'organization',
  action: Action,
  subjects: [Subject],
  items: (reader) => sql`
    select ${reader.organizationId}::uuid as obligation_id, min(i.since) as raised_at,
      ${config.addressRequiredFrom ?? null}::date::timestamp at time zone 'UTC' as due_at, count(*)::int as contacts
    from (${incompleteContacts(reader)} group by c.id) i having count(*) > 0`,
  raisedAt: (reader, id) => sql`
    (select min(d.inserted_at) from payment_destinations d
      where d.organization_id = ${reader.organizationId} and d.organization_id = ${id}::uuid and d.type = 'bank')`,
  standing: severityFor,
  describe: (reader, { id, facts: { contacts } }, viewer) => {
    const from = config.addressRequiredFrom
    const many = contacts === 1 ? 'A contact is' : `${contacts} contacts are`
    const refused = from ? ` From ${from} on such payments are refused.` : ''
    return {
      title: 'Complete the addresses of payees',
      summary: `${many} paid at a bank without an address of town and country, which banks ask for.${refused}`,
      ...severityFor(viewer),
      href: `/organizations/${reader.organizationId}/payment-contacts/incomplete.csv`,
      action: { kind: 'complete_payee', organization_id: id },
      subject: { type: 'payment_contacts', organization_id: id, count: contacts },
    }
  },
}
