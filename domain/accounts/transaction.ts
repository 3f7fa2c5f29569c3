/** A row of the feed: money that came or went, as the organization sees it. */
import * as v from 'valibot'
import { Labels, labelFilter, newLabels } from '../coding/label.ts'
import { id } from '../ids.ts'
import { MoneyFilters, PageQuery, currencyFilter } from '../pagination.ts'
import { model, AnswerMoney, line, nullableText, text, timestamp, uuid, describe } from '../text.ts'

export const TRANSACTION_TYPES = ['payment', 'deposit', 'swap', 'fee', 'refund', 'reversal', 'subscription'] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]
const DIRECTIONS = ['in', 'out'] as const
const TRANSACTION_STATUSES = ['pending', 'posted'] as const

/** The newest rows under the other filters that a search reads for one page. */
export const SEARCHED_PER_PAGE_MAX = 50_000

const CATEGORY_MAX = 255
const NOTES_MAX = 65_536

/** Amounts are positive, `direction` says the sign; `running_balance` is available + held after the row. */
export const Transaction = model('Transaction', {
  id: uuid,
  organization_id: uuid,
  type: v.picklist(TRANSACTION_TYPES),
  direction: describe(v.picklist(DIRECTIONS), 'Direction of the money.'),
  amount: describe(AnswerMoney, 'Amount that was booked, without a sign.'),
  running_balance: describe(v.nullable(AnswerMoney), 'Balance after the transaction.'),
  charges: describe(v.nullable(AnswerMoney), 'Kept when a payment came back.'),
  counterparty: describe(nullableText, 'Name of the other side.'),
  description: nullableText,
  payment_id: v.nullable(uuid),
  deposit_id: v.nullable(uuid),
  swap_id: v.nullable(uuid),
  bill_id: v.nullable(uuid),
  status: v.picklist(TRANSACTION_STATUSES),
  category: nullableText,
  internal_notes: nullableText,
  labels: describe(Labels, 'One value for each dimension: its own, else those of its payment.'),
  occurred_at: timestamp,
  posted_at: describe(v.nullable(timestamp), 'Instant when it was booked; null while it is pending.'),
})
export type Transaction = v.InferOutput<typeof Transaction>

/** Body of PATCH /transactions/{transaction_id}: what is absent stays, null clears. */
export const TransactionChanges = model('TransactionChanges', {
  internal_notes: v.optional(v.nullable(text(0, NOTES_MAX))),
  category: v.optional(v.nullable(line(1, CATEGORY_MAX))),
  labels: describe(v.optional(newLabels), 'One value for each dimension; empty: those of its payment.'),
})
export type TransactionChanges = v.InferOutput<typeof TransactionChanges>

export const TransactionFilters = v.object({
  ...PageQuery,
  type: v.optional(v.picklist(TRANSACTION_TYPES)),
  direction: v.optional(v.picklist(DIRECTIONS)),
  currency: v.optional(currencyFilter),
  status: v.optional(v.picklist(TRANSACTION_STATUSES)),
  ...MoneyFilters,
  payment_contact_id: v.optional(id<'payment_contact'>()),
  payment_id: v.optional(id<'payment'>()),
  deposit_id: v.optional(id<'deposit'>()),
  swap_id: v.optional(id<'swap'>()),
  category: v.optional(line(1, CATEGORY_MAX)),
  label: v.optional(labelFilter),
  q: v.optional(
    v.pipe(
      text(1, 255),
      v.description('A page may be short, or empty, with `has_more` true: go on from its `next_cursor`.'),
    ),
  ),
})
export type TransactionFilters = v.InferOutput<typeof TransactionFilters>
