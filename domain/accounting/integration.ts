/** Connections of an organization with an accounting program, and their syncs. */
import * as v from 'valibot'
import { CONNECTION_STATUSES } from './connection-flow.ts'
import { SYNC_STATUSES } from './sync-flow.ts'
import { model, integer, nullableText, opaque, open, timestamp, uuid } from '../text.ts'
import { ACCOUNT_TYPES } from './mapping.ts'

export const PROVIDERS = ['xero'] as const
export type Provider = (typeof PROVIDERS)[number]

export const NewConnection = model('NewAccountingConnection', { provider: v.picklist(PROVIDERS) })
export const ConnectionStart = model('AccountingConnectionStart', {
  authorize_url: v.pipe(v.string(), v.url()),
  expires_at: timestamp,
})

/** Lifetime of a consent request. */
export const AUTHORIZATION_MINUTES = 10

/** Item that a sync could not post. `code` is `rejected` for the accounting program's own refusals. */
export const SyncError = model('AccountingSyncError', {
  kind: v.picklist(['transaction', 'bill', 'bill_payment', 'invoice', 'invoice_payment']),
  id: uuid,
  code: open(
    v.picklist(['unmapped', 'unsupported_currency', 'amount_too_large', 'amount_too_precise', 'rejected']),
    'Why it was not posted',
  ),
  message: v.string(),
  mapping_type: nullableText,
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
  errors: v.array(SyncError),
  failure: v.nullable(
    model('AccountingSyncFailure', {
      // its own keys
      code: open(v.picklist(Object.keys(RUN_FAILURES) as RunFailure[]), 'Why it has failed'),
      message: v.string(),
    }),
  ),
})
export type SyncRun = v.InferOutput<typeof SyncRun>

export const Integration = model('AccountingIntegration', {
  id: uuid,
  type: v.literal('accounting'),
  provider: v.picklist(PROVIDERS),
  status: v.picklist(CONNECTION_STATUSES),
  needs_reconnect: v.boolean(),
  tenant_id: v.string(),
  tenant_name: v.string(),
  connected_at: timestamp,
  connected_by: model('AccountingConnector', { id: uuid, first_name: nullableText, last_name: nullableText }),
  ended_at: v.nullable(timestamp),
  last_sync: v.nullable(v.pipe(v.omit(v.object(SyncRun.entries), ['errors']), v.title('AccountingSyncSummary'))),
})
export type Integration = v.InferOutput<typeof Integration>

/** Account of the books, to be chosen in mappings; `takes_payments`: invoices can be paid from it. */
export const Account = model('AccountingAccount', {
  code: v.string(),
  name: v.string(),
  account_type: v.picklist(ACCOUNT_TYPES),
  currency: nullableText,
  takes_payments: v.boolean(),
})
export type Account = v.InferOutput<typeof Account>

/** Query of the provider's redirect: a code, or an error. */
export const CallbackQuery = v.object({
  state: v.optional(opaque(0, 512), ''),
  code: v.optional(opaque(1, 4096)),
  error: v.optional(opaque(1, 255)),
})
export type CallbackQuery = v.InferOutput<typeof CallbackQuery>
