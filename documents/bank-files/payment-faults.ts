/** Faults for which a payment cannot be written for a bank as it is meant: nothing is cut or replaced. */
import type { BankAccount, FilePayment, PaymentFile } from '../../domain/bank-files/messages.ts'
import { bankRailOf, isBankCurrency, isCountry } from '../../domain/destinations/bank-requirements.ts'
import { hasCheckDigits } from '../../domain/destinations/iban.ts'
import { isOnCalendar } from '../../domain/instants.ts'
import { type Money, toMinor } from '../../domain/money/money.ts'
import { transliterate } from '../../domain/transliterate.ts'
import { partsOf, partsOfPayer } from './address.ts'

export type PaymentFault = {
  readonly code:
    /** Empty, or without a letter or digit. */
    | 'empty'
    | 'too_long'
    /** Letters or signs outside EPC217-08, or blanks that it would not keep. */
    | 'foreign_letters'
    | 'malformed'
    /** No bank is named. */
    | 'missing'
    /** Zero, negative, too precise, or more than the scheme takes. */
    | 'amount'
    /** Another currency than the account. */
    | 'currency'
    /** Instant payments are of SEPA alone. */
    | 'not_instant'
    /** Some payments of a file are within SEPA, others are not: a file has one of both. */
    | 'mixed'
    /** Two payments of a file have one id. */
    | 'repeated'
  /** Member of the payment or file, as `creditor.name`. */
  readonly member: string
  /** End-to-end id of the payment; null for a fault of the file. */
  readonly payment: string | null
}

/** File that cannot be written; its message quotes no value. */
export class UnwritablePayments extends Error {
  override readonly name = 'UnwritablePayments'

  constructor(readonly fault: PaymentFault) {
    super(`the file of payments cannot be written: ${fault.member} is ${fault.code}`)
  }
}

/** Maximum lengths, in characters. */
export const MAX = { id: 35, sepaName: 70, name: 140, reference: 140, number: 34, system: 5, code: 35 } as const
/** EPC132-08: 999,999,999.99. */
const SEPA_AMOUNT_MAX = 99_999_999_999n
const DIGITS_MAX = 18
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/
const IBAN = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/
/** EPC217-08: a slash neither begins nor ends an identifier, and no two of them follow each other. */
const SLASHES = /^\/|\/\/|\/$/

/** Tells if a payment from an account goes by SEPA; a file has those alone, or none of them. */
export const isWithinSepa = ({ iban, currency }: BankAccount, { creditor }: FilePayment): boolean =>
  'iban' in creditor.account &&
  bankRailOf(iban.slice(0, 2), currency) === 'sepa' &&
  bankRailOf(creditor.bankCountry, currency) === 'sepa'

type Code = PaymentFault['code']
type Finding = readonly [member: string, code: Code] | null

/** Finds the first fault of a payment in a file from an account. */
export function findFault(
  payment: FilePayment,
  { account, isInstant }: Pick<PaymentFile, 'account' | 'isInstant'>,
): PaymentFault | null {
  const isSepa = isWithinSepa(account, payment)
  const { amount, reference } = payment
  const found =
    checkId('endToEndId', payment.endToEndId) ??
    checkAmount(amount, account, isSepa) ??
    (isInstant && !isSepa ? (['isInstant', 'not_instant'] as const) : null) ??
    (reference === '' ? null : checkText('reference', reference, MAX.reference)) ??
    checkCreditor(payment.creditor, isSepa) ??
    checkPayer(payment.payer)
  return found && { member: found[0], code: found[1], payment: payment.endToEndId }
}

/** Finds the first fault of a file. */
export function findFaultOfFile(file: PaymentFile): PaymentFault | null {
  const found = checkHead(file)
  if (found) return { member: found[0], code: found[1], payment: null }
  const ids = new Set<string>()
  const [first] = file.payments
  for (const payment of file.payments) {
    const fault = findFault(payment, file)
    if (fault) return fault
    const { endToEndId } = payment
    if (ids.has(endToEndId)) return { member: 'endToEndId', code: 'repeated', payment: endToEndId }
    ids.add(endToEndId)
    if (first && isWithinSepa(file.account, payment) !== isWithinSepa(file.account, first))
      return { member: 'payments', code: 'mixed', payment: endToEndId }
  }
  const total = file.payments.reduce((sum, { amount }) => sum + toMinor(amount), 0n)
  return total.toString().length > DIGITS_MAX ? { member: 'payments', code: 'amount', payment: null } : null
}

