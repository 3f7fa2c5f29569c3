/** The driver of reference rates: how long a file is kept, and what of it is believed. */
import { expect, test } from 'vitest'
import { ecbRates } from '../../../partners/ecb/rates.ts'
import { partnerRefusal } from '../../../partners/http.ts'
import { writeReferenceRates } from '../../../sandbox/partners/reference-rates.ts'
import { answering, partnerServer } from '../../support/partners/server.ts'

const perEuro = { USD: '1.0562', GBP: '0.83205' }
const fileOf = (day: string, rates: Record<string, string> = perEuro) => writeReferenceRates({ day, perEuro: rates })

/** Serves a file under the path of the real one, at a time that tests move. */
async function bank() {
  const state = { now: '2026-11-26T16:00:00Z', status: 200, file: fileOf('2026-11-26') }
  const server = await partnerServer((response) => answering(state.status, state.file)(response))
  const endpoint = { ...server.door, url: `${server.door.url}/stats/eurofxref/eurofxref-daily.xml` }
  const { askRate, trades } = ecbRates(endpoint, { now: () => new Date(state.now) })
  return { state, asked: server.asked, trades, rateOf: (pair: string) => askRate(pair.slice(0, 3), pair.slice(3)) }
}
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => partnerRefusal(error)?.code ?? (error as { type?: string }).type,
  )

test('crosses any two currencies by the euro, and trades none; nobody is told our key', async () => {
  const { rateOf, asked, trades } = await bank()
  expect(await rateOf('EURUSD')).toEqual({ rate: '1.0562', market: 'open' })
  expect(await rateOf('USDEUR')).toEqual({ rate: '0.94679038061', market: 'open' })
  expect(await rateOf('GBPUSD')).toEqual({ rate: '1.2693948681', market: 'open' })
  expect(await refusalOf(rateOf('EURAED'))).toBe('unsupported_currency')
  expect(await refusalOf(rateOf('BTCUSD'))).toBe('unsupported_currency')
  expect(trades).toBeNull()
  expect(asked.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
    ['GET', '/stats/eurofxref/eurofxref-daily.xml', undefined],
  ])
})

test('keeps the file until the next one is due, and asks for that again while it is late', async () => {
  const { state, rateOf, asked } = await bank()
  await Promise.all([rateOf('EURUSD'), rateOf('USDEUR')])
  state.now = '2026-11-27T14:59:59Z'
  await rateOf('EURUSD')
  expect(asked).toHaveLength(1)
  state.now = '2026-11-27T15:00:00Z'
  for (let call = 0; call < 2; call += 1) expect((await rateOf('EURUSD')).rate).toBe('1.0562')
  expect(asked).toHaveLength(2)
  Object.assign(state, { now: '2026-11-27T15:01:00Z', file: fileOf('2026-11-27', { USD: '1.06' }) })
  expect((await rateOf('EURUSD')).rate).toBe('1.06')
  state.now = '2026-11-30T14:59:59Z'
  await rateOf('EURUSD')
  expect(asked).toHaveLength(3)
})

test('goes on with the last good file while there is none, or none that can be believed, until it is too old', async () => {
  const { state, rateOf } = await bank()
  await rateOf('EURUSD')
  const bad = [
    [404, ''],
    [500, ''],
    [302, ''],
    [200, '<html><body>Bad gateway</body></html>'],
    [200, fileOf('2026-11-25', { USD: '9.99' })],
    [200, fileOf('2026-12-01', { USD: '9.99' })],
    [200, fileOf('2026-11-27', { USD: '-1' })],
    [200, `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1000)}">]>${fileOf('2026-11-27', { USD: '9.99' })}`],
  ] as const
  for (const [minute, [status, file]] of bad.entries()) {
    Object.assign(state, { now: `2026-11-27T15:${10 + 2 * minute}:00Z`, status, file })
    expect((await rateOf('EURUSD')).rate).toBe('1.0562')
  }
  state.now = '2026-11-30T14:59:00Z'
  expect((await rateOf('EURUSD')).rate).toBe('1.0562')
  state.now = '2026-11-30T15:00:00Z'
  expect(await refusalOf(rateOf('EURUSD'))).toBe('rates_outdated')
  Object.assign(state, { now: '2026-11-30T15:02:00Z', status: 200, file: fileOf('2026-11-30', { USD: '1.07' }) })
  expect((await rateOf('EURUSD')).rate).toBe('1.07')
})

test('gives no rate before the first file that can be read, and asks again at once', async () => {
  const { state, rateOf, asked } = await bank()
  state.file = '<html>'
  expect(await refusalOf(rateOf('EURUSD'))).toBe('PartnerUnclear')
  state.file = 'x'.repeat(70_000)
  expect(await refusalOf(rateOf('EURUSD'))).toBe('PartnerUnclear')
  state.file = fileOf('2026-11-26')
  expect((await rateOf('EURUSD')).rate).toBe('1.0562')
  expect(asked).toHaveLength(3)
})

test('is closed at weekends', async () => {
  const { state, rateOf } = await bank()
  for (const [now, market] of [
    ['2026-11-27T21:59:59Z', 'open'],
    ['2026-11-27T22:00:00Z', 'closed'],
    ['2026-11-29T21:59:59Z', 'closed'],
    ['2026-11-29T22:00:00Z', 'open'],
  ] as const) {
    state.now = now
    expect(await rateOf('EURUSD')).toMatchObject({ market })
  }
})
