/** Attention: open tasks of an organization, or the viewer alone. Items are derived from state, never stored. */
import * as v from 'valibot'
import { type Id, isUuid } from '../ids.ts'
import { PageQuery, flag } from '../pagination.ts'
import { model, integer, open, text, timestamp, uuid, describe } from '../text.ts'

export const ATTENTION_KINDS = [
  'review_approval',
  'question',
  'sent_back',
  'fix_bill',
  'pay_bill',
  'check_bank_details',
  'unknown_sender',
  'mail_without_bill',
  'account_changed',
  'travel_rule',
  'payment_on_hold',
  'payment_schedule_failed',
  'payee_mismatch',
  'reconciliation_difference',
  'database_behind',
  'overdue_invoice',
  'undelivered_invoice',
  'undelivered_credit_note',
  'allocate_deposit',
  'fix_batch',
  'complete_payee',
  'onboarding_needed',
  'onboarding_more_needed',
  'set_up_totp',
  'set_approval_policy',
  'renew_subscription',
  'reconnect_accounting',
  'failed_export',
  'failing_webhook',
  'failing_identity_provider',
  'delegate_expiring',
] as const
export const SEVERITIES = ['blocking', 'action', 'info'] as const
export const AUDIENCES = ['organization', 'viewer'] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]
export type Severity = (typeof SEVERITIES)[number]
export type Audience = (typeof AUDIENCES)[number]

/** Most items of a kind in the list; older ones are read by id. */
export const LISTED_PER_KIND_MAX = 200

/** Parts of an item's id. The obligation's id is the approval's, or that of the person who has to act. */
export type ItemId = { readonly kind: string; readonly obligationId: Id<'obligation'> }

const itemId = /^([a-z][a-z_]{0,63}):(.{36})$/

export const ItemId = v.pipe(
  v.string(),
  v.check((text) => isUuid(itemId.exec(text)?.[2]), 'must be kind:obligation_id'),
  v.metadata({ jsonSchema: { type: 'string', pattern: itemId.source } }),
  v.transform((text): ItemId => {
    const [kind = '', obligationId = ''] = text.toLowerCase().split(':')
    return { kind, obligationId: obligationId as Id<'obligation'> } // the pattern checked it
  }),
)

/** Kinds as an open vocabulary: a client shows the `href` of an unknown kind. */
const kind = open(v.picklist(ATTENTION_KINDS), 'A kind that came later: show the `href`.')

/** Fields of every item; the kinds add `action` and `subject` (services/registries/attention-kinds.ts). */
export const ItemFields = v.object({
  id: describe(v.string(), 'Id of the item: `kind:obligation_id`.'),
  kind,
  title: describe(v.string(), 'Title for people.'),
  summary: describe(v.string(), 'Sentence for people.'),
  severity: describe(v.picklist(SEVERITIES), 'Urgency: `blocking`, `action` or `info`.'),
  audience: describe(v.picklist(AUDIENCES), 'Who sees it: the organization, or the caller alone.'),
  actionable_by_viewer: describe(v.boolean(), 'True if the caller can do it.'),
  raised_at: describe(timestamp, 'Instant since which it needs attention.'),
  due_at: describe(v.nullable(timestamp), 'Instant until which it should be done.'),
  href: describe(v.pipe(v.string(), v.startsWith('/')), 'Path of the thing in this API.'),
})

export const DepositSubject = model('DepositSubject', { type: v.literal('deposit'), deposit_id: uuid })
export const BatchSubject = model('PaymentBatchSubject', { type: v.literal('payment_batch'), payment_batch_id: uuid })
export const OrganizationSubject = model('OrganizationSubject', {
  type: v.literal('organization'),
  organization_id: uuid,
})
export const PaymentSubject = model('PaymentSubject', { type: v.literal('payment'), payment_id: uuid })

const Count = model('AttentionCount', {
  actionable: describe(integer, 'Number of items that the caller can do.'),
  total: describe(integer, 'Number of items.'),
})
export type Count = v.InferOutput<typeof Count>

/** Exact counts of every kind; `truncated` names the kinds that the list shows only in part. */
export const AttentionSummary = model('AttentionSummary', {
  by_kind: describe(v.record(v.string(), Count), 'Numbers by kind.'),
  organization: describe(Count, 'Items that concern all members.'),
  viewer: describe(Count, 'Items for the caller alone.'),
  truncated: describe(v.array(kind), 'Kinds of which only the most urgent are listed.'),
})
export type AttentionSummary = v.InferOutput<typeof AttentionSummary>

/** Filters of GET …/attention; the cursor is the id of an item, and an unknown kind matches nothing. */
export const AttentionFilters = v.object({
  limit: PageQuery.limit,
  cursor: v.optional(ItemId),
  severity: v.optional(v.picklist(SEVERITIES)),
  kind: v.optional(
    v.pipe(text(1, 64), v.metadata({ jsonSchema: { type: 'string', examples: ATTENTION_KINDS, maxLength: 64 } })),
  ),
  audience: v.optional(v.picklist(AUDIENCES)),
  actionable: v.optional(flag),
})
export type AttentionFilters = v.InferOutput<typeof AttentionFilters>
