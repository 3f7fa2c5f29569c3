/** Swaps: a rate is quoted for a minute, then executed once against our own position. */
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { CoverId, SwapId, SwapQuoteId, UserId } from '../../domain/ids.ts'
import { formatAmount, moneyOf } from '../../domain/money/money.ts'
import type { Exchange } from '../../domain/money/rates.ts'
import type { Page } from '../../domain/pagination.ts'
import { swapEvents } from '../../domain/swaps/events.ts'
import { SWAP_QUOTE_SECONDS, type Swap, type SwapFilters, type SwapQuote } from '../../domain/swaps/swap.ts'
import { nameConnection } from '../connections/connections.ts'
import { openCover, openingLegs } from '../covers/covers.ts'
import { record } from '../events.ts'
import { timeRange } from '../../db/postgres/filters.ts'
import { readStanding, requireMovingMoney } from '../ledger/books.ts'
import { postToFeed } from '../ledger/feed.ts'
import { available, credit, debit } from '../ledger/ledger.ts'
import { findUnverified, isOnboardingRequired, readPaying } from '../payers/payers.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql, within, values } from '../../db/postgres/sql.ts'

/** Keeps a quote, for a minute from now. */
export async function insertSwapQuote(
  tx: Tx,
  id: SwapQuoteId,
  creator: UserId,
  { exchange, valueUsd }: { readonly exchange: Exchange; readonly valueUsd: string },
): Promise<SwapQuote> {
  const { source, target, rate } = exchange
  const [row] = await tx<SwapQuote[]>`
    insert into swap_quotes ${values({
      id,
      organization_id: tx.organizationId,
      source_amount: source.amount,
      source_currency: source.currency,
      target_amount: target.amount,
      target_currency: target.currency,
      rate,
      value_usd: valueUsd,
      market_state: 'open',
      created_by: creator,
      expires_at: sql`business_now() + make_interval(secs => ${SWAP_QUOTE_SECONDS})`,
    })}
    returning ${quoteColumns()}`
  if (!row) throw new Error('no quote was kept')
  return { ...row, ...formatAmounts(row) }
}

const quoteColumns = (): Fragment => sql`
  id as quote_id, rate, source_amount, source_currency, target_amount, target_currency, market_state, expires_at`

type ExchangedMoney = Pick<Swap, 'source_amount' | 'source_currency' | 'target_amount' | 'target_currency'>

const formatAmounts = (row: ExchangedMoney) => ({
  source_amount: formatAmount(row.source_amount, row.source_currency),
  target_amount: formatAmount(row.target_amount, row.target_currency),
})

/** A quote with its value in US dollars, and the swap that used it. */
type QuoteState = SwapQuote & {
  readonly value_usd: string
  readonly swap_id: SwapId | null
  readonly expired: boolean
}

/** Finds one quote of the reader's organization; refuses `not_found`. */
export async function findSwapQuote(reader: Reader, id: SwapQuoteId): Promise<QuoteState> {
  const row = await first(
    reader<QuoteState>(sql`
      select ${quoteColumns()}, value_usd, swap_id, expires_at <= business_now() as expired
      from swap_quotes where id = ${id} and organization_id = ${reader.organizationId}`),
  )
  return row ? { ...row, ...formatAmounts(row) } : refuse('not_found')
}

/** Throws `quote_already_used` or `quote_expired` if a quote cannot be used. */
export function requireUsable({ swap_id: swapId, expired, expires_at: expiresAt }: QuoteState): void {
  if (swapId !== null) refuse('quote_already_used', { swap_id: swapId })
  if (expired) refuse('quote_expired', { expires_at: expiresAt })
}

/**
 * Refuses `onboarding_incomplete` unless the organization is verified for both currencies. An exchange needs the verdicts
 * that payments in both would. Reads nothing where nobody has to be verified.
 */
export async function requireVerified(reader: Reader, currencies: readonly string[]): Promise<void> {
  if (!isOnboardingRequired()) return
  const paying = await readPaying(reader)
  for (const currency of currencies) {
    const connection = nameConnection({ rail: 'fiat', currency })
    const fields = findUnverified(paying, { rail: 'fiat', connection })
    if (fields.length > 0) refuse('onboarding_incomplete', { fields })
  }
}

/**
 * Executes a quote, all in one transaction: it is used up, both legs and our own position are posted, both rows are in
 * the feed, and our position is to be covered. Refuses `not_found`, `quote_already_used`, `quote_expired`,
 * `ledger_unbalanced`, `organization_unavailable`, `onboarding_incomplete`, and `insufficient_funds` from the locked
 * balance.
 */
export async function executeSwap(tx: Tx, person: Person, id: SwapId, quoteId: SwapQuoteId): Promise<void> {
  // of several requests at once one gets it
  const taken = await tx`
    update swap_quotes set swap_id = ${id}
    where id = ${quoteId} and swap_id is null and expires_at > business_now()
    returning id`
  const quote = await findSwapQuote(within(tx), quoteId)
  if (taken.length === 0) requireUsable(quote)
  // since the request was let in; from here on it is not paused, as its standing is kept
  requireMovingMoney(await readStanding(tx))
  await requireVerified(within(tx), [quote.source_currency, quote.target_currency])
  await tx`
    insert into swaps ${values({
      id,
      organization_id: tx.organizationId,
      quote_id: quoteId,
      source_amount: quote.source_amount,
      source_currency: quote.source_currency,
      target_amount: quote.target_amount,
      target_currency: quote.target_currency,
      rate: quote.rate,
      market_state: 'open',
      created_by: person.userId,
    })}`
  const source = moneyOf(quote.source_amount, quote.source_currency)
  const target = moneyOf(quote.target_amount, quote.target_currency)
  const key = `swap:${id}`
  await record(tx, swapEvents.executed, {
    subjectId: id,
    cause: key,
    payload: { quote_id: quoteId, source, target, rate: quote.rate },
  })
  const opened = { sell: source, buy: target }
  const own = available(tx.organizationId)
  const legs = [debit(own, source), ...openingLegs(opened), credit(own, target)]
  await postToFeed(
    tx,
    { key, organizationId: tx.organizationId, legs },
    { type: 'swap', description: `${source.currency} to ${target.currency}`, swapId: id, createdBy: person.userId },
  )
  const coverId = id as string as CoverId // a cover of a swap has its id, as its trade has
  await openCover(tx, {
    id: coverId,
    tradeId: id,
    transferKey: key,
    openedBy: id,
    valueUsd: quote.value_usd,
    ...opened,
  })
}

type SwapRow = Omit<Swap, 'swap_id'> & { readonly id: SwapId }

const selectSwap = (): Fragment => sql`
  select id, quote_id, inserted_at as executed_at, market_state, source_amount, source_currency,
    target_amount, target_currency, rate
  from swaps where true`

/** Finds one swap of the reader's organization; refuses `not_found`. */
export async function findSwap(reader: Reader, id: SwapId): Promise<Swap> {
  const row = await first(
    reader<SwapRow>(sql`${selectSwap()} and id = ${id} and organization_id = ${reader.organizationId}`),
  )
  return row ? toSwap(row) : refuse('not_found')
}

/** Lists swaps, newest first, by the filters of the operation. */
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

const toSwap = ({ id, ...row }: SwapRow): Swap => ({ ...row, swap_id: id, ...formatAmounts(row) })
