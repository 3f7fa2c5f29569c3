/** Postal addresses of payees, in members of ISO 20022 (PostalAddress). */
import * as v from 'valibot'
import { line, maybe, model, nullableText, describe } from '../text.ts'
import { findUntransliterable, transliterate } from '../transliterate.ts'
import { type BankRail, isCountry } from './bank-requirements.ts'

export const ADDRESS_CHARACTERS_MAX = 140
const LINES = ['street', 'building_number', 'postal_code', 'town', 'region'] as const
export const ADDRESS_MEMBERS = ['street', 'building_number', 'postal_code', 'town', 'country_code', 'region'] as const

/** Members of an address as columns of a file, and as fields of a bill. */
export const ADDRESS_COLUMNS = [
  'address_street',
  'address_building_number',
  'address_postal_code',
  'address_town',
  'address_country',
] as const
export type AddressColumn = (typeof ADDRESS_COLUMNS)[number]

/** One line in letters that banks take: 1 to 140 characters, also after transliteration, one a letter or a digit. */
export const AddressLine = v.pipe(
  line(1, ADDRESS_CHARACTERS_MAX),
  v.check(
    (text) => findUntransliterable(text) === undefined,
    ({ input }) => `untransliterable:${findUntransliterable(input)?.sign ?? ''}`,
  ),
  v.check((text) => /[a-z0-9]/i.test(transliterate(text)), 'no_letter'),
  v.check(
    (text) => transliterate(text).length <= ADDRESS_CHARACTERS_MAX,
    `too_long_transliterated:${ADDRESS_CHARACTERS_MAX}`,
  ),
  v.metadata({ jsonSchema: { type: 'string', minLength: 1, maxLength: ADDRESS_CHARACTERS_MAX } }),
)

/** Country of an address: ISO 3166-1, and Kosovo. */
export const AddressCountry = v.pipe(
  v.string(),
  v.check(isCountry, 'unknown_country'),
  v.metadata({ jsonSchema: { type: 'string', pattern: '^[A-Z]{2}$' } }),
)

/** Address of a payee as a request gives it: town and country at least. */
export const NewPayeeAddress = model('NewPayeeAddress', {
  street: maybe(AddressLine),
  building_number: maybe(AddressLine),
  postal_code: maybe(AddressLine),
  town: AddressLine,
  country_code: describe(
    AddressCountry,
    'Country of the address (ISO 3166-1 alpha-2, or XK), whatever that of the account is.',
  ),
  region: maybe(AddressLine),
})
export type NewPayeeAddress = v.InferOutput<typeof NewPayeeAddress>

const lines = { street: nullableText, building_number: nullableText, postal_code: nullableText, town: v.string() }

/** Address of a payee as it is answered. `transliterated` is how a bank gets it; null if that is as written. */
export const PayeeAddress = model('PayeeAddress', {
  ...lines,
  country_code: describe(
    v.string(),
    'Country of the address (ISO 3166-1 alpha-2, or XK), whatever that of the account is.',
  ),
  region: nullableText,
  transliterated: describe(
    v.nullable(model('TransliteratedAddress', { ...lines, region: nullableText })),
    'How a bank gets it: in Latin letters, digits and few signs; null if that is as it is written.',
  ),
})
export type PayeeAddress = v.InferOutput<typeof PayeeAddress>

/** Address in the letters of a bank, without empty members. */
export type SentAddress = Readonly<Partial<Record<(typeof ADDRESS_MEMBERS)[number], string>>>

const tidy = (text: string): string => text.normalize('NFC').trim().replaceAll(/\s+/gu, ' ')
const tidyOrNull = (text: string | null | undefined): string | null => (text == null ? null : tidy(text))
const inLetters = (text: string | null): string | null => (text === null ? null : transliterate(text))

/** Completes an address of a request: on one line each, null for what is absent, and how a bank gets it. */
export function toPayeeAddress({ country_code, ...given }: NewPayeeAddress): PayeeAddress {
  const written = {
    street: tidyOrNull(given.street),
    building_number: tidyOrNull(given.building_number),
    postal_code: tidyOrNull(given.postal_code),
    town: tidy(given.town),
  }
  const region = tidyOrNull(given.region)
  const sent = {
    street: inLetters(written.street),
    building_number: inLetters(written.building_number),
    postal_code: inLetters(written.postal_code),
    town: transliterate(written.town),
    region: inLetters(region),
  }
  const all = { ...written, region }
  const differs = LINES.some((name) => sent[name] !== all[name])
  return { ...written, country_code, region, transliterated: differs ? sent : null }
}

/** Selects the members of an address as they are sent to a bank. */
export function selectSent({ transliterated, ...written }: PayeeAddress): SentAddress {
  const all = Object.entries({ ...written, ...transliterated })
  return Object.fromEntries(all.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}

type WrittenAddress = Omit<PayeeAddress, 'transliterated' | 'country_code'> & { readonly country_code?: string }

/** Writes an address in lines, as people read it. */
export function addressLines({
  street,
  building_number,
  postal_code,
  town,
  region,
  country_code,
}: WrittenAddress): string[] {
  const join = (...parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' ')
  return [join(street, building_number), join(postal_code, town), join(region), country_code ?? ''].filter(Boolean)
}

/** Needed members by rail: a town and a country on each since 15 November 2026 (EPC, CBPR+). */
export const NEEDED_BY_RAIL: Readonly<Record<BankRail, readonly (typeof ADDRESS_MEMBERS)[number][]>> = {
  sepa: ['town', 'country_code'],
  swift: ['town', 'country_code'],
  local: ['town', 'country_code'],
}

/** Name of the characters that a rail takes: both sets have the same ones. */
const CHARACTER_SETS = { sepa: 'sepa_latin', swift: 'swift_x', local: 'swift_x' } as const

/** Requirements of a rail for the address of a payee; other text is replaced by characters of the set. */
export const AddressRequirements = model('PayeeAddressRequirements', {
  rail: describe(
    v.picklist(['sepa', 'swift', 'local']),
    'How a payment reaches the account: `sepa`, the own clearing of its country, or `swift`.',
  ),
  needed: describe(v.array(v.picklist(ADDRESS_MEMBERS)), 'Members that a payment needs.'),
  optional: describe(v.array(v.picklist(ADDRESS_MEMBERS)), 'Members that can be given beside them.'),
  max_length: describe(v.pipe(v.number(), v.integer()), 'Characters of a member, also after its transliteration.'),
  character_set: describe(
    v.picklist(['sepa_latin', 'swift_x']),
    'Characters that the rail takes. Others are transliterated: both sets have the same ones.',
  ),
  required_from: describe(
    nullableText,
    'Day (UTC) from which a payment without the needed members is refused; null: it carries a warning.',
  ),
})
export type AddressRequirements = v.InferOutput<typeof AddressRequirements>

/** Lists the members that a rail needs and takes. */
export function addressRequirementsOf(rail: BankRail): Omit<AddressRequirements, 'required_from'> {
  const needed = NEEDED_BY_RAIL[rail]
  return {
    rail,
    needed: [...needed],
    optional: ADDRESS_MEMBERS.filter((member) => !needed.includes(member)),
    max_length: ADDRESS_CHARACTERS_MAX,
    character_set: CHARACTER_SETS[rail],
  }
}
