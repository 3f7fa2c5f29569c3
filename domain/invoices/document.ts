/** Document of a sent invoice, frozen: the source of its PDF and its XML. */
import * as v from 'valibot'
import { PostalAddress } from '../party.ts'
import { nullableText } from '../text.ts'

/** Standards of an invoice. `none`: a PDF without XML. */
export const INVOICE_PROFILES = ['none', 'en16931', 'xrechnung'] as const

export const INVOICE_LANGUAGES = ['en', 'de', 'fr', 'es'] as const

/** UNTDID 5305 in EN 16931: standard, zero, exempt, reverse charge, within the EU, export, outside of VAT. */
export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O'] as const
export type TaxCategory = (typeof TAX_CATEGORIES)[number]

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
  lines: v.array(v.object({ description: v.string(), quantity: decimal, price: decimal, ...taxed, total: decimal })),
  /** Taxes by category and rate; a reason joins the distinct ones of its lines by `; `. */
  taxes: v.array(v.object({ ...taxed, base: decimal, amount: decimal })),
  net_total: decimal,
  tax_total: decimal,
  total: decimal,
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
