/** Destinations: where payment contacts are paid. */
import { bankRailOf } from '../../domain/destinations/bank-requirements.ts'
import { requirementsFor } from '../../domain/destinations/coordinates.ts'
import {
  Destination,
  DestinationChange,
  DestinationChecks,
  DestinationFilters,
  DestinationToValidate,
  NewDestination,
  Requirements,
  RequirementsQuery,
  coordinatesIn,
} from '../../domain/destinations/destination.ts'
import { addressRequirementsOf, toPayeeAddress } from '../../domain/destinations/payee-address.ts'
import { NewCallBack } from '../../domain/account-changes/call-back.ts'
import { refuse } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { pageOf } from '../../domain/pagination.ts'
import { confirmByCallBack } from '../../services/account-changes/call-backs.ts'
import { addDestination, changeDestination, deleteDestination } from '../../services/contacts/destination-commands.ts'
import { checkDestination, findDestination, listDestinations } from '../../services/contacts/destinations.ts'
import { cancelWithTargets } from '../../services/decisions/ends.ts'
import { config } from '../../platform/config.ts'
import { requirePermissionAnywhere } from '../../services/organizations/organizations.ts'
import { canonicalCoordinates } from '../../domain/destinations/coordinates.ts'
import type { PayeeCheck } from '../../domain/payee-checks/payee-check.ts'
import { askAboutPayee, permitQuestions } from '../../partners/payee-checks.ts'
import { now } from '../../platform/clock.ts'
import { payeeChecks } from '../http/limits.ts'
import { searchOf } from '../http/context.ts'
import { operations } from '../http/operation.ts'
import { askAboutNew } from './new-accounts.ts'

const { command, query } = operations('Payment contacts')

/** Questions about destinations; they stand before the operations whose paths would take theirs. */
export const destinationChecks = [
  query('/payment-destinations/validate', 'validatePaymentDestination', 'post')
    .says(
      'Validate a payment destination',
      'Nothing is created; the answer names invalid coordinates. With `check_payee` the bank is asked whether a ' +
        'valid bank account belongs to its holder: 30 times an hour for a person, who needs ' +
        '`payment_destinations.create` in an organization.',
    )
    .delegates('prepare')
    .takes(DestinationToValidate)
    .refuses('forbidden')
    .limited(payeeChecks)
    .answers(DestinationChecks)
    // changes nothing: no transaction
    .does(async ({ body, person }) => {
      const asks = body.check_payee && body.type === 'bank'
      if (body.check_payee) await requirePermissionAnywhere(person, 'payment_destinations.create')
      const checks = await checkDestination(body)
      const valid = checks.every(({ status }) => status !== 'invalid')
      const named = body.type === 'bank' ? body.payee_address : null
      const payee_check = asks && valid ? await askAboutHolder(body, person.userId) : null
      return { valid, checks, payee_check, payee_address: named ? toPayeeAddress(named) : null }
    }),
  query('/payment-destinations/requirements', 'getPaymentDestinationRequirements')
    .says(
      'Read the required coordinates of a bank account',
      'Of a country and currency, as a JSON Schema; and what their rail asks for of the address of its holder.',
    )
    .delegates('read')
    .filters(RequirementsQuery)
    .refuses('not_found')
    .cached(true)
    .answers(Requirements)
    .does(async ({ query: { country_code, currency } }) => {
      // The query has a currency that exists, so it is the country that does not.
      const schema = requirementsFor(country_code, currency) ?? refuse('not_found', { country_code })
      const address = addressRequirementsOf(bankRailOf(country_code, currency))
      const required_from = config.addressRequiredFrom ?? null
      return { country_code, currency, schema, payee_address: { ...address, required_from } }
    }),
]

