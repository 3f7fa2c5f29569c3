/** Reads the payee of a row: a service ID, a contact, or a bank account with the address of its holder. */
import { type Check, errorsOf } from '../destinations/check.ts'
import { type BankCoordinates, canonicalCoordinates, checkCoordinates } from '../destinations/coordinates.ts'
import { usesIban } from '../destinations/iban.ts'
import { ADDRESS_COLUMNS, type NewPayeeAddress } from '../destinations/payee-address.ts'
import type { ContactId } from '../ids.ts'
import { BANK_COLUMNS, type Column } from './columns.ts'
import { howToWrite } from './how-to-write.ts'
import { AS_A_NUMBER, type Remark, remark } from './remark.ts'

/** The payee as written in the row; it may not exist. */
export type NamedPayee =
  | { readonly way: 'svc_id'; readonly svcId: string }
  | { readonly way: 'contact'; readonly contactId: ContactId }
  | { readonly way: 'bank'; readonly account: BankCoordinates; readonly address: NewPayeeAddress | null }

/** Trimmed cells, without empty ones. */
export type GivenCells = Partial<Record<Column, string>>

const HANDLE_OR_CONTACT = ['payee_svc_id', 'payment_contact_id'] as const
type PayeeReading = { readonly payee: NamedPayee | null; readonly errors: readonly Remark[] }

/** Reads the payee, named in exactly one way. A cell that is `written` and not `given` is faulty. */
export function readPayee(written: GivenCells, given: GivenCells): PayeeReading {
  const bank = BANK_COLUMNS.filter((column) => written[column])
  const [addressed] = ADDRESS_COLUMNS.filter((column) => written[column])
  const [way, other] = [...HANDLE_OR_CONTACT.filter((column) => written[column]), ...bank.slice(0, 1)]
  if (!way)
    return {
      payee: null,
      errors: [remark('payee_svc_id', 'required', 'is required, or payment_contact_id, or a bank account')],
    }
  if (other) {
    const message = `names the payee beside ${way}: one way is enough`
    return { payee: null, errors: [remark(other, 'ambiguous_payee', message)] }
  }
  if (addressed && way !== bank[0]) {
    const message = `is of a bank account in this row: leave it empty beside ${way}`
    return { payee: null, errors: [remark(addressed, 'ambiguous_payee', message)] }
  }
  if (!given[way]) return { payee: null, errors: [] }
  const { payee_svc_id: svcId, payment_contact_id: contactId } = given
  if (svcId) return { payee: { way: 'svc_id', svcId }, errors: [] }
  // the schema of the column has found it to be one
  if (contactId) return { payee: { way: 'contact', contactId: contactId.toLowerCase() as ContactId }, errors: [] }
  const { address, errors } = readAddress(written, given)
  if (bank.some((column) => !given[column])) return { payee: null, errors }
  const account = readAccount(given, address)
  return errors.length > 0 || ADDRESS_COLUMNS.some((column) => written[column] && !given[column])
    ? { payee: null, errors: [...account.errors, ...errors] }
    : account
}

/** Reads the address of the holder, if a cell names a part of it: then its town and country have to be named. */
function readAddress(
  written: GivenCells,
  given: GivenCells,
): { address: NewPayeeAddress | null; errors: readonly Remark[] } {
  if (!ADDRESS_COLUMNS.some((column) => written[column])) return { address: null, errors: [] }
  const missing = (['address_town', 'address_country'] as const).filter((column) => !written[column])
  const { address_town: town, address_country: country_code, address_street: street } = given
  const { address_building_number: building_number, address_postal_code: postal_code } = given
  return {
    address: town && country_code ? { street, building_number, postal_code, town, country_code } : null,
    errors: missing.map((column) => remark(column, 'required', 'is required for an address')),
  }
}

/** Digits that a spreadsheet has turned into a number with an exponent. */
const EXPONENT = /^[0-9]+([.,][0-9]+)?e\+[0-9]+$|^[0-9]+[.,][0-9]+e-?[0-9]+$/i

/** Reads a bank account; without a country its IBAN tells it. */
function readAccount(given: GivenCells, address: NewPayeeAddress | null): PayeeReading {
  const { account_holder_name = '', bank_country, currency, iban } = given
  const home = iban?.slice(0, 2).toUpperCase() ?? ''
  const country = bank_country ?? (usesIban(home) ? home : undefined)
  if (!country) return { payee: null, errors: [remark('bank_country', 'required', 'is required for a bank account')] }
  if (!currency) return { payee: null, errors: [] }
  const { account_number, aba_code, sort_code, swift_code } = given
  const account: BankCoordinates = {
    type: 'bank',
    country_code: country,
    currency,
    account_holder_name,
    iban,
    account_number,
    aba_code,
    sort_code,
    swift_code,
  }
  const written = BANK_COLUMNS.filter(
    (column) => column !== 'account_holder_name' && EXPONENT.test(given[column] ?? ''),
  )
  const errors = [
    ...written.map((column) => remark(column, 'invalid_bank_details', AS_A_NUMBER)),
    ...accountErrors(account),
  ]
  return errors.length > 0
    ? { payee: null, errors }
    : { payee: { way: 'bank', account: canonicalCoordinates(account), address }, errors }
}

/** Converts faults of a destination to those of columns. */
function accountErrors(account: BankCoordinates): Remark[] {
  const found = errorsOf(checkCoordinates(account), '')
  const errors = found.map(({ field, code, message }): Remark => {
    if (field === 'currency') return remark('currency', 'unsupported_currency', message)
    const column = field === 'country_code' ? 'bank_country' : BANK_COLUMNS.find((name) => name === field)
    if (!column) {
      const lacks = `needs a ${field} here, for which a batch has no column: pay this account as a contact`
      return remark('bank_country', 'invalid_bank_details', lacks)
    }
    if (column === 'account_holder_name' && code === 'required') return remark(column, 'required', 'is required')
    const value = (column === 'bank_country' ? account.country_code : account[column]) ?? ''
    return remark(column, 'invalid_bank_details', howToWrite(column, code, value, account.country_code) ?? message)
  })
  const two = ['iban', 'account_number'] as const
  const another: readonly Check['code'][] = ['mismatch', 'not_applicable']
  const differ = found.some(({ field, code }) => two.some((name) => name === field) && another.includes(code))
  if (!differ || two.some((name) => !account[name])) return errors
  const named = two.filter((name) => !errors.some(({ column }) => column === name))
  return [...errors, ...named.map((name) => remark(name, 'invalid_bank_details', 'stands beside another account'))]
}
