/** A person as they see themselves, and what they may change of it. */
import * as v from 'valibot'
import { Country } from '../country.ts'
import { id } from '../ids.ts'
import { line, nullableText, timestamp, uuid } from '../text.ts'

/** How many organizations a person may own if no override is set. */
export const ORGANIZATION_LIMIT_DEFAULT = 3

const Address = v.object({
  address_line1: v.string(),
  address_line2: nullableText,
  city: v.string(),
  country_code: v.string(),
  postal_code: nullableText,
})

/**
 * The contract's Me. Where the contract allows no null, what is not known is empty text: the lines of an address, the
 * URL of a picture that was never set. `totp.inserted_at` is since when `enabled` is as it is: since the setup, the
 * last removal, or the sign-up.
 */
export const Me = v.object({
  id: uuid,
  first_name: nullableText,
  last_name: nullableText,
  name: nullableText,
  address: Address,
  avatar: v.object({ url: v.string() }),
  emails: v.array(v.object({ address: v.string(), confirmed: v.boolean(), id: uuid, primary: v.boolean() })),
  phone_numbers: v.array(v.object({ confirmed: v.boolean(), e164: v.string() })),
  kyc_entity_id: v.nullable(uuid),
  organization_limit: v.pipe(v.number(), v.integer()),
  referral_code: nullableText,
  totp: v.object({ enabled: v.boolean(), inserted_at: timestamp }),
  user_filled_country_of_residence: nullableText,
})
export type Me = v.InferOutput<typeof Me>

const nullable = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema))

/** Body of PATCH /me: what is absent stays, null clears. An address is replaced whole. */
export const MeChanges = v.object({
  first_name: nullable(line(1, 255)),
  last_name: nullable(line(1, 255)),
  address: nullable(
    v.object({
      address_line1: line(1, 255),
      address_line2: v.optional(v.nullable(line(0, 255)), null),
      city: line(1, 255),
      country_code: Country,
      postal_code: v.optional(v.nullable(line(0, 32)), null),
    }),
  ),
  user_filled_country_of_residence: nullable(Country),
})
export type MeChanges = v.InferOutput<typeof MeChanges>

/** Body of PUT /me/primary-organization. */
export const PrimaryOrganization = v.object({ organization_id: id<'organization'>() })

/** The contract's answer to it. */
export const PrimaryOrganizationAnswer = v.object({
  success: v.boolean(),
  message: v.string(),
  organization: v.object({ id: uuid, name: v.string(), role: v.string() }),
})
