/** Rates of the European Central Bank: one middle rate a day for each currency, and nobody trades at it. */
import { FileRefused, read } from '../../documents/reading/process.ts'
import { weekendEnd } from '../../domain/swaps/market.ts'
import { type DailyRates, isOutdated, latestDay, nextPublication } from '../../domain/reference-rates.ts'
import { quotient } from '../../domain/money/decimal.ts'
import { log } from '../../platform/log.ts'
import { type PartnerEndpoint, refusalOf, requestText, unclear } from '../http.ts'
import type { RatesDriver } from '../rates-driver.ts'

const [EURO, SIGNIFICANT_DIGITS] = ['EUR', 12]
/** Pause before the file is fetched again that is late, away, or cannot be read. */
const AGAIN_MS = 60_000
const READING_MS_MAX = 10_000

type Options = {
  readonly now: () => Date
  /** Reads the file in the process that takes files of strangers apart. */
  readonly readFile?: (text: string) => Promise<DailyRates>
}

/**
 * Makes the source of rates. Each process keeps the file until the next publication, and the last good one while a new
 * one is late. Closed at weekends, and refused as `rates_outdated` once more than one publication was missed.
 */
export function ecbRates(endpoint: PartnerEndpoint, { now, readFile = readInProcess }: Options): RatesDriver {
  const { origin, pathname, search } = new URL(endpoint.url)
  const server = { ...endpoint, url: origin, key: '' } // a key of ours is nothing for a public address
  let kept: DailyRates | null = null
  let goodUntil = new Date(0)
  let fetching: Promise<DailyRates> | null = null

  async function fetchRates(): Promise<DailyRates> {
    try {
      const rates = await readFile(await requestText(server, pathname + search, 'application/xml, text/xml'))
      if (rates.day > now().toISOString().slice(0, 10)) throw unclear(server, 'its rates are of a day to come', true)
      if (kept && rates.day < kept.day) throw unclear(server, 'its rates are older than before', true)
      const isLatest = rates.day >= latestDay(now())
      goodUntil = isLatest ? nextPublication(now()) : new Date(now().getTime() + AGAIN_MS)
      return (kept = rates)
    } catch (error) {
      const failure = error instanceof FileRefused ? unclear(server, 'its file cannot be read', true) : error
      goodUntil = new Date(now().getTime() + AGAIN_MS)
      if (!kept) throw failure
      log.warn({ err: failure, day: kept.day }, 'the file of reference rates could not be read')
      return kept
    }
  }

  /** Finds the rates; calls of one moment share a fetch. */
  async function currentRates(): Promise<DailyRates> {
    if (kept && now() < goodUntil) return kept
    fetching ??= fetchRates().finally(() => (fetching = null))
    return fetching
  }

  return {
    async askRate(source, target) {
      const { day, perEuro } = await currentRates()
      const [sold, bought] = [source, target].map((code) =>
        code === EURO ? '1' : Object.hasOwn(perEuro, code) ? perEuro[code] : undefined,
      )
      if (!sold || !bought) throw refusalOf(server, { code: 'unsupported_currency', message: 'no rate for this pair' })
      if (isOutdated(day, now())) throw refusalOf(server, { code: 'rates_outdated', message: `rates of ${day}` })
      return { rate: quotient(bought, sold, SIGNIFICANT_DIGITS), market: weekendEnd(now()) ? 'closed' : 'open' }
    },
    trades: null,
  }
}

const readInProcess = (text: string): Promise<DailyRates> =>
  read('rates', new TextEncoder().encode(text), { msMax: READING_MS_MAX })
