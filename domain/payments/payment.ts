/** Payments: schemas, states and rules. */
import type { SignedAttachment } from '../attachments/attachment.ts'
import * as v from 'valibot'
import { PayeeAddress, type NewPayeeAddress } from '../destinations/payee-address.ts'
import { Labels, labelFilter, newLabels } from '../coding/label.ts'
import { TAGS } from '../contacts/contact.ts'
import { refuse } from '../errors.ts'
import { type ExternalChange, ExternalEntries, ExternalFilters, NewExternalEntries } from '../external.ts'
import { isDriven, eventsFrom } from '../flow.ts'
import { type ApprovalId, type BillId, type DestinationId, type QuoteId, type UserId, id } from '../ids.ts'
import { Money } from '../money/money.ts'
import { PAYMENT_STATUSES, type PaymentState, paymentFlow, paymentStatusOf } from './flow.ts'
import type { Preparer } from '../people/delegate.ts'
import { MoneyFilters, PageQuery, currencyFilter, flag } from '../pagination.ts'
import { RAILS, type Rail, nameOfConnection } from '../rails.ts'
import type { MarketState } from '../swaps/market.ts'
import { PaceEntries } from './speed.ts'
import { type AskedDay, Schedule, ScheduleEntries } from './schedule.ts'
import { model, AnswerMoney, line, maybe, nullableText, text, timestamp, uuid, describe } from '../text.ts'

/** `status_detail` before any rail has the payment. */
export const AWAITING_APPROVAL_DETAIL = 'awaiting approval'

type AtPartner = { readonly rail: Rail; readonly connection: string | null }

/** Writes the `status_detail` of a payment that waits for the end of a pause; null for one that no partner pays. */
export const pauseDetail = ({ rail, connection }: AtPartner): string | null =>
  rail === 'svc_id' ? null : `waits: the ${nameOfConnection({ rail, connection })} is paused`

/** Body of POST /payments. */
export const NewPayment = model('NewPayment', {
  amount: describe(Money, 'Amount that arrives.'),
  payment_contact_id: id<'payment_contact'>(),
  payout_reason: line(1, 255),
  statement_description: line(1, 255),
  internal_notes: v.optional(v.nullable(text(0, 65_536))),
  labels: describe(v.optional(newLabels), 'One value for each dimension.'),
  ...NewExternalEntries,
  ...ScheduleEntries,
  former_approval_id: describe(maybe(id<'approval'>()), 'Id of the request sent back that this one follows.'),
})
export type NewPayment = v.InferOutput<typeof NewPayment>

/** A payment as every operation answers it. */
export const Payment = model('Payment', {
  id: uuid,
  organization_id: uuid,
  payment_contact_id: uuid,
  destination_id: uuid,
  approval_request_id: v.nullable(uuid),
  cancellable: describe(v.boolean(), 'True if the payment can be cancelled now.'),
  charges: describe(v.nullable(AnswerMoney), 'Kept of `landing` when it came back.'),
  created_at: timestamp,
  deducting: AnswerMoney,
  landing: AnswerMoney,
  destination_name: describe(v.string(), 'Name of the payee.'),
  event: describe(
    model('PaymentEvent', { id: uuid, stream: v.string(), subject_id: uuid, type: v.string() }),
    'Event that created the payment.',
  ),
  internal_notes: nullableText,
  labels: Labels,
  ...ExternalEntries,
  payee_address: describe(
    v.nullable(PayeeAddress),
    'Address with which the payee is paid, as it was when the payment was made; null: none.',
  ),
  payment_batch_id: v.nullable(uuid),
  quote_id: describe(v.nullable(uuid), 'Id of the quote that was executed; null without one.'),
  rail: v.picklist(RAILS),
  connection: nullableText,
  schedule: v.nullable(Schedule),
  ...PaceEntries,
  status: v.picklist(PAYMENT_STATUSES),
  status_detail: describe(v.string(), 'State at the partner, for diagnosis only; never branch on it.'),
  tag: v.nullable(v.picklist(TAGS)),
  transaction_id: v.nullable(uuid),
})
export type Payment = v.InferOutput<typeof Payment>

type CancelState = { readonly status: PaymentState; readonly rail: Rail; readonly custody_decided: boolean }

/** Tells whether a payment can be cancelled: by blockchain, while custody has not decided and it is not on hold. */
export const isCancellable = ({ status, rail, custody_decided: decided }: CancelState): boolean =>
  rail === 'crypto' && !decided && paymentFlow.events.cancel.from.includes(status)

/** Returns the state of the row that a payment is answered from. */
export const stateOf = ({ status, schedule }: Pick<Payment, 'status' | 'schedule'>): PaymentState =>
  status === 'submitted' && schedule !== null && schedule.state !== 'done' ? 'scheduled' : status

/** Tells if a payment waits for the end of the pause of its connection, as its answer says. */
export const isWaitingForPause = (
  payment: Pick<Payment, 'status' | 'status_detail' | 'rail' | 'connection'>,
): boolean => payment.status === 'submitted' && payment.status_detail === pauseDetail(payment)

