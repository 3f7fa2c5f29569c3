/** Driver `http`: banks and custodians that speak our own protocol, as adapters do (docs/partners.md). */
import type { Money } from '../../domain/money/money.ts'
import { newId } from '../../domain/ids.ts'
import { PAYEE_CHECK_MS } from '../../domain/payee-checks/payee-check.ts'
import type { PartnerRail } from '../../domain/rails.ts'
import { config } from '../../platform/config.ts'
import type { Capabilities, MoneyDriver, PayoutOrder } from '../driver.ts'
import { unknownMoney } from '../failures.ts'
import { type PartnerEndpoint, refusalOf, requestOrNull, requestPartner } from '../http.ts'
import { pageQuery } from '../schemas.ts'
import { readCallback } from './callbacks.ts'
import { entityCalls } from './entities.ts'
import {
  Balances,
  DEPOSITS_PAGE,
  ListedDeposits,
  ListedPayouts,
  accountReply,
  depositReply,
  payeeReply,
  payoutReply,
  returnReply,
  viewOf,
} from './replies.ts'

/** Connection of the driver. A bank never takes back a payout, a custodian does until it broadcasts. */
export type HttpConnection = {
  readonly endpoint: PartnerEndpoint
  readonly rail: PartnerRail
  readonly callbackSecret: string | null
  /** Hours after which an adapter makes a new payout for the same id; null: never, as the protocol asks. */
  readonly keysKeptHours: number | null
  /** Currencies of instant payments. */
  readonly instant: 'all' | readonly string[]
  /** It verifies organizations. */
  readonly verifies: boolean
}

/** Body of an order (docs/partners.md). */
type OrderBody = {
  readonly amount: Money
  /** Absent of a standard order. */
  readonly speed?: 'instant'
  readonly reference: string
  readonly beneficiary: object
  readonly payee_address?: object
  readonly payer?: object
  readonly payee?: object
}

/** Keys are ids of the protocol itself: the same id with the same body is the same resource, for ever. */
const KEEPS = { knowsBalances: true, keysKept: 'ever', absenceSureAfterSeconds: 0, givesVersions: true } as const
/** Seconds after which an adapter that forgets knows what has arrived. */
const ABSENCE_SECONDS = 60

type Optional = 'reachesInstantly' | 'sweep' | 'verifyEntity' | 'findEntity'
type HttpDriver = Omit<Required<MoneyDriver>, Optional> & Pick<MoneyDriver, Optional>

/** Makes the driver of a connection. */
export function httpDriver(connection: HttpConnection): HttpDriver {
  const { endpoint, rail, callbackSecret, keysKeptHours, instant, verifies } = connection
  const forgets = keysKeptHours !== null && { keysKept: keysKeptHours, absenceSureAfterSeconds: ABSENCE_SECONDS }
  const offers = { cancels: rail === 'crypto', checksPayees: rail === 'fiat', instant }
  const capabilities: Capabilities = { ...KEEPS, ...forgets, ...offers }
  /** A person waits for the answer. */
  const hurried = {
    ...endpoint,
    timeoutMs: Math.min(endpoint.timeoutMs, PAYEE_CHECK_MS, Math.ceil(config.requestDeadlineMs / 2)),
  }
  return {
    describe: () => capabilities,
    plan(order) {
      const { id, amount, speed } = order
      if (speed === 'instant' && instant !== 'all' && !instant.includes(amount.currency)) {
        throw refusalOf(endpoint, {
          code: 'instant_unavailable',
          message: 'it has no instant payments in this currency',
        })
      }
      return { id, operation: 'payout', amount, content: bodyOf(order) }
    },
    async send({ id, content: body }, _key) {
      return viewOf(await requestPartner(endpoint, { ...putting(`payouts/${id}`, body), answer: payoutReply(id) }))
    },
    async find({ id }) {
      const question = { method: 'GET', path: `/v1/payouts/${id}`, answer: payoutReply(id) } as const
      const found = await requestOrNull(endpoint, question)
      return found && viewOf(found)
    },
    async cancel({ id }) {
      const question = { ...putting(`payouts/${id}/cancellation`, {}), answer: payoutReply(id) }
      return viewOf(await requestPartner(endpoint, question))
    },
    async payouts(after) {
      const path = `/v1/payouts${pageQuery(after)}`
      const { data, ...page } = await requestPartner(endpoint, { method: 'GET', path, answer: ListedPayouts })
      return { ...page, data: data.map((one) => ({ ...viewOf(one), id: one.id, changedAt: one.updated_at })) }
    },
    deposits: (after) =>
      requestPartner(endpoint, {
        method: 'GET',
        path: `/v1/deposits${pageQuery(after, DEPOSITS_PAGE)}`,
        answer: ListedDeposits,
      }),
    async deposit(id) {
      const question = { method: 'GET', path: `/v1/deposits/${id}`, answer: depositReply(id) } as const
      const found = await requestOrNull(endpoint, question)
      if (found === 'unknown_money') throw unknownMoney(endpoint.party)
      return found
    },
    returnDeposit: ({ id, amount, reason }) =>
      requestPartner(endpoint, { ...putting(`deposits/${id}/return`, { reason }), answer: returnReply(id, amount) }),
    async openAccount({ id, ...terms }) {
      const question = { ...putting(`accounts/${id}`, terms), answer: accountReply(id) }
      const { account, details } = await requestPartner(endpoint, question)
      return { account, details }
    },
    // the protocol has no question about an account: its order is repeated, which makes nothing new
    findAccount: () => Promise.resolve(null),
    async checkPayee({ name, account }) {
      const id = newId()
      const question = { ...putting(`payee-checks/${id}`, { name, account }), answer: payeeReply(id) }
      const { result, name: known, reason } = await requestPartner(hurried, question)
      return { result, name: known, reason }
    },
    balances: () =>
      requestOrNull(endpoint, { method: 'GET', path: '/v1/balances', answer: Balances, isOptional: true }),
    ...(verifies && entityCalls(endpoint)),
    readCallback: (callback) => readCallback(callbackSecret, callback),
  }
}

const putting = (path: string, body: object) => ({ method: 'PUT', path: `/v1/${path}`, body }) as const

const bodyOf = ({ amount, speed, reference, beneficiary, payeeAddress, payer, payee }: PayoutOrder): OrderBody => ({
  amount,
  ...(speed === 'instant' && { speed }),
  reference,
  beneficiary,
  ...(payeeAddress && { payee_address: payeeAddress }),
  ...(payer && { payer }),
  ...(payee && { payee }),
})
