/** A payment: what is asked for, what is answered, its states and rules. */
import * as v from 'valibot'
import { type Flow, flow } from './flow.ts'
import { type ContactId, id } from './ids.ts'
import { Money } from './money.ts'
import { PageQuery, amountFilter, currencyFilter, dayOrInstant } from './page.ts'
import { AnswerMoney, nullableText, text, timestamp, uuid } from './text.ts'

export const RAILS = ['fiat', 'crypto', 'svc_id'] as const
export const TAGS = ['vendor', 'own_account', 'employee', 'other'] as const
export const PAYMENT_STATUSES = [
  'awaiting_approval',
  'submitted',
  'processing',
  'on_hold',
  'cancelling',
  'succeeded',
  'failed',
  'reversed',
  'cancelled',
] as const

export type Rail = (typeof RAILS)[number]
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

export const paymentFlow = flow({
  noun: 'payment',
  table: 'payments',
  workflow: 'payment',
  states: PAYMENT_STATUSES,
  driven: ['awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling'],
  events: {
    submit: { from: ['awaiting_approval'], to: 'submitted', logs: 'submitted' },
    withdraw: { from: ['awaiting_approval'], to: 'cancelled', logs: 'cancelled' },
    accept: { from: ['submitted'], to: 'processing', logs: 'accepted' },
    hold: { from: ['submitted', 'processing'], to: 'on_hold', logs: 'held' },
    release: { from: ['on_hold'], to: 'processing', logs: 'released' },
    cancel: { from: ['submitted', 'processing'], to: 'cancelling', logs: 'cancel_requested' },
    confirm_cancel: { from: ['cancelling'], to: 'cancelled', logs: 'cancelled' },
    broadcast: { from: ['cancelling'], to: 'processing', logs: 'broadcast' },
    fail: { from: ['submitted', 'processing', 'on_hold'], to: 'failed', logs: 'failed' },
    settle: { from: ['processing'], to: 'succeeded', logs: 'settled' },
    reverse: { from: ['succeeded'], to: 'reversed', logs: 'reversed' },
  },
}) satisfies Flow

/** `status_detail` before any rail has the payment. */
export const AWAITING_APPROVAL_DETAIL = 'awaiting approval'
/** Payments by service ID are made in this currency only. */
export const SVC_ID_CURRENCY = 'USD'

/** Body of POST /payments. */
export const NewPayment = v.object({
  amount: Money,
  payment_contact_id: id<'payment_contact'>(),
  payout_reason: text(1, 255),
  statement_description: text(1, 255),
  internal_notes: v.optional(v.nullable(text(0, 65_536))),
})
export type NewPayment = v.InferOutput<typeof NewPayment>

/** A payment as every operation answers it. */
export const Payment = v.object({
  id: uuid,
  organization_id: uuid,
  payment_contact_id: uuid,
  destination_id: uuid,
  approval_request_id: v.nullable(uuid),
  cancellable: v.boolean(),
  created_at: timestamp,
  deducting: AnswerMoney,
  landing: AnswerMoney,
  destination_name: v.string(),
  event: v.object({ id: uuid, stream: v.string(), subject_id: uuid, type: v.string() }),
  internal_notes: nullableText,
  payment_batch_id: v.nullable(uuid),
  quote_id: v.nullable(uuid),
  rail: v.picklist(RAILS),
  status: v.picklist(PAYMENT_STATUSES),
  status_detail: v.string(),
  tag: v.nullable(v.picklist(TAGS)),
  transaction_id: v.nullable(uuid),
})
export type Payment = v.InferOutput<typeof Payment>

/** Filters of GET …/payments. */
export const PaymentFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist(PAYMENT_STATUSES)),
  rail: v.optional(v.picklist(RAILS)),
  payment_contact_id: v.optional(id<'payment_contact'>()),
  payment_batch_id: v.optional(uuid),
  tag: v.optional(v.picklist(TAGS)),
  from: v.optional(dayOrInstant),
  to: v.optional(dayOrInstant),
  amount_min: v.optional(amountFilter),
  amount_max: v.optional(amountFilter),
  currency: v.optional(currencyFilter),
  q: v.optional(text(1, 255)),
})
export type PaymentFilters = v.InferOutput<typeof PaymentFilters>

/** What the payment workflow is started with when the payment does not exist yet. */
export type PaymentRequest = {
  readonly amount: string
  readonly currency: string
  readonly payment_contact_id: ContactId
  readonly payout_reason: string
  readonly statement_description: string
  readonly internal_notes: string | null
  readonly body_hash: string
  readonly request_id: string
}
