/** Port of rates: what a desk, or a source of rates that trades nothing, answers. */
import type { OpenPosition, Trade } from '../domain/covers/trade.ts'
import type { Money } from '../domain/money/money.ts'
import type { PartnerPage } from './driver.ts'

/** Target units for one source unit in the middle of the market, and whether that is open. */
export type Rate = { readonly rate: string; readonly market: 'open' | 'closed' }

/** Order of a trade: the fixed side is traded exactly, the other one is what it was quoted at, and floats. */
export type TradeOrder = OpenPosition & { readonly fixed: 'sell' | 'buy' }

/** Trade in a desk's list; `id` is the cover's. */
export type ListedTrade = {
  readonly id: string
  readonly sell: Money
  readonly buy: Money
  readonly executedAt: string
  /** Day on which both amounts are exchanged; null if they were at once. */
  readonly settlesOn: string | null
  readonly settled: boolean
}

/** Desk that trades; a trade is idempotent. */
export type TradingDesk = {
  /** Trades under a cover's id. Refused as `market_closed` while the market is closed. */
  readonly putTrade: (id: string, order: TradeOrder) => Promise<Trade>
  readonly listTrades: (after?: string) => Promise<PartnerPage<ListedTrade>>
}

/** Driver of a connection that serves rates. Calls fail as `requestPartner` does. */
export type RatesDriver = {
  readonly askRate: (source: string, target: string) => Promise<Rate>
  /** Null if nobody trades there: operators deal, and record it. */
  readonly trades: TradingDesk | null
}
