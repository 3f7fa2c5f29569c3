/** Swaps: a rate is promised for a minute, and carried out once. */
import { now } from '../../platform/clock.ts'
import { config } from '../../platform/config.ts'
import { isCoin, isCurrency } from '../../domain/money/currencies.ts'
import { refuse } from '../../domain/errors.ts'
import { newId } from '../../domain/ids.ts'
import { weekendEnd } from '../../domain/swaps/market.ts'
import { canonicalMoney } from '../../domain/money/money.ts'
import { pageOf } from '../../domain/pagination.ts'
import { type Exchange, exchangeSource, exchangeTarget } from '../../domain/money/rates.ts'
import { Swap, SwapExecution, SwapFilters, SwapQuote, SwapQuoteRequest } from '../../domain/swaps/swap.ts'
import { findSwapQuote, insertSwapQuote, refuseUnusable } from '../../db/swaps/quotes.ts'
import { executeSwap, findSwap, listSwaps } from '../../db/swaps/swaps.ts'
import { createOnce } from '../http/create-once.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'
import { exchangeRate, exchangedUsd } from './rates.ts'

const { command, query } = operations('Swaps')

type Executing = Context<'person' | 'read' | 'write' | 'claim', { readonly body: SwapExecution }>

/** The swap that this request, or an earlier one with its key, makes. */
const findExecuted = ({ read, claim }: Executing): Promise<Swap> => findSwap(read, claim.id)

export const swaps = [
  command('post', '/organizations/{organization_id}/swaps/quote', 'createSwapQuote')
    .says('Ask what an exchange of currencies brings, or costs; the answer is firm for a minute')
    .of('organization')
    .can('payments.swap_fiat')
    .takes(SwapQuoteRequest)
    .answers(SwapQuote)
    .handles(async ({ write, person, body }) => {
      const exchange = await exchangeOf(body)
      const valueUsd = await exchangedUsd(exchange.source, exchange.target)
      return write((tx) => insertSwapQuote(tx, newId(), person.userId, { exchange, market: 'open', valueUsd }))
    }),
  command('post', '/swaps/execute', 'executeSwap')
    .says('Carry out a quote, once')
    .of('swap_quote', { body: 'quote_id' })
    .can('payments.swap_fiat')
    .movesMoney()
    .takes(SwapExecution)
    .answers(Swap, 201)
    .replays(findExecuted)
    .handles(execute),
  query('/organizations/{organization_id}/swaps', 'listSwaps')
    .says('List swaps, newest first')
    .of('organization')
    .can('payments.swap_fiat')
    .filters(SwapFilters)
    .answers(pageOf(Swap))
    .does(({ read, query }) => listSwaps(read, query)),
  query('/swaps/{swap_id}', 'getSwap')
    .says('Read a swap')
    .of('swap')
    .can('payments.swap_fiat')
    .answers(Swap)
    .does(({ read, params }) => findSwap(read, params.swap_id)),
]

/**
 * What the request comes to at the rate of this moment; what can be refused without asking for one is refused before.
 */
async function exchangeOf(request: SwapQuoteRequest): Promise<Exchange> {
  const { source_currency: from, target_currency: to, source_amount: give, target_amount: want } = request
  for (const currency of [from, to]) {
    if (!isCurrency(currency) || isCoin(currency)) refuse('unsupported_currency', { currency })
  }
  if (from === to) refuse('same_currency', { currency: from })
  const source = give ? canonicalMoney({ amount: give, currency: from }) : null
  const target = want ? canonicalMoney({ amount: want, currency: to }) : null
  const terms = { mid: await rateNow(from, to), spreadBps: config.fees.exchange.basis_points }
  const exchange = source ? exchangeSource(source, to, terms) : target ? exchangeTarget(target, from, terms) : null
  if (!exchange) refuse('unprocessable_entity', { reason: 'rounds_to_zero', currency: to })
  canonicalMoney(exchange.source) // the other amount has its limit too
  canonicalMoney(exchange.target)
  return exchange
}

/**
 * Carries out a quote and answers the swap; what our own position needs goes on after that. The market is asked before
 * the transaction, if nobody waits for us.
 */
async function execute(context: Executing): Promise<Swap> {
  const { read, write, person, claim, body } = context
  const quote = await findSwapQuote(read, body.quote_id)
  if (claim.keyed && quote.swap_id === claim.id) return findExecuted(context) // the same request was faster
  refuseUnusable(quote)
  await rateNow(quote.source_currency, quote.target_currency)
  return createOnce(
    claim,
    () => write((tx) => executeSwap(tx, person, claim, { quoteId: body.quote_id, market: 'open' })),
    () => findExecuted(context),
  )
}

/**
 * The desk's middle rate. Refuses `market_closed`, at weekends in live whatever the desk says, and what exchangeRate()
 * refuses.
 */
async function rateNow(source: string, target: string): Promise<string> {
  const opensAt = config.live ? weekendEnd(now()) : null
  if (opensAt) refuse('market_closed', { opens_at: opensAt.toISOString() })
  const { rate, market } = await exchangeRate(source, target)
  if (market === 'closed') refuse('market_closed')
  return rate
}
