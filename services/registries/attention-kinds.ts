/** Kinds of attention, in the order of the summary. */
import * as v from 'valibot'
import { accountChanged } from '../account-changes/attention.ts'
import { reconnectAccounting } from '../accounting/attention.ts'
import { reviewApproval } from '../approvals/attention.ts'
import { setApprovalPolicy } from '../approvals/four-eyes.ts'
import { databaseBehind, reconciliationDifference } from '../audit/attention.ts'
import { fixBatch } from '../batches/attention.ts'
import { checkBankDetails, fixBill, payBill } from '../bills/attention.ts'
import { completePayee } from '../contacts/attention.ts'
import { undeliveredCreditNote } from '../credit-notes/attention.ts'
import { travelRule } from '../deposits/attention.ts'
import { sentBack } from '../decisions/attention.ts'
import { failedExport } from '../exports/attention.ts'
import { setUpTotp } from '../factors/attention.ts'
import { allocateDeposit } from '../incoming-payments/attention.ts'
import { overdueInvoice, undeliveredInvoice } from '../invoices/attention.ts'
import { failingIdentityProvider } from '../identity-providers/attention.ts'
import { mailWithoutBill, unknownSender } from '../inbound-mails/attention.ts'
import { ItemFields } from '../../domain/attention/attention.ts'
import { describe, model, open } from '../../domain/text.ts'
import { onboardingMoreNeeded, onboardingNeeded } from '../onboarding/attention.ts'
import { payeeMismatch, paymentOnHold, paymentScheduleFailed } from '../payments/attention.ts'
import { delegateExpiring } from '../people/attention.ts'
import { openQuestion } from '../questions/attention.ts'
import { renewSubscription } from '../subscriptions/attention.ts'
import { failingWebhook } from '../webhooks/attention.ts'

export const KINDS = [
  reviewApproval,
  openQuestion,
  sentBack,
  fixBill,
  payBill,
  checkBankDetails,
  unknownSender,
  mailWithoutBill,
  accountChanged,
  travelRule,
  onboardingMoreNeeded,
  onboardingNeeded,
  paymentOnHold,
  paymentScheduleFailed,
  payeeMismatch,
  overdueInvoice,
  undeliveredInvoice,
  undeliveredCreditNote,
  allocateDeposit,
  fixBatch,
  completePayee,
  renewSubscription,
  reconnectAccounting,
  failingWebhook,
  failingIdentityProvider,
  delegateExpiring,
  reconciliationDifference,
  databaseBehind,
  failedExport,
  setUpTotp,
  setApprovalPolicy,
] as const

/** Subjects of all kinds, each once. */
const subjects = new Set(KINDS.flatMap((kind): readonly (typeof KINDS)[number]['subjects'][number][] => kind.subjects))

const WHAT_CAN_BE_DONE = 'What can be done. An item of a kind that came later has further ones.'

export const AttentionItem = model('AttentionItem', {
  ...ItemFields.entries,
  action: describe(
    open(
      v.variant(
        'kind',
        KINDS.map(({ action }) => action),
      ),
      WHAT_CAN_BE_DONE,
    ),
    WHAT_CAN_BE_DONE,
  ),
  subject: open(
    v.variant('type', [...subjects]),
    'What it is about. An item of a kind that came later has further ones.',
  ),
})
export type AttentionItem = v.InferOutput<typeof AttentionItem>
