/** Settlement of invoices by discounts for early payment; reduced net sums and taxes. */
import type { InvoiceDocument } from '../invoice-documents/document.ts'
import { dateDiscounts } from '../invoice-documents/payment-terms.ts'
import { percentOf } from '../invoice-documents/shares.ts'
import { decimalOf, roundHalfAway, tenTo } from '../money/decimal.ts'
import { fromMinor, toMinor } from '../money/money.ts'
import type { NewInvoice } from './invoice.ts'

export type EarlyOwed = {
  readonly currency: string
  readonly total: string
  readonly accepted_amount: string | null
  readonly allocated: string
  /** Sum of the sent credit notes. */
  readonly credited: string
  readonly issue_date: string
  readonly payment_terms: NewInvoice['payment_terms']
}

/** Discount with its last day; `payable` is what is left to be paid until then. */
export type EarlyOffer = { readonly percentage: string; readonly until: string; readonly payable: string }

/**
 * Lists what an invoice offers for early payment, of what its credit notes leave of it. A discount that rounds to
 * nothing is none, and nothing is offered of a lower accepted amount. SQL: early_payables() in
 * db/functions/invoices.sql.
 */
export function earlyOffers({
  currency,
  accepted_amount: accepted,
  payment_terms: terms,
  ...owed
}: EarlyOwed): EarlyOffer[] {
  const minor = (amount: string) => toMinor({ amount, currency })
  const total = minor(owed.total)
  if (!terms || (accepted !== null && minor(accepted) !== total)) return []
  const left = total - minor(owed.credited)
  return dateDiscounts(terms.early_payment_discounts, {
    issue_date: owed.issue_date,
    total: fromMinor(left, currency).amount,
    currency,
  }).flatMap(({ percentage, until, amount }) => {
    if (minor(amount) === left) return []
    return [{ percentage, until, payable: fromMinor(minor(amount) - minor(owed.allocated), currency).amount }]
  })
}

/** Deducts a discount for early payment; none without a percentage. SQL: invoice_claim(). */
export const lessDiscount = (claim: bigint, percentage: string | null): bigint =>
  percentage === null ? claim : claim - percentOf(claim, percentage)

type InvoiceSums = Pick<InvoiceDocument, 'currency' | 'net_total' | 'tax_total' | 'total'> & {
  readonly taxes: readonly InvoiceDocument['taxes'][number][]
}

/**
 * Computes net sum and taxes of an invoice of which less than the total is paid. The difference is shared out over its
 * taxes by their sums, with what was rounded before, and each share has the tax of its rate: all of it adds up.
 */
export function reduceTotals<Given extends InvoiceSums>({ currency, ...given }: Given, reduction: bigint) {
  const minor = (amount: string) => toMinor({ amount, currency })
  const text = (amount: bigint) => fromMinor(amount, currency).amount
  const whole = minor(given.total)
  let [passed, taken] = [0n, 0n]
  const taxes = given.taxes.map((tax): Given['taxes'][number] => {
    const [base, amount] = [minor(tax.base), minor(tax.amount)]
    passed += base + amount
    const share = (whole === 0n ? 0n : roundHalfAway(reduction * passed, whole)) - taken
    taken += share
    const { digits, scale } = decimalOf(tax.tax_percentage)
    const ofTax = roundHalfAway(share * digits, 100n * tenTo(scale) + digits)
    return { ...tax, base: text(base - share + ofTax), amount: text(amount - ofTax) }
  })
  const sum = (name: 'base' | 'amount') => taxes.reduce((all, tax) => all + minor(tax[name]), 0n)
  const [net, tax] = [sum('base'), sum('amount')]
  return { net_total: text(net), tax_total: text(tax), total: text(net + tax), taxes }
}
