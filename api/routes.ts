/** Every operation there is. Router, OpenAPI document and the rules tests read this list. */
import { accounts } from './accounts.ts'
import { apiKeys } from './api-keys.ts'
import { approvalCredentials } from './approval-credentials.ts'
import { approvalPolicies } from './approval-policies.ts'
import { approvalSets } from './approval-sets.ts'
import { approvals } from './approvals.ts'
import { attention } from './attention.ts'
import { auth } from './auth.ts'
import { avatars } from './avatars.ts'
import { authenticators } from './authenticators.ts'
import { destinationChecks } from './destination-checks.ts'
import { deposits } from './deposits.ts'
import { deviceLogin } from './device-login.ts'
import { devices } from './devices.ts'
import { callbacks } from './callbacks.ts'
import { challenges } from './challenges.ts'
import { invitations } from './invitations.ts'
import { evidence } from './evidence.ts'
import { logos } from './logos.ts'
import { me } from './me.ts'
import { members } from './members.ts'
import { meta } from './meta.ts'
import { organizationSettings } from './organization-settings.ts'
import { organizations } from './organizations.ts'
import { passkeys } from './passkeys.ts'
import { passwords } from './passwords.ts'
import { paymentContacts } from './payment-contacts.ts'
import { paymentDestinations } from './payment-destinations.ts'
import { paymentChanges } from './payment-changes.ts'
import { paymentQuotes } from './payment-quotes.ts'
import { payments } from './payments.ts'
import { phoneNumbers } from './phone-numbers.ts'
import { payoutReasons } from './payout-reasons.ts'
import { receipts } from './receipts.ts'
import type { Route } from './route.ts'
import { sandboxClock } from './sandbox/clock.ts'
import { sandboxDeposits } from './sandbox/deposits.ts'
import { sandboxFaults } from './sandbox/faults.ts'
import { sandboxMarket } from './sandbox/market.ts'
import { sandboxMessages } from './sandbox/messages.ts'
import { sandboxPayouts } from './sandbox/payouts.ts'
import { sandboxStepUp } from './sandbox/step-up.ts'
import { receivingAccounts } from './receiving-accounts.ts'
import { securityEvents } from './security-events.ts'
import { stepUps } from './step-up.ts'
import { swaps } from './swaps.ts'
import { transactions } from './transactions.ts'

export const routes: readonly Route[] = [
  ...auth,
  ...passwords,
  ...authenticators,
  ...deviceLogin,
  ...devices,
  ...me,
  ...phoneNumbers,
  ...avatars,
  ...securityEvents,
  ...passkeys,
  ...stepUps,
  ...approvalCredentials,
  ...challenges,
  ...organizations,
  ...organizationSettings,
  ...logos,
  ...members,
  ...invitations,
  ...apiKeys,
  ...approvals,
  ...approvalSets,
  ...evidence,
  ...attention,
  ...approvalPolicies,
  ...destinationChecks,
  ...paymentContacts,
  ...paymentDestinations,
  ...paymentQuotes,
  ...paymentChanges,
  ...payments,
  ...payoutReasons,
  ...receipts,
  ...accounts,
  ...receivingAccounts,
  ...deposits,
  ...swaps,
  ...transactions,
  ...meta,
  ...callbacks,
  ...sandboxClock,
  ...sandboxDeposits,
  ...sandboxFaults,
  ...sandboxMarket,
  ...sandboxMessages,
  ...sandboxPayouts,
  ...sandboxStepUp,
]
