import * as v from 'valibot'
import { type PartnerEndpoint, requestPartner } from '../http.ts'
import type { ListedTrade, RatesDriver, TradingDesk } from '../rates-driver.ts'
import { isOnCalendar } from '../../domain/instants.ts'
import { PartnerMoney, idOf, isSame, pageOf, pageQuery } from '../schemas.ts'

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

/** Makes the driver of a desk that speaks our own protocol (docs/partners.md). */
export const deskRates = (endpoint: PartnerEndpoint): RatesDriver & { readonly trades: TradingDesk } => ({
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
  trades: {
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
  },
})
