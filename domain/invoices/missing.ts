/** Check of an invoice against the standard of its profile. */
import { COUNTRIES } from '../country.ts'
import { digitsOf, isCoin } from '../money/currencies.ts'
import { decimalOf, product, roundHalfAway, tenTo } from '../money/decimal.ts'
import { categoriesOf } from '../invoice-documents/sums.ts'
import type { InvoiceDocument, TaxCategory } from '../invoice-documents/document.ts'

/** Most decimals in EN 16931 (BR-DEC). */
const DECIMALS_MAX = 2
/** Prefixes of VAT numbers (BR-CO-09): countries, and those of Greece and Northern Ireland. */
const VAT_PREFIXES: ReadonlySet<string> = new Set([...COUNTRIES, 'EL', 'XI'])

/**
 * Lists the fields that an invoice lacks for its profile, by the names of the API. The rules are those of EN 16931-1
 * and XRechnung 3.0 (BR-DE, and the Peppol rules in it); the profile `none` has none.
 */
export function missingFor(document: InvoiceDocument): string[] {
  const { profile } = document
  if (profile === 'none') return []
  return [
    ...new Set([
      ...inCurrency(document),
      ...inParties(document),
      ...inLines(document),
      ...inCharges(document),
      ...(profile === 'xrechnung' ? inXRechnung(document) : []),
    ]),
  ]
}

const lacking = (present: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(present).flatMap(([name, value]) => ((typeof value === 'string' ? value.trim() : value) ? [] : [name]))

/** Checks BT-5, a code of ISO 4217. */
const inCurrency = ({ currency }: InvoiceDocument): string[] =>
  lacking({ currency: !isCoin(currency) && (digitsOf(currency) ?? Infinity) <= DECIMALS_MAX })

function inParties(document: InvoiceDocument): string[] {
  const { seller, buyer, svc_id: svcId } = document
  const all = categoriesOf(document)
  const has = (...categories: TaxCategory[]) => categories.some((category) => all.has(category))
  // BR-CO-09; an invoice outside the scope of VAT has no VAT number (BR-O-02)
  const isFit = (id: string | null) => id === null || has('O') || isVatId(id)
  return lacking({
    'seller.postal_address': seller.postal_address, // BR-08, BR-09
    // BR-S-02, BR-Z-02, BR-E-02 and BR-AE-02 take the VAT or tax number, BR-IC-02 and BR-G-02 only the VAT number
    'seller.vat_id':
      isFit(seller.vat_id) &&
      (!has('K', 'G') || seller.vat_id) &&
      (!has('S', 'Z', 'E', 'AE') || seller.vat_id || seller.tax_id),
    'seller.tax_id': !has('O') || seller.tax_id || svcId, // BR-CO-26
    'billing_contact.postal_address': buyer.postal_address, // BR-10, BR-11
    'billing_contact.vat_id': isFit(buyer.vat_id) && (!has('AE', 'K') || buyer.vat_id), // BR-AE-02, BR-IC-02
  })
}

/** Tells if the prefix is that of a VAT number (BR-CO-09). */
const isVatId = (given: string): boolean => VAT_PREFIXES.has(given.slice(0, 2))

function inLines({ lines }: InvoiceDocument): string[] {
  const isMixed = new Set(lines.map((line) => line.tax_category === 'O')).size > 1
  const inEach = lines.flatMap(({ tax_category: category, ...line }, index) => {
    const isZero = /^-?0(\.0*)?$/.test(line.tax_percentage)
    return lacking({
      [`line_items[${index}].tax_category`]: !isMixed || category !== 'O', // BR-O-11
      [`line_items[${index}].tax_percentage`]: isZero === (category !== 'S'), // BR-S-05, BR-Z-05 and so on
      [`line_items[${index}].tax_exemption_reason`]: category !== 'E' || line.tax_exemption_reason, // BR-E-10
    })
  })
  return [...lacking({ line_items: lines.length > 0 }), ...inEach] // BR-16
}

/** Checks charges with a tax that no line has; discounts have those of the lines. */
function inCharges({ lines, charges = [], taxes }: InvoiceDocument): string[] {
  const isOutside = lines.some((line) => line.tax_category === 'O')
  return charges.flatMap((charge, index) =>
    charge.taxes.flatMap(({ tax_category: category }) => {
      if (lines.some((line) => line.tax_category === category)) return []
      const isExplained = taxes.some((tax) => tax.tax_category === category && tax.tax_exemption_reason?.trim())
      return lacking({
        [`charges[${index}].tax_category`]: lines.length === 0 || isOutside === (category === 'O'), // BR-O-11 to BR-O-14
        [`charges[${index}].tax_exemption_reason`]: category !== 'E' || isExplained, // BR-E-10
      })
    }),
  )
}

/** Fewest digits of a phone number (BR-DE-27). */
const PHONE_DIGITS_MIN = 3

/** Tells if rounding the total of a line moves it by at most 0.02 (PEPPOL-EN16931-R120): whole yen may be too far. */
function isNear({ quantity, price }: InvoiceDocument['lines'][number], currency: string): boolean {
  const decimals = digitsOf(currency) ?? 0
  const { digits, scale } = decimalOf(product(quantity, price))
  const exact = digits * tenTo(decimals)
  const distance = exact - roundHalfAway(exact, tenTo(scale)) * tenTo(scale)
  return (distance < 0n ? -distance : distance) * 100n <= 2n * tenTo(scale + decimals)
}

function inXRechnung({ seller, buyer, account, lines, currency }: InvoiceDocument): string[] {
  const [from, to] = [seller.postal_address, buyer.postal_address]
  const phone = seller.contact_phone ?? seller.phone
  const prices = lines.map((line, index) => [`line_items[${index}].price`, isNear(line, currency)] as const)
  return lacking({
    ...Object.fromEntries(prices),
    'seller.contact_name': seller.contact_name, // BR-DE-5
    'seller.contact_phone': (phone?.match(/[0-9]/g)?.length ?? 0) >= PHONE_DIGITS_MIN, // BR-DE-6
    'seller.contact_email': seller.contact_email, // BR-DE-7, PEPPOL-EN16931-R020
    ...(from && { 'seller.postal_address.city': from.city, 'seller.postal_address.postal_code': from.postal_code }),
    ...(to && { 'billing_contact.postal_address.city': to.city }), // BR-DE-8
    ...(to && { 'billing_contact.postal_address.postal_code': to.postal_code }), // BR-DE-9
    'billing_contact.emails': buyer.emails.length > 0, // PEPPOL-EN16931-R010
    buyer_reference: buyer.buyer_reference, // BR-DE-15
    receiving_account: account && (account.iban ?? account.account_number), // BR-DE-1, BR-61
  })
}
