/** Swaps: one currency of an organization for another, at a quoted rate. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { MARKET_STATES } from './market.ts'
import { Money } from '../money/money.ts'
import { PageQuery, TimeFilters, currencyFilter } from '../pagination.ts'
import { model, line, timestamp, uuid, describe } from '../text.ts'

export const SWAP_QUOTE_SECONDS = 60

/** Body of POST …/swaps/quote: what is given, or what is wanted. */
export const SwapQuoteRequest = v.pipe(
  v.object({
    source_currency: line(1, 16),
    target_currency: line(1, 16),
    source_amount: v.nullish(Money.entries.amount),
    target_amount: v.nullish(Money.entries.amount),
  }),
  v.forward(
    v.check(
      ({ source_amount: source, target_amount: target }) =>
        (typeof source === 'string') !== (typeof target === 'string'),
      'give source_amount or target_amount, and not both',
    ),
    ['source_amount'],
  ),
  v.description('Exactly one of source_amount and target_amount is given; the other is left out, or null.'),
  v.title('SwapQuoteRequest'),
)
export type SwapQuoteRequest = v.InferOutput<typeof SwapQuoteRequest>

const exchange = {
  /** All in: the source amount times it, rounded half up to the precision of the target, is the target amount. */
  rate: v.string(),
  source_amount: v.string(),
  source_currency: v.string(),
  target_amount: v.string(),
  target_currency: v.string(),
  market_state: v.picklist(MARKET_STATES),
}

export const SwapQuote = model('SwapQuote', { quote_id: uuid, ...exchange, expires_at: timestamp })
export type SwapQuote = v.InferOutput<typeof SwapQuote>

/** Body of POST /swaps/execute. */
export const SwapExecution = model('SwapExecution', { quote_id: id<'swap_quote'>() })
export type SwapExecution = v.InferOutput<typeof SwapExecution>

/** A swap as every operation answers it: the contract's Fiat swap. */
export const Swap = model('Swap', {
  swap_id: uuid,
  quote_id: uuid,
  executed_at: describe(timestamp, 'Instant of the execution.'),
  ...exchange,
})
export type Swap = v.InferOutput<typeof Swap>

/** Filters of GET …/swaps. */
export const SwapFilters = v.object({
  ...PageQuery,
  source_currency: v.optional(currencyFilter),
  target_currency: v.optional(currencyFilter),
  ...TimeFilters,
})
export type SwapFilters = v.InferOutput<typeof SwapFilters>
