/** The coordinates that a bank account needs by country and currency, and their formats. */
import * as v from 'valibot'
import { COUNTRIES } from '../country.ts'
import { isCoin, isCurrency } from '../money/currencies.ts'
import { ibanPattern, usesIban } from './iban.ts'

/** Coordinates of a bank account beside country, currency and holder; which ones are needed depends on the country. */
export const BANK_COORDINATES = [
  'iban',
  'swift_code',
  'account_number',
  'aba_code',
  'sort_code',
  'bsb_code',
  'ifsc_code',
  'cnaps',
  'bank_code',
  'branch_code',
  'bank_name',
] as const

/** Coordinates in the order in which they are asked for and checked. */
export const BANK_FIELDS = ['account_holder_name', ...BANK_COORDINATES] as const
export type BankField = (typeof BANK_FIELDS)[number]

/** Required and optional coordinates; all others are refused: they would name another account. */
export type Needs = { readonly needs: readonly BankField[]; readonly takes: readonly BankField[] }

/** A country's own way to name an account, used for its own currency. */
type Scheme = { readonly currency: string; readonly fields: readonly BankField[] }

const words = (text: string): string[] => text.trim().split(/\s+/)
const inHome = (home: string, territories: string): [string, string][] =>
  words(territories).map((territory) => [territory, home])

/** Territories whose accounts are numbered as those of another country: their IBANs and codes are that country's. */
const HOMES = new Map([
  ...inHome('AU', 'CC CX NF'),
  ...inHome('FI', 'AX'),
  ...inHome('FR', 'BL GF GP MF MQ NC PF PM RE TF WF YT'),
  ...inHome('GB', 'GG IM JE'),
  ...inHome('NO', 'BV SJ'),
  ...inHome('US', 'AS GU MP PR UM VI'),
])

/** The single euro payments area with its territories; within it euros need no BIC. */
const SEPA: ReadonlySet<string> = new Set(
  words(`
    AD AL AT AX BE BG BL CH CY CZ DE DK EE ES FI FR GB GF GG GI GP GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MF MK
    MQ MT NL NO PL PM PT RE RO RS SE SI SK SM VA YT`),
)
/** No country of ISO 3166-1, but one of ISO 13616: Kosovo. */
const MORE_COUNTRIES: ReadonlySet<string> = new Set(['XK'])

const SCHEMES: Readonly<Record<string, Scheme>> = {
  AU: { currency: 'AUD', fields: ['bsb_code', 'account_number'] },
  BR: { currency: 'BRL', fields: ['swift_code', 'account_number', 'bank_code', 'branch_code'] },
  CA: { currency: 'CAD', fields: ['account_number', 'bank_code', 'branch_code'] },
  CN: { currency: 'CNY', fields: ['account_number', 'cnaps'] },
  GB: { currency: 'GBP', fields: ['account_number', 'sort_code'] },
  IN: { currency: 'INR', fields: ['account_number', 'ifsc_code'] },
  MX: { currency: 'MXN', fields: ['account_number'] },
  US: { currency: 'USD', fields: ['account_number', 'aba_code'] },
}

/** Beside SWIFT code and account number, if the currency makes no difference. */
const BESIDE: Readonly<Record<string, Needs>> = {
  HK: { needs: [], takes: ['bank_code', 'branch_code'] },
  JP: { needs: ['bank_code', 'branch_code'], takes: [] },
  NZ: { needs: [], takes: [] },
  SG: { needs: [], takes: ['bank_code', 'branch_code'] },
  ZA: { needs: ['branch_code'], takes: ['bank_code'] },
}
const ELSEWHERE: Needs = { needs: ['bank_name'], takes: ['bank_code', 'branch_code'] }

/** The country whose rules an account in this one follows: that of Great Britain for Jersey. */
export const homeOf = (country: string): string => HOMES.get(country) ?? country

/** Tells if there is such a country: ISO 3166-1, and Kosovo. */
export const isCountry = (code: string): boolean => COUNTRIES.has(code) || MORE_COUNTRIES.has(code)

/** Tells if a bank account can be in this currency: an active one of ISO 4217, no coin. */
export const isBankCurrency = (code: string): boolean => isCurrency(code) && !isCoin(code)

/** A currency that a request names, in which bank accounts and what they pay can be. */
export const BankCurrency = v.pipe(
  v.string(),
  v.check(isBankCurrency, 'must be an active currency of ISO 4217'),
  v.metadata({ jsonSchema: { type: 'string', pattern: '^[A-Z]{3}$' } }),
)

/** Cache by country and currency: each row of a file asks several times. */
const known = new Map<string, Needs>()

/** Finds what an account in this country and currency needs; undefined if one of them does not exist. */
export function needsOf(country: string, currency: string): Needs | undefined {
  const found = known.get(`${country} ${currency}`)
  if (found) return found
  if (!isCountry(country) || !isBankCurrency(currency)) return undefined
  const wanted = needsIn(country, currency)
  known.set(`${country} ${currency}`, wanted)
  return wanted
}

function needsIn(country: string, currency: string): Needs {
  const { needs, takes } = coordinatesOf(country, currency)
  const anywhere: BankField[] = ['swift_code', 'bank_name']
  return {
    needs: ['account_holder_name', ...needs],
    takes: [...new Set([...takes, ...anywhere])].filter((field) => !needs.includes(field)),
  }
}

/** A British IBAN may stand beside the numbers that it ends in; elsewhere the account is named once. */
const NAMED_TWICE = { home: 'GB', fields: ['iban', 'account_number', 'sort_code'] } as const

