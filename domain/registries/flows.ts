/** Registry of flows. Starts, looks, sweeps, checks and the rules of the tests derive from it. */
import type { Flow } from '../flow.ts'
import { adjustmentFlow } from '../adjustments/flow.ts'
import { apiKeyFlow } from '../organizations/api-key-flow.ts'
import { approvalFlow } from '../approvals/flow.ts'
import { connectionFlow } from '../accounting/connection-flow.ts'
import { syncFlow } from '../accounting/sync-flow.ts'
import { bankFileFlow } from '../bank-files/flow.ts'
import { billFlow } from '../bills/flow.ts'
import { contactFlow } from '../contacts/flow.ts'
import { coverFlow } from '../covers/flow.ts'
import { creditNoteFlow } from '../invoices/credit-note-flow.ts'
import { depositFlow } from '../deposits/flow.ts'
import { exportFlow } from '../exports/flow.ts'
import { inboundMailFlow } from '../inbound-mails/flow.ts'
import { incomingPaymentFlow } from '../incoming-payments/flow.ts'
import { invitationFlow } from '../invitations/flow.ts'
import { invoiceFlow } from '../invoices/flow.ts'
import { messageFlow } from '../messages/flow.ts'
import { organizationFlow } from '../organizations/flow.ts'
import { batchFlow } from '../batches/flow.ts'
import { onboardingFlow } from '../onboarding/flow.ts'
import { paymentFlow } from '../payments/flow.ts'
import { receivingAccountFlow } from '../accounts/flow.ts'
import { screeningFlow } from '../screening/flow.ts'
import { subscriptionFlow } from '../subscriptions/flow.ts'
import { webhookEndpointFlow } from '../webhooks/flow.ts'
import { unmatchedDepositFlow } from '../deposits/unmatched-flow.ts'

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
  inboundMail: inboundMailFlow,
  invoice: invoiceFlow,
  creditNote: creditNoteFlow,
  incomingPayment: incomingPaymentFlow,
  subscription: subscriptionFlow,
  accountingConnection: connectionFlow,
  accountingSync: syncFlow,
  webhookEndpoint: webhookEndpointFlow,
  bankFile: bankFileFlow,
  onboarding: onboardingFlow,
  screening: screeningFlow,
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
