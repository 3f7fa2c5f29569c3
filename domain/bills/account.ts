import type { BankCoordinates } from '../destinations/coordinates.ts'
import { canonicalBankCoordinates, checkBankCoordinates } from '../destinations/bank-coordinates.ts'
import { BANK_COORDINATES, needsOf } from '../destinations/bank-requirements.ts'
import { BANK_CODES } from '../destinations/payee-account.ts'
import type { NewPayeeAddress } from '../destinations/payee-address.ts'
import type { Check } from '../destinations/check.ts'
import { BANK_DETAILS, type BankDetail, type BillFields } from './fields.ts'
import { isSameName } from './likeness.ts'

export const namesAccount = (fields: BillFields): boolean => BANK_DETAILS.some((detail) => fields[detail] !== undefined)

/** Reads the supplier's address; null without town or country, and if another than the supplier holds the account. */
export function payeeAddressIn(fields: BillFields): NewPayeeAddress | null {
  const { account_holder_name: holder, supplier_name: supplier } = fields
  if (holder && supplier && !isSameName(holder, supplier)) return null
  const { address_town: town, address_country: country_code } = fields
  const { address_street: street, address_building_number: building_number, address_postal_code: postal_code } = fields
  return town && country_code ? { street, building_number, postal_code, town, country_code } : null
}

/** The country of the account: as the bill says, else by its IBAN. A BIC may be of a bank in another country. */
export const countryOf = ({ bank_country_alpha2: country, iban }: BillFields): string | undefined =>
  country ?? iban?.slice(0, 2)

/** Writes canonical coordinates; undefined without country or currency. */
export function coordinatesOf(fields: BillFields): BankCoordinates | undefined {
  const country = countryOf(fields)
  const { currency, account_holder_name: holder, supplier_name: supplier } = fields
  if (!country || !currency) return undefined
  return canonicalBankCoordinates({
    type: 'bank',
    country_code: country,
    currency,
    account_holder_name: holder ?? supplier ?? '',
    ...Object.fromEntries(BANK_COORDINATES.map((name) => [name, fields[name] ?? null])),
  })
}

/** Lists the faults of the account, by the bill's field names. */
export function accountFaults(fields: BillFields): (Check & { status: 'invalid' })[] {
  const coordinates = coordinatesOf(fields)
  if (!coordinates) return []
  return checkBankCoordinates(coordinates).flatMap((check) =>
    check.status === 'invalid' ? [{ ...check, field: nameOf(check.field) }] : [],
  )
}

/** Fields of which one names an account at least in part. */
const NUMBERS = BANK_COORDINATES.filter((name) => name !== 'bank_name')

/**
 * Reads the account of a bill as far as others are compared with it; null if its number is missing in part, or wrong. What
 * a payment needs beside the number may be missing: the holder, and the BIC where a code or an IBAN names the bank.
 */
export function comparableAccount(fields: BillFields): BankCoordinates | null {
  const coordinates = coordinatesOf(fields)
  if (!coordinates || !namesAccount(fields)) return null
  const needs = needsOf(coordinates.country_code, coordinates.currency)?.needs ?? []
  const isNamed = needs.includes('iban') || BANK_CODES.some((code) => needs.includes(code))
  const beside = ['account_holder_name', 'bank_name', ...(isNamed ? ['swift_code'] : [])]
  const faults = accountFaults(fields).filter(({ field, code }) => code !== 'required' || !beside.includes(field))
  return faults.length === 0 ? coordinates : null
}

/** Tells if a bill names an account in part, or wrongly: nothing can compare it with the one that is paid. */
export const namesPartOfAccount = (fields: BillFields): boolean =>
  fields.currency !== undefined &&
  NUMBERS.some((name) => fields[name] !== undefined) &&
  comparableAccount(fields) === null

/** Lists what a person typed wrongly; missing details are no fault before the bill is paid. */
export const typingFaults = (fields: BillFields, typed: readonly string[]): (Check & { status: 'invalid' })[] =>
  accountFaults(fields).filter(({ field, code }) => code !== 'required' && typed.includes(field))

const nameOf = (field: string): string => (field === 'country_code' ? 'bank_country_alpha2' : field)

/** Removes blanks and dashes from the details that are readable. */
export function canonicalDetails(fields: BillFields): Partial<Record<BankDetail, string>> {
  const { account_holder_name: holder, bank_country_alpha2: country } = fields
  const given = BANK_COORDINATES.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))
  const coordinates = canonicalBankCoordinates({
    type: 'bank',
    country_code: country ?? '',
    currency: '',
    account_holder_name: holder ?? '',
    ...Object.fromEntries(given),
  } as BankCoordinates)
  return Object.fromEntries(
    BANK_DETAILS.flatMap((name) => {
      if (fields[name] === undefined) return []
      return [[name, name === 'bank_country_alpha2' ? country?.toUpperCase() : coordinates[name]]]
    }),
  )
}
