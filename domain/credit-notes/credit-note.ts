/** Credit note: takes back all or a part of an invoice that was sent. */
import * as v from 'valibot'
import { BillingContact } from '../billing-contacts/billing-contact.ts'
import { CREDIT_NOTE_STATES } from '../invoices/credit-note-flow.ts'
import { ExternalEntries, ExternalFilters, NewExternalEntries } from '../external.ts'
import { id } from '../ids.ts'
import { INVOICE_PROFILES } from '../invoice-documents/document.ts'
import { AnswerAdjustment, NewCharges, NewDiscounts } from '../invoice-documents/adjustment.ts'
import { AnswerLine, AnswerTax, LineItems, Writer } from '../invoices/invoice.ts'
import { PageQuery, currencyFilter, day } from '../pagination.ts'
import { model, nullableText, text, timestamp, uuid, describe, object } from '../text.ts'

const reason = text(1, 1000)

/**
 * Body of POST /invoices/{invoice_id}/credit-notes: its own lines, or `full` for all lines, discounts and charges of
 * the invoice.
 * `issue_date` is by default today in the settings' time zone, and never before that of the invoice.
 */
export const NewCreditNote = v.pipe(
  object({
    line_items: describe(v.optional(LineItems), 'Lines; absent with `full`.'),
    discounts: v.optional(NewDiscounts),
    charges: v.optional(NewCharges),
    full: describe(
      v.optional(v.literal(true)),
      'True for all lines of the invoice, as long as nothing of it is credited.',
    ),
    reason: describe(reason, 'Reason, which the customer reads.'),
    issue_date: describe(v.optional(day), 'Day of issue, not before that of the invoice; absent: today.'),
    ...NewExternalEntries,
  }),
  v.forward(
    v.check((given) => (given.line_items === undefined) !== (given.full === undefined), 'lines_or_full'),
    ['line_items'],
  ),
  v.forward(
    v.check((given) => !given.full || (given.discounts ?? given.charges) === undefined, 'taken_by_full'),
    ['full'],
  ),
  v.title('NewCreditNote'),
)
export type NewCreditNote = v.InferOutput<typeof NewCreditNote>

/** Body of PATCH /credit-notes/{credit_note_id}: an absent field stays; lines are replaced as a whole. */
export const CreditNoteChange = v.pipe(
  v.partial(
    object({
      line_items: LineItems,
      discounts: NewDiscounts,
      charges: NewCharges,
      reason: describe(reason, 'Reason, which the customer reads.'),
      issue_date: day,
      ...NewExternalEntries,
    }),
  ),
  v.title('CreditNoteChange'),
)
export type CreditNoteChange = v.InferOutput<typeof CreditNoteChange>

/** Filters of GET …/credit-notes. */
export const CreditNoteFilters = v.object({
  ...PageQuery,
  state: v.optional(v.picklist(CREDIT_NOTE_STATES)),
  invoice_id: v.optional(id<'invoice'>()),
  billing_contact_id: v.optional(id<'billing_contact'>()),
  currency: v.optional(currencyFilter),
  issue_date_from: v.optional(day),
  issue_date_to: v.optional(day),
  ...ExternalFilters,
})
export type CreditNoteFilters = v.InferOutput<typeof CreditNoteFilters>

/** Credit note as an answer. Amounts are strings at the precision of its currency, and positive. */
export const CreditNote = model('CreditNote', {
  id: uuid,
  organization_id: uuid,
  invoice_id: uuid,
  invoice_number: v.string(),
  state: v.picklist(CREDIT_NOTE_STATES),
  next_valid_states: v.array(v.picklist(CREDIT_NOTE_STATES)),
  number: describe(nullableText, 'Number without gaps, given when it is sent; null before.'),
  currency: v.string(),
  reason: describe(v.string(), 'Reason, which the customer reads.'),
  issue_date: v.string(),
  line_total: v.string(),
  discounts: v.array(AnswerAdjustment),
  charges: v.array(AnswerAdjustment),
  discount_total: v.string(),
  charge_total: v.string(),
  net_total: v.string(),
  tax_total: v.string(),
  total: describe(v.string(), 'Sum with tax, which is credited: a decimal.'),
  taxes: v.array(AnswerTax),
  line_items: v.array(AnswerLine),
  profile: v.picklist(INVOICE_PROFILES),
  billing_contact: BillingContact,
  approval_request_id: v.nullable(uuid),
  approval_requester: Writer,
  created_by: describe(Writer, 'Person who made it.'),
  created_by_id: v.nullable(uuid),
  sent_at: v.nullable(timestamp),
  ...ExternalEntries,
  inserted_at: timestamp,
  updated_at: timestamp,
})
export type CreditNote = v.InferOutput<typeof CreditNote>
