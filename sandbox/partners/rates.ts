/** Stand-in of the rates desk: fixed rates of any two currencies; trades while its market is open. */
import * as v from 'valibot'
import { hashOf } from '../../services/idempotency.ts'
import { quotient } from '../../domain/money/decimal.ts'
import { Money } from '../../domain/money/money.ts'
import { executeTrade, findMarket, findTrade, listTrades } from '../db/rates.ts'
import { type Ask, type Endpoint, type Reply, isRefused, ok, otherBody, page, parse, refuseWith } from './http.ts'

/** US dollars for one unit, mid-market. */
export const USD_FOR_ONE: Readonly<Record<string, string>> = {
  USD: '1',
  EUR: '1.0842',
  GBP: '1.2715',
  CHF: '1.1306',
  JPY: '0.006512',
  CAD: '0.7294',
  AUD: '0.6587',
  NZD: '0.6041',
  SGD: '0.7431',
  HKD: '0.1279',
  SEK: '0.09487',
  NOK: '0.09312',
  DKK: '0.14532',
  PLN: '0.2519',
  CZK: '0.0432',
  HUF: '0.00276',
  INR: '0.01187',
  MXN: '0.0549',
  BRL: '0.1783',
  CNY: '0.1382',
  ZAR: '0.0546',
  AED: '0.2723',
  KRW: '0.000731',
  USDC: '1',
  USDT: '0.9996',
  BTC: '67250',
  ETH: '3480',
}
const SIGNIFICANT_DIGITS = 12

const NewTrade = v.object({ sell: Money, buy: Money })

export const ratesEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '/v1/rates', answer: getRate },
  { method: 'PUT', path: '/v1/trades/{id}', answer: putTrade },
  { method: 'GET', path: '/v1/trades', answer: ({ query }) => page(query, listTrades) },
]

async function getRate({ query }: Ask): Promise<Reply> {
  const [source, target] = [query.get('source') ?? '', query.get('target') ?? '']
  const rate = rateOf(source, target)
  if (!rate) return refuseWith('unsupported_currency', 'no rate for this pair')
  return ok({ source, target, rate, market: (await findMarket()).market_state })
}

export function rateOf(source: string, target: string): string | undefined {
  const [sold, bought] = [source, target].map((code) =>
    Object.hasOwn(USD_FOR_ONE, code) ? USD_FOR_ONE[code] : undefined,
  )
  return sold === undefined || bought === undefined ? undefined : quotient(sold, bought, SIGNIFICANT_DIGITS)
}

/** Executes a trade while the market is open; a known one is answered later too. */
async function putTrade({ id, body }: Ask): Promise<Reply> {
  const trade = parse(NewTrade, body)
  if (isRefused(trade)) return trade.refused
  const bodyHash = hashOf(body)
  if (!(await findTrade(id))) {
    if ((await findMarket()).market_state === 'closed') return refuseWith('market_closed', 'the market is closed')
    await executeTrade(id, bodyHash, trade)
  }
  const { body_hash: knownHash, ...executed } = (await findTrade(id)) ?? { body_hash: undefined }
  return knownHash === bodyHash ? ok(executed) : otherBody
}
