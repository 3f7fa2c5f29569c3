/** Driver `increase`: a bank in dollars (https://increase.com), by the types of its client. docs/drivers/increase.md. */
import type { AccountNumber, AccountNumberCreateParams } from 'increase/resources/account-numbers'
import type { BalanceLookup } from 'increase/resources/accounts'
import type { InboundACHTransferTransferReturnParams } from 'increase/resources/inbound-ach-transfers'
import type { InboundWireTransferReverseParams } from 'increase/resources/inbound-wire-transfers'
import * as v from 'valibot'
import { Reference } from '../../domain/callbacks/reference.ts'
import { now } from '../../platform/clock.ts'
import type { IncreaseSettings } from '../../platform/drivers/increase.ts'
import type { DepositView, MoneyDriver, OpenedAccount, PayoutView, Sought } from '../driver.ts'
import { notCarried, unknownMoney } from '../failures.ts'
import { type PartnerEndpoint, partnerRefusal, refusalOf, requestOrNull, requestPartner, unclear } from '../http.ts'
import { FreeText, type UnreadableRecord, isSame } from '../schemas.ts'
import { readCallback } from './callbacks.ts'
import { ARRIVALS, type Incoming, INCOMING, arrivalOfId, arrivalPath, incomingReply } from './inbound.ts'
import { type WindowPage, readWindow } from './lists.ts'
import { OPERATIONS, type Operation, planPayout } from './plan.ts'
import { TRANSFERS, type Transfer, toListed, operationOfId, pathOf, transferReply, viewOf } from './transfers.ts'
import { DOLLARS, NOT_ENABLED, Page, TheirId, decimalOf, readFailure, reads } from './words.ts'

export type IncreaseConnection = {
  readonly endpoint: PartnerEndpoint
  readonly callbackSecret: string | null
  readonly settings: IncreaseSettings
}

/** Keys are unique at Increase for ever, and its lists are found by them. */
const CAPABILITIES = {
  cancels: true,
  checksPayees: false,
  knowsBalances: true,
  keysKept: 'ever',
  absenceSureAfterSeconds: 0,
  givesVersions: false,
  debitsSent: true,
  instant: [DOLLARS],
} as const

