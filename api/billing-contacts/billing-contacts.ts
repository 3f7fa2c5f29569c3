/** Billing contacts: to whom the organization sends invoices. */
import {
  changeBillingContact,
  createBillingContact,
  deleteBillingContact,
  findBillingContact,
  listBillingContacts,
} from '../../services/billing-contacts/billing-contacts.ts'
import {
  BillingContact,
  BillingContactChange,
  BillingContactFilters,
  NewBillingContact,
} from '../../domain/billing-contacts/billing-contact.ts'
import { pageOf } from '../../domain/pagination.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Billing contacts')

export const billingContacts = [
  command('post', '/organizations/{organization_id}/billing-contacts', 'createBillingContact')
    .says('Create a billing contact', 'The customer to whom invoices are sent, and their language.')
    .of('organization')
    .delegates('prepare')
    .can('billing_contacts.create')
    .takes(NewBillingContact)
    .creates(BillingContact, ({ read, claim }) => findBillingContact(read, claim.id))
    .does(({ tx, person, claim, body }) => createBillingContact(tx, person, claim.id, body)),
  query('/organizations/{organization_id}/billing-contacts', 'listBillingContacts')
    .says(
      'List billing contacts that are not deleted, newest first',
      'Each word of `q` is part of the name, a mail address or a tax id, in any case, with or without accents.',
    )
    .of('organization')
    .delegates('read')
    .can('billing_contacts.list')
    .filters(BillingContactFilters)
    .answers(pageOf(BillingContact))
    .does(({ read, query }) => listBillingContacts(read, query)),
  query('/billing-contacts/{billing_contact_id}', 'getBillingContact')
    .says('Read a billing contact, also a deleted one')
    .of('billing_contact')
    .delegates('read')
    .can('billing_contacts.list')
    .answers(BillingContact)
    .does(({ read, params }) => findBillingContact(read, params.billing_contact_id)),
  command('patch', '/billing-contacts/{billing_contact_id}', 'updateBillingContact')
    .says('Change a billing contact', 'Absent fields stay, null clears.')
    .of('billing_contact')
    .can('billing_contacts.update')
    .takes(BillingContactChange)
    .refuses('invalid_state')
    .answers(BillingContact)
    .does(async ({ tx, read, params, body }) => {
      await changeBillingContact(tx, params.billing_contact_id, body)
      return findBillingContact(read, params.billing_contact_id)
    }),
  command('delete', '/billing-contacts/{billing_contact_id}', 'deleteBillingContact')
    .says('Delete a billing contact', 'Its invoices keep it; it gets no new ones.')
    .of('billing_contact')
    .can('billing_contacts.delete')
    .refuses('invalid_state')
    .deletes()
    .does(({ tx, params }) => deleteBillingContact(tx, params.billing_contact_id)),
]
