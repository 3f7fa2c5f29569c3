import Big from 'big.js'
import { expect, test } from 'vitest'
import { api, join, person } from '../../support/api.ts'
import { usePartners } from '../../support/partners/partners.ts'
import {
  askQuote,
  balancesOf,
  booksAreClean,
  endow,
  exchanger,
  execute,
  isCovered,
  positionOf,
  quoted,
  swapped,
} from '../../support/swaps.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const feedOf = async ({ boss, org }: Awaited<ReturnType<typeof exchanger>>) =>
  (await api('GET', `/organizations/${org.id}/transactions?type=swap`, { token: boss.token })).body.data

test('a quote that is executed moves both balances, both rows of the feed and our own position, and is covered at the desk', async () => {
  const at = await exchanger('100.00')
  const asked = await askQuote(at, { source_amount: '10' })
  expect(asked.status).toBe(200)
  const { quote_id, rate, target_amount } = asked.body
  // 1.0842 dollars for a euro, less 50 basis points
  expect(new Big(10).times(rate).round(2, Big.roundHalfUp).toFixed(2)).toBe(target_amount)
  expect(target_amount).toBe('9.19')
  const source = { source_amount: '10.00', source_currency: 'USD' }
  const exchange = { rate, ...source, target_amount, target_currency: 'EUR', market_state: 'open' }
  expect(asked.body).toEqual({ quote_id, ...exchange, expires_at: timestamp })
  expect(await balancesOf(at)).toEqual({ USD: '100.00' })
  for (const given of [
    { source_amount: '10', target_amount: null },
    { source_amount: null, target_amount: '9.19' },
  ]) {
    expect((await askQuote(at, given)).body).toMatchObject({ target_amount: '9.19', market_state: 'open' })
  }

  const done = await execute(at.boss, quote_id)
  expect(done.status).toBe(201)
  const { swap_id } = done.body
  expect(done.body).toEqual({ swap_id, quote_id, executed_at: timestamp, ...exchange })
  expect(await balancesOf(at)).toEqual({ USD: '90.00', EUR: '9.19' })
  expect(await positionOf(at.org.id)).toEqual({ USD: '10.00', EUR: '-9.19' })
  const rows = await feedOf(at)
  expect(rows).toHaveLength(2)
  const of = (direction: string) => rows.find((row: { direction: string }) => row.direction === direction)
  const common = { type: 'swap', swap_id, status: 'posted', description: 'USD to EUR' }
  const money = (amount: string, currency: string) => ({ amount, currency })
  const [out, balance] = [money('10.00', 'USD'), money('90.00', 'USD')]
  expect(of('out')).toMatchObject({ ...common, amount: out, running_balance: balance })
  expect(of('in')).toMatchObject({ ...common, amount: money('9.19', 'EUR'), running_balance: money('9.19', 'EUR') })
  await booksAreClean(at)
  await isCovered({ id: swap_id })
  expect((await api('GET', `/swaps/${swap_id}`, { token: at.boss.token })).body).toEqual(done.body)
})

test('swaps are listed newest first, by currency and time, page by page', async () => {
  const at = await exchanger('100.00')
  await endow(at.org.id, '100.00', 'EUR')
  const first = await swapped(at)
  const yen = await quoted(at, { source_currency: 'EUR', target_currency: 'JPY', source_amount: '1.00' })
  const second = (await execute(at.boss, yen.quote_id)).body
  const third = await swapped(at)
  const list = async (query = '') => {
    const { body } = await api('GET', `/organizations/${at.org.id}/swaps${query}`, { token: at.boss.token })
    return { ids: body.data?.map((row: { swap_id: string }) => row.swap_id), ...body }
  }
  expect((await list()).ids).toEqual([third.id, second.swap_id, first.id])
  expect((await list()).data[1]).toEqual(second)
  const page = await list('?limit=2')
  expect([page.ids, page.has_more]).toEqual([[third.id, second.swap_id], true])
  expect(await list(`?limit=2&cursor=${page.next_cursor}`)).toMatchObject({ ids: [first.id], has_more: false })
  expect((await list('?source_currency=EUR')).ids).toEqual([second.swap_id])
  expect((await list('?target_currency=EUR')).ids).toEqual([third.id, first.id])
  expect((await list('?source_currency=XXX')).ids).toEqual([])
  expect((await list(`?from=${second.executed_at}&to=${second.executed_at}`)).ids).toEqual([second.swap_id])
  expect((await list('?to=2020-01-01')).ids).toEqual([])
})

test('an admin carries out what an owner asked for; whoever is in the organization of a quote, that one pays', async () => {
  const [at, other] = [await exchanger('100.00'), await exchanger()]
  const admin = await person()
  await join(at.org.id, admin, 'admin')
  expect((await execute(admin, (await quoted(at)).quote_id)).status).toBe(201)
  const { quote_id } = await quoted(at)
  expect((await execute(other.boss, quote_id)).body.error.type).toBe('not_found')
  await join(at.org.id, other.boss, 'owner')
  expect((await execute(other.boss, quote_id)).status).toBe(201)
  expect([(await balancesOf(at))['USD'], (await balancesOf(other))['USD']]).toEqual(['80.00', '100.00'])
})
