/** Reads the cells of a row and finds their own faults, for files and corrections. */
import * as v from 'valibot'
import { AddressCountry, AddressLine } from '../destinations/payee-address.ts'
import { NewDestination } from '../destinations/destination.ts'
import { Refusal } from '../errors.ts'
import { id } from '../ids.ts'
import { Money, canonicalMoney, moneyBlockers } from '../money/money.ts'
import { Handle } from '../organizations/organization.ts'
import { NewPayment } from '../payments/payment.ts'
import { SVC_ID_CURRENCY } from '../money/currencies.ts'
import { sentenceFor } from '../sentences.ts'
import { line } from '../text.ts'
import { withoutHiding } from '../signs.ts'
import { fitDecimals, readAmount } from './amount.ts'
import { howToPay } from './how-to-write.ts'
import { COLUMNS, type Cells, type Column, NEEDED_COLUMNS, cellMaxOf, isCut } from './columns.ts'
import { type GivenCells, type NamedPayee, readPayee } from './payee.ts'
import { AS_A_NUMBER, type Remark, remark } from './remark.ts'

/** The content of cells, as far as they can be read. */
export type Reading = {
  readonly payee: NamedPayee | null
  /** A known currency, even if the amount cannot be read. */
  readonly currency: string | null
  readonly money: Money | null
  readonly texts: Readonly<Record<Text, string | null>>
  readonly errors: readonly Remark[]
}
type Text = 'payout_reason' | 'statement_description' | 'internal_notes' | 'reference'

const BANK = NewDestination.options[1].entries
const SCHEMAS = {
  payee_svc_id: Handle,
  payment_contact_id: id<'payment_contact'>(),
  account_holder_name: BANK.account_holder_name,
  iban: BANK.iban,
  account_number: BANK.account_number,
  aba_code: BANK.aba_code,
  sort_code: BANK.sort_code,
  swift_code: BANK.swift_code,
  bank_country: BANK.country_code,
  amount: Money.entries.amount,
  currency: Money.entries.currency,
  payout_reason: NewPayment.entries.payout_reason,
  statement_description: NewPayment.entries.statement_description,
  internal_notes: NewPayment.entries.internal_notes,
  reference: line(1, 255),
  address_street: AddressLine,
  address_building_number: AddressLine,
  address_postal_code: AddressLine,
  address_town: AddressLine,
  address_country: AddressCountry,
} satisfies Readonly<Record<Column, v.GenericSchema>>

/** Reads the cells of a row by the rules of payments and destinations; errors are in the order of the columns. */
export function readCells(cells: Cells): Reading {
  const written: GivenCells = {}
  const given: GivenCells = {}
  const errors: Remark[] = []
  for (const column of COLUMNS) {
    const cell = cells[column]?.trim()
    const value = cell && CLEANED.has(column) ? withoutHiding(cell) : cell
    if (!value) continue
    written[column] = value
    const { amount, ways } = column === 'amount' ? readAmount(value) : { amount: value }
    const fault = isCut(column, cells[column] ?? '')
      ? tooLong(column, cellMaxOf(column))
      : ways
        ? twoWays(ways)
        : faultOf(column, amount)
    if (fault) errors.push(fault)
    else given[column] = amount
  }
  for (const column of NEEDED_COLUMNS) if (!written[column]) errors.push(remark(column, 'required', 'is required'))
  const { payee, errors: ofPayee } = readPayee(written, given)
  const { currency, money, errors: ofMoney } = readMoney(given, payee)
  return { payee, currency, money, texts: textsOf(given), errors: inColumnOrder([...errors, ...ofPayee, ...ofMoney]) }
}

/** Reads a row with more or fewer cells than the header, whose columns are unknown. */
export const readMisaligned = (code: 'too_few_cells' | 'too_many_cells'): Reading => ({
  payee: null,
  currency: null,
  money: null,
  texts: textsOf({}),
  errors: [
    code === 'too_few_cells'
      ? remark(null, code, 'has fewer cells than the header: is a separator missing?')
      : remark(null, code, 'has more cells than the header: a cell that contains the separator needs quotes'),
  ],
})

const textsOf = (given: GivenCells): Reading['texts'] => ({
  payout_reason: given.payout_reason ?? null,
  statement_description: given.statement_description ?? null,
  internal_notes: given.internal_notes ?? null,
  reference: given.reference ?? null,
})

/** Sorts errors by column, and keeps the first of each column and code. */
function inColumnOrder(errors: readonly Remark[]): readonly Remark[] {
  if (errors.length < 2) return errors
  const once = new Map(errors.toReversed().map((error) => [`${error.column} ${error.code}`, error]))
  const place = ({ column }: Remark) => (column ? COLUMNS.indexOf(column) : -1)
  return [...once.values()].toReversed().toSorted((a, b) => place(a) - place(b))
}

