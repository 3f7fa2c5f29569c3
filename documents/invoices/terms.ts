/** Terms that both syntaxes of EN 16931 share, by business terms (BT) and rules (BR). */
import type { InvoiceDocument, TaxCategory } from '../../domain/invoice-documents/document.ts'
import { categoriesOf } from '../../domain/invoice-documents/sums.ts'
import { earlyRows, supplyDateOf } from '../../domain/invoice-documents/rows.ts'
import { WORDS } from '../../domain/invoice-documents/words.ts'
import { decimalOf, product, tenTo } from '../../domain/money/decimal.ts'
import type { PostalAddress } from '../../domain/party.ts'
import { escapeXml, sayable } from '../xml/text.ts'

export const SPECIFICATIONS = {
  en16931: 'urn:cen.eu:en16931:2017',
  xrechnung: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
} as const
export type Specification = keyof typeof SPECIFICATIONS

/** Process that Peppol and XRechnung require (BT-23). */
export const PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0'
/** Chooses BT-3 of UNTDID 1001: a commercial invoice, or a credit note. */
export const typeOf = ({ corrects }: InvoiceDocument): '380' | '381' => (corrects ? '381' : '380')
/** E-mail, of the list of electronic address schemes (BT-34, BT-49). */
export const MAIL = 'EM'

/** Writes elements inside a path of elements; nothing if they are empty, which EN 16931 forbids. */
export const group = (path: string, ...inside: readonly string[]): string => nest(path.split('/'), inside.join(''))

/** Writes a text as the last element of a path; nothing without text. */
export function leaf(
  path: string,
  text: string | null | undefined,
  attributes: Readonly<Record<string, string>> = {},
): string {
  const names = path.split('/')
  const [name = ''] = names.splice(-1)
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  return nest(names, wrap(name, escapeXml(sayable(text ?? '').trim()), written.join('')))
}

/** Writes a text like leaf(), with the line end at its end. */
export const leafOfLines = (path: string, text: string): string => {
  const names = path.split('/')
  const [name = ''] = names.splice(-1)
  return nest(names, wrap(name, escapeXml(sayable(text)), ''))
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
export function vatIdsOf(document: InvoiceDocument): { seller: string | null; buyer: string | null } {
  const { seller, buyer } = document
  const isOutside = categoriesOf(document).has('O')
  return isOutside ? { seller: null, buyer: null } : { seller: seller.vat_id, buyer: buyer.vat_id }
}

/** Selects BT-72, and BG-15 for a supply within the EU. BR-IC-11 and BR-IC-12 require both, or a period. */
export function deliveryOf(document: InvoiceDocument): { date: string | null; address: PostalAddress | null } {
  const isWithinEu = categoriesOf(document).has('K')
  return { date: supplyDateOf(document), address: isWithinEu ? document.buyer.postal_address : null }
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

type Line = InvoiceDocument['lines'][number]

/** Selects BT-130: "one" if a line has no unit. */
export const unitOf = ({ unit }: Line): string => unit ?? 'C62'

/** Discount or charge as both syntaxes write it, with its tax if it is of the whole invoice. */
export type AllowanceCharge = {
  readonly isCharge: boolean
  readonly reason: string
  readonly percentage: string | null
  readonly base: string
  readonly amount: string
  readonly tax: InvoiceDocument['taxes'][number] | null
}

/** Lists BG-20 and BG-21: a discount or charge once for each of its taxes. */
export function allowanceChargesOf(document: InvoiceDocument): AllowanceCharge[] {
  const list = (given: InvoiceDocument['discounts'], isCharge: boolean) =>
    (given ?? []).flatMap(({ percentage, taxes, ...one }) =>
      taxes.map((tax) => {
        const { base, amount } = tax
        const reason = reasonIn(document, one.reason, isCharge)
        return { isCharge, reason, percentage: nearPercentage(percentage, base, amount), base, amount, tax }
      }),
    )
  return [...list(document.discounts, false), ...list(document.charges, true)]
}

/** Lists BG-27 and BG-28. */
export function lineAllowanceChargesOf(document: InvoiceDocument, { discount, charge }: Line): AllowanceCharge[] {
  const one = (given: Line['discount'], isCharge: boolean) => {
    if (!given) return []
    const { percentage, base, total: amount } = given
    const reason = reasonIn(document, given.reason, isCharge)
    return [{ isCharge, reason, percentage: nearPercentage(percentage, base, amount), base, amount, tax: null }]
  }
  return [...one(discount, false), ...one(charge, true)]
}

/** Selects a percentage; none if rounding moves the amount by more than 0.02, as whole yen may (PEPPOL-EN16931-R040). */
function nearPercentage(percentage: string | null, base: string, amount: string): string | null {
  if (percentage === null) return null
  const exact = decimalOf(product(base, percentage))
  const rounded = decimalOf(amount)
  const scale = tenTo(exact.scale + rounded.scale)
  const distance = exact.digits * tenTo(rounded.scale) - rounded.digits * 100n * tenTo(exact.scale)
  return (distance < 0n ? -distance : distance) <= 2n * scale ? percentage : null
}

/** Selects a reason, which each of them has to have (BR-33, BR-38, BR-42, BR-44). */
function reasonIn({ language }: InvoiceDocument, reason: string | null, isCharge: boolean): string {
  const { charge, discount } = WORDS[language]
  return sayable(reason ?? '').trim() || (isCharge ? charge : discount)
}

/**
 * Writes the terms of payment (BT-20): in words, in XRechnung also in its form (BR-DE-18), in which each line ends.
 */
export function paymentTermsOf(document: InvoiceDocument, specification: Specification): string {
  const words = earlyRows(document).map((line) => `${line}\n`)
  if (specification !== 'xrechnung') return words.join('').trimEnd()
  const forms = (document.early_payment_discounts ?? []).map(({ days, percentage }) => {
    const [whole = '', decimals = ''] = percentage.split('.')
    return `#SKONTO#TAGE=${days}#PROZENT=${whole}.${decimals.padEnd(2, '0')}#\n`
  })
  return [...words, ...forms].join('')
}

/** Attachment of an invoice with its bytes. */
export type AttachedFile = NonNullable<InvoiceDocument['attachments']>[number] & { readonly bytes: Buffer }

/** Writes BT-125 with the type and name of the file, in base64; nothing without bytes. */
export const binaryOf = (path: string, { bytes, content_type: mimeCode, filename }: AttachedFile): string =>
  leaf(path, bytes.toString('base64'), { mimeCode, filename })
