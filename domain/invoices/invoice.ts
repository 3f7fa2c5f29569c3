import * as v from 'valibot'
import { BillingContact, EMAILS_MAX } from '../billing-contacts/billing-contact.ts'
import { BankCurrency } from '../destinations/bank-requirements.ts'
import { distinct } from '../distinct.ts'
import { ExternalEntries, ExternalFilters, NewExternalEntries } from '../external.ts'
import { INVOICE_STATES } from './flow.ts'
import { id } from '../ids.ts'
import { Money } from '../money/money.ts'
import { PageQuery, currencyFilter, day, flag } from '../pagination.ts'
import {
  model,
  email,
  line,
  maybe,
  nullableText,
  open,
  remark,
  text,
  timestamp,
  uuid,
  object,
  describe,
} from '../text.ts'
import {
  AnswerAdjustment,
  AnswerLineAdjustment,
  NewCharges,
  NewDiscounts,
  NewLineAdjustment,
  decimal,
  isZeroDecimal,
  percentage,
} from '../invoice-documents/adjustment.ts'
import { AnswerAttachment, NewAttachments } from '../invoice-documents/attachment.ts'
import { NewPaymentTerms, PaymentTerms } from '../invoice-documents/payment-terms.ts'
import { UNITS } from '../invoice-documents/unit.ts'
import { Warning } from './warnings.ts'
import { INVOICE_PROFILES, TAX_CATEGORIES } from '../invoice-documents/document.ts'

const LINES_MAX = 500
/** Most characters in all lines: a page of a list has a hundred invoices, and the PDF lays out each character. */
const LINES_TEXT_MAX = 100_000

/** Price of any size: `amount_too_large` follows from the totals. */
const price = v.pipe(
  decimal(/^(0|[1-9][0-9]*)(\.[0-9]{1,6})?$/, 'must be a plain decimal number of at most 6 decimals, such as 10.50'),
  v.maxLength(255, 'too_long:255'),
)
/** Quantity, negative on a line that credits something. */
const quantity = decimal(
  /^-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?$/,
  'must be a plain decimal number of at most 9 digits and 6 decimals, such as 2.5',
)

const LineItem = v.pipe(
  object({
    description: line(1, 1000),
    quantity,
    unit: describe(
      maybe(v.picklist(UNITS)),
      'Unit of the quantity (UN/ECE Recommendation 20 or 21); absent: C62, one.',
    ),
    price,
    discount: maybe(NewLineAdjustment),
    charge: maybe(NewLineAdjustment),
    tax_percentage: percentage,
    tax_category: v.optional(v.picklist(TAX_CATEGORIES)),
    tax_exemption_reason: maybe(line(1, 255)),
  }),
  v.title('NewInvoiceLine'),
  v.forward(
    v.check(({ tax_category: category, tax_percentage: rate }) => {
      if (category === undefined) return true
      return category === 'S' ? !isZeroDecimal(rate) : isZeroDecimal(rate)
    }, 'other_rate'),
    ['tax_category'],
  ),
  v.transform(({ tax_category: category, tax_exemption_reason: reason = null, unit, discount, charge, ...rest }) => ({
    ...rest,
    tax_category: category ?? (isZeroDecimal(rest.tax_percentage) ? ('Z' as const) : ('S' as const)),
    tax_exemption_reason: reason,
    ...(unit && { unit }),
    ...(discount && { discount }),
    ...(charge && { charge }),
  })),
)

const textLength = (lines: readonly v.InferOutput<typeof LineItem>[]): number =>
  lines
    .flatMap((line) => [line.description, line.tax_exemption_reason, line.discount?.reason, line.charge?.reason])
    .reduce((sum, text) => sum + (text?.length ?? 0), 0)

