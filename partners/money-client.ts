import { ApplicationFailure } from '@temporalio/common'
import * as v from 'valibot'
import type { Money } from '../domain/money/money.ts'
import { PAYOUT_STATUSES, type PartnerPayout } from '../domain/partner.ts'
import { type PartnerEndpoint, requestPartner, requestOrNull } from './http.ts'
import { Reference } from '../domain/callbacks/reference.ts'
import {
  type UnreadableRecord,
  PartnerMoney,
  FreeText,
  idOf,
  isZeroAmount,
  isOfUnknownMoney,
  isSame,
  pageOf,
  pageQuery,
} from './schemas.ts'

/** Order of a payout; `beneficiary` has the coordinates of the destination, `payee_address` their holder's address. */
export type PayoutOrder = {
  readonly amount: Money
  readonly reference: string
  readonly beneficiary: object
  readonly payee_address?: object
}

export type ListedPayout = PartnerPayout & { readonly id: string; readonly amount: Money }

/** Deposit at the partner. It names people: it must not enter a workflow history. */
export type PartnerDeposit = {
  readonly id: string
  readonly account: string
  readonly amount: Money
  readonly sender: {
    readonly name: string | null
    readonly reference: string | null
    readonly account_reference: string | null
    readonly country: string | null
  }
  readonly status: 'received' | 'returned'
  readonly reference: string | null
  readonly receivedAt: string
}

/** Account to open: a currency at the bank, a coin on a network at the custodian. */
export type AccountRequest =
  | { readonly currency: string; readonly holder: string }
  | { readonly network: string; readonly coin: string }

/** Page of a partner's list, oldest first; `next` is the `after` of the next page, null at the end. */
export type PartnerPage<Entry> = {
  readonly data: readonly Entry[]
  readonly odd: readonly UnreadableRecord[]
  readonly next: string | null
}

/**
 * Client of bank or custodian (docs/partners.md). Calls are idempotent, and fail as `requestPartner` does. Calls about
 * a payout fail for good (`isAnotherAmount`) if the partner has another amount.
 */
export type MoneyPartnerClient = {
  readonly putPayout: (id: string, order: PayoutOrder) => Promise<PartnerPayout>
  /** Null: the partner never received it. */
  readonly getPayout: (id: string, amount: Money) => Promise<PartnerPayout | null>
  readonly listPayouts: (after?: string) => Promise<PartnerPage<ListedPayout>>
  /** Requests the cancellation; answers the payout, which is not `cancelled` if it was too late. */
  readonly cancelPayout: (id: string, amount: Money) => Promise<PartnerPayout>
  /** Null without such a deposit, or if it is of zero. Fails for good (`isUnknownMoney`) for unknown money. */
  readonly getDeposit: (id: string) => Promise<PartnerDeposit | null>
  readonly listDeposits: (after?: string) => Promise<PartnerPage<PartnerDeposit>>
  /** Sends the money back to its source; unclear unless the answer is `returned`. */
  readonly returnDeposit: (id: string, amount: Money, reason: string) => Promise<PartnerDeposit>
  /** Opens an account under the id of a receiving account; `details` are what a payer needs, by name. */
  readonly openAccount: (
    id: string,
    request: AccountRequest,
  ) => Promise<{ account: string; details: Record<string, string> }>
}

const VERSION_MAX = 2 ** 31 - 1 // range of its column
const DETAILS_MAX = 32
/** Page size of deposits: senders write into them, and more could exceed the bytes that are read. */
const DEPOSITS_PAGE = 10

const payout = (asked?: string) =>
  v.object({
    id: idOf(asked),
    status: v.picklist(PAYOUT_STATUSES),
    detail: v.pipe(v.nullish(v.string(), ''), FreeText),
    reference: v.nullable(Reference),
    version: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(VERSION_MAX)),
    amount: PartnerMoney,
    updated_at: v.pipe(v.string(), v.isoTimestamp()),
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
    v.transform(({ received_at: receivedAt, ...rest }): PartnerDeposit => ({ ...rest, receivedAt })),
  )

