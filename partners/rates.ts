import * as v from 'valibot'
import { config } from '../platform/config.ts'
import type { Money } from '../domain/money/money.ts'
import { type PartnerEndpoint, requestPartner, endpointOf } from './http.ts'
import type { PartnerPage } from './driver.ts'
import { PartnerMoney, idOf, isSame, pageOf, pageQuery } from './schemas.ts'

/** Target units for one source unit, and whether the market is open. */
export type Rate = { readonly rate: string; readonly market: 'open' | 'closed' }
/** Trade in the desk's list; `id` is the cover's. */
export type ListedTrade = {
  readonly id: string
  readonly sell: Money
  readonly buy: Money
  readonly executedAt: string
}

/** Client of the rates desk. Calls fail as `requestPartner` does; a trade is idempotent. */
export type RatesClient = {
  readonly askRate: (source: string, target: string) => Promise<Rate>
  /** Trades under a cover's id. Refused as `market_closed` while the market is closed. */
  readonly putTrade: (id: string, trade: { sell: Money; buy: Money }) => Promise<void>
  readonly listTrades: (after?: string) => Promise<PartnerPage<ListedTrade>>
}

const RATE = /^(?=.*[1-9])(0|[1-9]\d{0,14})(\.\d{1,40})?$/

const trade = (asked?: string) =>
  v.pipe(
    v.object({
      id: idOf(asked),
      sell: PartnerMoney,
      buy: PartnerMoney,
      status: v.literal('executed'),
      executed_at: v.pipe(v.string(), v.isoTimestamp()),
    }),
    v.transform(({ id, sell, buy, executed_at: executedAt }): ListedTrade => ({ id, sell, buy, executedAt })),
  )
const ListedTrades = pageOf(trade())

/** Tells if a rates desk is connected: without one nothing is exchanged, and no rate is asked for. */
export const hasDesk = config.partners.rates !== null

/** Endpoint without a desk: nothing listens there. */
const NO_DESK: PartnerEndpoint = { party: 'rates', url: 'http://localhost:0', key: '', timeoutMs: 1, queues: ['rates'] }

export function ratesClient(endpoint: PartnerEndpoint): RatesClient {
  return {
    async askRate(source, target) {
      const path = `/v1/rates?source=${encodeURIComponent(source)}&target=${encodeURIComponent(target)}`
      const answer = v.object({
        source: v.literal(source),
        target: v.literal(target),
        rate: v.pipe(v.string(), v.regex(RATE)),
        market: v.picklist(['open', 'closed']),
      })
      const { rate, market } = await requestPartner(endpoint, { method: 'GET', path, answer })
      return { rate, market }
    },
    async putTrade(id, { sell, buy }) {
      const answer = v.pipe(
        trade(id),
        v.check((made) => isSame(made.sell, sell) && isSame(made.buy, buy), 'must be the trade that was asked for'),
      )
      await requestPartner(endpoint, { method: 'PUT', path: `/v1/trades/${id}`, body: { sell, buy }, answer })
    },
    listTrades: (after) =>
      requestPartner(endpoint, { method: 'GET', path: `/v1/trades${pageQuery(after)}`, answer: ListedTrades }),
  }
}

const endpoint = endpointOf('rates') ?? NO_DESK
export const { putTrade, listTrades } = ratesClient(endpoint)
/**
 * Asks for a rate, with a timeout of half a request, because a person waits for it. Deposits of coins ask within the
 * queue of the custodian, few at once.
 */
export const { askRate } = ratesClient({
  ...endpoint,
  queues: [...endpoint.queues, 'custodian'],
  timeoutMs: Math.min(endpoint.timeoutMs, Math.ceil(config.requestDeadlineMs / 2)),
})