/** Asks the bank about the holder of a valid account, and stores nothing. */
async function askAboutHolder(destination: NewDestination, userId: UserId): Promise<PayeeCheck | null> {
  if (destination.type === 'svc_id') return null
  const coordinates = coordinatesIn(canonicalCoordinates(destination))
  if (!coordinates) return null
  const permit = await permitQuestions(userId, 'payee_questions')
  return { ...(await askAboutPayee(coordinates, permit)), checked_at: now().toISOString() }
}

const MAKING_DESTINATIONS = '/payment-contacts/{payment_contact_id}/destinations'

export const paymentDestinations = [
  query('/payment-contacts/{payment_contact_id}/destinations', 'listPaymentDestinations')
    .says('List the destinations of a contact, newest first', 'Account numbers and addresses are masked.')
    .of('payment_contact')
    .delegates('read')
    .can('payment_destinations.list')
    .filters(DestinationFilters)
    .answers(pageOf(Destination))
    .does((context) =>
      listDestinations(context.read, context.params.payment_contact_id, searchOf(context, MAKING_DESTINATIONS)),
    ),
  command('post', MAKING_DESTINATIONS, 'createPaymentDestination')
    .says('Add a destination to a contact', 'If the policy requires it, the contact waits for approval.')
    .of('payment_contact')
    .delegates('prepare')
    .can('payment_destinations.create')
    .takes(NewDestination)
    .refuses(
      'no_eligible_approver',
      'invalid_state',
      'unprocessable_entity',
      'invalid_bank_details',
      'unknown_handle',
      'same_account',
      'external_id_taken',
    )
    .creates(Destination, ({ read, claim }) => findDestination(read, claim.id))
    .prepares(async (context) => ({ answers: await askAboutNew(context, [context.body]) }))
    .does(({ tx, person, claim, params, body, answers: [answer] }) =>
      addDestination(tx, person, { id: claim.id, contactId: params.payment_contact_id, destination: body, answer }),
    ),
  query('/payment-destinations/{payment_destination_id}', 'getPaymentDestination')
    .says('Read a destination with its whole coordinates')
    .of('payment_destination')
    .delegates('read')
    .can('payment_destinations.list')
    .answers(Destination)
    .does(({ read, params }) => findDestination(read, params.payment_destination_id)),
  command('patch', '/payment-destinations/{payment_destination_id}', 'updatePaymentDestination')
    .says(
      'Name a destination, or make it the default',
      'If the policy requires it, the contact waits for approval. Coordinates never change: add another destination.',
    )
    .of('payment_destination')
    .can('payment_destinations.update')
    .takes(DestinationChange)
    .refuses('invalid_state', 'external_id_taken')
    .answers(Destination)
    .does(async ({ tx, read, person, params, body }) => {
      await changeDestination(tx, person, params.payment_destination_id, body)
      return findDestination(read, params.payment_destination_id)
    }),
  command('post', '/payment-destinations/{payment_destination_id}/confirm-by-callback', 'confirmPaymentDestination')
    .says(
      'Record that the payee confirmed a bank account when called',
      'By another person than who added the destination, asked for the change, or typed the account in a bill. It ' +
        'ends the waiting after a change of the account. The first record stands.',
    )
    .of('payment_destination')
    .can('payment_destinations.update', 'decides')
    .takes(NewCallBack)
    .refuses('unprocessable_entity')
    .answers(Destination)
    .proved('window')
    .retries('same')
    .does(async ({ tx, read, person, params, body }) => {
      await confirmByCallBack(tx, person, params.payment_destination_id, body)
      return findDestination(read, params.payment_destination_id)
    }),
  command('delete', '/payment-destinations/{payment_destination_id}', 'deletePaymentDestination')
    .says('Delete a payment destination', 'Payments to it that wait for approval are cancelled.')
    .of('payment_destination')
    .can('payment_destinations.update')
    .refuses('invalid_state', 'contact_in_use')
    .deletes()
    .does(({ tx, person, params }) => deleteDestination(tx, person, params.payment_destination_id, cancelWithTargets)),
]
