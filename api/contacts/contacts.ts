/** Payment contacts: whom the organization pays. */
import { pageOf } from '../../domain/pagination.ts'
import {
  NewPaymentContact,
  PaymentContact,
  PaymentContactChange,
  PaymentContactFilters,
} from '../../domain/contacts/contact.ts'
import { Deleted } from '../../domain/text.ts'
import { cancelWithTargets } from '../../db/decisions/cancellation.ts'
import { changeContact, deleteContact } from '../../db/contacts/changes.ts'
import { createContact, findContact, findCreatedContact, listContacts } from '../../db/contacts/contacts.ts'
import { inPath } from '../http/in-path.ts'
import { route } from '../http/route.ts'

const ofContact = {
  tag: 'Payment contacts',
  ...inPath('payment_contact'),
} as const

export const paymentContacts = [
  route({
    method: 'post',
    path: '/organizations/{organization_id}/payment-contacts',
    operationId: 'createPaymentContact',
    summary: 'Create a payment contact with its destinations; the first, or the one marked so, is the default',
    tag: 'Payment contacts',
    can: 'payment_contacts.create',
    ...inPath('organization'),
    body: NewPaymentContact,
    returns: PaymentContact,
    status: 201,
    create: ({ write, person, claim, body }) => write((tx) => createContact(tx, person, claim, body)),
    replay: ({ read, claim }) => findCreatedContact(read, claim.id),
  }),
  route({
    method: 'get',
    path: '/organizations/{organization_id}/payment-contacts',
    operationId: 'listPaymentContacts',
    summary: 'List payment contacts, newest first',
    tag: 'Payment contacts',
    can: 'payment_contacts.list',
    ...inPath('organization'),
    query: PaymentContactFilters,
    returns: pageOf(PaymentContact),
    handle: ({ read, query }) => listContacts(read, query),
  }),
  route({
    ...ofContact,
    method: 'get',
    path: '/payment-contacts/{payment_contact_id}',
    operationId: 'getPaymentContact',
    summary: 'Read a payment contact; account numbers and addresses are masked',
    can: 'payment_contacts.list',
    returns: PaymentContact,
    handle: ({ read, params }) => findContact(read, params.payment_contact_id),
  }),
  route({
    ...ofContact,
    method: 'patch',
    path: '/payment-contacts/{payment_contact_id}',
    operationId: 'updatePaymentContact',
    summary:
      'Change the name, email or tag of an active payment contact; where the policy asks for it, another name waits for approval',
    can: 'payment_contacts.update',
    body: PaymentContactChange,
    returns: PaymentContact,
    handle: async ({ write, read, person, params, body }) => {
      await write((tx) => changeContact(tx, person, params.payment_contact_id, body))
      return findContact(read, params.payment_contact_id)
    },
  }),
  route({
    ...ofContact,
    method: 'delete',
    path: '/payment-contacts/{payment_contact_id}',
    operationId: 'deletePaymentContact',
    summary: 'Delete a payment contact; its approval and payments to it that wait for one are cancelled',
    can: 'payment_contacts.delete',
    returns: Deleted,
    handle: async ({ write, person, params }) => {
      await write((tx) => deleteContact(tx, person, params.payment_contact_id, cancelWithTargets))
      return { deleted: true as const, id: params.payment_contact_id }
    },
  }),
]