/** Senders write into incoming transfers: one of ACH has up to 9,999 lines. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024
const HOLDER_MAX = 200

/** Makes the driver of a connection. */
export function increaseDriver({ endpoint: given, callbackSecret, settings }: IncreaseConnection): MoneyDriver {
  const endpoint = { ...given, readFailure, answerBytesMax: ANSWER_BYTES_MAX }
  const { party } = endpoint
  const ask = (path: string) => requestPartner(endpoint, { method: 'GET', path, answer: Page })
  const post = <Schema extends v.GenericSchema>(path: string, key: string, body: object, answer: Schema) =>
    requestPartner(endpoint, { method: 'POST', path, body, answer, headers: { 'idempotency-key': key } })
  const findByKey = async (operation: Operation, key: string): Promise<PayoutView | null> => {
    const query = new URLSearchParams({ account_id: settings.account, idempotency_key: key, limit: '1' }).toString()
    const path = `${pathOf(operation)}?${query}`
    const page = v.pipe(
      Page,
      v.transform(({ data }): unknown => data[0] ?? null),
      v.nullable(transferReply(operation, { key })),
    )
    const found = await requestOrNull(endpoint, { method: 'GET', path, answer: page }).catch(nullIfNotEnabled)
    return found && viewOf(found)
  }
  const incoming = async (id: string): Promise<Incoming | null> => {
    const arrival = arrivalOfId(id)
    if (!arrival) return null
    const path = `${arrivalPath(arrival)}/${id}`
    return requestOrNull(endpoint, { method: 'GET', path, answer: incomingReply(arrival, id) })
  }
  const findAccount = async (key: string): Promise<OpenedAccount | null> => {
    const query = new URLSearchParams({ account_id: settings.account, idempotency_key: key, limit: '1' }).toString()
    const { data } = await ask(`/account_numbers?${query}`)
    if (data.length === 0) return null
    const read = v.safeParse(accountReply(key), data[0])
    if (!read.success) throw unclear(endpoint, 'it lists another account number than was asked for', true)
    return read.output
  }
  return {
    describe: () => CAPABILITIES,
    plan: (order) => planPayout({ party, settings }, order),
    async send({ operation, content }, key) {
      const sent = operationIn(operation)
      if (!sent) throw refusalOf(endpoint, { code: 'operation_unknown', message: 'this operation is not known' })
      return viewOf(await post(pathOf(sent), key, content, transferReply(sent, { key })))
    },
    async find({ key, operation, theirId }) {
      const known = theirId === null ? undefined : operationOfId(theirId)
      if (theirId !== null && known) {
        const path = `${pathOf(known)}/${theirId}`
        const found = await requestOrNull(endpoint, {
          method: 'GET',
          path,
          answer: transferReply(known, { key, theirId }),
        })
        return found && viewOf(found)
      }
      const sent = operationIn(operation)
      for (const one of sent ? [sent] : OPERATIONS) {
        const found = await findByKey(one, key)
        if (found) return found
      }
      return null
    },
    async cancel({ key, theirId }: Sought) {
      const operation = theirId === null ? undefined : operationOfId(theirId)
      if (!theirId || !operation) throw refusalOf(endpoint, { code: 'payout_unknown', message: 'it was never sent' })
      const path = `${pathOf(operation)}/${theirId}/cancel`
      return viewOf(await post(path, `${key}:cancel`, {}, transferReply(operation, { key, theirId })))
    },
    async payouts(after) {
      const { entries, next } = await readWindow(
        ask,
        { paths: OPERATIONS.map(pathOf), account: settings.account },
        after,
      )
      const { data, odd } = sortOut<Transfer>(entries, (at) => TRANSFERS[OPERATIONS[at] ?? 'ach'])
      return { data: data.map(({ one }) => toListed(one)), odd, next }
    },
    async deposits(after) {
      const paths = ARRIVALS.map(arrivalPath)
      const { entries, next } = await readWindow(ask, { paths, account: settings.account }, after)
      const { data, odd } = sortOut<Incoming>(entries, (at) => INCOMING[ARRIVALS[at] ?? 'ach'])
      const others = data.flatMap(({ one, position, id }): UnreadableRecord[] =>
        typeof one !== 'string' || one === 'not_yet' ? [] : [{ id, position, isZeroAmount: one === 'zero' }],
      )
      return { data: data.flatMap(({ one }) => (typeof one === 'string' ? [] : [one])), odd: [...odd, ...others], next }
    },
    async deposit(id) {
      const found = await incoming(id)
      if (found === 'unknown_money') throw unknownMoney(party)
      return typeof found === 'string' ? null : found
    },
    async returnDeposit({ id, amount }, key) {
      const arrival = arrivalOfId(id)
      const way = arrival && RETURNS[arrival]
      if (!way) throw refusalOf(endpoint, { code: 'not_returnable', message: 'this network takes nothing back' })
      const path = `${arrivalPath(arrival)}/${id}/${way.path}`
      const answered = await post(path, key, way.body, incomingReply(arrival, id)).catch(async (error: unknown) => {
        if (!partnerRefusal(error)) throw error
        const found = await incoming(id) // it may have gone back before
        return isBack(found) ? found : Promise.reject(error)
      })
      if (!isBack(answered)) throw unclear(endpoint, 'it has not sent the money back yet', true)
      if (!isSame(answered.amount, amount)) throw unclear(endpoint, 'it names another amount than came', true)
      return answered
    },
    async openAccount(order, key) {
      if (!('currency' in order) || order.currency !== DOLLARS) throw notCarried(party)
      const known = await findAccount(key) // its holder may have another name since
      if (known) return known
      const name = order.holder.slice(0, HOLDER_MAX)
      const body = {
        account_id: settings.account,
        name,
        inbound_ach: { debit_status: 'blocked' }, // nobody takes money out of it
      } satisfies AccountNumberCreateParams
      return post('/account_numbers', key, body, accountReply(key))
    },
    findAccount,
    async balances() {
      const asOf = now().toISOString() // before the answer: what it counts beside is dated later, and is looked at again
      const path = `/accounts/${settings.account}/balance`
      const { available_balance: cents } = await requestPartner(endpoint, {
        method: 'GET',
        path,
        answer: balanceReply(settings),
      })
      return [{ currency: DOLLARS, network: null, amount: decimalOf(cents), asOf }]
    },
    readCallback: (callback) => readCallback(callbackSecret, callback),
  }
}

