/** What is to be paid by a bill: at the precision of its currency, whoever says it. */
import { digitsOf } from '../money/currencies.ts'
import { decimalOf, digitsAt, fixedText } from '../money/decimal.ts'
import { MAX_WHOLE_DIGITS, canonicalMoney } from '../money/money.ts'
import { refuse } from '../errors.ts'
import type { BillChange } from './bill.ts'
import type { BillFields } from './fields.ts'

/**
 * The change with its amount at the precision of the currency that the bill has with it. Refuses `amount_precision` and
 * `amount_too_large`, also for a currency that does not take the amount which the bill has already.
 */
export function withPrecision(before: BillFields, change: BillChange): BillChange {
  const { amount = before.amount, currency = before.currency } = change
  if (!amount || (change.amount === undefined && change.currency === undefined)) return change
  const magnitude = amount.replace('-', '') // of what a file says of a credit note
  if ((magnitude.split('.')[0] ?? '').length > MAX_WHOLE_DIGITS) {
    refuse('amount_too_large', { max_whole_digits: MAX_WHOLE_DIGITS })
  }
  if (!currency) return change
  const canonical = canonicalMoney({ amount: magnitude, currency })
  return change.amount ? { ...change, amount: canonical.amount } : change
}

/** The amount as it is kept; as it stands while its currency is not known, or does not take it. */
export function keptAmount({ amount, currency }: BillFields): string | null {
  const scale = currency ? digitsOf(currency) : undefined
  if (!amount || scale === undefined) return amount ?? null
  const digits = digitsAt(decimalOf(amount), scale)
  return digits === null ? amount : fixedText({ digits, scale })
}
