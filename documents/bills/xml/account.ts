/** Payee's account in an electronic invoice. */
import { canonicalBankCoordinates } from '../../../domain/destinations/bank-coordinates.ts'
import { isCountry } from '../../../domain/destinations/bank-requirements.ts'
import type { BillField } from '../../../domain/bills/fields.ts'
import type { ReadField } from '../../../domain/bills/reader.ts'
import type { StatedValue } from '../../xml/element.ts'

export type Account = {
  /** IBAN, by its element. */
  readonly iban: StatedValue | null
  readonly number: StatedValue | null
  readonly holder: StatedValue | null
  readonly bic: StatedValue | null
  /** BIC, or a national code of bank or branch. */
  readonly branch: StatedValue | null
  readonly bankCode: StatedValue | null
  readonly bankName: StatedValue | null
}

type Around = {
  readonly payeeName: StatedValue | null
  readonly supplierCountry: string | null
  readonly currency: string | null
}

const canonical = (code: string): string =>
  canonicalBankCoordinates({ type: 'bank', country_code: '', currency: '', account_holder_name: '', iban: code })
    .iban ?? ''

/** The key of an account, equal for two statements of it. */
export const accountKey = ({ iban, number }: Account): string => canonical((iban ?? number)?.value ?? '')

/** Lists the bank details; none without a number. Checks nothing. */
export function accountFields(account: Account, around: Around): ReadField[] {
  const number = account.iban ?? account.number
  if (!number) return []
  const isIban = account.iban !== null || looksLikeIban(canonical(number.value))
  const codes: [BillField, StatedValue | null][] = [
    [isIban ? 'iban' : 'account_number', number],
    ['swift_code', account.bic],
    ['bank_code', account.bankCode],
    ['bank_name', account.bankName],
    ['account_holder_name', account.holder ?? around.payeeName],
  ]
  const branch = account.branch && branchField(canonical(account.branch.value), isIban, around)
  if (account.branch && branch) codes.push([branch, account.branch])
  const country = branch && COUNTRIES[branch]
  if (account.branch && country) codes.push(['bank_country_alpha2', { ...account.branch, value: country }])
  return codes.flatMap(([field, given]) =>
    given ? [{ field, value: given.value, page: null, box: null, text: given.path, confidence: 1 }] : [],
  )
}

/** Tells whether it has the form of an IBAN: even a wrong one is no other number. */
const looksLikeIban = (code: string): boolean =>
  /^[A-Z]{2}[0-9]{2}[A-Z0-9]{8,30}$/.test(code) && isCountry(code.slice(0, 2))

/** Codes of UNTDID 4461 for postal, bank and reference giro. */
const GIROS: ReadonlySet<string> = new Set(['50', '56', '93'])
/** Giros in the place of a bank; older Swedish bills have them as BICs. */
const GIRO_BANKS = /^(?:[A-Z]{2}:?(?:BANKGIRO|PLUSGIRO|POSTGIRO|GIRO|FIK|IK66)|BGABSESS(?:XXX)?|PGSISESS(?:XXX)?)$/
/** Least digits of a Swedish clearing number and account; a giro has at most eight. */
const SWEDISH_MIN = 9

/** Tells whether it is a giro and no bank account, in any element. */
export function isGiro(account: Account, around: Around & { readonly code: string | null }): boolean {
  const written = account.iban ?? account.number
  if (!written || looksLikeIban(canonical(written.value))) return false
  const banks = [account.branch, account.bic, account.bankCode].map((bank) => bank?.value.replaceAll(/\s/g, ''))
  if (banks.some((bank) => bank && GIRO_BANKS.test(bank.toUpperCase()))) return true
  if (GIROS.has(around.code ?? '')) return true
  const isOf = (country: string, money: string) => around.supplierCountry === country || around.currency === money
  if (isOf('SE', 'SEK')) return written.value.replaceAll(/\D/g, '').length < SWEDISH_MIN
  return isOf('CH', 'CHF') && /^\d{2}-\d{1,6}-\d$/.test(written.value)
}

/** Countries of national codes. */
const COUNTRIES: Readonly<Partial<Record<BillField, string>>> = {
  aba_code: 'US',
  bsb_code: 'AU',
  cnaps: 'CN',
  ifsc_code: 'IN',
  sort_code: 'GB',
}

/** Finds the field of a bank or branch code: by form, then by country or currency. */
function branchField(code: string, isIban: boolean, { supplierCountry, currency }: Around): BillField | null {
  if (/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(code) && isCountry(code.slice(4, 6))) return 'swift_code'
  // beside an IBAN only a BIC has a place: a wrong one is reported, a national code is in the IBAN already
  if (isIban) return /^[A-Z]{6}/.test(code) ? 'swift_code' : null
  const isOf = (country: string, money: string) => supplierCountry === country || currency === money
  if (/^[A-Z]{4}0[A-Z0-9]{6}$/.test(code)) return 'ifsc_code'
  if (/^[0-9]{6}$/.test(code) && isOf('GB', 'GBP')) return 'sort_code'
  if (/^[0-9]{6}$/.test(code) && isOf('AU', 'AUD')) return 'bsb_code'
  if (/^[0-9]{9}$/.test(code) && isOf('US', 'USD')) return 'aba_code'
  if (/^[0-9]{12}$/.test(code) && isOf('CN', 'CNY')) return 'cnaps'
  return /^[A-Z0-9]{1,35}$/.test(code) ? 'bank_code' : null
}
