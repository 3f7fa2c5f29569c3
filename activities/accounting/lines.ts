/** Lines of Xero documents: an amount in an account, of coded bills with tax rate and tracking. */
import type { BillItem } from '../../services/accounting/items.ts'
import type { SyncError } from '../../domain/accounting/integration.ts'
import type { AccountCodes, BankMapping, PostedTo } from '../../domain/accounting/mapping.ts'
import type { BooksNames } from '../../domain/accounting/names.ts'
import { type PostedLine, condenseLines, linesOf, listPosted } from '../../domain/coding/lines.ts'
import { moneyOf } from '../../domain/money/money.ts'

/** Thrown for an item that cannot be posted; Xero is not called. */
export class NotPosted extends Error {
  constructor(
    readonly code: SyncError['code'],
    message: string,
    readonly mappingType: string | null = null,
  ) {
    super(message)
  }
}

export function codeFor(codes: AccountCodes, type: PostedTo | BankMapping): string {
  const code = codes.get(type)
  if (code !== undefined) return code
  throw new NotPosted('unmapped', `No account is chosen for ${type}.`, type)
}

const DIGITS_MAX = 15
/** Decimals that Xero would round, in any currency. */
const FINER = /\.\d\d\d*[1-9]/

export function numberOf(amount: string): number {
  if (FINER.test(amount)) {
    throw new NotPosted('amount_too_precise', 'The amount has more decimals than the accounting program keeps.')
  }
  if (amount.replaceAll(/\D/g, '').replace(/^0+/, '').length > DIGITS_MAX) {
    throw new NotPosted('amount_too_large', 'The amount has more digits than the accounting program takes.')
  }
  return Number(amount)
}

export const lineOf = (description: string, amount: string, code: string) => ({
  Description: description,
  Quantity: 1,
  UnitAmount: numberOf(amount),
  AccountCode: code,
})

/** Tracking categories of a line at Xero. */
const TRACKING_MAX = 2
/** Lines of a document at Xero that its size allows. */
const LINES_MAX = 1000
/** Tax type of Xero for what has no tax. */
const UNTAXED = 'NONE'

/** Writes a line for each coded line or part of a bill, which add up to its amount; undefined if none is coded. */
export function writeCodedLines(item: BillItem, described: string, codes: AccountCodes, names: BooksNames) {
  const { amount, coding: saved, currency, line_items: items } = item
  if (saved.length === 0) return undefined
  const lines = condenseLines(listPosted({ amount: moneyOf(amount, currency), lines: linesOf(items, currency, amount), saved })) // prettier-ignore
  if (lines.length === 0) return undefined
  if (lines.length > LINES_MAX) throw new NotPosted('rejected', 'The bill has more lines than the accounting program takes.') // prettier-ignore
  const isTaxed = lines.some(({ tax_code: tax }) => tax !== null)
  return {
    // amounts have their tax in them: the total is what was paid, whatever the books make of the rates
    LineAmountTypes: isTaxed ? 'Inclusive' : 'NoTax',
    LineItems: lines.map((line, at) => ({
      ...lineOf(
        // the first line ends by the id of the bill
        at === 0 ? [line.description, described].filter(Boolean).join(' · ') : (line.description ?? 'Other amounts'),
        line.amount.amount,
        line.account_code ?? codeFor(codes, 'bills'),
      ),
      ...(isTaxed && { TaxType: taxTypeOf(line, names) }),
      ...trackingOf(line, names),
    })),
  }
}

function taxTypeOf({ tax_code: code }: PostedLine, { taxes }: BooksNames): string {
  if (code === null) return UNTAXED
  const rate = taxes.get(code)
  if (rate !== undefined) return rate
  throw new NotPosted('unmapped', `The accounting program has no tax rate named ${code}.`)
}

/** Writes the labels of a line whose dimensions are tracking categories of the books. */
export function trackingOf({ labels }: Pick<PostedLine, 'labels'>, { categories, options }: BooksNames) {
  const tracking = labels.flatMap(({ dimension, value }) => {
    const category = categories.get(dimension)
    if (category === undefined) return []
    const found = options.find((one) => one.dimension === dimension && one.value === value && one.category === category)
    if (found) return [{ Name: category, Option: found.option }]
    throw new NotPosted('unmapped', `The tracking category ${category} has no option named ${value}.`)
  })
  const each = [...new Map(tracking.map((one) => [one.Name, one])).values()]
  return each.length > 0 ? { Tracking: each.slice(0, TRACKING_MAX) } : {}
}
