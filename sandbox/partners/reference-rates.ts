/** Stand-in of the European Central Bank: a file of reference rates, which is replaced as the real one is. */
import type { ServerResponse } from 'node:http'
import { quotient } from '../../domain/money/decimal.ts'
import { type DailyRates, latestDay } from '../../domain/reference-rates.ts'
import { now } from '../../platform/clock.ts'
import { takeFault } from '../db/faults.ts'
import { misbehave, ok, refuseAtOnce } from './http.ts'
import { USD_FOR_ONE } from './rates.ts'

/** Currencies of the file, in its order; no coins, and no dirhams. */
const CURRENCIES = 'USD JPY CZK DKK GBP HUF PLN SEK CHF NOK AUD BRL CAD CNY HKD INR KRW MXN NZD SGD ZAR'.split(' ')
const SIGNIFICANT_DIGITS = 6

/** Answers the file of the latest publication, with the faults of its connection. */
export async function serveReferenceRates(partner: string, response: ServerResponse): Promise<void> {
  const fault = await takeFault(partner, ['down', 'error', 'rate_limited', 'slow', 'malformed'])
  if (fault && (await refuseAtOnce(fault, response))) return
  if (fault) return misbehave(fault, ok('no file'), response)
  response.writeHead(200, { 'content-type': 'text/xml' })
  response.end(writeReferenceRates(ratesOf(latestDay(now()))))
}

const ratesOf = (day: string): DailyRates => ({
  day,
  perEuro: Object.fromEntries(
    CURRENCIES.map((code) => [code, quotient(USD_FOR_ONE['EUR'] ?? '', USD_FOR_ONE[code] ?? '', SIGNIFICANT_DIGITS)]),
  ),
})

/** Writes rates as `eurofxref-daily.xml` has them. */
export function writeReferenceRates({ day, perEuro }: DailyRates): string {
  const cubes = Object.entries(perEuro).map(([currency, rate]) => `<Cube currency='${currency}' rate='${rate}'/>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"
  xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
  <Cube><Cube time='${day}'>${cubes.join('')}</Cube></Cube>
</gesmes:Envelope>
`
}
