/** A deposit: money that came in from outside the service. */
import { v5 } from 'uuid'
import * as v from 'valibot'
import { DEPOSIT_STATUSES, type DepositStatus } from '../flows/deposit.ts'
import { type DepositId, type OrganizationId, id } from '../ids.ts'
import { Money } from '../money/money.ts'
import { MoneyFilters, PageQuery, currencyFilter } from '../pagination.ts'
import type { MoneyPartner } from '../callbacks/partner.ts'
import { Reference } from '../callbacks/reference.ts'
import { PARTNER_RAILS } from '../rails.ts'
import { AnswerMoney, line, nullableText, text, timestamp, uuid } from '../text.ts'

/** Of the ids that deposits of partners have with us. */
const NAMESPACE = '9f6d0b1e-5d38-4a35-8a0b-6f0f7f2f7c11'

/** The id that a partner's deposit has with us, if it did not come with one. */
export const depositIdOf = (partner: MoneyPartner, partnerDepositId: string): DepositId =>
  // A uuid of the row that it names.
  v5(`${partner}:${partnerDepositId}`, NAMESPACE) as DepositId

const Source = v.object({
  name: nullableText,
  reference: nullableText,
  account_reference: nullableText,
  country: nullableText,
})
/** What the partner told of a deposit's sender. */
export type Source = v.InferOutput<typeof Source>

/**
 * A deposit as every operation answers it. `transaction_id` is its row of the feed; `release_by`, of a held one, is
 * until when its sender may be named, after which the money goes back; `network` is that of a crypto deposit.
 */
export const Deposit = v.object({
  id: uuid,
  organization_id: uuid,
  rail: v.picklist(PARTNER_RAILS),
  network: nullableText,
  amount: AnswerMoney,
  status: v.picklist(DEPOSIT_STATUSES),
  source: Source,
  needs_sender_travel_rule: v.boolean(),
  release_by: v.nullable(timestamp),
  transaction_id: v.nullable(uuid),
  occurred_at: timestamp,
})
export type Deposit = v.InferOutput<typeof Deposit>

/** Filters of GET …/deposits; `q` is looked for in what the partner told of the sender. */
export const DepositFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist(DEPOSIT_STATUSES)),
  rail: v.optional(v.picklist(PARTNER_RAILS)),
  currency: v.optional(currencyFilter),
  ...MoneyFilters,
  q: v.optional(text(1, 255)),
})
export type DepositFilters = v.InferOutput<typeof DepositFilters>

/** Money that a partner says has come, whoever's it is. `valueUsd` is null if no rate was to be had. */
export type IncomingTransfer = {
  readonly partner: MoneyPartner
  readonly partnerDepositId: string
  readonly account: string | null
  readonly network: string | null
  readonly amount: Money
  readonly valueUsd: string | null
  readonly source: Source
  readonly reference: string | null
}

/** What became of an arrival. It names nobody, so that a history may carry it. */
export type BookingResult =
  | {
      readonly kind: 'deposit'
      readonly id: DepositId
      readonly organizationId: OrganizationId
      readonly status: DepositStatus
    }
  /** It waits for an operator in suspense. */
  | { readonly kind: 'unmatched'; readonly id: string }
  /** The partner never had it, or has sent it back before it was booked. */
  | { readonly kind: 'nothing' }

/**
 * Whether a crypto deposit waits until it is known who sent it: from the threshold on, and where its worth is unknown.
 */
export const requiresTravelRule = (valueUsd: string | null, thresholdUsd: number): boolean =>
  valueUsd === null || BigInt(valueUsd.split('.')[0] ?? '') >= BigInt(thresholdUsd)

const optionalText = v.optional(v.nullable(line(1, 255)))
const Sender = v.optional(
  v.nullable(
    v.object({ name: optionalText, reference: optionalText, account_reference: optionalText, country: optionalText }),
  ),
)

/** Body of POST /sandbox/deposits. */
export const NewDeposit = v.object({
  organization_id: id<'organization'>(),
  rail: v.picklist(PARTNER_RAILS),
  network: optionalText,
  amount: Money,
  sender: Sender,
})
export type NewDeposit = v.InferOutput<typeof NewDeposit>

/** Body of POST /sandbox/unmatched-deposits: money for an account, whoever's it is. */
export const NewArrival = v.object({
  rail: v.picklist(PARTNER_RAILS),
  network: optionalText,
  account: Reference,
  amount: Money,
  sender: Sender,
})
export type NewArrival = v.InferOutput<typeof NewArrival>

/** What became of it: a deposit of whoever has the account, or money that waits for an operator. */
export const ArrivalResult = v.object({
  status: v.picklist([...DEPOSIT_STATUSES, 'unmatched']),
  deposit_id: v.nullable(uuid),
  unmatched_deposit_id: v.nullable(uuid),
})
