/** Discounts and charges, of a line (EN 16931: BG-27, BG-28) or of the whole invoice (BG-20, BG-21). */
import * as v from 'valibot'
import { Money } from '../money/money.ts'
import { line, maybe, model, nullableText, describe } from '../text.ts'
import { TAX_CATEGORIES, type TaxCategory } from './tax.ts'

/** Most discounts, and most charges, of a whole invoice. */
const ADJUSTMENTS_MAX = 20

export const decimal = (pattern: RegExp, said: string) =>
  v.pipe(v.string(), v.regex(pattern, said), v.metadata({ jsonSchema: { type: 'string', pattern: pattern.source } }))

export const percentage = decimal(
  /^(100(\.0{1,4})?|[1-9]?[0-9](\.[0-9]{1,4})?)$/,
  'must be a percentage such as 19 or 7.5',
)
export const isZeroDecimal = (given: string): boolean => !/[1-9]/.test(given)

/** Percentage above zero. */
const positivePercentage = v.pipe(
  percentage,
  v.check((given) => !isZeroDecimal(given), 'not_positive'),
)

const share = {
  reason: maybe(line(1, 255)),
  percentage: maybe(positivePercentage),
  amount: maybe(Money.entries.amount),
}

type AdjustmentInput = { readonly percentage?: string | null | undefined; readonly amount?: string | null | undefined }
const isOneOf = ({ percentage: rate, amount }: AdjustmentInput): boolean =>
  (rate ?? undefined) === undefined ? typeof amount === 'string' : (amount ?? undefined) === undefined

type Untold<Value> = { readonly [Name in keyof Value]?: Value[Name] | null | undefined }
const shareOf = ({ reason = null, percentage: rate = null, amount = null }: Untold<Share>): Share => ({
  reason,
  percentage: rate,
  amount,
})

/** Discount or charge as it is given: a percentage or an amount. */
export type Share = {
  readonly reason: string | null
  readonly percentage: string | null
  readonly amount: string | null
}

/** Discount or charge of one line. */
export const NewLineAdjustment = v.pipe(
  v.object(share),
  v.forward(
    v.check((given) => isOneOf(given), 'either_amount'),
    ['amount'],
  ),
  v.transform(shareOf),
  v.title('NewInvoiceLineAdjustment'),
)

const NewDiscount = v.pipe(
  v.object(share),
  v.forward(
    v.check((given) => isOneOf(given), 'either_amount'),
    ['amount'],
  ),
  v.transform((given): AdjustmentItem => ({ ...shareOf(given), tax: null })),
  v.title('NewInvoiceDiscount'),
)

const NewCharge = v.pipe(
  v.object({
    ...share,
    tax_percentage: maybe(percentage),
    tax_category: maybe(v.picklist(TAX_CATEGORIES)),
    tax_exemption_reason: maybe(line(1, 255)),
  }),
  v.forward(
    v.check((given) => isOneOf(given), 'either_amount'),
    ['amount'],
  ),
  v.forward(
    v.check(({ tax_percentage: rate, tax_category: category }) => {
      if (!category) return true
      return category === 'S' ? Boolean(rate) && !isZeroDecimal(rate ?? '') : isZeroDecimal(rate ?? '0')
    }, 'other_rate'),
    ['tax_category'],
  ),
  v.transform((given): AdjustmentItem => {
    const { tax_percentage: rate = null, tax_category: category = null, tax_exemption_reason: reason = null } = given
    if (rate === null && category === null) return { ...shareOf(given), tax: null }
    const written = rate ?? '0'
    const tax_category = category ?? (isZeroDecimal(written) ? 'Z' : 'S')
    return { ...shareOf(given), tax: { tax_percentage: written, tax_category, tax_exemption_reason: reason } }
  }),
  v.title('NewInvoiceCharge'),
)

export const NewDiscounts = v.pipe(v.array(NewDiscount), v.maxLength(ADJUSTMENTS_MAX))
export const NewCharges = v.pipe(v.array(NewCharge), v.maxLength(ADJUSTMENTS_MAX))

export type Tax = {
  readonly tax_percentage: string
  readonly tax_category: TaxCategory
  readonly tax_exemption_reason: string | null
}

/** Discount or charge of a whole invoice; without a tax it is shared out over those of the lines. */
export type AdjustmentItem = Share & { readonly tax: Tax | null }

const AnswerShare = { reason: nullableText, percentage: nullableText, amount: nullableText }

export const AnswerLineAdjustment = model('InvoiceLineAdjustment', {
  ...AnswerShare,
  base: describe(v.string(), 'Sum that it is taken of: a decimal.'),
  total: describe(v.string(), 'Sum of the discount or charge: a decimal.'),
})
export type LineAdjustment = v.InferOutput<typeof AnswerLineAdjustment>

/** Discount or charge of a whole invoice, with its parts by tax; `base` is the sum of the lines that it is taken of. */
export const AnswerAdjustment = model('InvoiceAdjustment', {
  ...AnswerShare,
  total: describe(v.string(), 'Sum of the discount or charge, without tax: a decimal.'),
  taxes: describe(
    v.array(
      model('InvoiceAdjustmentTax', {
        tax_percentage: v.string(),
        tax_category: v.picklist(TAX_CATEGORIES),
        tax_exemption_reason: nullableText,
        base: describe(v.string(), 'Sum of the lines that it is taken of: a decimal.'),
        amount: v.string(),
      }),
    ),
    'Parts by tax.',
  ),
})
export type Adjustment = v.InferOutput<typeof AnswerAdjustment>
