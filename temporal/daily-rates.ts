/** Rates of each day, for limits over several currencies: nothing asks the desk within a transaction. */
import { findCurrenciesWithoutRate, keepRate } from '../db/limits/rates.ts'
import { askRate } from '../partners/rates.ts'
import { log } from '../platform/log.ts'

const RETRY_MS = 15 * 60_000
const failedAt = new Map<string, number>()

/** Keeps a rate of the day for each currency that lacks one. Until then the rate of an earlier day counts. */
export async function keepDailyRates(): Promise<void> {
  for (const currency of await findCurrenciesWithoutRate()) {
    if (Date.now() - (failedAt.get(currency) ?? 0) < RETRY_MS) continue
    try {
      await keepRate(currency, (await askRate(currency, 'USD')).rate)
      failedAt.delete(currency)
    } catch (error) {
      failedAt.set(currency, Date.now())
      log.warn({ err: error, currency }, 'the rates desk gave no rate of the day')
    }
  }
}