const operationIn = (name: string | null): Operation | undefined => OPERATIONS.find((one) => one === name)

const isBack = (found: Incoming | null): found is DepositView =>
  found !== null && typeof found !== 'string' && found.status === 'returned'

/** Ways back of what has come; those of RTP and FedNow end with their receipt. */
const RETURNS: Readonly<Partial<Record<(typeof ARRIVALS)[number], { readonly path: string; readonly body: object }>>> =
  {
    ach: {
      path: 'transfer_return',
      body: { reason: 'credit_entry_refused_by_receiver' } satisfies InboundACHTransferTransferReturnParams,
    },
    wire: { path: 'reverse', body: { reason: 'creditor_request' } satisfies InboundWireTransferReverseParams },
  }

/** Reads each entry of a page on its own; one that cannot be read stops no other. */
function sortOut<Read>(
  entries: WindowPage['entries'],
  schemaOf: (resource: number) => v.GenericSchema<unknown, Read>,
): { readonly data: readonly ReadEntry<Read>[]; readonly odd: readonly UnreadableRecord[] } {
  const [data, odd]: [ReadEntry<Read>[], UnreadableRecord[]] = [[], []]
  for (const [position, { resource, entry }] of entries.entries()) {
    const read = v.safeParse(schemaOf(resource), entry)
    const id = idIn(entry)
    if (read.success) data.push({ one: read.output, position, id })
    else odd.push({ id, position, isZeroAmount: false })
  }
  return { data, odd }
}
type ReadEntry<Read> = { readonly one: Read; readonly position: number; readonly id: string | null }

const Identified = v.object({ id: TheirId })
function idIn(entry: unknown): string | null {
  const read = v.safeParse(Identified, entry)
  return read.success ? read.output.id : null
}

/** Counts a network that the account does not have as one without the payout. */
function nullIfNotEnabled(failure: unknown): null {
  if (partnerRefusal(failure)?.code === NOT_ENABLED) return null
  throw failure
}

/** Makes the schema of the account number of a key; payers need its number and routing number. */
const accountReply = (key: string) =>
  v.pipe(
    reads<AccountNumber>()(
      v.object({
        id: Reference,
        type: v.literal('account_number'),
        idempotency_key: v.nullable(v.string()),
        account_number: FreeText,
        routing_number: FreeText,
        name: FreeText,
      }),
    ),
    v.check((one) => one.idempotency_key === key, 'must be of our key'),
    v.transform(({ id, name, account_number, routing_number }): OpenedAccount => ({
      account: id,
      details: {
        account_holder_name: name,
        currency: DOLLARS,
        country_code: 'US',
        account_number,
        aba_code: routing_number,
      },
    })),
  )

/** Makes the schema of the balance: what is there less all that was sent, whatever became of it since. */
const balanceReply = ({ account }: IncreaseSettings) =>
  v.pipe(
    reads<BalanceLookup>()(
      v.object({ account_id: v.string(), available_balance: v.pipe(v.number(), v.safeInteger()) }),
    ),
    v.check((one) => one.account_id === account, 'must be of our account'),
  )
