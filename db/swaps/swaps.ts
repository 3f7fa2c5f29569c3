/** Swaps: executed against our own position in one transaction, and listed. */
import { openCover, openingLegs } from '../covers/covers.ts'
import { readStanding, refuseStoppedMoney } from '../ledger/books.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { record } from '../events.ts'
import { timeRange } from '../filters.ts'
import { postToFeed } from '../ledger/feed.ts'
import { available, credit, debit } from '../ledger/ledger.ts'
import type { Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { CoverId, SwapId, SwapQuoteId } from '../../domain/ids.ts'
import { swapEvents } from '../../domain/swaps/events.ts'
import type { MarketState } from '../../domain/swaps/market.ts'
import { type Money, formatAmount, moneyOf } from '../../domain/money/money.ts'
import type { Page } from '../../domain/pagination.ts'
import type { Swap, SwapFilters } from '../../domain/swaps/swap.ts'
import { pageOf } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql, within } from '../sql.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import { type QuoteState, findSwapQuote, refuseUnusable, takeSwapQuote } from './quotes.ts'

/**
 * Carries out a quote, all in one transaction: the quote is used up, both legs and our own position are posted, both
 * rows are in the feed, and our position is to be covered. False when the claim was taken by another request. Refuses
 * `not_found`, `forbidden`, `quote_already_used`, `quote_expired`, `ledger_unbalanced`, `organization_unavailable`, and
 * `insufficient_funds` from the locked balance.
 */
export async function executeSwap(
  tx: Tx,
  person: Person,
  claim: Claim,
  execution: { quoteId: SwapQuoteId; market: MarketState },
): Promise<boolean> {
  await requirePermissionLocked(tx, person, 'payments.swap_fiat')
  if (claim.keyed && !(await takeClaim(tx, claim))) return false
  // A claim's id is the id of the row that it makes.
  const id = claim.id
  const { quoteId, market } = execution
  const taken = await takeSwapQuote(tx, quoteId, id)
  const quote = await findSwapQuote(within(tx), quoteId)
  if (!taken) refuseUnusable(quote)
  // since the request was let in; from here on it is not paused, as its standing is kept
  refuseStoppedMoney(await readStanding(tx))
  await tx`
    insert into swaps (id, organization_id, quote_id, source_amount, source_currency, target_amount, target_currency, rate,
      market_state, created_by)
    values (${id}, ${tx.organizationId}, ${quoteId}, ${quote.source_amount}, ${quote.source_currency},
      ${quote.target_amount}, ${quote.target_currency}, ${quote.rate}, ${market}, ${person.userId})`
  await record(tx, swapEvents.executed, {
    subjectId: id,
    cause: swapKey(id),
    payload: { quote_id: quoteId, ...amountsOf(quote), rate: quote.rate },
  })
  await postSwap(tx, id, person, quote)
  return true
}

const swapKey = (id: SwapId): string => `swap:${id}`

type Exchanged = Pick<Swap, 'source_amount' | 'source_currency' | 'target_amount' | 'target_currency'>

const amountsOf = (swap: Exchanged): { source: Money; target: Money } => ({
  source: moneyOf(swap.source_amount, swap.source_currency),
  target: moneyOf(swap.target_amount, swap.target_currency),
})

/** Both legs through our own position: what the organization gives is ours, and what it gets comes from us. */
async function postSwap(tx: Tx, id: SwapId, person: Person, quote: QuoteState): Promise<void> {
  const { source, target } = amountsOf(quote)
  const opened = { sell: source, buy: target }
  const own = available(tx.organizationId)
  const transfer = {
    key: swapKey(id),
    organizationId: tx.organizationId,
    legs: [debit(own, source), ...openingLegs(opened), credit(own, target)],
  }
  await postToFeed(tx, transfer, {
    type: 'swap',
    description: `${source.currency} to ${target.currency}`,
    swapId: id,
    createdBy: person.userId,
  })
  const coverId = id as string as CoverId // a cover of a swap has its id, as its trade has
  await openCover(tx, {
    id: coverId,
    tradeId: id,
    transferKey: transfer.key,
    openedBy: id,
    valueUsd: quote.value_usd,
    ...opened,
  })
}

type SwapRow = Omit<Swap, 'swap_id'> & { id: SwapId }

const selectSwap = (): Fragment => sql`
  select id, quote_id, inserted_at as executed_at, market_state, source_amount, source_currency,
    target_amount, target_currency, rate
  from swaps where true`

/** One swap of the reader's organization; refuses `not_found`. */
export async function findSwap(reader: Reader, id: SwapId): Promise<Swap> {
  const row = await first(
    reader<SwapRow>(sql`${selectSwap()} and id = ${id} and organization_id = ${reader.organizationId}`),
  )
  return row ? toSwap(row) : refuse('not_found')
}

/** Swaps, newest first, by the filters of the operation. */
export async function listSwaps(reader: Reader, filters: SwapFilters): Promise<Page<Swap>> {
  const { source_currency: source, target_currency: target } = filters
  const page = await pageOf<SwapRow>(
    reader,
    'swaps',
    filters,
    sql`${selectSwap()}
      ${source ? sql`and source_currency = ${source}` : sql``}
      ${target ? sql`and target_currency = ${target}` : sql``}
      ${timeRange(sql`swaps.inserted_at`, filters)}`,
  )
  return { ...page, data: page.data.map(toSwap) }
}

const toSwap = (row: SwapRow): Swap => ({
  swap_id: row.id,
  quote_id: row.quote_id,
  executed_at: row.executed_at,
  market_state: row.market_state,
  source_amount: formatAmount(row.source_amount, row.source_currency),
  source_currency: row.source_currency,
  target_amount: formatAmount(row.target_amount, row.target_currency),
  target_currency: row.target_currency,
  rate: row.rate,
})
