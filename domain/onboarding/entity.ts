/** Legal entities: what a company is by its register, its tax office and its business. */
import * as v from 'valibot'
import { Country } from '../country.ts'
import { distinct } from '../distinct.ts'
import { isCurrency } from '../money/currencies.ts'
import { Money } from '../money/money.ts'
import { day } from '../pagination.ts'
import { NewPostalAddress, PostalAddress } from '../party.ts'
import { AnswerMoney, describe, line, maybe, model, nullableText } from '../text.ts'

export const ENTITY_FORMS = ['company', 'partnership', 'sole_trader', 'nonprofit', 'public_body'] as const
export type EntityForm = (typeof ENTITY_FORMS)[number]

/** Schemes of activity codes: NACE Rev. 2 of the EU (`62.01`), NAICS of North America (`541511`). */
export const ACTIVITY_SCHEMES = ['nace', 'naics'] as const
const ACTIVITY_CODES = { nace: /^\d{2}(?:\.\d{1,2})?$/, naics: /^\d{2,6}$/ } as const

const SCHEME = 'NACE of the EU, or NAICS of North America.'
const VOLUME = 'What it expects to pay and receive in a month.'
const CURRENCIES_TEXT = 'Currencies of its payments.'
const COUNTRIES_TEXT = 'Countries of its payers and payees.'

const LISTED_MAX = 30
const countries = v.pipe(v.array(Country), v.maxLength(LISTED_MAX), distinct(String))
const currencies = v.pipe(
  v.array(v.pipe(v.string(), v.check(isCurrency, 'must be a currency of ISO 4217'))),
  v.maxLength(LISTED_MAX),
  distinct(String),
)

/** Address of a website; a scheme is added if it has none. */
const Website = v.pipe(
  line(1, 255),
  v.transform((given) => (/^[a-z][a-z0-9+.-]*:/i.test(given) ? given : `https://${given}`)),
  v.check(
    (given) => URL.canParse(given) && /^https?:$/.test(new URL(given).protocol),
    'must be the address of a website',
  ),
)

const Registration = model('NewRegistration', {
  number: line(1, 64),
  country: Country,
  register: describe(maybe(line(1, 255)), 'Name of the register.'),
})

const Activity = v.pipe(
  model('NewBusinessActivity', {
    scheme: describe(v.picklist(ACTIVITY_SCHEMES), SCHEME),
    code: line(1, 16),
    description: line(1, 1000),
  }),
  v.forward(
    v.partialCheck(
      [['scheme'], ['code']],
      ({ scheme, code }) => ACTIVITY_CODES[scheme].test(code),
      'must be a code of its scheme, such as 62.01 of NACE or 541511 of NAICS',
    ),
    ['code'],
  ),
)

const Expected = model('NewExpectedBusiness', {
  monthly_volume: describe(Money, VOLUME),
  currencies: describe(currencies, CURRENCIES_TEXT),
  countries: describe(countries, COUNTRIES_TEXT),
})

/** Body of PUT …/onboarding/entity: replaces the whole; what is absent is empty, and a requirement that is open. */
export const NewLegalEntity = model('NewLegalEntity', {
  legal_name: describe(line(1, 255), 'Name as the register or the tax office has it.'),
  trading_name: describe(maybe(line(1, 255)), 'Name by which customers know it.'),
  form: describe(v.picklist(ENTITY_FORMS), 'Kind of entity; it decides what else is asked for.'),
  registration: describe(maybe(Registration), 'Entry in a public register; a sole trader may have none.'),
  tax_id: describe(maybe(line(1, 64)), 'Number at the tax office, as it writes it.'),
  incorporated_on: describe(maybe(day), 'Day of its foundation.'),
  address: describe(maybe(NewPostalAddress), 'Registered address.'),
  website: describe(maybe(Website), 'Address of its website.'),
  activity: describe(maybe(Activity), 'Business of the entity.'),
  expected: describe(maybe(Expected), 'Business that it expects here.'),
})
export type NewLegalEntity = v.InferOutput<typeof NewLegalEntity>

const ENTITY_FIELDS = Object.keys(NewLegalEntity.entries) as (keyof NewLegalEntity)[]

/** A legal entity as it is kept: what is empty is null. */
export const LegalEntity = model('LegalEntity', {
  legal_name: describe(v.string(), 'Name as the register or the tax office has it.'),
  trading_name: describe(nullableText, 'Name by which customers know it.'),
  form: describe(v.picklist(ENTITY_FORMS), 'Kind of entity.'),
  registration: describe(
    v.nullable(
      model('Registration', {
        number: v.string(),
        country: v.string(),
        register: describe(nullableText, 'Name of the register.'),
      }),
    ),
    'Entry in a public register.',
  ),
  tax_id: nullableText,
  incorporated_on: describe(v.nullable(v.pipe(v.string(), v.isoDate())), 'Day of its foundation.'),
  address: v.nullable(PostalAddress),
  website: describe(v.nullable(v.pipe(v.string(), v.url())), 'Address of its website.'),
  activity: describe(
    v.nullable(
      model('BusinessActivity', {
        scheme: describe(v.picklist(ACTIVITY_SCHEMES), SCHEME),
        code: v.string(),
        description: v.string(),
      }),
    ),
    'Business of the entity.',
  ),
  expected: describe(
    v.nullable(
      model('ExpectedBusiness', {
        monthly_volume: describe(AnswerMoney, VOLUME),
        currencies: describe(v.array(v.string()), CURRENCIES_TEXT),
        countries: describe(v.array(v.string()), COUNTRIES_TEXT),
      }),
    ),
    'Business that it expects here.',
  ),
})
export type LegalEntity = v.InferOutput<typeof LegalEntity>

/** Completes an entity of a request: what is absent is null. */
export function toLegalEntity(given: NewLegalEntity): LegalEntity {
  const { registration } = given
  const whole = Object.fromEntries(ENTITY_FIELDS.map((field) => [field, given[field] ?? null]))
  const registered = registration && { ...registration, register: registration.register ?? null }
  return { ...whole, registration: registered ?? null } as LegalEntity // all fields of the schema
}

/** Lists the fields of an entity that have a value. */
export const listFilledFields = (entity: LegalEntity): string[] =>
  Object.entries(entity).flatMap(([field, value]) => (value === null ? [] : [`entity.${field}`]))

/** Fields whose change makes what was verified wrong: who it is, and where. */
const IDENTIFYING = ['legal_name', 'form', 'registration', 'address'] as const

/** Lists the identifying fields in which two entities differ. */
export const identityChanges = (before: LegalEntity, after: LegalEntity): string[] =>
  IDENTIFYING.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])).map(
    (field) => `entity.${field}`,
  )
