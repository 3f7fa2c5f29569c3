/** Destinations: where payment contacts are paid. */
import * as v from 'valibot'
import { contactFlow } from '../db/model/contact-flow.ts'
import { type ContactId, type DestinationId, id } from '../db/model/ids.ts'
import { workflowId } from '../db/model/flow.ts'
import { pageOf } from '../db/model/page.ts'
import { Destination, DestinationChange, DestinationFilters, NewDestination } from '../db/model/payment-destination.ts'
import { Deleted } from '../db/model/text.ts'
import { addDestination, changeDestination, deleteDestination } from '../db/payment-destination-changes.ts'
import { findDestination, listDestinations } from '../db/payment-destinations.ts'
import { createOnce } from './creation.ts'
import { startWritten, waitingWorkflowId } from './processes.ts'
import { type Context, route } from './route.ts'
import { askToLookSoon } from './temporal.ts'

const shared = { tag: 'Payment contacts' } as const
const ofContact = {
  ...shared,
  owner: { kind: 'payment_contact', param: 'payment_contact_id' },
  params: v.object({ payment_contact_id: id<'payment_contact'>() }),
} as const
const ofDestination = {
  ...shared,
  owner: { kind: 'payment_destination', param: 'payment_destination_id' },
  params: v.object({ payment_destination_id: id<'payment_destination'>() }),
} as const

/** The destination that this request makes. A claim's id is the id of the row that it makes. */
const findCreated = ({ read, claim }: Context<any, any, any>): Promise<Destination> =>
  findDestination(read, claim.id as DestinationId)

export const paymentDestinations = [
  route({
    ...ofContact,
    method: 'get',
    path: '/payment-contacts/{payment_contact_id}/destinations',
    operationId: 'listPaymentDestinations',
    summary: 'List the destinations of a contact, newest first; account numbers and addresses are masked',
    can: 'payment_destinations.list',
    query: DestinationFilters,
    returns: pageOf(Destination),
    handle: ({ read, params, query }) => listDestinations(read, params.payment_contact_id, query),
  }),
  route({
    ...ofContact,
    method: 'post',
    path: '/payment-contacts/{payment_contact_id}/destinations',
    operationId: 'createPaymentDestination',
    summary: 'Add a destination to a contact; where the policy asks for it, the contact waits for approval',
    can: 'payment_destinations.create',
    body: NewDestination,
    returns: Destination,
    status: 201,
    replay: findCreated,
    handle: async (context) => {
      const { write, person, claim, params, body } = context
      const { payment_contact_id: contactId } = params
      const created = await createOnce(
        claim,
        () => write((tx) => addDestination(tx, person, claim, { contactId, destination: body })),
        () => findCreated(context),
      )
      if (created.status === 'pending_approval') await startWaiting(context, contactId)
      return created
    },
  }),
  route({
    ...ofDestination,
    method: 'get',
    path: '/payment-destinations/{payment_destination_id}',
    operationId: 'getPaymentDestination',
    summary: 'Read a destination with its whole coordinates',
    can: 'payment_destinations.list',
    returns: Destination,
    handle: ({ read, params }) => findDestination(read, params.payment_destination_id),
  }),
  route({
    ...ofDestination,
    method: 'patch',
    path: '/payment-destinations/{payment_destination_id}',
    operationId: 'updatePaymentDestination',
    summary:
      'Name a destination, or make it the default; where the policy asks for it, the contact waits for approval of that. Coordinates never change: add another destination',
    can: 'payment_destinations.update',
    body: DestinationChange,
    returns: Destination,
    handle: async (context) => {
      const { write, read, person, params, body } = context
      const { payment_destination_id: destinationId } = params
      const waiting = await write((tx) => changeDestination(tx, person, destinationId, body))
      if (waiting) await startWaiting(context, waiting)
      return findDestination(read, destinationId)
    },
  }),
  route({
    ...ofDestination,
    method: 'delete',
    path: '/payment-destinations/{payment_destination_id}',
    operationId: 'deletePaymentDestination',
    summary: 'Delete a destination; payments to it that wait for approval are cancelled',
    can: 'payment_destinations.update',
    returns: Deleted,
    handle: async ({ write, person, params }) => {
      const stopped = await write((tx) => deleteDestination(tx, person, params.payment_destination_id))
      await askToLookSoon(stopped.map(waitingWorkflowId))
      return { deleted: true as const, id: params.payment_destination_id }
    },
  }),
]

/** Starts the run that waits for the approval. One that is about to end after the approval before looks once more. */
async function startWaiting({ org }: Context<any, any, any>, contactId: ContactId): Promise<void> {
  await askToLookSoon([workflowId(contactFlow, contactId)])
  await startWritten(contactFlow, {
    id: contactId,
    organization_id: org.organizationId,
    status: 'pending_approval',
  })
}
