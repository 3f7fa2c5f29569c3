/** A person as they see themselves, and what they may change of it. */
import * as v from 'valibot'
import { Country } from '../country.ts'
import { id } from '../ids.ts'
import { model, integer, line, maybe, nullableText, timestamp, uuid } from '../text.ts'

/** Number of organizations that a person may own if no override is set. */
export const ORGANIZATION_LIMIT_DEFAULT = 3

const Address = model('Address', {
  address_line1: v.string(),
  address_line2: nullableText,
  city: v.string(),
  country_code: v.string(),
  postal_code: nullableText,
})

/** Empty text where the contract allows no null. `totp.inserted_at`: since when `enabled` is as it is. */
export const Me = model('Me', {
  id: uuid,
  first_name: nullableText,
  last_name: nullableText,
  name: nullableText,
  address: Address,
  avatar: model('Avatar', { url: v.string() }),
  emails: v.array(model('MeEmail', { address: v.string(), confirmed: v.boolean(), id: uuid, primary: v.boolean() })),
  phone_numbers: v.array(model('MePhoneNumber', { confirmed: v.boolean(), e164: v.string() })),
  kyc_entity_id: v.nullable(uuid),
  organization_limit: integer,
  referral_code: nullableText,
  totp: model('MeAuthenticator', { enabled: v.boolean(), inserted_at: timestamp }),
  user_filled_country_of_residence: nullableText,
})
export type Me = v.InferOutput<typeof Me>

export const MeChanges = model('MeChanges', {
  first_name: maybe(line(1, 255)),
  last_name: maybe(line(1, 255)),
  address: maybe(
    model('AddressChange', {
      address_line1: line(1, 255),
      address_line2: v.optional(v.nullable(line(0, 255)), null),
      city: line(1, 255),
      country_code: Country,
      postal_code: v.optional(v.nullable(line(0, 32)), null),
    }),
  ),
  user_filled_country_of_residence: maybe(Country),
})
export type MeChanges = v.InferOutput<typeof MeChanges>

export const PrimaryOrganization = model('PrimaryOrganization', { organization_id: id<'organization'>() })

export const PrimaryOrganizationAnswer = model('PrimaryOrganizationAnswer', {
  success: v.boolean(),
  message: v.string(),
  organization: model('PrimaryOrganizationName', { id: uuid, name: v.string(), role: v.string() }),
})
export type PrimaryOrganizationAnswer = v.InferOutput<typeof PrimaryOrganizationAnswer>
