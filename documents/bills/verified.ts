/** Checks of each found field; failed ones are left out, as doubts. */
import * as v from 'valibot'
import { coordinateFault, canonicalBankCoordinates } from '../../domain/destinations/bank-coordinates.ts'
import { BANK_COORDINATES, homeOf, isBankCurrency, isCountry } from '../../domain/destinations/bank-requirements.ts'
import type { BankCoordinates } from '../../domain/destinations/coordinates.ts'
import { AddressLine } from '../../domain/destinations/payee-address.ts'
import { isOnCalendar } from '../../domain/instants.ts'
import { digitsOf } from '../../domain/money/currencies.ts'
import { decimalOf, digitsAt, toFixedText } from '../../domain/money/decimal.ts'
import { onOneLine } from '../../domain/text.ts'
import { type BillField, isAddressField } from '../../domain/bills/fields.ts'
import type { Doubt, DoubtCode, ReadField } from '../../domain/bills/reader.ts'
import { bareTaxId, isVatId } from '../../domain/tax-ids.ts'

type Verification = { readonly fields: readonly ReadField[]; readonly doubts: readonly Doubt[] }

/** Account numbers within a bank, where an IBAN is missing. */
const NUMBERS: ReadonlySet<string> = new Set(['account_number', 'sort_code'])

type Verdict = { readonly value: string } | { readonly doubt: FieldDoubt }

const AMOUNT = /^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,18})?$/
const TEXT_MAX = 255
const BANK_NAME_MAX = 64
/** Bank coordinates with check digits, or a form of their own. */
const CODES: ReadonlySet<string> = new Set(BANK_COORDINATES.filter((field) => field !== 'bank_name'))

/**
 * Verifies fields, each at most once: names on one line, IBANs by form and check digits (ISO 13616), codes by country,
 * dates by calendar, amounts by currency. Leaves out a field with two values. Adds the bank's country by IBAN, as a BIC
 * may be of a bank elsewhere.
 */
export function verifyFields(found: readonly ReadField[]): Verification {
  const { fields, doubts } = onlyOnce(found)
  const account = accountOf(fields)
  const currency = fields.find(({ field }) => field === 'currency')?.value.trim() ?? null
  const kept: ReadField[] = []
  for (const given of fields) {
    const verdict = CODES.has(given.field) ? codeVerdict(given, account) : plainVerdict(given, currency)
    if ('value' in verdict) kept.push({ ...given, value: verdict.value })
    else doubts.push(doubt(verdict.doubt, [given.field]))
  }
  if (!doubts.some(({ code, fields: [field] }) => code === 'contradicted' && field === 'iban')) {
    return { fields: withCountry(kept), doubts }
  }
  // it is unknown which of the accounts is meant
  return { fields: kept.filter(({ field }) => !NUMBERS.has(field)), doubts }
}

type FieldDoubt = Exclude<DoubtCode, 'unread_pages'>

const MESSAGES: Readonly<Record<FieldDoubt, string>> = {
  malformed: 'is not written as it has to be',
  wrong_check_digits: 'has wrong check digits',
  no_such_date: 'is no date of the calendar',
  ambiguous_date: 'could be two days',
  ambiguous_amount: 'could be two amounts, or stands beside one that cannot be read',
  no_such_currency: 'is no currency that exists',
  ambiguous_currency: 'could be that of several countries',
  contradicted: 'is said in two ways',
  does_not_add_up: 'is not what the other amounts add up to',
  several_accounts: 'is the first of several accounts',
  several_due_dates: 'is one of several dates',
  several_bills: 'is of one of several bills in the file',
  giro_number: 'is the number of a giro, and of no bank account',
  unconfirmed: 'stands beside the bill, and nothing says that it belongs to it',
}

export const doubt = (code: FieldDoubt, fields: readonly BillField[]): Doubt => ({
  code,
  fields,
  message: `${fields.join(', ')} ${MESSAGES[code]}`,
})

function onlyOnce(found: readonly ReadField[]): { fields: ReadField[]; doubts: Doubt[] } {
  const seen = found.filter(isSeen)
  const contradicted = new Set<BillField>()
  const fields = seen.filter((given, index) => {
    const first = seen.findIndex(({ field }) => field === given.field)
    if (canonical(given.field, given.value) !== canonical(given.field, seen[first]?.value ?? '')) {
      contradicted.add(given.field)
    }
    return first === index
  })
  return {
    fields: fields.filter(({ field }) => !contradicted.has(field)),
    doubts: [...contradicted].map((field) => doubt('contradicted', [field])),
  }
}

