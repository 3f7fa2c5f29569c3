/** The bank account that a bill names, as destinations have it. */
import type { BankCoordinates } from '../contacts/coordinates.ts'
import { canonicalBankCoordinates, checkBankCoordinates } from '../contacts/bank-coordinates.ts'
import { BANK_COORDINATES } from '../contacts/bank-requirements.ts'
import type { Check } from '../contacts/check.ts'
import { BANK_DETAILS, type BankDetail, type BillFields } from './fields.ts'

/** Whether any bank detail is known. */
export const namesAccount = (fields: BillFields): boolean => BANK_DETAILS.some((detail) => fields[detail] !== undefined)

/** Where the account is: as the bill says, else as its IBAN begins. A BIC may be that of a bank in another country. */
export const countryOf = ({ bank_country_alpha2: country, iban }: BillFields): string | undefined =>
  country ?? iban?.slice(0, 2)

/** The coordinates, in one way of writing; undefined as long as nobody knows country or currency. */
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

/** What stands against paying to the account: each fault by the name that the bill has for the field. */
export function accountFaults(fields: BillFields): (Check & { status: 'invalid' })[] {
  const coordinates = coordinatesOf(fields)
  if (!coordinates) return []
  return checkBankCoordinates(coordinates).flatMap((check) =>
    check.status === 'invalid' ? [{ ...check, field: nameOf(check.field) }] : [],
  )
}

/** What a person typed wrongly: that something is missing is no fault before the bill is paid. */
export const typingFaults = (fields: BillFields, typed: readonly string[]): (Check & { status: 'invalid' })[] =>
  accountFaults(fields).filter(({ field, code }) => code !== 'required' && typed.includes(field))

const nameOf = (field: string): string => (field === 'country_code' ? 'bank_country_alpha2' : field)

/** The same details without blanks and dashes, as far as they can be read. */
export function canonicalDetails(fields: BillFields): Partial<Record<BankDetail, string>> {
  const { account_holder_name: holder, bank_country_alpha2: country } = fields
  const given = BANK_COORDINATES.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))
  const coordinates = canonicalBankCoordinates({
    type: 'bank',
    country_code: country ?? '',
    currency: '',
    account_holder_name: holder ?? '',
    ...Object.fromEntries(given),
  } as BankCoordinates) // what is not given is absent
  return Object.fromEntries(
    BANK_DETAILS.flatMap((name) => {
      if (fields[name] === undefined) return []
      return [[name, name === 'bank_country_alpha2' ? country?.toUpperCase() : coordinates[name]]]
    }),
  )
}
