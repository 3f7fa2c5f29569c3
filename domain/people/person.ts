/** A person as they see themselves, and what they may change of it. */
import * as v from 'valibot'
import { Country } from '../country.ts'
import { id } from '../ids.ts'
import { model, integer, line, maybe, nullableText, timestamp, uuid, describe } from '../text.ts'

/** Number of organizations that a person may own if no override is set. */
export const ORGANIZATION_LIMIT_DEFAULT = 3

const Address = model('Address', {
  address_line1: v.string(),
  address_line2: nullableText,
  city: v.string(),
  country_code: v.string(),
  postal_code: nullableText,
})

/** Ways to be mailed about requests that wait: each by itself, together after ten minutes, or together once a day. */
export const NOTIFY = ['at_once', 'digest', 'daily'] as const
export type Notify = (typeof NOTIFY)[number]
const NOTIFY_SENTENCE =
  'Mails about requests that wait for the person: `at_once`, together after ten minutes (`digest`), or once a day ' +
  '(`daily`). A request with a grave warning, or one that expires within a day, is mailed at once.'

/** Empty text where the contract allows no null. `totp.inserted_at`: since when `enabled` is as it is. */
export const Me = model('Me', {
  id: uuid,
  first_name: nullableText,
  last_name: nullableText,
  name: nullableText,
  address: describe(Address, 'Postal address of the person.'),
  avatar: describe(
    model('Avatar', { url: describe(v.string(), 'Address of the picture; empty if there is none.') }),
    'Picture of the person.',
  ),
  emails: v.array(
    model('MeEmail', {
      address: describe(v.string(), 'E-mail address.'),
      confirmed: v.boolean(),
      id: uuid,
      primary: describe(v.boolean(), 'True for the address that mails go to.'),
    }),
  ),
  phone_numbers: describe(
    v.array(model('MePhoneNumber', { confirmed: v.boolean(), e164: v.string() })),
    'Phone numbers of the person.',
  ),
  kyc_entity_id: describe(v.nullable(uuid), 'Id of the identity check.'),
  organization_limit: describe(integer, 'Number of organizations that the person may own.'),
  referral_code: nullableText,
  totp: describe(
    model('MeAuthenticator', {
      enabled: describe(v.boolean(), 'True while an authenticator app is set up.'),
      inserted_at: describe(timestamp, 'Instant since which `enabled` is as it is.'),
    }),
    'Authenticator app of the person.',
  ),
  user_filled_country_of_residence: nullableText,
  notify: describe(v.picklist(NOTIFY), NOTIFY_SENTENCE),
})
export type Me = v.InferOutput<typeof Me>

export const MeChanges = model('MeChanges', {
  first_name: maybe(line(1, 255)),
  last_name: maybe(line(1, 255)),
  address: describe(
    maybe(
      model('AddressChange', {
        address_line1: line(1, 255),
        address_line2: v.optional(v.nullable(line(0, 255)), null),
        city: line(1, 255),
        country_code: Country,
        postal_code: v.optional(v.nullable(line(0, 32)), null),
      }),
    ),
    'Postal address of the person.',
  ),
  user_filled_country_of_residence: maybe(Country),
  notify: describe(v.optional(v.picklist(NOTIFY)), NOTIFY_SENTENCE),
})
export type MeChanges = v.InferOutput<typeof MeChanges>

export const PrimaryOrganization = model('PrimaryOrganization', { organization_id: id<'organization'>() })

export const PrimaryOrganizationAnswer = model('PrimaryOrganizationAnswer', {
  success: describe(v.boolean(), 'Always true.'),
  message: v.string(),
  organization: describe(
    model('PrimaryOrganizationName', { id: uuid, name: v.string(), role: v.string() }),
    'Organization.',
  ),
})
export type PrimaryOrganizationAnswer = v.InferOutput<typeof PrimaryOrganizationAnswer>
