/** Rates of exchanges, in swaps and in payments. */
import { partnerRefusal } from './http.ts'
import { askRate } from './rates.ts'
import type { Rate } from './rates-driver.ts'
import { now } from '../platform/clock.ts'
import { config } from '../platform/config.ts'
import { isOfDriver } from '../platform/connections.ts'
import { requireOpenDesk } from '../services/covers/covers.ts'
import { log } from '../platform/log.ts'
import { refuse } from '../domain/errors.ts'
import { product } from '../domain/money/decimal.ts'
import type { Money } from '../domain/money/money.ts'
import { weekendEnd } from '../domain/swaps/market.ts'

/** Rate at which a customer exchanges: what is taken from the middle rate, in basis points. */
export type OfferedRate = Rate & { readonly spreadBps: number }

/**
 * Asks for the middle rate, what is taken from it, and the market; in live that is closed at weekends, whatever the desk
 * says. What is taken is our fee for exchanges, and the margin of rates at which nobody trades: once covered, both stand
 * in `fx_result`, less what the market moved. Refuses `market_closed` without an open desk (`no_rates_desk`), if the desk
 * does or its rates are too old (`rates_outdated`), `unsupported_currency` if the desk does, and `service_unavailable` if
 * it gives no answer, is paused, or while our own position is over its limit.
 */
export async function exchangeRate(source: string, target: string): Promise<OfferedRate> {
  const { rate, market } = await askDesk(source, target)
  await requireOpenDesk()
  const spreadBps =
    config.fees.exchange.basis_points + (rates && isOfDriver(rates, 'ecb') ? rates.settings.marginBp : 0)
  return { rate, spreadBps, market: config.live && weekendEnd(now()) ? 'closed' : market }
}

/** Values an exchange in US dollars: at the middle rate unless one side is dollars. Refuses what the desk refuses. */
export async function usdValueOf(source: Money, target: Money): Promise<string> {
  const dollars = [source, target].find(({ currency }) => currency === 'USD')
  return dollars ? dollars.amount : product(source.amount, (await askDesk(source.currency, 'USD')).rate)
}

const { rates } = config.partners

async function askDesk(source: string, target: string): Promise<Rate> {
  if (!rates || rates.closed) refuse('market_closed', { reason: 'no_rates_desk' })
  return askRate(source, target).catch((error: unknown) => {
    const refusal = partnerRefusal(error)
    if (refusal?.code === 'market_closed') refuse('market_closed')
    if (refusal?.code === 'rates_outdated') refuse('market_closed', { reason: 'rates_outdated' })
    if (refusal) refuse('unsupported_currency', { source_currency: source, target_currency: target })
    log.warn({ err: error }, 'the rates desk gave no rate')
    refuse('service_unavailable', { retry_after_seconds: 1 })
  })
}
