/** Destinations before they are made: whether one is right, and what one needs. Both are questions; nothing is kept. */
import { checkDestination } from '../../db/contacts/destination-checks.ts'
import { requirementsFor } from '../../domain/contacts/coordinates.ts'
import { DestinationChecks, Requirements, RequirementsQuery } from '../../domain/contacts/destination-check.ts'
import { refuse } from '../../domain/errors.ts'
import { NewDestination } from '../../domain/contacts/destination.ts'
import { route } from '../http/route.ts'

export const destinationChecks = [
  route({
    method: 'post',
    path: '/payment-destinations/validate',
    operationId: 'validatePaymentDestination',
    summary: 'Check the coordinates of a destination without making it; what is invalid is answered too',
    tag: 'Payment contacts',
    body: NewDestination,
    returns: DestinationChecks,
    handle: async ({ body }) => {
      const checks = await checkDestination(body)
      return { valid: checks.every(({ status }) => status !== 'invalid'), checks }
    },
  }),
  route({
    method: 'get',
    path: '/payment-destinations/requirements',
    operationId: 'getPaymentDestinationRequirements',
    summary: 'Ask which coordinates a bank account in a country and currency needs, as a JSON Schema',
    tag: 'Payment contacts',
    query: RequirementsQuery,
    returns: Requirements,
    refuses: [404],
    cacheable: true,
    handle: async ({ query: { country_code, currency } }) => {
      // The query has a currency that exists, so it is the country that does not.
      const schema = requirementsFor(country_code, currency) ?? refuse('not_found', { country_code })
      return { country_code, currency, schema }
    },
  }),
]
