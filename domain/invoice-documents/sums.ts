import { fromMinor, toMinor } from '../money/money.ts'
import type { InvoiceDocument, TaxCategory } from './document.ts'

/** Adds up the lines (BT-106), discounts (BT-107) and charges (BT-108); null where an invoice has none. */
export function sumsOf({ currency, lines, discounts, charges }: InvoiceDocument): {
  readonly lines: string
  readonly discounts: string | null
  readonly charges: string | null
} {
  const sum = (all: readonly { readonly total: string }[]) =>
    fromMinor(
      all.reduce((minor, { total }) => minor + toMinor({ amount: total, currency }), 0n),
      currency,
    ).amount
  const isAny = (all: InvoiceDocument['discounts']) => all?.some(({ taxes }) => taxes.length > 0)
  return {
    lines: sum(lines),
    discounts: isAny(discounts) ? sum(discounts ?? []) : null,
    charges: isAny(charges) ? sum(charges ?? []) : null,
  }
}

/** Collects the tax categories of lines, and of charges with a tax of their own. */
export const categoriesOf = ({ lines, charges = [] }: InvoiceDocument): ReadonlySet<TaxCategory> =>
  new Set([...lines, ...charges.flatMap(({ taxes }) => taxes)].map((one) => one.tax_category))
