import * as v from 'valibot'
import type { Action } from '../approvals/action.ts'
import { invoiceFlow } from '../flows/invoice.ts'
import { model, timestamp, uuid } from '../text.ts'
import { AnswerLine } from './invoice.ts'

/** Invoice as approvers see it; it gets its number when it is sent. */
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
    line_items: v.array(AnswerLine),
    number: v.null(),
    created_at: timestamp,
  }),
})

export const billingInvoice = {
  type: 'billing_invoice',
  title: 'Approve an invoice',
  permissions: ['billing_invoices.submit'],
  hasAmount: true,
  waitsByDefault: false,
  targets: ['billing_invoice'],
  flow: invoiceFlow,
  subjects: [BillingInvoice],
} as const satisfies Action