const isSeen = ({ value }: ReadField): boolean => onOneLine(value) !== ''

/** Writes codes without blanks and dashes, other values without surplus blanks. */
function canonical(field: BillField, value: string): string {
  if (CODES.has(field)) return canonicalBankCoordinates(bankAccount({ [field]: value }))[field as 'iban'] ?? ''
  return onOneLine(value.normalize('NFC')).replaceAll(/\s+/gu, ' ')
}

const bankAccount = (coordinates: object): BankCoordinates => ({
  type: 'bank',
  country_code: '',
  currency: '',
  account_holder_name: '',
  ...coordinates,
})

function accountOf(fields: readonly ReadField[]): BankCoordinates {
  const codes = Object.fromEntries(
    fields.filter(({ field }) => CODES.has(field)).map(({ field, value }) => [field, canonical(field, value)]),
  )
  const stated = fields.find(({ field }) => field === 'bank_country_alpha2')?.value.trim()
  return bankAccount({ ...codes, country_code: countryOf(codes) ?? stated ?? '' })
}

/** Finds the country: IBANs begin with it, BICs have it at 5 and 6. */
function countryOf(codes: Readonly<Record<string, string>>): string | undefined {
  return [codes['iban']?.slice(0, 2), codes['swift_code']?.slice(4, 6)].find((code) => code && isCountry(code))
}

const DOUBTS: Readonly<Record<string, FieldDoubt>> = { checksum: 'wrong_check_digits', mismatch: 'contradicted' }

function codeVerdict({ field, value, confidence }: ReadField, account: BankCoordinates): Verdict {
  const code = canonical(field, value)
  // an IBAN has its country itself
  const home = field === 'iban' ? { ...account, country_code: code.slice(0, 2) } : account
  const fault = coordinateFault(field as 'iban', code, home)
  if (fault?.status === 'invalid') return { doubt: DOUBTS[fault.code] ?? 'malformed' }
  const abroad = field === 'swift_code' && account.country_code !== '' && fault?.code === 'country_mismatch'
  if (abroad) return { doubt: 'contradicted' }
  // a usual but unregulated code counts only if the file says it exactly
  return fault && confidence !== 1 ? { doubt: 'wrong_check_digits' } : { value: code }
}

function plainVerdict({ field, value }: ReadField, currency: string | null): Verdict {
  const written = canonical(field, value)
  switch (field) {
    case 'amount':
    case 'tax_total':
      return amountVerdict(written, currency)
    case 'currency':
      return isBankCurrency(written) ? { value: written } : { doubt: 'no_such_currency' }
    case 'issue_date':
    case 'due_date':
      return isDate(written) ? { value: written } : { doubt: 'no_such_date' }
    case 'supplier_tax_id':
      // a dash behind the country is in no VAT number; Switzerland's has its own
      return { value: isVatId(written) && /^[A-Z]{2}-/.test(written) ? bareTaxId(written) : written }
    case 'bank_country_alpha2':
    case 'address_country':
      return isCountry(written) ? { value: written } : { doubt: 'malformed' }
    default:
      if (isAddressField(field)) return v.is(AddressLine, written) ? { value: written } : { doubt: 'malformed' }
      return Array.from(written).length <= (field === 'bank_name' ? BANK_NAME_MAX : TEXT_MAX)
        ? { value: written }
        : { doubt: 'malformed' }
  }
}

function amountVerdict(written: string, currency: string | null): Verdict {
  if (!AMOUNT.test(written)) return { doubt: 'malformed' }
  const scale = currency === null ? undefined : digitsOf(currency)
  if (scale === undefined) return { value: written }
  const digits = digitsAt(decimalOf(written), scale)
  return digits === null ? { doubt: 'malformed' } : { value: toFixedText({ digits, scale }) }
}

/** Tells whether a bill can name this day, written as `2026-03-01`. */
export const isDate = (written: string): boolean => /^(19|20|21)/.test(written) && isOnCalendar(written)

/** Sets the bank's country; the IBAN's wins over a stated one. */
function withCountry(fields: readonly ReadField[]): readonly ReadField[] {
  const iban = fields.find(({ field }) => field === 'iban')
  const stated = fields.find(({ field }) => field === 'bank_country_alpha2')
  const value = iban?.value.slice(0, 2) ?? ''
  if (!iban || !isCountry(value) || (stated && homeOf(stated.value) === homeOf(value))) return fields
  return [...fields.filter((field) => field !== stated), { ...iban, field: 'bank_country_alpha2', value }]
}
