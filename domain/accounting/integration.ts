/** Connections of an organization with an accounting program, and their syncs. */
import * as v from 'valibot'
import { CONNECTION_STATUSES } from './connection-flow.ts'
import { SYNC_STATUSES } from './sync-flow.ts'
import { model, integer, nullableText, opaque, open, timestamp, uuid, describe } from '../text.ts'
import { ACCOUNT_TYPES } from './mapping.ts'

export const PROVIDERS = ['xero'] as const
export type Provider = (typeof PROVIDERS)[number]

export const NewConnection = model('NewAccountingConnection', {
  provider: describe(v.picklist(PROVIDERS), 'Accounting program.'),
})
export const ConnectionStart = model('AccountingConnectionStart', {
  authorize_url: describe(v.pipe(v.string(), v.url()), 'Page of the accounting program, on which the member agrees.'),
  expires_at: timestamp,
})

/** Lifetime of a consent request. */
export const AUTHORIZATION_MINUTES = 10

/** Item that a sync could not post. `code` is `rejected` for the accounting program's own refusals. */
export const SyncError = model('AccountingSyncError', {
  kind: v.picklist(['transaction', 'bill', 'bill_payment', 'invoice', 'invoice_payment']),
  id: describe(uuid, 'Id of the transaction, bill, invoice or allocation.'),
  code: describe(
    open(
      v.picklist(['unmapped', 'unsupported_currency', 'amount_too_large', 'amount_too_precise', 'rejected']),
      'Why it was not posted',
    ),
    'Kind of error.',
  ),
  message: v.string(),
  mapping_type: describe(nullableText, 'Mapping type that has no account.'),
})
export type SyncError = v.InferOutput<typeof SyncError>

/** Most errors that a run lists; it counts all. */
export const SYNC_ERRORS_MAX = 100

/** Reasons why a run failed as a whole, with the sentence for people. */
export const RUN_FAILURES = {
  needs_reconnect: 'The accounting program refuses us. Please connect it again.',
  disconnected: 'The accounting program was disconnected.',
  organization_unavailable: 'This organization was not available.',
  unreachable: 'The accounting program did not answer for a day.',
} as const
export type RunFailure = keyof typeof RUN_FAILURES

export const SyncRun = model('AccountingSync', {
  id: uuid,
  status: v.picklist(SYNC_STATUSES),
  trigger: v.picklist(['connect', 'manual', 'schedule']),
  requested_by: v.nullable(uuid),
  started_at: timestamp,
  ended_at: v.nullable(timestamp),
  pushed: integer,
  skipped: integer,
  failed: integer,
  errors: describe(v.array(SyncError), 'First 100 errors of the skipped and failed.'),
  failure: v.nullable(
    model('AccountingSyncFailure', {
      // its own keys
      code: describe(
        open(v.picklist(Object.keys(RUN_FAILURES) as RunFailure[]), 'Why it has failed'),
        'Kind of failure.',
      ),
      message: v.string(),
    }),
  ),
})
export type SyncRun = v.InferOutput<typeof SyncRun>

export const Integration = model('AccountingIntegration', {
  id: uuid,
  type: v.literal('accounting'),
  provider: describe(v.picklist(PROVIDERS), 'Accounting program.'),
  status: v.picklist(CONNECTION_STATUSES),
  needs_reconnect: describe(v.boolean(), 'True if a member must connect again.'),
  tenant_id: v.string(),
  tenant_name: describe(v.string(), 'Name of the organization in the accounting program.'),
  connected_at: describe(timestamp, 'Instant when it was connected.'),
  connected_by: describe(
    model('AccountingConnector', { id: uuid, first_name: nullableText, last_name: nullableText }),
    'Person who connected it.',
  ),
  ended_at: v.nullable(timestamp),
  last_sync: describe(
    v.nullable(v.pipe(v.omit(v.object(SyncRun.entries), ['errors']), v.title('AccountingSyncSummary'))),
    'Latest sync; null before the first.',
  ),
})
export type Integration = v.InferOutput<typeof Integration>

/** Account of the books, to be chosen in mappings; `takes_payments`: invoices can be paid from it. */
export const Account = model('AccountingAccount', {
  code: describe(v.string(), 'Code of the account.'),
  name: v.string(),
  account_type: v.picklist(ACCOUNT_TYPES),
  currency: nullableText,
  takes_payments: describe(v.boolean(), 'True if payments can be booked on it.'),
})
export type Account = v.InferOutput<typeof Account>

/** Chart of connected books: accounts, tax rates, and options of tracking categories. */
export type BooksChart = {
  readonly accounts: readonly Account[]
  readonly rates: readonly { readonly code: string; readonly name: string; readonly rate: string | null }[]
  readonly options: readonly { readonly category: string; readonly option: string }[]
}

/** Query of the provider's redirect: a code, or an error. */
export const CallbackQuery = v.object({
  state: v.optional(opaque(0, 512), ''),
  code: v.optional(opaque(1, 4096)),
  error: v.optional(opaque(1, 255)),
})
export type CallbackQuery = v.InferOutput<typeof CallbackQuery>
