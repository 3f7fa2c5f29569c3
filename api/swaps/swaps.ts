/** Swaps: a rate is quoted for a minute, and executed once. */
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
import {
  executeSwap,
  findSwap,
  findSwapQuote,
  insertSwapQuote,
  listSwaps,
  requireUsable,
  requireVerified,
} from '../../services/swaps/swaps.ts'
import { operations } from '../http/operation.ts'
import { type OfferedRate, exchangeRate, usdValueOf } from '../../partners/exchange.ts'

const { command, query } = operations('Swaps')

export const swaps = [
  command('post', '/organizations/{organization_id}/swaps/quote', 'createSwapQuote')
    .says('Quote a swap', 'The quote is firm for one minute.')
    .of('organization')
    .can('payments.swap_fiat')
    .takes(SwapQuoteRequest)
    .refuses(
      'unsupported_currency',
      'onboarding_incomplete',
      'same_currency',
      'amount_precision',
      'amount_too_large',
      'market_closed',
      'unprocessable_entity',
    )
    .answers(SwapQuote)
    .prepares(async ({ read, body }) => {
      const exchange = await exchangeOf(body, () => requireVerified(read, [body.source_currency, body.target_currency]))
      return { exchange, valueUsd: await usdValueOf(exchange.source, exchange.target) }
    })
    .does(({ tx, person, exchange, valueUsd }) => insertSwapQuote(tx, newId(), person.userId, { exchange, valueUsd })),
  command('post', '/swaps/execute', 'executeSwap')
    .says('Carry out a quote, once')
    .of('swap_quote', { body: 'quote_id' })
    .can('payments.swap_fiat')
    .movesMoney()
    .takes(SwapExecution)
    .refuses(
      'quote_already_used',
      'quote_expired',
      'onboarding_incomplete',
      'market_closed',
      'unsupported_currency',
      'ledger_unbalanced',
      'insufficient_funds',
    )
    .creates(Swap, ({ read, claim }) => findSwap(read, claim.id))
    .prepares(async ({ read, body, claim }) => {
      const quote = await findSwapQuote(read, body.quote_id)
      if (quote.swap_id === claim.id) return {} // the same request was faster, and its swap is answered
      requireUsable(quote)
      await requireVerified(read, [quote.source_currency, quote.target_currency])
      await rateNow(quote.source_currency, quote.target_currency)
      return {}
    })
    .does(({ tx, person, claim, body }) => executeSwap(tx, person, claim.id, body.quote_id)),
  query('/organizations/{organization_id}/swaps', 'listSwaps')
    .says('List swaps, newest first')
    .of('organization')
    .delegates('read')
    .can('payments.swap_fiat')
    .filters(SwapFilters)
    .answers(pageOf(Swap))
    .does(({ read, query }) => listSwaps(read, query)),
  query('/swaps/{swap_id}', 'getSwap')
    .says('Read a swap')
    .of('swap')
    .delegates('read')
    .can('payments.swap_fiat')
    .answers(Swap)
    .does(({ read, params }) => findSwap(read, params.swap_id)),
]

/** Computes both amounts at the present rate; first refuses what needs no rate, and as `requires` does. */
async function exchangeOf(request: SwapQuoteRequest, requires: () => Promise<void>): Promise<Exchange> {
  const { source_currency: from, target_currency: to, source_amount: give, target_amount: want } = request
  for (const currency of [from, to]) {
    if (!isCurrency(currency) || isCoin(currency)) refuse('unsupported_currency', { currency })
  }
  if (from === to) refuse('same_currency', { currency: from })
  const source = give ? canonicalMoney({ amount: give, currency: from }) : null
  const target = want ? canonicalMoney({ amount: want, currency: to }) : null
  await requires()
  const { rate: mid, spreadBps } = await rateNow(from, to)
  const terms = { mid, spreadBps }
  const exchange = source ? exchangeSource(source, to, terms) : target ? exchangeTarget(target, from, terms) : null
  if (!exchange) refuse('unprocessable_entity', { reason: 'rounds_to_zero', currency: to })
  canonicalMoney(exchange.source) // the other amount has its limit too
  canonicalMoney(exchange.target)
  return exchange
}

/** Asks for the rate. Refuses `market_closed`, in live at weekends too, and what exchangeRate() refuses. */
async function rateNow(source: string, target: string): Promise<OfferedRate> {
  const opensAt = config.live ? weekendEnd(now()) : null
  if (opensAt) refuse('market_closed', { opens_at: opensAt.toISOString() })
  const offered = await exchangeRate(source, target)
  if (offered.market === 'closed') refuse('market_closed')
  return offered
}
