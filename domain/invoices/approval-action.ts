import * as v from 'valibot'
import type { Action } from '../approval-action.ts'
import { creditNoteFlow } from './credit-note-flow.ts'
import { invoiceFlow } from './flow.ts'
import { model, nullableText, timestamp, uuid } from '../text.ts'
import { AnswerAdjustment } from '../invoice-documents/adjustment.ts'
import { AnswerAttachment } from '../invoice-documents/attachment.ts'
import { EarlyPaymentDiscount } from '../invoice-documents/payment-terms.ts'
import { AnswerLine } from './invoice.ts'

/** Invoice as approvers see it, with the credit note of it that waits, if any. An invoice is numbered when sent. */
const BillingInvoice = model('BillingInvoiceTarget', {
  type: v.literal('billing_invoice'),
  billing_invoice: model('BillingInvoiceView', {
    id: uuid,
    contact: model('BillingInvoiceContact', {
      id: uuid,
      company_name: v.string(),
      emails: v.nullable(v.array(v.string())),
    }),
    total: v.string(),
    currency: v.string(),
    due_date: v.string(),
    issue_date: nullableText,
    delivery_date: nullableText,
    period: v.nullable(model('BillingInvoicePeriod', { from: v.string(), to: v.string() })),
    order_number: nullableText,
    buyer_reference: nullableText,
    comments: nullableText,
    line_items: v.array(AnswerLine),
    discounts: v.array(AnswerAdjustment),
    charges: v.array(AnswerAdjustment),
    early_payment_discounts: v.array(EarlyPaymentDiscount),
    attachments: v.array(model('BillingInvoiceAttachment', { ...AnswerAttachment.entries, sha256: v.string() })),
    number: v.null(),
    created_at: timestamp,
  }),
  /** Present if a credit note of the invoice waits, not the invoice itself. */
  credit_note: v.optional(
    model('CreditNoteView', {
      id: uuid,
      invoice_number: v.string(),
      total: v.string(),
      currency: v.string(),
      issue_date: v.string(),
      reason: v.string(),
      line_items: v.array(AnswerLine),
      discounts: v.array(AnswerAdjustment),
      charges: v.array(AnswerAdjustment),
      created_at: timestamp,
    }),
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
