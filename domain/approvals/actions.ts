/** Actions that may wait for approval, in the order of the contract. */
import { paymentBatch } from '../batches/approval-action.ts'
import { paymentContact } from '../contacts/approval-action.ts'
import { organizationInvitation } from '../invitations/approval-action.ts'
import { billingInvoice } from '../invoices/approval-action.ts'
import { withdrawal } from '../payments/approval-action.ts'

export const ACTIONS = [withdrawal, billingInvoice, paymentContact, organizationInvitation, paymentBatch] as const