const LONG = 255
const tooLong = (column: Column, max: number): Remark =>
  remark(column, 'too_long', sentenceFor(`too_long:${max}`)[1] ?? '')

/** Refuses an amount that another person would read a thousand times as large. */
const twoWays = ([thousands, decimals]: readonly [string, string]): Remark =>
  remark('amount', 'malformed', `can be read as ${thousands} and as ${decimals}: write one of them`)

const AMOUNT_HINT =
  'must be a decimal number such as 1234.50, 1,234.50 or 1.234,50, without sign, currency and exponent'

/** Errors of formulas, in the words of spreadsheets of any language: #N/A, #BEZUG!, #¿NOMBRE?, #SPILL!, Err:502. */
const FORMULA_ERROR = /^#(?:N\/[AD]|NV|GETTING_DATA|[¡¿]?\p{Lu}{2}[\p{Lu}0-9/_]{1,17}[!?])$|^Err:5[0-9]{2}$/u

/** Most texts: at most 64 characters of ASCII on one line, the first of them visible. */
const PLAIN_LINE = /^[!-~][ -~]{0,63}$/
/** All printable characters of ASCII. */
const PLAIN = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).join('')
/** Columns whose schema accepts every plain line. Skipping it saves a third of an import. */
const TAKES_PLAIN_LINES: ReadonlySet<Column> = new Set(
  COLUMNS.filter((column) => [PLAIN.slice(0, 64), PLAIN.slice(-64)].every((given) => v.is(SCHEMAS[column], given))),
)

/** Columns whose schema removes invisible characters. */
const CLEANED: ReadonlySet<Column> = new Set(
  COLUMNS.filter((column) => v.safeParse(SCHEMAS[column], 'a\u00adb').output === 'ab'),
)

/** Columns by which payees find what was paid. */
const TOLD_TO_PAYEES: ReadonlySet<Column> = new Set(['statement_description', 'reference'])
/** Digits of which a spreadsheet has kept the first ones. */
const LOST_DIGITS = /^[0-9](?:[.,][0-9]+)?e\+[0-9]{2}$/i

/** Finds the fault of one cell by itself. */
function faultOf(column: Column, value: string): Remark | null {
  if (FORMULA_ERROR.test(value)) {
    return remark(column, 'malformed', 'is an error of a formula: mend the formula, or write the value itself')
  }
  if (TOLD_TO_PAYEES.has(column) && LOST_DIGITS.test(value)) return remark(column, 'malformed', AS_A_NUMBER)
  if (TAKES_PLAIN_LINES.has(column) && PLAIN_LINE.test(value)) return null
  const [issue] = v.safeParse(SCHEMAS[column], value, { abortEarly: true, abortPipeEarly: true }).issues ?? []
  if (!issue) return null
  const [code, sentence] = sentenceFor(issue.message)
  if (code === 'too_long') return remark(column, 'too_long', sentence ?? '')
  if (column === 'amount' && (code === 'not_positive' || /^-[0-9]+(\.[0-9]+)?$/.test(value))) {
    return remark(column, 'not_positive', 'must be more than zero')
  }
  if (code === 'blank') return remark(column, 'required', 'is required')
  if (value.length > LONG && !sentence) return tooLong(column, LONG)
  return remark(column, 'malformed', column === 'amount' ? AMOUNT_HINT : (sentence ?? issue.message))
}

type MoneyReading = Pick<Reading, 'currency' | 'money' | 'errors'>

/** Reads amount and currency, as the payee can take them. */
function readMoney({ amount: written, currency }: GivenCells, payee: NamedPayee | null): MoneyReading {
  if (!currency) return { currency: null, money: null, errors: [] }
  const { amount, ways } = written ? fitDecimals(written, currency) : {}
  if (ways) return { currency, money: null, errors: [twoWays(ways)] }
  // without an amount there is still a currency to be checked
  const [blocker] = moneyBlockers({ amount: amount ?? '1', currency })
  if (blocker) {
    const message = howToPay(blocker.type, currency) ?? new Refusal(blocker.type, blocker.details).message
    if (blocker.type === 'unsupported_currency') {
      return { currency: null, money: null, errors: [remark('currency', blocker.type, message)] }
    }
    // what moneyBlockers() finds beside
    const code = blocker.type as 'amount_precision' | 'amount_too_large'
    return { currency, money: null, errors: [remark('amount', code, message)] }
  }
  const errors =
    payee?.way === 'svc_id' && currency !== SVC_ID_CURRENCY
      ? [remark('currency', 'unsupported_currency', `must be ${SVC_ID_CURRENCY} to a service ID`)]
      : []
  return { currency, money: amount ? canonicalMoney({ amount, currency }) : null, errors }
}
