/** Rates of each day, for limits over several currencies: nothing asks the desk within a transaction. */
import { findCurrenciesWithoutRate, keepRate } from '../services/limits/rates.ts'
import { askRate, hasRates } from '../partners/rates.ts'
import { log } from '../platform/log.ts'

const [RETRY_MS, RETRY_MAX_MS] = [60_000, 15 * 60_000]
/** Currencies whose rate the desk did not give, each with its backoff. */
const failed = new Map<string, { readonly until: number; readonly pauseMs: number }>()

/** Keeps a rate of the day for each currency that lacks one. Until then the rate of an earlier day counts; without a desk none. */
export async function keepDailyRates(): Promise<void> {
  if (!hasRates) return
  for (const currency of await findCurrenciesWithoutRate()) {
    if (Date.now() < (failed.get(currency)?.until ?? 0)) continue
    try {
      await keepRate(currency, (await askRate(currency, 'USD')).rate)
      failed.delete(currency)
    } catch (error) {
      const pauseMs = Math.min(RETRY_MAX_MS, 2 * (failed.get(currency)?.pauseMs ?? RETRY_MS / 2))
      failed.set(currency, { until: Date.now() + pauseMs, pauseMs })
      log.warn({ err: error, currency }, 'the rates desk gave no rate of the day')
    }
  }
}