/** Makes the schema of a deposit; null for zero, `unknown_money` for an unknown token. */
const arrival = (asked: string) =>
  v.lazy((answered): v.GenericSchema<unknown, PartnerDeposit | 'unknown_money' | null> => {
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

const account = (asked: string) =>
  v.object({
    id: idOf(asked),
    account: Reference,
    details: v.pipe(v.record(Reference, FreeText), v.maxEntries(DETAILS_MAX)),
  })

const ListedPayouts = pageOf(payout())
const ListedDeposits = pageOf(deposit(), DEPOSITS_PAGE)

type PayoutReply = v.InferOutput<ReturnType<typeof payout>>
const viewOf = ({ status, detail, reference, version }: PayoutReply): PartnerPayout => ({
  status,
  detail,
  reference,
  version,
})

/** Checks the amount of a payout. Fails for good (`isAnotherAmount`) if it differs. */
function checkOrdered({ party }: PartnerEndpoint, reply: PayoutReply, amount: Money): PartnerPayout {
  if (isSame(reply.amount, amount)) return viewOf(reply)
  throw ApplicationFailure.nonRetryable(`${party} names another amount than was ordered`, ANOTHER_AMOUNT)
}

const ANOTHER_AMOUNT = 'AnotherAmount'
const UNKNOWN_MONEY = 'UnknownMoney'

/** Tells whether a payout has another amount than ordered: none of it can be booked. */
export const isAnotherAmount = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && failure.type === ANOTHER_AMOUNT

export const isUnknownMoney = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && failure.type === UNKNOWN_MONEY

const returnReply = (id: string, amount: Money) =>
  v.pipe(
    deposit(id),
    v.check((reply) => reply.status === 'returned', 'must be returned'),
    v.check((reply) => isSame(reply.amount, amount), 'must be the amount that came'),
  )

export function moneyClient(endpoint: PartnerEndpoint): MoneyPartnerClient {
  return {
    async putPayout(id, order) {
      const made = { method: 'PUT', path: `/v1/payouts/${id}`, body: order, answer: payout(id) } as const
      return checkOrdered(endpoint, await requestPartner(endpoint, made), order.amount)
    },
    async getPayout(id, amount) {
      const found = await requestOrNull(endpoint, { method: 'GET', path: `/v1/payouts/${id}`, answer: payout(id) })
      return found && checkOrdered(endpoint, found, amount)
    },
    async listPayouts(after) {
      const path = `/v1/payouts${pageQuery(after)}`
      const { data, ...page } = await requestPartner(endpoint, { method: 'GET', path, answer: ListedPayouts })
      return { ...page, data: data.map((one) => ({ ...viewOf(one), id: one.id, amount: one.amount })) }
    },
    async cancelPayout(id, amount) {
      const path = `/v1/payouts/${id}/cancellation`
      const left = await requestPartner(endpoint, { method: 'PUT', path, body: {}, answer: payout(id) })
      return checkOrdered(endpoint, left, amount)
    },
    async getDeposit(id) {
      const found = await requestOrNull(endpoint, { method: 'GET', path: `/v1/deposits/${id}`, answer: arrival(id) })
      if (found !== 'unknown_money') return found
      throw ApplicationFailure.nonRetryable(
        `${endpoint.party} holds what the books have no currency for`,
        UNKNOWN_MONEY,
      )
    },
    listDeposits: (after) =>
      requestPartner(endpoint, {
        method: 'GET',
        path: `/v1/deposits${pageQuery(after, DEPOSITS_PAGE)}`,
        answer: ListedDeposits,
      }),
    returnDeposit: (id, amount, reason) =>
      requestPartner(endpoint, {
        method: 'PUT',
        path: `/v1/deposits/${id}/return`,
        body: { reason },
        answer: returnReply(id, amount),
      }),
    async openAccount(id, request) {
      const path = `/v1/accounts/${id}`
      const opened = await requestPartner(endpoint, { method: 'PUT', path, body: request, answer: account(id) })
      return { account: opened.account, details: opened.details }
    },
  }
}