function checkHead({ messageId, createdAt, holder, account, executionDay, payments }: PaymentFile): Finding {
  const day = isOnCalendar(executionDay) ? null : (['executionDay', 'malformed'] as const)
  const isInstant = INSTANT.test(createdAt) && isOnCalendar(createdAt.slice(0, 10))
  return (
    checkId('messageId', messageId) ??
    (isInstant ? null : (['createdAt', 'malformed'] as const)) ??
    day ??
    checkText('holder', holder, MAX.sepaName) ??
    checkIban('account.iban', account.iban) ??
    (BIC.test(account.bic) ? null : (['account.bic', 'malformed'] as const)) ??
    (isBankCurrency(account.currency) ? null : (['account.currency', 'malformed'] as const)) ??
    (payments.length > 0 ? null : (['payments', 'empty'] as const))
  )
}

function checkCreditor(
  { name, address, account, bic, clearing, bankCountry }: FilePayment['creditor'],
  isSepa: boolean,
) {
  const number =
    'iban' in account
      ? checkIban('creditor.account.iban', account.iban)
      : checkText('creditor.account.number', account.number, MAX.number)
  const isNamed = 'iban' in account || bic !== null || clearing !== null
  return (
    checkText('creditor.name', name, isSepa ? MAX.sepaName : MAX.name) ??
    (isCountry(bankCountry) ? null : (['creditor.bankCountry', 'malformed'] as const)) ??
    number ??
    (bic === null || BIC.test(bic) ? null : (['creditor.bic', 'malformed'] as const)) ??
    (isNamed ? null : (['creditor.bic', 'missing'] as const)) ??
    (clearing && checkText('creditor.clearing.system', clearing.system, MAX.system)) ??
    (clearing && checkText('creditor.clearing.code', clearing.code, MAX.code)) ??
    (address && checkAddress('creditor.address', address, partsOf(address) !== null))
  )
}

/** Its name may be cut: it is information beside the account. */
function checkPayer(payer: FilePayment['payer']): Finding {
  if (!payer) return null
  const fits = partsOfPayer(payer.address) !== null
  return checkText('payer.name', payer.name, Infinity) ?? checkAddress('payer.address', payer.address, fits)
}

function checkAddress(member: string, address: Readonly<Record<string, string | undefined>>, fits: boolean): Finding {
  for (const part of ['town', 'country_code']) if (!address[part]) return [`${member}.${part}`, 'missing']
  if (!isCountry(address['country_code'] ?? '')) return [`${member}.country_code`, 'malformed']
  for (const [part, text] of Object.entries(address)) {
    const found = text ? checkText(`${member}.${part}`, text, Infinity) : null
    if (found) return found
  }
  return fits ? null : [member, 'too_long']
}

function checkAmount(amount: Money, { currency }: BankAccount, isSepa: boolean): Finding {
  if (amount.currency !== currency) return ['amount', 'currency']
  const minor = minorOf(amount)
  const isTooLarge = minor !== null && (isSepa ? minor > SEPA_AMOUNT_MAX : minor.toString().length > DIGITS_MAX)
  return minor === null || minor <= 0n || isTooLarge ? ['amount', 'amount'] : null
}

/** Counts the minor units of an amount; null for one that is not a plain decimal at its currency's precision. */
function minorOf(amount: Money): bigint | null {
  if (!/^(?:0|[1-9]\d{0,17})(?:\.\d+)?$/.test(amount.amount)) return null
  try {
    return toMinor(amount)
  } catch {
    return null
  }
}

const checkIban = (member: string, iban: string): Finding =>
  IBAN.test(iban) && hasCheckDigits(iban) ? null : [member, 'malformed']

function checkId(member: string, id: string): Finding {
  return checkText(member, id, MAX.id) ?? (SLASHES.test(id) ? [member, 'malformed'] : null)
}

function checkText(member: string, text: string, max: number): Finding {
  if (transliterate(text) !== text) return [member, 'foreign_letters']
  if (!/[A-Za-z0-9]/.test(text)) return [member, 'empty']
  return text.length > max ? [member, 'too_long'] : null
}
