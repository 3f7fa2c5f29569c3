/** Destinations before they are made: whether one is right, and what one needs. Both are questions; nothing is kept. */
import { checkDestination } from '../../db/contacts/destination-checks.ts'
import { requirementsFor } from '../../domain/contacts/coordinates.ts'
import { DestinationChecks, Requirements, RequirementsQuery } from '../../domain/contacts/destination-check.ts'
import { refuse } from '../../domain/errors.ts'
import { NewDestination } from '../../domain/contacts/destination.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Payment contacts')

export const destinationChecks = [
  command('post', '/payment-destinations/validate', 'validatePaymentDestination')
    .says('Check the coordinates of a destination without making it; what is invalid is answered too')
    .takes(NewDestination)
    .answers(DestinationChecks)
    .handles(async ({ body }) => {
      const checks = await checkDestination(body)
      return { valid: checks.every(({ status }) => status !== 'invalid'), checks }
    }),
  query('/payment-destinations/requirements', 'getPaymentDestinationRequirements')
    .says('Ask which coordinates a bank account in a country and currency needs, as a JSON Schema')
    .filters(RequirementsQuery)
    .refuses(404)
    .cached(true)
    .answers(Requirements)
    .does(async ({ query: { country_code, currency } }) => {
      // The query has a currency that exists, so it is the country that does not.
      const schema = requirementsFor(country_code, currency) ?? refuse('not_found', { country_code })
      return { country_code, currency, schema }
    }),
]
