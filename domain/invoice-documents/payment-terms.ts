/** Discounts for early payment: deductions within some days after the issue. */
import * as v from 'valibot'
import { decimalOf, roundHalfAway, tenTo } from '../money/decimal.ts'
import { fromMinor, toMinor } from '../money/money.ts'
import { maybe, model, describe } from '../text.ts'
import { decimal, isZeroDecimal } from './adjustment.ts'

const [DISCOUNTS_MAX, DAYS_MAX] = [3, 365]

/** Two decimals at most, as XRechnung has them (BR-DE-18). */
const percentage = v.pipe(
  decimal(/^[1-9]?[0-9](\.[0-9]{1,2})?$/, 'must be a percentage below 100 of at most 2 decimals, such as 2 or 2.5'),
  v.check((given) => !isZeroDecimal(given), 'not_positive'),
)
const days = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(DAYS_MAX))

export const EarlyPaymentDiscount = model('EarlyPaymentDiscount', {
  percentage: describe(percentage, 'Discount in percent: a decimal.'),
  days,
})
type EarlyPaymentDiscount = v.InferOutput<typeof EarlyPaymentDiscount>

/** Terms of payment beside the due date: the sooner the payment, the larger the discount. */
export const NewPaymentTerms = maybe(
  model('NewInvoicePaymentTerms', {
    early_payment_discounts: v.pipe(
      v.array(EarlyPaymentDiscount),
      v.minLength(1),
      v.maxLength(DISCOUNTS_MAX),
      v.check(
        (all) => new Set(all.map(({ days: one }) => one)).size === all.length,
        'must have different numbers of days',
      ),
      v.transform((all) => all.toSorted((a, b) => a.days - b.days)),
    ),
  }),
)

export const PaymentTerms = v.nullable(
  model('InvoicePaymentTerms', {
    early_payment_discounts: v.array(
      model('InvoiceEarlyPaymentDiscount', {
        percentage: describe(v.string(), 'Discount in percent: a decimal.'),
        days: v.pipe(v.number(), v.integer()),
        /** Last day of the discount. */
        until: v.string(),
        /** Amount to pay until then. */
        amount: describe(v.string(), 'Amount to pay until then: a decimal.'),
      }),
    ),
  }),
)

type AmountOwed = { readonly issue_date: string; readonly total: string; readonly currency: string }

/** Discount with its last day, and the amount that is owed until then. */
export type DatedDiscount = EarlyPaymentDiscount & { readonly until: string; readonly amount: string }

/** Dates the discounts of an invoice. Each is rounded, a half away from zero. */
export function dateDiscounts(given: readonly EarlyPaymentDiscount[], owing: AmountOwed): DatedDiscount[] {
  const { issue_date: issued, currency } = owing
  const total = toMinor({ amount: owing.total, currency })
  return given.map(({ percentage: rate, days: after }) => {
    const { digits, scale } = decimalOf(rate)
    const less = roundHalfAway(total * digits, 100n * tenTo(scale))
    return {
      percentage: rate,
      days: after,
      until: dayAfter(issued, after),
      amount: fromMinor(total - less, currency).amount,
    }
  })
}

function dayAfter(date: string, days: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const at = new Date(0)
  at.setUTCFullYear(year, month - 1, day + days) // Date.UTC takes years below 100 for those of 1900
  return at.toISOString().slice(0, -'T00:00:00.000Z'.length)
}
