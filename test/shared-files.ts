/**
 * Files that share a service: those of one process have one database, one API, and our modules as they are. They keep
 * to organizations of their own, and leave alone what all share: environment, clock, what a sweep or an audit finds.
 */
export const SHARED = Object.entries({
  'api/accounts': 'receiving-accounts transactions-filters transactions-notes transactions-over',
  'api/approvals': `
    approval-challenges approval-devices approval-key-races approval-model approval-policies
    approval-policies-coins approval-policies-eligible approval-policies-model approval-reminders approval-sets
    approval-sets-model approval-sets-races approval-voids approvals approvals-steps approvals-steps-counts
    decisions evidence evidence-of-sets expiry reviewers`,
  'api/attention': 'attention attention-counts',
  'api/batches': 'batch-approval batch-payments drafts import verdicts',
  'api/bills': 'bill-payment bill-pages bill-payment-ends bill-reading bills',
  'api/contacts': `
    destination-checks payment-contacts payment-contacts-changes payment-destinations
    payment-destinations-accounts payment-destinations-hardening payment-destinations-model`,
  'api/deposits': 'deposits deposits-names',
  'api/exports': 'exports exports-tries',
  'api/factors': 'passkeys passkeys-assertions passkeys-registration passkeys-sign-in phone-numbers recovery-codes',
  'api/http': 'hardening wire',
  'api/invitations': 'invitations invitations-accept',
  'api/ledger': 'ledger',
  'api/messages': 'messenger',
  'api/organizations': `
    admin api-key-rotation api-keys logo members members-model members-races organization-settings organization-update
    organizations`,
  'api/partners': 'callbacks',
  'api/payments': `
    idempotency payment-cancellations payment-events payment-quotes payment-quotes-notes payment-quotes-use
    payments payout-reasons payouts payouts-faults payouts-words receipts statement`,
  'api/people': 'avatar devices me session-tokens sessions',
  'api/sandbox': 'mailbox sandbox-advance sandbox-payouts',
  'api/sign-in': 'device-login factor-resets identity-model passwords sign-in sign-in-races sign-up',
  'api/step-up': 'step-up step-up-fallback',
  'api/swaps': 'swaps swaps-model swaps-races swaps-refusals',
  rules: 'bad-requests personal strangers',
}).flatMap(([folder, names]) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => `test/${folder}/${name}.test.ts`),
)
