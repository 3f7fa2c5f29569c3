/** Payment contacts: whom the organization pays. */
import { pageOf } from '../../domain/pagination.ts'
import {
  NewPaymentContact,
  PaymentContact,
  PaymentContactChange,
  PaymentContactDraft,
  PaymentContactFilters,
} from '../../domain/contacts/contact.ts'
import { changeContact, createContact, deleteContact } from '../../services/contacts/commands.ts'
import { findContact, findCreatedContact, listContacts } from '../../services/contacts/contacts.ts'
import { writeIncompleteContacts } from '../../services/contacts/incomplete.ts'
import { cancelWithTargets } from '../../services/decisions/ends.ts'
import { draftOfContact } from '../../services/decisions/drafts.ts'
import { searchOf } from '../http/context.ts'
import { bytes, operations } from '../http/operation.ts'
import { askAboutNew } from './new-accounts.ts'

const { command, query } = operations('Payment contacts')

const MAKING_CONTACTS = '/organizations/{organization_id}/payment-contacts'

export const paymentContacts = [
  command('post', MAKING_CONTACTS, 'createPaymentContact')
    .says('Create a payment contact with its destinations', 'The first destination, or the marked one, is the default.')
    .of('organization')
    .delegates('prepare')
    .can('payment_contacts.create')
    .takes(NewPaymentContact)
    .refuses(
      'no_eligible_approver',
      'invalid_bank_details',
      'unknown_handle',
      'same_account',
      'unprocessable_entity',
      'external_id_taken',
    )
    .creates(PaymentContact, ({ read, claim }) => findCreatedContact(read, claim.id))
    .prepares(async (context) => ({ answers: await askAboutNew(context, context.body.destinations) }))
    .does(({ tx, person, claim, body, answers }) => createContact(tx, person, claim.id, body, { answers })),
  query('/organizations/{organization_id}/payment-contacts', 'listPaymentContacts')
    .says('List payment contacts, newest first')
    .of('organization')
    .delegates('read')
    .can('payment_contacts.list')
    .filters(PaymentContactFilters)
    .answers(pageOf(PaymentContact))
    .does((context) => listContacts(context.read, searchOf(context, MAKING_CONTACTS))),
  query('/organizations/{organization_id}/payment-contacts/incomplete.csv', 'getIncompletePaymentContacts')
    .says(
      'Download the payment contacts without an address as CSV',
      'All active contacts that are paid at a bank and have no address with town and country, with empty columns for it.',
    )
    .of('organization')
    .delegates('read')
    .can('payment_contacts.list')
    .answers(bytes('text/csv'), () => 'incomplete-payment-contacts.csv')
    .does(({ read }) => writeIncompleteContacts(read)),
  query('/payment-contacts/{payment_contact_id}', 'getPaymentContact')
    .says('Read a payment contact', 'Account numbers and addresses are masked.')
    .of('payment_contact')
    .delegates('read')
    .can('payment_contacts.list')
    .answers(PaymentContact)
    .does(({ read, params }) => findContact(read, params.payment_contact_id)),
  query('/payment-contacts/{payment_contact_id}/draft', 'getPaymentContactDraft')
    .says('Read a payment contact as a body, to ask for it again', 'After a request that was sent back, it names that.')
    .of('payment_contact')
    .delegates('read')
    .can('payment_destinations.list')
    .answers(PaymentContactDraft)
    .does(({ read, person, params }) => draftOfContact(read, params.payment_contact_id, person.userId)),
  command('patch', '/payment-contacts/{payment_contact_id}', 'updatePaymentContact')
    .says(
      'Change the name, email, tag or address of a payment contact',
      'The contact must be active, but for its external id and metadata. If the policy requires it, another name waits for approval. Payments that were made keep the address that they were made with.',
    )
    .of('payment_contact')
    .can('payment_contacts.update')
    .takes(PaymentContactChange)
    .refuses('invalid_state', 'external_id_taken')
    .answers(PaymentContact)
    .does(async ({ tx, read, person, params, body }) => {
      await changeContact(tx, person, params.payment_contact_id, body)
      return findContact(read, params.payment_contact_id)
    }),
  command('delete', '/payment-contacts/{payment_contact_id}', 'deletePaymentContact')
    .says('Delete a payment contact', 'Its pending approval, and payments to it that wait for approval, are cancelled.')
    .of('payment_contact')
    .can('payment_contacts.delete')
    .refuses('invalid_state', 'contact_in_use')
    .deletes()
    .does(({ tx, person, params }) => deleteContact(tx, person, params.payment_contact_id, cancelWithTargets)),
]
