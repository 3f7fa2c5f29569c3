/** Quotes of swaps: rates that are valid for a minute and used once. */
import { refuse } from '../../domain/errors.ts'
import type { SwapId, SwapQuoteId, UserId } from '../../domain/ids.ts'
import type { MarketState } from '../../domain/swaps/market.ts'
import { formatAmount } from '../../domain/money/money.ts'
import type { Exchange } from '../../domain/money/rates.ts'
import { SWAP_QUOTE_SECONDS, type SwapQuote } from '../../domain/swaps/swap.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../sql.ts'

/** Keeps what was promised, for a minute from now. */
export async function insertSwapQuote(
  tx: Tx,
  id: SwapQuoteId,
  creator: UserId,
  quoted: { exchange: Exchange; market: MarketState; valueUsd: string },
): Promise<SwapQuote> {
  const { source, target, rate } = quoted.exchange
  const [row] = await tx<SwapQuote[]>`
    insert into swap_quotes (id, organization_id, source_amount, source_currency, target_amount, target_currency, rate,
      value_usd, market_state, created_by, expires_at)
    values (${id}, ${tx.organizationId}, ${source.amount}, ${source.currency}, ${target.amount}, ${target.currency},
      ${rate}, ${quoted.valueUsd}, ${quoted.market}, ${creator}, business_now() + make_interval(secs => ${SWAP_QUOTE_SECONDS}))
    returning ${quoteColumns()}`
  if (!row) throw new Error('no quote was kept')
  return toQuote(row)
}

const quoteColumns = (): Fragment => sql`
  id as quote_id, rate, source_amount, source_currency, target_amount, target_currency, market_state, expires_at`

const toQuote = (row: SwapQuote): SwapQuote => ({
  ...row,
  source_amount: formatAmount(row.source_amount, row.source_currency),
  target_amount: formatAmount(row.target_amount, row.target_currency),
})

/** A quote with what it is worth in US dollars, and what became of it. */
export type QuoteState = SwapQuote & {
  readonly value_usd: string
  readonly swap_id: SwapId | null
  readonly expired: boolean
}

/** One quote of the reader's organization; refuses `not_found`. */
export async function findSwapQuote(reader: Reader, id: SwapQuoteId): Promise<QuoteState> {
  const row = await first(
    reader<QuoteState>(sql`
      select ${quoteColumns()}, value_usd, swap_id, expires_at <= business_now() as expired
      from swap_quotes where id = ${id} and organization_id = ${reader.organizationId}`),
  )
  return row ? { ...row, ...toQuote(row) } : refuse('not_found')
}

/** Refuses a quote that cannot be used: `quote_already_used`, `quote_expired`. */
export function refuseUnusable({ swap_id: swapId, expired, expires_at: expiresAt }: QuoteState): void {
  if (swapId !== null) refuse('quote_already_used', { swap_id: swapId })
  if (expired) refuse('quote_expired', { expires_at: expiresAt })
}

/** Uses a quote up for a swap; of many at once one does. False if it was used or is over. */
export async function takeSwapQuote(tx: Tx, id: SwapQuoteId, swapId: SwapId): Promise<boolean> {
  const taken = await tx`
    update swap_quotes set swap_id = ${swapId}
    where id = ${id} and swap_id is null and expires_at > business_now()
    returning id`
  return taken.length === 1
}
