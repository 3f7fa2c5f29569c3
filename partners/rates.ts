import * as v from 'valibot'
import { config } from '../platform/config.ts'
import { type PartnerEndpoint, requestPartner, endpointOf } from './http.ts'
import type { ListedTrade, RatesClient } from './rates-driver.ts'
import { isOnCalendar } from '../domain/instants.ts'
import { PartnerMoney, idOf, isSame, pageOf, pageQuery } from './schemas.ts'

const RATE = /^(?=.*[1-9])(0|[1-9]\d{0,14})(\.\d{1,40})?$/

const Day = v.pipe(v.string(), v.isoDate(), v.check(isOnCalendar, 'must be a day of the calendar'))

const trade = (asked?: string) =>
  v.pipe(
    v.object({
      id: idOf(asked),
      sell: PartnerMoney,
      buy: PartnerMoney,
      status: v.picklist(['executed', 'settled']),
      executed_at: v.pipe(v.string(), v.isoTimestamp()),
      settles_on: v.nullish(Day, null),
    }),
    v.transform(({ executed_at: executedAt, settles_on: settlesOn, status, ...made }): ListedTrade => ({
      ...made,
      executedAt,
      settlesOn,
      settled: status === 'settled',
    })),
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
    async putTrade(id, { sell, buy, fixed }) {
      const [exact, floating] = fixed === 'buy' ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const)
      const answer = v.pipe(
        trade(id),
        v.check((made) => isSame(made[exact], { sell, buy }[exact]), `must fix the ${exact} side that was asked for`),
        v.check(
          (made) => made[floating].currency === { sell, buy }[floating].currency,
          'must be in the currencies that were asked for',
        ),
      )
      // the side to buy is fixed unless the order says otherwise: an order that is repeated stays the same, byte by byte
      const body = { sell, buy, ...(fixed === 'sell' && { fixed }) }
      const made = await requestPartner(endpoint, { method: 'PUT', path: `/v1/trades/${id}`, body, answer })
      return { sold: made.sell, bought: made.buy, settlesOn: made.settlesOn }
    },
    listTrades: (after) =>
      requestPartner(endpoint, { method: 'GET', path: `/v1/trades${pageQuery(after)}`, answer: ListedTrades }),
  }
}

const endpoint = config.partners.rates ? endpointOf(config.partners.rates) : NO_DESK
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
