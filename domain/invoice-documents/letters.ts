/** Fields of an invoice with signs that the fonts of its pages lack. */
import { inLetters } from '../payments/receipt.ts'
import type { InvoiceDocument } from './document.ts'

type Text = string | null | undefined

/** Signs that pages leave out without a trace: of private use, not assigned, or half of a pair. */
const UNSEEN = /[\p{Co}\p{Cn}\p{Cs}]/u

const isDrawn = (text: Text): boolean => {
  if (!text?.trim()) return true
  const drawn = inLetters(text)
  return drawn.trim() !== '' && drawn.split('?').length === text.split('?').length && !UNSEEN.test(text)
}

type Party = InvoiceDocument['seller' | 'buyer']

/** Lists the fields that a page cannot draw, by the names of the API. What only XML says is free. */
export function listUndrawable(document: InvoiceDocument): string[] {
  const texts = document.corrects ? { reason: document.comments } : textsOf(document)
  const inTexts = Object.entries(texts).flatMap(([field, text]) => (isDrawn(text) ? [] : [field]))
  return [
    ...inTexts,
    ...inLines(document),
    ...inAdjustments('discounts', document.discounts),
    ...inAdjustments('charges', document.charges),
  ]
}

/** Names what an invoice says beside its lines. A credit note repeats that as it was sent. */
function textsOf(document: InvoiceDocument): Readonly<Record<string, Text>> {
  const { seller, buyer, account } = document
  return {
    'seller.invoice_name': seller.name,
    ...addressOf('seller', 'company_address', seller),
    'seller.contact_name': seller.contact_name,
    'seller.contact_phone': seller.contact_phone ?? seller.phone,
    'seller.contact_email': seller.contact_email,
    'seller.invoice_notes': document.notes,
    'seller.invoice_prefix': document.number,
    'billing_contact.company_name': buyer.name,
    ...addressOf('billing_contact', 'address', buyer),
    'billing_contact.phone_number': buyer.phone,
    'billing_contact.emails': buyer.emails[0],
    comments: document.comments,
    buyer_reference: buyer.buyer_reference,
    order_number: document.order_number,
    receiving_account: [account?.holder, account?.bank_name].join(' '),
  }
}

/** Names the typed address, else the postal one, which stands for it. */
function addressOf(party: string, typed: string, { address, postal_address: postal, ...ids }: Party) {
  const isTyped = Boolean(address?.trim())
  return {
    [`${party}.${typed}`]: isTyped ? address : null,
    [`${party}.postal_address`]: isTyped
      ? null
      : [postal?.line1, postal?.line2, postal?.postal_code, postal?.city].join(' '),
    [`${party}.vat_id`]: ids.vat_id,
    [`${party}.tax_id`]: ids.tax_id,
  }
}

const inLines = ({ lines }: InvoiceDocument): string[] =>
  lines.flatMap((line, index) => {
    const at = `line_items[${index}]`
    return [
      ...(isDrawn(line.description) ? [] : [`${at}.description`]),
      ...(isDrawn(line.tax_exemption_reason) ? [] : [`${at}.tax_exemption_reason`]),
      ...(isDrawn(line.discount?.reason) ? [] : [`${at}.discount.reason`]),
      ...(isDrawn(line.charge?.reason) ? [] : [`${at}.charge.reason`]),
    ]
  })

const inAdjustments = (name: string, given: InvoiceDocument['discounts']): string[] =>
  (given ?? []).flatMap(({ reason }, index) => (isDrawn(reason) ? [] : [`${name}[${index}].reason`]))