export const LineItems = v.pipe(
  v.array(LineItem),
  v.minLength(1),
  v.maxLength(LINES_MAX),
  v.check((lines) => textLength(lines) <= LINES_TEXT_MAX, `too_long:${LINES_TEXT_MAX}`),
)
const party = { billing_contact_id: id<'billing_contact'>(), currency: BankCurrency }
const terms = { due_date: day, line_items: LineItems }
const profile = v.picklist(INVOICE_PROFILES)
const remarks = {
  comments: remark(5000),
  internal_description: remark(5000),
  internal_reference_number: maybe(line(1, 255)),
  buyer_reference: maybe(line(1, 255)),
  delivery_date: maybe(day),
  order_number: maybe(line(1, 255)),
  period: maybe(
    v.pipe(
      model('NewInvoicePeriod', { from: describe(day, 'First day.'), to: describe(day, 'Last day.') }),
      v.forward(
        v.check(({ from, to }) => from <= to, 'before_from'),
        ['to'],
      ),
    ),
  ),
  discounts: maybe(NewDiscounts),
  charges: maybe(NewCharges),
  payment_terms: NewPaymentTerms,
  attachments: maybe(NewAttachments),
}

/** Body of POST …/invoices. Totals are computed, never taken; `issue_date` is by default today in the settings' time zone. */
export const NewInvoice = model('NewInvoice', {
  ...party,
  ...terms,
  issue_date: v.optional(day),
  ...remarks,
  ...NewExternalEntries,
  profile: v.optional(profile, 'none'),
})
export type NewInvoice = v.InferOutput<typeof NewInvoice>

/** Body of PATCH /invoices/{invoice_id}: an absent field stays, null empties; lines are replaced as a whole. */
export const InvoiceChange = v.pipe(
  v.partial(v.object({ ...party, issue_date: day, ...terms, ...remarks, ...NewExternalEntries, profile })),
  v.title('InvoiceChange'),
)
export type InvoiceChange = v.InferOutput<typeof InvoiceChange>

/** Body of POST /invoices/{invoice_id}/finalize: the amount that the customer accepted, by default the total. */
export const Finalization = model('InvoiceFinalization', { accepted_amount: v.optional(Money.entries.amount) })
export type Finalization = v.InferOutput<typeof Finalization>

/** Most resendings of an invoice an hour. */
export const RESENT_MAX = 5

/** Body of POST /invoices/{invoice_id}/resend; by default to the addresses of the customer. */
export const MailRepeat = model('InvoiceResending', {
  emails: describe(
    v.optional(
      v.pipe(
        v.array(email),
        v.minLength(1),
        v.maxLength(EMAILS_MAX),
        distinct((address) => address),
      ),
    ),
    'Addresses to send to; absent: those of the billing contact.',
  ),
})
export type MailRepeat = v.InferOutput<typeof MailRepeat>

/** Filters of GET …/invoices, by the contract's names; `full_text_search` is words of number, contact, lines, texts. */
export const InvoiceFilters = v.object({
  ...PageQuery,
  billing_contact_id: v.optional(id<'billing_contact'>()),
  state: v.optional(v.picklist(INVOICE_STATES)),
  currency: v.optional(currencyFilter),
  due_date_from: v.optional(day),
  due_date_to: v.optional(day),
  issue_date_from: v.optional(day),
  issue_date_to: v.optional(day),
  overdue: v.optional(flag),
  full_text_search: v.optional(text(0, 255)),
  ...ExternalFilters,
})
export type InvoiceFilters = v.InferOutput<typeof InvoiceFilters>

export const Writer = v.nullable(
  model('InvoicePerson', {
    id: uuid,
    avatar: describe(nullableText, 'Address of the picture.'),
    first_name: nullableText,
    last_name: nullableText,
  }),
)

export const AnswerLine = model('InvoiceLine', {
  description: v.string(),
  price: v.string(),
  quantity: v.string(),
  tax_percentage: v.string(),
  total: describe(v.string(), 'Sum of the line, without tax: a decimal.'),
  tax_category: v.picklist(TAX_CATEGORIES),
  tax_exemption_reason: nullableText,
  unit: describe(v.picklist(UNITS), 'Unit of the quantity (UN/ECE Recommendation 20 or 21); absent: C62, one.'),
  discount: v.nullable(AnswerLineAdjustment),
  charge: v.nullable(AnswerLineAdjustment),
})
export type AnswerLine = v.InferOutput<typeof AnswerLine>

