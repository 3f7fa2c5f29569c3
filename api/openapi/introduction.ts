/** Texts of the document: its introduction, and a sentence for each tag. */
import { errorTypes } from './errors.ts'
import { limitsSection } from './limits.ts'

/** Descriptions of the tags, in the order of the document. */
export const TAGS: Readonly<Record<string, string>> = {
  Authentication: 'Sign-up, sign-in and its second factor, passwords.',
  Me: 'The person who is signed in: profile, factors, sessions, devices.',
  'Step-up': 'Fresh proof of a factor, which some requests need.',
  'Approval devices': 'Phones that approve, with a credential of their own.',
  Organizations: 'Organizations, their handle, settings and logo.',
  Members: 'Members of an organization and their roles.',
  Invitations: 'Invitations to an organization.',
  'Company sign-in': 'The identity provider of an organization, its domains, and sign-ins of members there.',
  Delegates: 'Programs and agents that act for a person in one organization, for a time; they never decide.',
  'API keys': 'Keys for programs, with a role and scopes.',
  Approvals: 'Requests that people approve or reject, the policy, and the evidence.',
  Substitutions: 'Members who review approvals on behalf of others, for a time.',
  Attention: 'Everything that waits for somebody to act.',
  'Payment contacts': 'Payees and the destinations at which they are paid.',
  Payments: 'Quotes and payments: each waits for approval, then settles.',
  'Payment batches': 'Many payments from one CSV file, approved at once.',
  Bills: 'Bills of suppliers: read from a file, checked, and paid.',
  'Bills by mail': 'Addresses that take bills, the mails that came to them, and what is decided about their senders.',
  'Billing contacts': 'Customers.',
  Coding: 'Accounts, tax codes and dimensions, and the lines of bills that are coded by them.',
  Invoices: 'Invoices to customers, their allocations, documents and public page.',
  'Credit notes': 'Credit notes: what is taken back of an invoice that was sent.',
  Reference: 'Countries, currencies, fees, error types and event types.',
  Onboarding: 'Who an organization is: its entity, people and papers, and how far its verification is.',
  Accounts: 'Balances, and the proof that the ledger is whole.',
  Deposits: 'Receiving accounts, and the money that came.',
  Swaps: 'Exchange between currencies of the same organization.',
  Subscriptions: 'Plans of the service.',
  Transactions: 'Everything that was booked.',
  Exports: 'Files with the transactions of a period.',
  Events: 'The event log: hash-chained, signed, and as a live stream.',
  Accounting: 'Connection with an accounting program.',
  'Log streams': 'Events in the form of OCSF, sent to a SIEM.',
  Requests: 'What programs of an organization called, and what they were answered.',
  Webhooks: 'Endpoints, deliveries and replays.',
  Partners: 'Callbacks of banks and custodians.',
  Files: 'Bytes of uploads and downloads, by signed addresses.',
  Sandbox: 'Time, money, faults and messages of the test environment.',
}

/** Says what a repeat with an Idempotency-Key answers, of each operation that takes one. */
export const REPEATS =
  'A repeat by the same person with the same key and body answers what the first request made; of two at once, one waits ' +
  'for the other. Another body is 422 `idempotency_key_reused`; 409 is about the thing itself, never about the key.'

/** Builds the description of the document, in Markdown. */
export function introduction(): string {
  const rows = errorTypes.map(({ type, status, message }) => `| ${status} | \`${type}\` | ${message} |`)
  return [
    'Balances, payments that people approve, and the proof of both, for organizations and their members.',
    'Amounts are `{amount, currency}` with a decimal string; swaps, and what an approval is about, have the decimal ' +
      'beside its currency. Times are ISO 8601 in UTC. Unknown members of a body are ignored. Text that was never set ' +
      'is null, and empty if a member cannot be null: the lines of an address, the `url` of a picture. Each answer has the ' +
      'header `x-request-id`, by which we find the request.',
    '## Signing in',
    '`POST /auth/sign-in` answers `authenticated` with a session token, or a challenge: complete it with a code ' +
      '(`POST /auth/mfa`) or a passkey (`POST /auth/webauthn`). Send the token as `Authorization: Bearer …`. A session ' +
      'ends after 30 minutes without a request. Programs use an API key where an operation says so, or the token of a ' +
      'delegate (OAuth 2.0, `/.well-known/oauth-authorization-server`): `security` of an operation names what it takes.',
    'Operations that need no credential do not look at one, not even at an API key. Pictures are among them: nobody can ' +
      'guess their ids.',
    '## Step-up',
    'Decisions that release money need a fresh proof. The first answer is 403 `step_up_required` with a challenge in ' +
      '`error.step_up`: complete it with `POST /step-up/{id}/complete`, then repeat the request unchanged.',
    '## Idempotency-Key',
    `Send a key of your own with every creation, and repeat it unchanged after a lost answer. ${REPEATS}`,
    '## Lists',
    'Every list answers `{data, has_more, next_cursor}`, and takes `limit` (clamped to 1..100, 50 by default) and ' +
      '`cursor`, but for some short ones that are answered whole; reference data is, without both.',
    '## Uploads',
    'Ask for a slot with the name, size and media type of the file. PUT the bytes to its `upload_url` with exactly its ' +
      '`headers`; then use its `id` as `file_id`.',
    '## Webhooks',
    'Deliveries follow Standard Webhooks: verify `webhook-signature` over `<webhook-id>.<webhook-timestamp>.<body>`, ' +
      'answer 2xx quickly, and ignore an id that you had. What is not taken is sent again, for three days.',
    '## Versions',
    '`info.version` is the date of the latest change. New operations, members, error types, event types and values of ' +
      'open vocabularies can come at any time; nothing is taken away without notice.',
    '## Texts',
    'Names and other texts are one line. Those that are notes (`comment`, `comments`, `reason`, `company_address`, the ' +
      '`address` of a billing contact, `internal_notes`, `internal_description`, `invoice_notes`) may have several. Control ' +
      'characters and those that change the direction of text are refused with the code `control`, and what only hides ' +
      'is taken out.',
    '## Errors',
    'Every error has the same envelope. Branch on `error.type`; new types can come at any time, and nothing answers ' +
      'some of these yet. A failure of business that has no type of its own is ' +
      '`unprocessable_entity`; a fault on our side is 500.',
    ['| Status | Type | Message |', '|---|---|---|', ...rows].join('\n'),
    limitsSection(),
  ].join('\n\n')
}