/** Refuses a cancellation, `payment_not_cancellable`, with the reason. */
export function refuseCancellation({ rail }: Pick<CancelState, 'rail'>, status: PaymentState): never {
  const allowed = eventsFrom(paymentFlow, status).filter((event) => event !== 'cancel' && event !== 'schedule')
  refuse('payment_not_cancellable', {
    current: paymentStatusOf(status),
    allowed,
    reason: whyNotCancellable(status, rail),
  })
}

function whyNotCancellable(status: PaymentState, rail: Rail): string {
  if (status === 'scheduled') return 'waits_for_its_day'
  if (status === 'awaiting_approval') return 'waits_for_approval'
  if (!isDriven(paymentFlow, status)) return 'already_ended'
  if (rail !== 'crypto') return 'rail_not_cancellable'
  return status === 'on_hold' ? 'on_hold' : 'custody_decided'
}

/** Filters of GET …/payments. */
export const PaymentFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist(PAYMENT_STATUSES)),
  rail: v.optional(v.picklist(RAILS)),
  payment_contact_id: v.optional(id<'payment_contact'>()),
  payment_batch_id: v.optional(uuid),
  scheduled: v.optional(flag),
  tag: v.optional(v.picklist(TAGS)),
  label: v.optional(labelFilter),
  ...ExternalFilters,
  ...MoneyFilters,
  currency: v.optional(currencyFilter),
  q: v.optional(text(1, 255)),
})
export type PaymentFilters = v.InferOutput<typeof PaymentFilters>

/** Body of PATCH /payments/{payment_id}: what is absent stays, null clears. */
export const PaymentChange = model('PaymentChange', {
  internal_notes: v.optional(v.nullable(text(0, 65_536))),
  tag: v.optional(v.nullable(v.picklist(TAGS))),
  labels: describe(v.optional(newLabels), 'One value for each dimension; empty clears.'),
  ...NewExternalEntries,
})
export type PaymentChange = v.InferOutput<typeof PaymentChange>

/** Texts of a payment. */
export type PaymentTexts = Pick<NewPayment, 'payout_reason' | 'statement_description'> & {
  readonly internal_notes: string | null
  readonly labels: Labels
} & ExternalChange

/** Order of a payment by service ID to a contact, without a quote. */
export type ContactOrder = Pick<NewPayment, 'payment_contact_id' | 'amount'>

/** Order of the payment of a quote. */
export type QuoteOrder = {
  readonly quote_id: QuoteId
  /** Undefined for the quote's own, or else the contact's. */
  readonly tag: Payment['tag'] | undefined
  /** State of the market now; null if nothing is exchanged. */
  readonly market: MarketState | null
  /** Pays in spite of what the bank says about the payee. */
  readonly acknowledge_payee_check: boolean
}

/** Order of a payment, by a request of this id. */
export type PaymentOrder = PaymentTexts & {
  readonly request_id: string
  readonly bill?: PaidBill
  /** Day on which it is paid; at once without one. */
  readonly on?: AskedDay | null
  /** Id of the request sent back that it follows. */
  readonly former_approval_id?: ApprovalId | null | undefined
} & (ContactOrder | QuoteOrder)

/** A bill, its delegates, a note for approvers, and people who are barred from its approval. */
type PaidBill = {
  readonly id: BillId
  readonly barred: readonly UserId[]
  readonly preparers: readonly Preparer[]
  readonly attachments: readonly SignedAttachment[] | null
  readonly note: string | null
  /** Address on the bill, for a payee who has none. */
  readonly payeeAddress: NewPayeeAddress | null
  /** Destination of a contact with the account under another name; null if the names are one. */
  readonly known: { readonly destinationId: DestinationId; readonly holder: string } | null
}

export const PayoutReason = model('PayoutReason', {
  code: describe(v.string(), 'Code of the reason, which can be sent as `payout_reason`.'),
  name: v.string(),
})

/** Usual reasons of payments, in the order in which people look for them; any other text is taken too. */
export const PAYOUT_REASONS: readonly v.InferOutput<typeof PayoutReason>[] = [
  { code: 'goods', name: 'Goods' },
  { code: 'services', name: 'Services' },
  { code: 'software', name: 'Software and subscriptions' },
  { code: 'advertising', name: 'Advertising' },
  { code: 'salary', name: 'Salaries and wages' },
  { code: 'contractor', name: 'Freelancers and contractors' },
  { code: 'expenses', name: 'Expenses of employees' },
  { code: 'travel', name: 'Travel' },
  { code: 'rent', name: 'Rent' },
  { code: 'utilities', name: 'Utilities' },
  { code: 'insurance', name: 'Insurance' },
  { code: 'taxes', name: 'Taxes and duties' },
  { code: 'loan_repayment', name: 'Repayment of a loan' },
  { code: 'intercompany', name: 'Transfer within a group' },
  { code: 'own_account', name: 'Transfer to an own account' },
  { code: 'investment', name: 'Investment' },
  { code: 'dividends', name: 'Dividends' },
  { code: 'royalties', name: 'Royalties and licences' },
  { code: 'refund', name: 'Refund' },
  { code: 'donation', name: 'Donation' },
  { code: 'other', name: 'Something else' },
]
