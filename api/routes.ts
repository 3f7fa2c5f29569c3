/** All operations of the API, in the order of its document; the test environment adds the sandbox. */
import { accounting } from './accounting/accounting.ts'
import { accounts } from './accounts/accounts.ts'
import { apiKeys } from './organizations/api-keys.ts'
import { approvalPolicies } from './approvals/policies.ts'
import { approvalSets } from './approvals/sets.ts'
import { approvals, evidence } from './approvals/approvals.ts'
import { attention } from './attention/attention.ts'
import { batches } from './batches/batches.ts'
import { runs } from './runs/runs.ts'
import { auth, deviceLogin, factorResets, passwords } from './sign-in/sign-in.ts'
import { authenticators, passkeys, phoneNumbers } from './factors/factors.ts'
import { coding } from './coding/coding.ts'
import { creditNotes } from './credit-notes/credit-notes.ts'
import { deposits } from './deposits/deposits.ts'
import { callbacks } from './callbacks/callbacks.ts'
import { billingContacts } from './billing-contacts/billing-contacts.ts'
import { attachments } from './attachments/attachments.ts'
import { signedAttachments } from './attachments/signed.ts'
import { questions } from './questions/questions.ts'
import { bills } from './bills/bills.ts'
import { inboundMailEntry } from './inbound-mails/entry.ts'
import { inboundMails } from './inbound-mails/inbound-mails.ts'
import { billPayments } from './bills/payment.ts'
import { eventStreams } from './events/stream.ts'
import { events } from './events/events.ts'
import { exports } from './exports/exports.ts'
import { identityProviders } from './identity-providers/identity-providers.ts'
import { providerSignIns } from './identity-providers/sign-in.ts'
import { ipAllowLists } from './organizations/ip-allow-lists.ts'
import { invoices } from './invoices/invoices.ts'
import { publicInvoices } from './invoices/public-page.ts'
import { invitations } from './invitations/invitations.ts'
import { files } from './files/files.ts'
import { authorizations } from './people/authorizations.ts'
import { delegates } from './people/delegates.ts'
import { avatars, devices, me, securityEvents } from './people/me.ts'
import { oauth } from './people/oauth.ts'
import { members } from './organizations/members.ts'
import { meta } from './meta.ts'
import { logos, organizationSettings, organizations } from './organizations/organizations.ts'
import { onboarding } from './onboarding/onboarding.ts'
import { paymentContacts } from './contacts/contacts.ts'
import { destinationChecks, paymentDestinations } from './contacts/destinations.ts'
import { paymentQuotes } from './payments/quotes.ts'
import { payments, payoutReasons } from './payments/payments.ts'
import { requests } from './requests/requests.ts'
import { reference } from './reference/reference.ts'
import { receipts } from './payments/receipts.ts'
import type { Route } from './http/route.ts'
import { scimManagement } from './scim/management.ts'
import { receivingAccounts } from './accounts/receiving-accounts.ts'
import { stepUps } from './step-up/step-up.ts'
import { substitutions } from './substitutions/substitutions.ts'
import { subscriptions } from './subscriptions/subscriptions.ts'
import { logStreams } from './webhooks/log-streams.ts'
import { webhooks } from './webhooks/webhooks.ts'
import { swaps } from './swaps/swaps.ts'
import { transactions } from './ledger/transactions.ts'

export const routes: readonly Route[] = [
  ...auth,
  ...passwords,
  ...factorResets,
  ...authenticators,
  ...deviceLogin,
  ...devices,
  ...me,
  ...phoneNumbers,
  ...avatars,
  ...securityEvents,
  ...passkeys,
  ...stepUps,
  ...organizations,
  ...onboarding,
  ...organizationSettings,
  ...ipAllowLists,
  ...logos,
  ...members,
  ...invitations,
  ...apiKeys,
  ...delegates,
  ...authorizations,
  ...oauth,
  ...identityProviders,
  ...providerSignIns,
  ...scimManagement,
  ...approvals,
  ...approvalSets,
  ...evidence,
  ...signedAttachments,
  ...questions,
  ...attention,
  ...coding,
  ...approvalPolicies,
  ...substitutions,
  ...destinationChecks,
  ...paymentContacts,
  ...paymentDestinations,
  ...paymentQuotes,
  ...payments,
  ...batches,
  ...runs,
  ...bills,
  ...inboundMails,
  ...inboundMailEntry,
  ...billPayments,
  ...attachments,
  ...billingContacts,
  ...invoices,
  ...publicInvoices,
  ...creditNotes,
  ...payoutReasons,
  ...receipts,
  ...accounts,
  ...receivingAccounts,
  ...deposits,
  ...swaps,
  ...subscriptions,
  ...transactions,
  ...exports,
  ...requests,
  ...events,
  ...eventStreams,
  ...reference,
  ...accounting,
  ...webhooks,
  ...logStreams,
  ...meta,
  ...callbacks,
  ...files,
]
