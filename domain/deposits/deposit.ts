/** A deposit: money that came in from outside the service. */
import { v5 } from 'uuid'
import * as v from 'valibot'
import { DEPOSIT_STATUSES, type DepositStatus } from './flow.ts'
import { type DepositId, type OrganizationId, id } from '../ids.ts'
import { Money } from '../money/money.ts'
import { MoneyFilters, PageQuery, currencyFilter } from '../pagination.ts'
import type { ConnectionName } from '../partner.ts'
import { Reference } from '../callbacks/reference.ts'
import { PARTNER_RAILS } from '../rails.ts'
import { model, AnswerMoney, line, nullableText, text, timestamp, uuid, describe } from '../text.ts'

const NAMESPACE = '9f6d0b1e-5d38-4a35-8a0b-6f0f7f2f7c11'

/** Derives our id of a partner's deposit. */
export const depositIdOf = (partner: ConnectionName, partnerDepositId: string): DepositId =>
  // A uuid of the row that it names.
  v5(`${partner}:${partnerDepositId}`, NAMESPACE) as DepositId

const Source = model('DepositSource', {
  name: nullableText,
  reference: describe(nullableText, 'Text of the sender.'),
  account_reference: nullableText,
  country: nullableText,
})
export type Source = v.InferOutput<typeof Source>

/** A deposit as it is answered; `release_by` of a held one: then the money goes back unless its sender is named. */
export const Deposit = model('Deposit', {
  id: uuid,
  organization_id: uuid,
  rail: v.picklist(PARTNER_RAILS),
  connection: nullableText,
  network: nullableText,
  amount: describe(AnswerMoney, 'Amount that came.'),
  status: v.picklist(DEPOSIT_STATUSES),
  source: Source,
  needs_sender_travel_rule: v.boolean(),
  release_by: describe(
    v.nullable(timestamp),
    'Instant until which the statements can be made; then the deposit is returned.',
  ),
  transaction_id: v.nullable(uuid),
  occurred_at: timestamp,
})
export type Deposit = v.InferOutput<typeof Deposit>

/** Filters of a list of deposits; `q` looks in the sender. */
export const DepositFilters = v.object({
  ...PageQuery,
  status: v.optional(v.picklist(DEPOSIT_STATUSES)),
  rail: v.optional(v.picklist(PARTNER_RAILS)),
  currency: v.optional(currencyFilter),
  ...MoneyFilters,
  q: v.optional(text(1, 255)),
})
export type DepositFilters = v.InferOutput<typeof DepositFilters>

/** A deposit by its partner's id, which the other partner may use for another one. */
export type PartnersDeposit = { readonly partner: ConnectionName; readonly partnerDepositId: string }

/** Money that came at a partner, with or without an owner; `valueUsd` is null if there was no rate. */
export type IncomingTransfer = PartnersDeposit & {
  readonly account: string | null
  readonly network: string | null
  readonly amount: Money
  readonly valueUsd: string | null
  readonly source: Source
  readonly reference: string | null
}

/** The result of booking a transfer, without personal data: histories carry it. */
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

/** Tells if a crypto deposit waits for its sender: from the threshold on, and if its worth is unknown. */
export const requiresTravelRule = (valueUsd: string | null, thresholdUsd: number): boolean =>
  valueUsd === null || BigInt(valueUsd.split('.')[0] ?? '') >= BigInt(thresholdUsd)

const optionalText = v.optional(v.nullable(line(1, 255)))
const Sender = v.optional(
  v.nullable(
    model('NewSender', {
      name: describe(optionalText, 'Name of the sender.'),
      reference: describe(optionalText, 'Text of the sender.'),
      account_reference: optionalText,
      country: optionalText,
    }),
  ),
)

/** Body of POST /sandbox/deposits. */
export const NewDeposit = model('NewDeposit', {
  organization_id: id<'organization'>(),
  rail: v.picklist(PARTNER_RAILS),
  network: optionalText,
  amount: Money,
  sender: Sender,
})
export type NewDeposit = v.InferOutput<typeof NewDeposit>

/** Body of POST /sandbox/unmatched-deposits: money for an account, with or without an owner. */
export const NewArrival = model('NewSandboxArrival', {
  rail: v.picklist(PARTNER_RAILS),
  network: optionalText,
  account: describe(Reference, 'Account at which the money arrives.'),
  amount: Money,
  sender: Sender,
})
export type NewArrival = v.InferOutput<typeof NewArrival>

/** Its answer: a deposit of the account's owner, or an unmatched one. */
export const ArrivalResult = model('SandboxArrival', {
  status: v.picklist([...DEPOSIT_STATUSES, 'unmatched']),
  deposit_id: v.nullable(uuid),
  unmatched_deposit_id: describe(v.nullable(uuid), 'Id of the unmatched deposit, if the account has no owner.'),
})