export const AnswerTax = model('InvoiceTax', {
  tax_percentage: v.string(),
  tax_category: v.picklist(TAX_CATEGORIES),
  tax_exemption_reason: nullableText,
  base: describe(v.string(), 'Sum that the tax is on: a decimal.'),
  amount: describe(v.string(), 'Tax: a decimal.'),
})

/** Invoice as an answer. Amounts are strings at the precision of its currency. */
export const Invoice = model('Invoice', {
  id: uuid,
  organization_id: uuid,
  state: v.picklist(INVOICE_STATES),
  next_valid_states: v.array(v.picklist(INVOICE_STATES)),
  number: nullableText,
  currency: v.string(),
  accepted_amount: nullableText,
  due_amount: describe(
    v.string(),
    'Accepted amount, else the total, less allocations and credit notes; never below zero.',
  ),
  line_total: v.string(),
  discount_total: v.string(),
  charge_total: v.string(),
  net_total: v.string(),
  tax_total: v.string(),
  total: describe(v.string(), 'Sum with tax: a decimal.'),
  discounts: v.array(AnswerAdjustment),
  charges: v.array(AnswerAdjustment),
  taxes: v.array(AnswerTax),
  allocated: describe(v.string(), 'Sum of the allocations: a decimal.'),
  credited: v.string(),
  credit_notes: describe(
    v.array(
      model('InvoiceCreditNote', {
        id: uuid,
        number: describe(v.string(), 'Number of the credit note.'),
        total: describe(v.string(), 'Sum with tax: a decimal.'),
      }),
    ),
    'Sent credit notes, in the order of their numbers.',
  ),
  refund_due: describe(
    v.string(),
    'What the customer paid beyond what is left after the credit notes: a decimal. Nothing pays it by itself.',
  ),
  settled_by: describe(
    v.nullable(open(v.picklist(['credit', 'early_payment']), 'What else left nothing due')),
    '`credit` if a credit note left nothing due, `early_payment` if a discount did; null if payments did, or while it ' +
      'is open.',
  ),
  reduced_totals: describe(
    v.nullable(
      model('InvoiceReducedTotals', {
        net_total: describe(v.string(), 'Sum without tax: a decimal.'),
        tax_total: v.string(),
        total: describe(v.string(), 'Sum with tax: a decimal.'),
        taxes: v.array(AnswerTax),
      }),
    ),
    'Sums less a discount for early payment, or what the customer did not accept; null if it is nothing. Credit notes ' +
      'have sums of their own.',
  ),
  due_date: v.string(),
  issue_date: v.string(),
  delivery_date: nullableText,
  period: v.nullable(
    model('InvoicePeriod', { from: describe(v.string(), 'First day.'), to: describe(v.string(), 'Last day.') }),
  ),
  payment_terms: PaymentTerms,
  is_overdue: describe(v.boolean(), 'True if it is past its due date and not paid.'),
  approval_request_id: v.nullable(uuid),
  approval_requester: Writer,
  created_by: describe(Writer, 'Person who made it.'),
  created_by_id: v.nullable(uuid),
  billing_contact: BillingContact,
  comments: nullableText,
  internal_description: nullableText,
  internal_reference_number: nullableText,
  buyer_reference: nullableText,
  order_number: nullableText,
  profile,
  completed_at: describe(v.nullable(timestamp), 'Instant when it was finalized or paid, whichever came first.'),
  sent_at: v.nullable(timestamp),
  paid_at: describe(v.nullable(timestamp), 'Instant when it was paid.'),
  line_items: v.array(AnswerLine),
  public_url: describe(nullableText, 'Page for the customer; null before it is sent, and once revoked.'),
  warnings: v.array(Warning),
  attachments: v.array(AnswerAttachment),
  ...ExternalEntries,
  inserted_at: timestamp,
  updated_at: timestamp,
})
export type Invoice = v.InferOutput<typeof Invoice>
