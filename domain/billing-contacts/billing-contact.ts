/** Billing contacts, to whom an organization sends invoices. */
import * as v from 'valibot'
import { distinct } from '../distinct.ts'
import { INVOICE_LANGUAGES } from '../invoice-documents/document.ts'
import { PageQuery } from '../pagination.ts'
import { NewPostalAddress, PostalAddress, VatId } from '../party.ts'
import { model, email, line, maybe, nullableText, text, timestamp, uuid, open } from '../text.ts'

export const EMAILS_MAX = 20

/** The language of invoices, of the mails with them, and of their public pages. */
const Language = v.picklist(INVOICE_LANGUAGES)

const Emails = v.pipe(
  v.array(email),
  v.maxLength(EMAILS_MAX),
  distinct((address) => address),
  v.metadata({
    jsonSchema: { type: 'array', maxItems: EMAILS_MAX, items: { type: 'string', format: 'email', maxLength: 255 } },
  }),
  v.transform((addresses) => (addresses.length > 0 ? addresses : null)),
)

const companyName = line(1, 255)
const details = {
  address: maybe(text(1, 1000)),
  phone_number: maybe(line(1, 64)),
  tax_id: maybe(line(1, 255)),
  emails: maybe(Emails),
  postal_address: maybe(NewPostalAddress),
  vat_id: maybe(VatId),
}

/** Body of POST …/billing-contacts. */
export const NewBillingContact = model('NewBillingContact', {
  company_name: companyName,
  ...details,
  language: v.optional(Language, 'en'),
})
export type NewBillingContact = v.InferOutput<typeof NewBillingContact>

/** Body of PATCH /billing-contacts/{billing_contact_id}: what is absent stays, null empties. */
export const BillingContactChange = model('BillingContactChange', {
  company_name: v.optional(companyName),
  ...details,
  language: v.optional(Language),
})
export type BillingContactChange = v.InferOutput<typeof BillingContactChange>

/** A contact as operations answer it and invoices embed it, also after it was deleted. */
export const BillingContact = model('BillingContact', {
  id: uuid,
  organization_id: uuid,
  company_name: v.string(),
  address: nullableText,
  phone_number: nullableText,
  tax_id: nullableText,
  emails: v.nullable(v.array(v.string())),
  postal_address: v.nullable(PostalAddress),
  vat_id: nullableText,
  language: open(Language, 'A language of a later version.'),
  deleted_at: v.nullable(timestamp),
  inserted_at: timestamp,
  updated_at: timestamp,
})
export type BillingContact = v.InferOutput<typeof BillingContact>

export const BillingContactFilters = v.object({ ...PageQuery, q: v.optional(text(1, 255)) })
export type BillingContactFilters = v.InferOutput<typeof BillingContactFilters>
