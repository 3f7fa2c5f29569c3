/** Random invoices that lack nothing for their profile, and are alike in nothing else. */
import Big from 'big.js'
import fc from 'fast-check'
import { type InvoiceDocument, TAX_CATEGORIES, type TaxCategory } from '../../../domain/invoice-documents/document.ts'
import { missingFor } from '../../../domain/invoices/missing.ts'
import { documentOf } from './documents.ts'
import { documents, totalled } from './random.ts'

/** Numbers of lines: one page, many pages. */
const COUNTS = [1, 1, 2, 3, 5, 8, 40, 300]

/** Samples whole invoices, at least `least`, as many of each tax category. */
export const sampleWhole = (least: number, seed: number): InvoiceDocument[] =>
  TAX_CATEGORIES.flatMap((category, index) =>
    fc.sample(wholeOf(category), { numRuns: Math.ceil(least / TAX_CATEGORIES.length), seed: seed + index }),
  )

/** Whole invoices with a line of this category. */
const wholeOf = (category: TaxCategory): fc.Arbitrary<InvoiceDocument> =>
  fc
    .tuple(documents, fc.constantFrom(...COUNTS))
    .map(([document, count]) => withLines(complete(document), category, count))
    .filter((document) => missingFor(document).length === 0)

/** Adds what a random invoice lacks from a complete one. */
function complete(document: InvoiceDocument): InvoiceDocument {
  const { seller, buyer, account, currency } = documentOf()
  const isNeeded = document.profile !== 'none'
  const party = <Party extends InvoiceDocument['seller'] | InvoiceDocument['buyer']>(
    given: Party,
    full: Party,
  ): Party => ({
    ...full,
    ...Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
    ),
    ...(given.vat_id === '123456789' && { vat_id: 'FR12345678901' }),
    postal_address: given.postal_address && {
      ...given.postal_address,
      postal_code: given.postal_address.postal_code || '04109',
    },
  })
  if (!isNeeded) return document
  return {
    ...document,
    currency: ['KWD', 'USDC'].includes(document.currency) ? currency : document.currency,
    seller: { ...party(document.seller, seller), contact_phone: seller.contact_phone },
    buyer: party(document.buyer, buyer),
    account: document.profile === 'xrechnung' ? (document.account ?? account) : document.account,
  }
}

/** Repeats the lines up to a number; all of the category O, or none, as the standard asks. */
function withLines(document: InvoiceDocument, category: TaxCategory, count: number): InvoiceDocument {
  const { lines } = documentOf()
  const given = document.lines.length > 0 ? document.lines : lines
  const shared = (all: InvoiceDocument['discounts']) =>
    (all ?? []).map(({ reason, percentage, amount }) => ({ reason, percentage, amount, tax: null }))
  const adjusted = { discounts: shared(document.discounts), charges: shared(document.charges) }
  const repeated = Array.from({ length: count }, (_, index) => {
    // there is at least one line
    const { total: _total, ...line } = given[index % given.length]!
    const isOutside = category === 'O' || line.tax_category === 'O'
    const tax_category = index === 0 || isOutside ? category : line.tax_category
    const isTaxed = tax_category === 'S'
    const tax_percentage = isTaxed ? (Number(line.tax_percentage) > 0 ? line.tax_percentage : '19') : '0'
    const tax_exemption_reason = line.tax_exemption_reason ?? 'befreit'
    const [quantity, price] = [lower(line.quantity), lower(line.price)]
    return { ...line, quantity, price, tax_category, tax_percentage, tax_exemption_reason }
  })
  return { ...document, ...totalled(repeated, document.currency, adjusted) }
}

/** Keeps the last digits before the point: the rules of CII add up floating-point numbers. */
const lower = (decimal: string): string => new Big(decimal).mod(10_000).toFixed()
