/** Registry of flows. Starts, looks, sweeps, checks and the rules of the tests derive from it. */
import type { Flow } from './flow.ts'
import { adjustmentFlow } from './undriven/adjustment.ts'
import { apiKeyFlow } from './undriven/api-key.ts'
import { approvalFlow } from './undriven/approval.ts'
import { connectionFlow } from './accounting/connection.ts'
import { syncFlow } from './accounting/sync.ts'
import { billFlow } from './bill.ts'
import { contactFlow } from './contact.ts'
import { coverFlow } from './cover.ts'
import { creditNoteFlow } from './credit-notes/credit-note.ts'
import { depositFlow } from './deposit.ts'
import { exportFlow } from './export.ts'
import { incomingPaymentFlow } from './incoming-payment.ts'
import { invitationFlow } from './invitation.ts'
import { invoiceFlow } from './invoice.ts'
import { messageFlow } from './message.ts'
import { organizationFlow } from './undriven/organization.ts'
import { batchFlow } from './payment-batch.ts'
import { paymentFlow } from './payment.ts'
import { receivingAccountFlow } from './receiving-account.ts'
import { subscriptionFlow } from './subscription.ts'
import { webhookEndpointFlow } from './webhooks/endpoint.ts'
import { unmatchedDepositFlow } from './undriven/unmatched-deposit.ts'

/** Flows with a workflow, by the name of its function. */
export const PROCESSES = {
  payment: paymentFlow,
  paymentContact: contactFlow,
  invitation: invitationFlow,
  cover: coverFlow,
  deposit: depositFlow,
  receivingAccount: receivingAccountFlow,
  delivery: messageFlow,
  paymentBatch: batchFlow,
  export: exportFlow,
  bill: billFlow,
  invoice: invoiceFlow,
  creditNote: creditNoteFlow,
  incomingPayment: incomingPaymentFlow,
  subscription: subscriptionFlow,
  accountingConnection: connectionFlow,
  accountingSync: syncFlow,
  webhookEndpoint: webhookEndpointFlow,
} satisfies Readonly<Record<string, Flow>>

/** All flows; only db/processes/transition.ts writes their statuses. */
export const FLOWS: readonly Flow[] = [
  ...Object.values(PROCESSES),
  approvalFlow,
  apiKeyFlow,
  organizationFlow,
  unmatchedDepositFlow,
  adjustmentFlow,
]
