/** Destinations: where payment contacts are paid. */
import { pageOf } from '../../domain/pagination.ts'
import {
  Destination,
  DestinationChange,
  DestinationFilters,
  NewDestination,
} from '../../domain/contacts/destination.ts'
import { Deleted } from '../../domain/text.ts'
import { cancelWithTargets } from '../../db/decisions/ends.ts'
import { addDestination, changeDestination, deleteDestination } from '../../db/contacts/destination-changes.ts'
import { findDestination, listDestinations } from '../../db/contacts/destinations.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Payment contacts')

export const paymentDestinations = [
  query('/payment-contacts/{payment_contact_id}/destinations', 'listPaymentDestinations')
    .says('List the destinations of a contact, newest first; account numbers and addresses are masked')
    .of('payment_contact')
    .can('payment_destinations.list')
    .filters(DestinationFilters)
    .answers(pageOf(Destination))
    .does(({ read, params, query }) => listDestinations(read, params.payment_contact_id, query)),
  command('post', '/payment-contacts/{payment_contact_id}/destinations', 'createPaymentDestination')
    .says('Add a destination to a contact; where the policy asks for it, the contact waits for approval')
    .of('payment_contact')
    .can('payment_destinations.create')
    .takes(NewDestination)
    .creates(Destination, ({ read, claim }) => findDestination(read, claim.id))
    .makes(({ write, person, claim, params, body }) => {
      const addition = { contactId: params.payment_contact_id, destination: body }
      return write((tx) => addDestination(tx, person, claim, addition))
    }),
  query('/payment-destinations/{payment_destination_id}', 'getPaymentDestination')
    .says('Read a destination with its whole coordinates')
    .of('payment_destination')
    .can('payment_destinations.list')
    .answers(Destination)
    .does(({ read, params }) => findDestination(read, params.payment_destination_id)),
  command('patch', '/payment-destinations/{payment_destination_id}', 'updatePaymentDestination')
    .says(
      'Name a destination, or make it the default; where the policy asks for it, the contact waits for approval of that. Coordinates never change: add another destination',
    )
    .of('payment_destination')
    .can('payment_destinations.update')
    .takes(DestinationChange)
    .answers(Destination)
    .handles(async (context) => {
      const { write, read, person, params, body } = context
      const { payment_destination_id: destinationId } = params
      await write((tx) => changeDestination(tx, person, destinationId, body))
      return findDestination(read, destinationId)
    }),
  command('delete', '/payment-destinations/{payment_destination_id}', 'deletePaymentDestination')
    .says('Delete a destination; payments to it that wait for approval are cancelled')
    .of('payment_destination')
    .can('payment_destinations.update')
    .answers(Deleted)
    .handles(async ({ write, person, params }) => {
      await write((tx) => deleteDestination(tx, person, params.payment_destination_id, cancelWithTargets))
      return { deleted: true as const, id: params.payment_destination_id }
    }),
]
