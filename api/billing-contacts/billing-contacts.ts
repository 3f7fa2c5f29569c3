/** Billing contacts: to whom the organization sends invoices. */
import {
  changeBillingContact,
  createBillingContact,
  deleteBillingContact,
  findBillingContact,
  listBillingContacts,
} from '../../db/billing-contacts/billing-contacts.ts'
import {
  BillingContact,
  BillingContactChange,
  BillingContactFilters,
  NewBillingContact,
} from '../../domain/billing-contacts/billing-contact.ts'
import { pageOf } from '../../domain/pagination.ts'
import { Deleted } from '../../domain/text.ts'
import { inPath } from '../http/in-path.ts'
import { repeating } from '../http/repeating.ts'
import { route } from '../http/route.ts'

const ofOrganization = {
  path: '/organizations/{organization_id}/billing-contacts',
  tag: 'Billing contacts',
  ...inPath('organization'),
} as const
const ofContact = {
  path: '/billing-contacts/{billing_contact_id}',
  tag: 'Billing contacts',
  ...inPath('billing_contact'),
} as const

export const billingContacts = [
  route({
    ...ofOrganization,
    method: 'post',
    operationId: 'createBillingContact',
    summary: 'Create a billing contact: to whom invoices are sent, and in which language',
    can: 'billing_contacts.create',
    body: NewBillingContact,
    returns: BillingContact,
    status: 201,
    create: ({ write, person, claim, body }) => write((tx) => createBillingContact(tx, person, claim, body)),
    replay: ({ read, claim }) => findBillingContact(read, claim.id),
  }),
  route({
    ...ofOrganization,
    method: 'get',
    operationId: 'listBillingContacts',
    summary: 'List billing contacts that are not deleted, newest first',
    note: 'Each word of `q` is part of the name, a mail address or a tax id, in any case, with or without accents.',
    can: 'billing_contacts.list',
    query: BillingContactFilters,
    returns: pageOf(BillingContact),
    handle: ({ read, query }) => listBillingContacts(read, query),
  }),
  route({
    ...ofContact,
    method: 'get',
    operationId: 'getBillingContact',
    summary: 'Read a billing contact, also a deleted one',
    can: 'billing_contacts.list',
    returns: BillingContact,
    handle: ({ read, params }) => findBillingContact(read, params.billing_contact_id),
  }),
  route({
    ...ofContact,
    method: 'patch',
    operationId: 'updateBillingContact',
    summary: 'Change a billing contact that is not deleted: what is absent stays, null empties',
    can: 'billing_contacts.update',
    refuses: [409],
    body: BillingContactChange,
    returns: BillingContact,
    handle: async ({ write, read, person, params, body }) => {
      await repeating(() => write((tx) => changeBillingContact(tx, person, params.billing_contact_id, body)))
      return findBillingContact(read, params.billing_contact_id)
    },
  }),
  route({
    ...ofContact,
    method: 'delete',
    operationId: 'deleteBillingContact',
    summary: 'Delete a billing contact: it stays in the invoices that it has, and gets no new one',
    can: 'billing_contacts.delete',
    refuses: [409],
    returns: Deleted,
    handle: async ({ write, person, params }) => {
      await write((tx) => deleteBillingContact(tx, person, params.billing_contact_id))
      return { deleted: true as const, id: params.billing_contact_id }
    },
  }),
]
