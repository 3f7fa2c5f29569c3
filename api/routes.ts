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
import { deviceLogin } from './device-login.ts'
import { devices } from './devices.ts'
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
import { payments } from './payments.ts'
import { phoneNumbers } from './phone-numbers.ts'
import type { Route } from './route.ts'
import { sandboxClock } from './sandbox/clock.ts'
import { sandboxDeposits } from './sandbox/deposits.ts'
import { sandboxMessages } from './sandbox/messages.ts'
import { sandboxStepUp } from './sandbox/step-up.ts'
import { securityEvents } from './security-events.ts'
import { stepUps } from './step-up.ts'
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
  ...payments,
  ...accounts,
  ...transactions,
  ...meta,
  ...sandboxClock,
  ...sandboxDeposits,
  ...sandboxMessages,
  ...sandboxStepUp,
]
