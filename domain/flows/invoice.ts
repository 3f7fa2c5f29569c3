/** The states of an invoice: written, approved if somebody has to, sent, accepted, paid. */
import { flow } from './flow.ts'

export const INVOICE_STATES = ['draft', 'awaiting_approval', 'sent', 'finalized', 'paid'] as const
export type InvoiceState = (typeof INVOICE_STATES)[number]

/** A paid one is open again if what paid it is taken back: its run begins anew. */
export const invoiceFlow = flow({
  noun: 'invoice',
  table: 'invoices',
  workflow: 'invoice',
  summary: () => 'Invoice to a customer',
  states: INVOICE_STATES,
  driven: ['awaiting_approval', 'sent', 'finalized'],
  asksPeople: ['awaiting_approval'],
  events: {
    submit: { from: ['draft'], to: 'awaiting_approval', logs: 'submitted' },
    refuse: { from: ['awaiting_approval'], to: 'draft', logs: 'refused' },
    send: { from: ['draft', 'awaiting_approval'], to: 'sent', logs: 'sent' },
    finalize: { from: ['sent'], to: 'finalized', logs: 'finalized' },
    pay: { from: ['sent', 'finalized'], to: 'paid', logs: 'paid' },
    reopen: { from: ['paid'], to: 'sent', logs: 'reopened' },
    reopen_finalized: { from: ['paid'], to: 'finalized', logs: 'reopened' },
  },
})
