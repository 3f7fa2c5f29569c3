/** Lists of covers over all organizations: open ones, and trades that have not settled. */
import type { OpenPosition } from '../../domain/covers/trade.ts'
import type { CoverId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { sql } from '../../db/postgres/sql.ts'

/** Amount of a trade or dealing that has not reached its owner yet; above zero: it comes to us. */
export type TradeInFlight = {
  readonly id: string
  /** Connection of the desk. */
  readonly connection: string
  readonly amount: Money
  readonly settlesOn: string
}

/**
 * Lists what trades of our own position will move, by trade and currency. Until then the money is where it was before
 * the trade, which the account of the desk has already; a trade without a day of settlement is not among them.
 */
export async function listTradesInFlight(): Promise<TradeInFlight[]> {
  const rows = await sql<{ id: string; connection: string; amount: string; currency: string; settlesOn: string }[]>`
    select id, connection, amount, currency, settles_on as "settlesOn" from trades_in_flight() order by 1, 4`
  return rows.map(({ amount, currency, ...row }) => ({ ...row, amount: moneyOf(amount, currency) }))
}

/** An open cover as operators see it. */
export type ListedCover = OpenPosition & {
  readonly id: CoverId
  readonly connection: string
  readonly since: string
  /** Latest answer of the desk. */
  readonly note: string | null
  /** Dealing that waits for a second operator, or for the run of the cover. */
  readonly dealingId: string | null
}

type ListedRow = Pick<ListedCover, 'id' | 'connection' | 'since' | 'note' | 'dealingId'> &
  Record<'sell_amount' | 'sell_currency' | 'buy_amount' | 'buy_currency', string>

/** Lists open covers, oldest first. */
export async function listOpenCovers(most: number): Promise<ListedCover[]> {
  const rows = await sql<ListedRow[]>`
    select id, connection, sell_amount, sell_currency, buy_amount, buy_currency, inserted_at as since,
      ask_note as note, dealing_id as "dealingId" from open_covers(${most})`
  return rows.map(({ sell_amount, sell_currency, buy_amount, buy_currency, ...row }) => ({
    ...row,
    sell: moneyOf(sell_amount, sell_currency),
    buy: moneyOf(buy_amount, buy_currency),
  }))
}
