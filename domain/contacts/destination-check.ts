/** Questions about destinations before one is made: is this one right, and what does one need. */
import * as v from 'valibot'
import { BankCurrency } from './bank-requirements.ts'
import { CountryCode } from '../organizations/organization.ts'

/**
 * Answer of POST /payment-destinations/validate: what was found about each field. `valid` if nothing is `invalid`; a
 * `warning` is for a person to look at.
 */
export const DestinationChecks = v.object({
  valid: v.boolean(),
  checks: v.array(v.object({ field: v.string(), status: v.picklist(['ok', 'warning', 'invalid']), code: v.string() })),
})

/** Query of GET /payment-destinations/requirements. */
export const RequirementsQuery = v.object({
  country_code: CountryCode,
  currency: BankCurrency,
})

/** Its answer; `schema` is a JSON Schema (2020-12) of the coordinates. */
export const Requirements = v.object({
  country_code: v.string(),
  currency: v.string(),
  schema: v.record(v.string(), v.unknown()),
})
