/** Random lines of invoices, and sums of their amounts. */
import fc from 'fast-check'
import { TAX_CATEGORIES } from '../../../domain/invoice-documents/document.ts'
import type { Item } from '../../../domain/invoices/totals.ts'
import { share, sometimes } from './random.ts'

const CURRENCIES = ['JPY', 'EUR', 'KWD', 'CLF']
export const currencies = fc.constantFrom(...CURRENCIES)

const decimal = (digits: number, scale: number) =>
  fc
    .tuple(
      fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) - 1n }),
      fc.stringMatching(new RegExp(`^[0-9]{0,${scale}}$`)),
    )
    .map(([whole, decimals]) => `${whole}${decimals && `.${decimals}`}`)
const signed = (magnitude: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom('', '', '-'), magnitude).map(([sign, digits]) => sign + digits)

/** Any valid line: huge amounts, halves of the smallest unit, and credits. */
const item: fc.Arbitrary<Item & { description: string }> = fc
  .record({
    discount: sometimes(share),
    charge: sometimes(share),
    description: fc.constant('Anything'),
    quantity: signed(fc.oneof(decimal(9, 6), fc.constantFrom('0', '0.5', '1', '0.000001'))),
    price: fc.oneof(decimal(12, 6), fc.constantFrom('0', '0.5', '0.05', '0.005', '0.0005', '0.00005', '1', '0.01')),
    tax_percentage: fc.oneof(fc.constantFrom('19', '19.0', '7', '7.00', '5.5', '0', '0.0', '100'), decimal(1, 4)),
    tax_category: fc.constantFrom(...TAX_CATEGORIES),
    tax_exemption_reason: fc.constantFrom(null, 'exempt', 'export'),
  })
  .map((one) => {
    const isFree = !/[1-9]/.test(one.tax_percentage)
    if ((one.tax_category === 'S') !== isFree) return one
    return { ...one, tax_category: isFree ? ('Z' as const) : ('S' as const) }
  })
/** Lines of one invoice. */
export const items = fc.array(item, { minLength: 1, maxLength: 12 })

/** Reads an amount as minor units. */
export const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))
export const sum = (amounts: readonly string[]): bigint => amounts.reduce((all, one) => all + minor(one), 0n)
