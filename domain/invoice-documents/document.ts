/** Document of a sent invoice, frozen: the source of its PDF and its XML. */
import * as v from 'valibot'
import { PostalAddress } from '../party.ts'
import { flag } from '../pagination.ts'
import { describe, nullableText } from '../text.ts'
import { StoredAttachment } from './attachment.ts'
import { TAX_CATEGORIES } from './tax.ts'
import { UNITS } from './unit.ts'

export { TAX_CATEGORIES, type TaxCategory } from './tax.ts'

/** Standards of an invoice. `none`: a PDF without XML. */
export const INVOICE_PROFILES = ['none', 'en16931', 'xrechnung'] as const

export const INVOICE_LANGUAGES = ['en', 'de', 'fr', 'es', 'it'] as const

const date = v.pipe(v.string(), v.isoDate())
/** Plain decimal: `-3`, `0.125`. */
const decimal = v.pipe(v.string(), v.regex(/^-?[0-9]+(\.[0-9]+)?$/))

const party = {
  name: v.string(),
  /** Typed address, for pages. XML has the postal address. */
  address: nullableText,
  postal_address: v.nullable(PostalAddress),
  tax_id: nullableText,
  vat_id: nullableText,
  phone: nullableText,
}

const taxed = { tax_percentage: decimal, tax_category: v.picklist(TAX_CATEGORIES), tax_exemption_reason: nullableText }

const share = { reason: nullableText, percentage: v.nullable(decimal), amount: v.nullable(decimal) }
const lineAdjustment = v.optional(v.object({ ...share, base: decimal, total: decimal }))
const adjustments = v.optional(
  v.array(
    v.object({ ...share, total: decimal, taxes: v.array(v.object({ ...taxed, base: decimal, amount: decimal })) }),
  ),
)

/** Numbered invoice, frozen. Amounts are decimals at the precision of the currency. */
export const InvoiceDocument = v.object({
  number: v.string(),
  /** Invoice that a credit note takes back from; absent for an invoice. */
  corrects: v.optional(v.object({ number: v.string(), issue_date: date })),
  currency: v.string(),
  issue_date: date,
  due_date: date,
  /** Null for the issue date, as in the VAT directive (Art. 226). */
  delivery_date: v.nullable(date),
  profile: v.picklist(INVOICE_PROFILES),
  language: v.picklist(INVOICE_LANGUAGES),
  seller: v.object({ ...party, contact_name: nullableText, contact_phone: nullableText, contact_email: nullableText }),
  buyer: v.object({ ...party, emails: v.array(v.string()), buyer_reference: nullableText }),
  comments: nullableText,
  /** Notes of the organization on all of its invoices. */
  notes: nullableText,
  order_number: v.optional(v.string()),
  /** Period of the supply, both days included. */
  period: v.optional(v.object({ from: date, to: date })),
  lines: v.array(
    v.object({
      description: v.string(),
      quantity: decimal,
      /** Absent for "one". */
      unit: v.optional(v.picklist(UNITS)),
      price: decimal,
      ...taxed,
      discount: lineAdjustment,
      charge: lineAdjustment,
      /** Quantity × price, less the discount and with the charge of the line. */
      total: decimal,
    }),
  ),
  discounts: adjustments,
  charges: adjustments,
  /** Taxes by category and rate; a reason joins the distinct ones of its lines by `; `. */
  taxes: v.array(v.object({ ...taxed, base: decimal, amount: decimal })),
  /** Sum of the lines less discounts and with charges. */
  net_total: decimal,
  tax_total: decimal,
  total: decimal,
  early_payment_discounts: v.optional(
    v.array(v.object({ percentage: decimal, days: v.number(), until: date, amount: decimal })),
  ),
  attachments: v.optional(v.array(StoredAttachment)),
  account: v.nullable(
    v.object({
      holder: v.string(),
      iban: nullableText,
      bic: nullableText,
      account_number: nullableText,
      bank_name: nullableText,
      /** Codes named like a receiving account's details: `sort_code`, `aba_code`. */
      routing_codes: v.array(v.object({ name: v.string(), value: v.string() })),
    }),
  ),
  svc_id: nullableText,
  page_url: nullableText,
})
export type InvoiceDocument = v.InferOutput<typeof InvoiceDocument>

/** Query of a PDF. */
export const PdfQuery = v.object({
  draft: describe(
    v.optional(flag),
    'True for a preview: a draft as it would be sent now, without XML and attached files.',
  ),
})
