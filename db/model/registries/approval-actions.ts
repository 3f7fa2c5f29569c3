/** The registry of actions that may wait for approval, in the order of the contract. */
import type { Action } from '../approvals/action.ts'
import { paymentBatch } from '../batches/approval-action.ts'
import { paymentContact } from '../contacts/approval-action.ts'
import { organizationInvitation } from '../invitations/approval-action.ts'
import { withdrawal } from '../payments/approval-action.ts'

/** Of the contract, and nothing asks for it yet: rules can be set. */
const billingInvoice = {
  type: 'billing_invoice',
  title: 'Approve an invoice',
  permissions: ['billing_invoices.submit'],
  hasAmount: true,
  waitsByDefault: false,
  targets: ['billing_invoice'],
  subjects: [],
} as const satisfies Action

export const ACTIONS = [withdrawal, billingInvoice, paymentContact, organizationInvitation, paymentBatch] as const
