/** Destinations: where payment contacts are paid. */
import { pageOf } from '../../domain/pagination.ts'
import {
  Destination,
  DestinationChange,
  DestinationFilters,
  NewDestination,
} from '../../domain/contacts/destination.ts'
import { Deleted } from '../../domain/text.ts'
import { cancelWithTargets } from '../../db/decisions/cancellation.ts'
import { addDestination, changeDestination, deleteDestination } from '../../db/contacts/destination-changes.ts'
import { findDestination, listDestinations } from '../../db/contacts/destinations.ts'
import { inPath } from '../http/in-path.ts'
import { route } from '../http/route.ts'

const shared = { tag: 'Payment contacts' } as const
const ofContact = {
  ...shared,
  ...inPath('payment_contact'),
} as const
const ofDestination = {
  ...shared,
  ...inPath('payment_destination'),
} as const

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
    create: ({ write, person, claim, params, body }) => {
      const addition = { contactId: params.payment_contact_id, destination: body }
      return write((tx) => addDestination(tx, person, claim, addition))
    },
    replay: ({ read, claim }) => findDestination(read, claim.id),
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
      await write((tx) => changeDestination(tx, person, destinationId, body))
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
      await write((tx) => deleteDestination(tx, person, params.payment_destination_id, cancelWithTargets))
      return { deleted: true as const, id: params.payment_destination_id }
    },
  }),
]
