/** Terms that both syntaxes of EN 16931 share, by business terms (BT) and rules (BR). */
import type { InvoiceDocument, TaxCategory } from '../../domain/invoices/document.ts'
import type { PostalAddress } from '../../domain/party.ts'
import { escapeXml, sayable } from '../xml.ts'

export const SPECIFICATIONS = {
  en16931: 'urn:cen.eu:en16931:2017',
  xrechnung: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
} as const
export type Specification = keyof typeof SPECIFICATIONS

/** Process that Peppol and XRechnung require (BT-23). */
export const PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'
/** Chooses BT-3 of UNTDID 1001: a commercial invoice, or a credit note. */
export const typeOf = ({ corrects }: InvoiceDocument): '380' | '381' => (corrects ? '381' : '380')
/** Unit "one", of UNECE Recommendation 20 (BT-130). */
export const ONE = 'C62'
/** E-mail, of the list of electronic address schemes (BT-34, BT-49). */
export const MAIL = 'EM'

/** Writes elements inside a path of elements; nothing if they are empty, which EN 16931 forbids. */
export const group = (path: string, ...inside: readonly string[]): string => nest(path.split('/'), inside.join(''))

/** Writes a text as the last element of a path; nothing without text. Attributes are codes. */
export function leaf(
  path: string,
  text: string | null | undefined,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const names = path.split('/')
  const [name = ''] = names.splice(-1)
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`)
  return nest(names, wrap(name, escapeXml(sayable(text ?? '').trim()), written.join('')))
}

const nest = (names: readonly string[], xml: string): string =>
  names.reduceRight((inside, name) => wrap(name, inside, ''), xml)

const wrap = (name: string, inside: string, attributes: string): string =>
  inside && `<${name}${attributes}>${inside}</${name}>`

export const xmlOf = (root: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`

/** Joins comments and notes as BT-22: XRechnung takes one. */
export const noteOf = ({ comments, notes }: InvoiceDocument): string =>
  [comments, notes].flatMap((words) => (words?.trim() ? [words.trim()] : [])).join('\n\n')

/** Chooses BT-81 of UNTDID 4461: a SEPA credit transfer, or another one. */
export const meansOf = ({ currency, account }: InvoiceDocument): string =>
  currency === 'EUR' && account?.iban ? '58' : '30'

/** Chooses BT-29, which identifies a seller without a VAT number (BR-CO-26). */
export const sellerIdOf = ({ svc_id: svcId, seller }: InvoiceDocument): string | null => svcId ?? seller.tax_id

/** Selects BT-31 and BT-48; none beside lines outside the scope of VAT (BR-O-02). */
export function vatIdsOf({ seller, buyer, lines }: InvoiceDocument): { seller: string | null; buyer: string | null } {
  const isOutside = lines.some((line) => line.tax_category === 'O')
  return isOutside ? { seller: null, buyer: null } : { seller: seller.vat_id, buyer: buyer.vat_id }
}

/**
 * Selects BT-72, and BG-15 for a supply within the EU (BR-IC-11, BR-IC-12 require both). Without a delivery date an
 * invoice means its own date (Directive 2006/112/EC, Art. 226 No. 7).
 */
export function deliveryOf(document: InvoiceDocument): { date: string | null; address: PostalAddress | null } {
  const isWithinEu = document.lines.some((line) => line.tax_category === 'K')
  return {
    date: document.delivery_date ?? (isWithinEu ? document.issue_date : null),
    address: isWithinEu ? document.buyer.postal_address : null,
  }
}

/** Reasons for charging no VAT (BT-121), of the list VATEX. */
const REASONS: Readonly<Partial<Record<TaxCategory, string>>> = {
  AE: 'VATEX-EU-AE',
  K: 'VATEX-EU-IC',
  G: 'VATEX-EU-G',
  O: 'VATEX-EU-O',
}

/** Selects BT-120 and BT-121; none beside a rate, or a rate of zero (BR-S-10, BR-Z-10). */
export const reasonOf = (tax: InvoiceDocument['taxes'][number]): { text: string | null; code: string | null } => ({
  text: tax.tax_category === 'S' || tax.tax_category === 'Z' ? null : tax.tax_exemption_reason,
  code: REASONS[tax.tax_category] ?? null,
})