function coordinatesOf(country: string, currency: string): Needs {
  const home = homeOf(country)
  const scheme = SCHEMES[home]
  const takes = home === NAMED_TWICE.home ? NAMED_TWICE.fields : []
  if (scheme?.currency === currency) return { needs: scheme.fields, takes }
  if (usesIban(home)) {
    return { needs: bankRailOf(country, currency) === 'sepa' ? ['iban'] : ['iban', 'swift_code'], takes }
  }
  const beside = scheme ? { needs: [], takes } : (BESIDE[home] ?? ELSEWHERE)
  return { needs: ['swift_code', 'account_number', ...beside.needs], takes: beside.takes }
}

/** How a payment reaches an account: by SEPA, by the country's own clearing, or from bank to bank by SWIFT. */
export type BankRail = 'sepa' | 'local' | 'swift'

/** Finds the rail of an account by country and currency. */
export function bankRailOf(country: string, currency: string): BankRail {
  const home = homeOf(country)
  if (SCHEMES[home]?.currency === currency) return 'local'
  return usesIban(home) && currency === 'EUR' && SEPA.has(country) ? 'sepa' : 'swift'
}

/** How a coordinate is written everywhere, and what people call it. */
const FORMATS: Readonly<Record<BankField, { title: string; pattern?: string; maxLength?: number }>> = {
  account_holder_name: { title: 'Name of the account holder', maxLength: 255 },
  iban: { title: 'IBAN' },
  swift_code: { title: 'SWIFT code (BIC)', pattern: '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$' },
  account_number: { title: 'Account number', pattern: '^[A-Z0-9]{1,34}$' },
  aba_code: { title: 'ABA routing number', pattern: '^[0-9]{9}$' },
  sort_code: { title: 'Sort code', pattern: '^[0-9]{6}$' },
  bsb_code: { title: 'BSB code', pattern: '^[0-9]{6}$' },
  ifsc_code: { title: 'IFSC code', pattern: '^[A-Z]{4}0[A-Z0-9]{6}$' },
  cnaps: { title: 'CNAPS code', pattern: '^[0-9]{12}$' },
  bank_code: { title: 'Bank code', pattern: '^[A-Z0-9]{1,35}$' },
  branch_code: { title: 'Branch code', pattern: '^[A-Z0-9]{1,35}$' },
  bank_name: { title: 'Name of the bank', maxLength: 64 },
}

/** How it is written in one country. */
const LOCAL_PATTERNS: Readonly<Record<string, Partial<Record<BankField, string>>>> = {
  AU: { account_number: '^[0-9]{5,10}$' },
  BR: { account_number: '^[A-Z0-9]{1,20}$', bank_code: '^[0-9]{3}$', branch_code: '^[0-9]{4,5}$' },
  CA: { account_number: '^[0-9]{5,12}$', bank_code: '^[0-9]{3}$', branch_code: '^[0-9]{5}$' },
  // also of non-residents, offshore, and in free trade zones
  CN: { account_number: '^(?:NRA|OSA|FT[EFINU])?[0-9]{6,29}$|^[0-9]{6,32}$' },
  GB: { account_number: '^[0-9]{8}$' },
  HK: { account_number: '^[0-9]{6,15}$', bank_code: '^[0-9]{3}$', branch_code: '^[0-9]{3}$' },
  IN: { account_number: '^[A-Z0-9]{5,20}$' },
  JP: { account_number: '^[0-9]{7}$', bank_code: '^[0-9]{4}$', branch_code: '^[0-9]{3}$' },
  MX: { account_number: '^[0-9]{18}$' },
  NZ: { account_number: '^[0-9]{15,16}$' },
  SG: { account_number: '^[0-9]{5,14}$', bank_code: '^[0-9]{4}$', branch_code: '^[0-9]{3}$' },
  US: { account_number: '^[0-9]{4,17}$' },
  ZA: { account_number: '^[0-9]{5,16}$', branch_code: '^[0-9]{6}$' },
}
const LOCAL_TITLES: Readonly<Record<string, Partial<Record<BankField, string>>>> = {
  CA: { bank_code: 'Institution number', branch_code: 'Transit number' },
  MX: { account_number: 'CLABE' },
}

/** Finds the pattern of a coordinate in canonical form in a country; undefined for names. */
export function patternOf(field: BankField, country: string): string | undefined {
  const home = homeOf(country)
  const local = field === 'iban' ? ibanPattern(home) : LOCAL_PATTERNS[home]?.[field]
  return local ?? FORMATS[field].pattern
}

/**
 * Builds the JSON Schema (2020-12) of the coordinates of a bank account. It checks no
 * checksum. Undefined if there is no such country or currency.
 */
export function requirementsFor(country: string, currency: string): Record<string, unknown> | undefined {
  const wanted = needsOf(country, currency)
  if (!wanted) return undefined
  const { needs, takes } = wanted
  const fields = BANK_FIELDS.filter((field) => needs.includes(field) || takes.includes(field))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, fieldSchema(field, country)])),
    required: BANK_FIELDS.filter((field) => needs.includes(field)),
    additionalProperties: false,
  }
}

function fieldSchema(field: BankField, country: string): object {
  const { title, maxLength } = FORMATS[field]
  const pattern = patternOf(field, country)
  return {
    type: 'string',
    title: LOCAL_TITLES[homeOf(country)]?.[field] ?? title,
    ...(pattern ? { pattern } : { minLength: 1, maxLength }),
  }
}
