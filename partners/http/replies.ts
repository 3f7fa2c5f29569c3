/** Answers of partners that speak our own protocol (docs/partners.md). */
import * as v from 'valibot'
import { Reference } from '../../domain/callbacks/reference.ts'
import type { Money } from '../../domain/money/money.ts'
import { PAYOUT_STATUSES } from '../../domain/partner.ts'
import { NOT_POSSIBLE_REASONS, PAYEE_RESULTS } from '../../domain/payee-checks/payee-check.ts'
import type { DepositView, PayoutView } from '../driver.ts'
import {
  FreeText,
  PartnerCharges,
  PartnerMoney,
  PartnerPart,
  idOf,
  isOfUnknownMoney,
  isSame,
  isZeroAmount,
  pageOf,
} from '../schemas.ts'

const VERSION_MAX = 2 ** 31 - 1 // range of its column
const DETAILS_MAX = 32
/** Page size of deposits: senders write into them, and more could exceed the bytes that are read. */
export const DEPOSITS_PAGE = 10
const BALANCES_MAX = 500

export const payoutReply = (asked?: string) =>
  v.object({
    id: idOf(asked),
    status: v.picklist(PAYOUT_STATUSES),
    detail: v.pipe(v.nullish(v.string(), ''), FreeText),
    reference: v.nullable(Reference),
    version: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(VERSION_MAX)),
    amount: PartnerMoney,
    returned: v.nullish(PartnerPart, null),
    charges: v.nullish(PartnerCharges, null),
    updated_at: v.pipe(v.string(), v.isoTimestamp()),
  })
export type PayoutReply = v.InferOutput<ReturnType<typeof payoutReply>>

export const viewOf = ({ returned, charges, ...reply }: PayoutReply): PayoutView => ({
  theirId: null,
  status: reply.status,
  detail: reply.detail,
  reference: reply.reference,
  version: reply.version,
  amount: reply.amount,
  ...(returned && { returned }),
  ...(charges && { charges }),
})

const deposit = (asked?: string) =>
  v.pipe(
    v.object({
      id: idOf(asked),
      account: Reference,
      amount: PartnerMoney,
      sender: v.object({
        name: v.nullish(FreeText, null),
        reference: v.nullish(FreeText, null),
        account_reference: v.nullish(FreeText, null),
        country: v.nullish(FreeText, null),
      }),
      status: v.picklist(['received', 'returned']),
      reference: v.nullable(Reference),
      received_at: v.pipe(v.string(), v.isoTimestamp()),
    }),
    v.transform(({ received_at: receivedAt, ...rest }): DepositView => ({ ...rest, receivedAt })),
  )

/** Makes the schema of a deposit; null for zero, `unknown_money` for an unknown token. */
export const depositReply = (asked: string) =>
  v.lazy((answered): v.GenericSchema<unknown, DepositView | 'unknown_money' | null> => {
    const about = v.object({ id: idOf(asked) })
    if (isZeroAmount(answered))
      return v.pipe(
        about,
        v.transform(() => null),
      )
    if (isOfUnknownMoney(answered))
      return v.pipe(
        about,
        v.transform(() => 'unknown_money' as const),
      )
    return deposit(asked)
  })

export const returnReply = (id: string, amount: Money) =>
  v.pipe(
    deposit(id),
    v.check((reply) => reply.status === 'returned', 'must be returned'),
    v.check((reply) => isSame(reply.amount, amount), 'must be the amount that came'),
  )

export const accountReply = (asked: string) =>
  v.object({
    id: idOf(asked),
    account: Reference,
    details: v.pipe(v.record(Reference, FreeText), v.maxEntries(DETAILS_MAX)),
  })

const Reason = v.fallback(v.nullish(v.picklist(NOT_POSSIBLE_REASONS), null), 'not_supported')

export const payeeReply = (id: string) =>
  v.pipe(
    v.object({
      id: idOf(id),
      result: v.picklist(PAYEE_RESULTS),
      name: v.nullish(FreeText, null),
      reason: Reason,
    }),
    v.check(({ result, name }) => result !== 'close_match' || Boolean(name), 'a close match has a name'),
  )

export const ListedPayouts = pageOf(payoutReply())
export const ListedDeposits = pageOf(deposit(), DEPOSITS_PAGE)

/** Balances by currency; what the books have no currency for is left out by whom compares them. */
export const Balances = v.pipe(
  v.object({
    data: v.pipe(
      v.array(
        v.object({
          currency: v.pipe(v.string(), v.regex(/^[A-Z]{3,5}$/)),
          network: v.nullish(v.pipe(v.string(), v.regex(/^[a-z]{1,32}$/)), null),
          amount: v.pipe(v.string(), v.regex(/^-?(0|[1-9]\d{0,30})(\.\d{1,18})?$/)),
          as_of: v.pipe(v.string(), v.isoTimestamp()),
        }),
      ),
      v.maxLength(BALANCES_MAX),
    ),
  }),
  v.transform(({ data }) => data.map(({ as_of: asOf, ...balance }) => ({ ...balance, asOf }))),
)
