/** Payment contacts: whom the organization pays. */
import * as v from 'valibot'
import { contactFlow } from '../db/model/contact-flow.ts'
import { type ContactId, id } from '../db/model/ids.ts'
import { pageOf } from '../db/model/page.ts'
import { NewPaymentContact, PaymentContact, PaymentContactFilters } from '../db/model/payment-contact.ts'
import { createContact, findContact, listContacts } from '../db/payment-contacts.ts'
import { createOnce } from './creation.ts'
import { startWritten } from './processes.ts'
import { type Context, route } from './route.ts'

const OrganizationParams = v.object({ organization_id: id<'organization'>() })

/** The contact that this request makes. A claim's id is the id of the row that it makes. */
const findCreated = ({ read, claim }: Context<any, any, any>): Promise<PaymentContact> =>
  findContact(read, claim.id as ContactId)

export const paymentContacts = [
  route({
    method: 'post',
    path: '/organizations/{organization_id}/payment-contacts',
    operationId: 'createPaymentContact',
    summary: 'Create a payment contact with its destinations; the first, or the one marked so, is the default',
    tag: 'Payment contacts',
    can: 'payment_contacts.create',
    owner: { kind: 'organization', param: 'organization_id' },
    params: OrganizationParams,
    body: NewPaymentContact,
    returns: PaymentContact,
    status: 201,
    replay: findCreated,
    handle: async (context) => {
      const { write, person, org, claim, body } = context
      const created = await createOnce(
        claim,
        () => write((tx) => createContact(tx, person.userId, claim, body)),
        () => findCreated(context),
      )
      if (created.status === 'pending_approval') {
        await startWritten(contactFlow, { ...created, organization_id: org.organizationId })
      }
      return created
    },
  }),
  route({
    method: 'get',
    path: '/organizations/{organization_id}/payment-contacts',
    operationId: 'listPaymentContacts',
    summary: 'List payment contacts, newest first',
    tag: 'Payment contacts',
    can: 'payment_contacts.list',
    owner: { kind: 'organization', param: 'organization_id' },
    params: OrganizationParams,
    query: PaymentContactFilters,
    returns: pageOf(PaymentContact),
    handle: ({ read, query }) => listContacts(read, query),
  }),
  route({
    method: 'get',
    path: '/payment-contacts/{payment_contact_id}',
    operationId: 'getPaymentContact',
    summary: 'Read a payment contact',
    tag: 'Payment contacts',
    can: 'payment_contacts.list',
    owner: { kind: 'payment_contact', param: 'payment_contact_id' },
    params: v.object({ payment_contact_id: id<'payment_contact'>() }),
    returns: PaymentContact,
    handle: ({ read, params }) => findContact(read, params.payment_contact_id),
  }),
]
