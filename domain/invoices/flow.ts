import { flow } from '../flow.ts'

export const INVOICE_STATES = ['draft', 'awaiting_approval', 'sent', 'finalized', 'paid'] as const
export type InvoiceState = (typeof INVOICE_STATES)[number]

/** Flow of an invoice. A paid one reopens when its payment is taken back, with a new run. */
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
