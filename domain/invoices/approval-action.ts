import * as v from 'valibot'
import type { Action } from '../approval-action.ts'
import { creditNoteFlow } from './credit-note-flow.ts'
import { invoiceFlow } from './flow.ts'
import { model, nullableText, timestamp, uuid, describe } from '../text.ts'
import { AnswerAdjustment } from '../invoice-documents/adjustment.ts'
import { AnswerAttachment } from '../invoice-documents/attachment.ts'
import { EarlyPaymentDiscount } from '../invoice-documents/payment-terms.ts'
import { AnswerLine } from './invoice.ts'

/** Invoice as approvers see it, with the credit note of it that waits, if any. An invoice is numbered when sent. */
const BillingInvoice = model('BillingInvoiceTarget', {
  type: v.literal('billing_invoice'),
  billing_invoice: describe(
    model('BillingInvoiceView', {
      id: uuid,
      contact: describe(
        model('BillingInvoiceContact', {
          id: uuid,
          company_name: v.string(),
          emails: v.nullable(v.array(v.string())),
        }),
        'Customer.',
      ),
      total: v.string(),
      currency: v.string(),
      due_date: v.string(),
      issue_date: nullableText,
      delivery_date: nullableText,
      period: v.nullable(
        model('BillingInvoicePeriod', {
          from: describe(v.string(), 'First day.'),
          to: describe(v.string(), 'Last day.'),
        }),
      ),
      order_number: nullableText,
      buyer_reference: nullableText,
      comments: nullableText,
      line_items: v.array(AnswerLine),
      discounts: v.array(AnswerAdjustment),
      charges: v.array(AnswerAdjustment),
      early_payment_discounts: v.array(EarlyPaymentDiscount),
      attachments: v.array(
        model(
          'BillingInvoiceAttachment',
          { ...AnswerAttachment.entries, sha256: v.string() },
          { file_id: 'Id of the file.' },
        ),
      ),
      number: v.null(),
      created_at: timestamp,
    }),
    'Invoice.',
  ),
  /** Present if a credit note of the invoice waits, not the invoice itself. */
  credit_note: describe(
    v.optional(
      model('CreditNoteView', {
        id: uuid,
        invoice_number: v.string(),
        total: v.string(),
        currency: v.string(),
        issue_date: v.string(),
        reason: describe(v.string(), 'Reason, which the customer reads.'),
        line_items: v.array(AnswerLine),
        discounts: v.array(AnswerAdjustment),
        charges: v.array(AnswerAdjustment),
        created_at: timestamp,
      }),
    ),
    'Credit note that waits; absent if the invoice itself waits.',
  ),
})

/** Members of an invoice that was asked for without them. */
export const NOTHING_ADDED = {
  issue_date: null,
  delivery_date: null,
  period: null,
  order_number: null,
  buyer_reference: null,
  comments: null,
  discounts: [],
  charges: [],
  early_payment_discounts: [],
  attachments: [],
}

export const billingInvoice = {
  type: 'billing_invoice',
  title: 'Approve an invoice',
  permissions: ['billing_invoices.submit'],
  hasAmount: true,
  waitsByDefault: false,
  targets: ['billing_invoice'],
  flow: invoiceFlow,
  guises: [{ type: 'credit_note', as: 'billing_invoice', title: 'Approve a credit note', flow: creditNoteFlow }],
  subjects: [BillingInvoice],
} as const satisfies Action
