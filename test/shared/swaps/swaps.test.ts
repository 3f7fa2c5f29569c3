import Big from 'big.js'
import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, api, join, person } from '../../support/api.ts'
import { usePartners, whileFaulty } from '../../support/partners/partners.ts'
import {
  type Exchanger,
  askQuote,
  balancesOf,
  booksAreClean,
  endow,
  exchanger,
  execute,
  isCovered,
  positionOf,
  quoted,
  setMarket,
  swapped,
} from '../../support/swaps.ts'
import { useWorker } from '../../support/worker.ts'
import { randomUUID } from 'node:crypto'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { advance } from '../../support/identity/identity.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { fullScale, longTest } from '../../support/model-runs.ts'

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

describe('swaps refusals', async () => {
  afterEach(() => setMarket('open'))

  const at = await exchanger('100.00')

  describe('a quote is refused', () => {
    test.each<[string, object, string]>([
      ['one currency twice', { target_currency: 'USD', source_amount: '1' }, 'same_currency'],
      ['an unknown currency', { source_currency: 'usd', source_amount: '1' }, 'unsupported_currency'],
      ['a coin', { target_currency: 'BTC', source_amount: '1' }, 'unsupported_currency'],
      ['a currency without a rate', { target_currency: 'ALL', source_amount: '1' }, 'unsupported_currency'],
      ['too many decimals', { source_amount: '1.001' }, 'amount_precision'],
      ['decimals of yen', { target_currency: 'JPY', target_amount: '1.5' }, 'amount_precision'],
      ['what comes to too much', { target_currency: 'JPY', source_amount: '99999999999999' }, 'amount_too_large'],
      ['what costs too much', { target_amount: '999999999999999' }, 'amount_too_large'],
    ])('for %s', async (_, request, type) => expect(refusal(await askQuote(at, request))).toEqual([422, type]))

    test('with a sentence where the amount comes to nothing', async () => {
      const { body } = await askQuote(at, { source_currency: 'KRW', source_amount: '1' })
      expect(body.error).toMatchObject({
        type: 'unprocessable_entity',
        message: 'The amount is too small: it would bring less than the smallest unit.',
        details: { reason: 'rounds_to_zero', currency: 'EUR' },
      })
    })

    test('while the market is closed', async () => {
      await setMarket('closed')
      expect(refusal(await askQuote(at, { source_amount: '1' }))).toEqual([422, 'market_closed'])
    })

    test.each(['down', 'malformed'] as const)('for a moment while the desk is %s', async (name) => {
      const answer = await whileFaulty('rates', name, () => askQuote(at, { source_amount: '1' }))
      expect(refusal(answer)).toEqual([503, 'service_unavailable'])
      expect(answer.headers.get('retry-after')).not.toBeNull()
      expect((await askQuote(at, { source_amount: '1' })).status).toBe(200)
    })
  })

  describe('an execution is refused, and nothing moves', () => {
    async function unmoved(from: Exchanger, attempt: () => ReturnType<typeof api>, status: number, type: string) {
      const before = await balancesOf(from)
      const answer = await attempt()
      expect(refusal(answer)).toEqual([status, type])
      expect(await balancesOf(from)).toEqual(before)
      await booksAreClean(from)
      return answer
    }

    test('for a quote that is not there', () => unmoved(at, () => execute(at.boss, randomUUID()), 404, 'not_found'))

    test('after a minute of business time, and not before', async () => {
      const [early, late] = [await quoted(at), await quoted(at)]
      await advance(55)
      expect((await execute(at.boss, early.quote_id)).status).toBe(201)
      await advance(5)
      const answer = await unmoved(at, () => execute(at.boss, late.quote_id), 422, 'quote_expired')
      expect(answer.body.error.details.expires_at).toMatch(/^\d{4}-/)
    })

    test('for a moment while the desk cannot say whether the market is open', async () => {
      const { quote_id } = await quoted(at)
      const attempt = () => unmoved(at, () => execute(at.boss, quote_id), 503, 'service_unavailable')
      await whileFaulty('rates', 'down', attempt)
      expect((await execute(at.boss, quote_id)).status).toBe(201)
    })

    test('in the order: status, used, expired, closed, books, funds; the quote is still good when all that is over', async () => {
      const poor = await exchanger('19.99')
      const [used, over, good] = [await quoted(poor), await quoted(poor), await quoted(poor)]
      const done = await execute(poor.boss, used.quote_id)
      const key = randomUUID()
      const refused = (status: number, type: string) =>
        unmoved(poor, () => execute(poor.boss, good.quote_id, key), status, type)
      const change = (set: object) => owner`update organizations set ${owner(set)} where id = ${poor.org.id}`
      await change({ books_stopped_at: new Date(), status: 'paused' })
      await owner`update swap_quotes set expires_at = business_now() where id in ${owner([used.quote_id, over.quote_id])}`
      await setMarket('closed')
      await refused(403, 'organization_unavailable')
      await change({ status: 'active' })
      const again = await unmoved(poor, () => execute(poor.boss, used.quote_id), 409, 'quote_already_used')
      expect(again.body.error.details).toEqual({ swap_id: done.body.swap_id })
      await unmoved(poor, () => execute(poor.boss, over.quote_id), 422, 'quote_expired')
      await refused(422, 'market_closed')
      await setMarket('open')
      await refused(503, 'ledger_unbalanced')
      await change({ books_stopped_at: null })
      const short = await refused(422, 'insufficient_funds')
      const usd = (amount: string) => ({ amount, currency: 'USD' })
      expect(short.body.error.details).toEqual({ available: usd('9.99'), required: usd('10.00') })
      await endow(poor.org.id, '0.01', 'USD')
      expect((await execute(poor.boss, good.quote_id, key)).status).toBe(201)
      expect((await balancesOf(poor))['USD']).toBe('0.00')
    })
  })
})

const AT_ONCE = fullScale ? 20 : 8
const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const name = `${status} ${body.error?.type ?? 'ok'}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
const swapsOf = async (organizationId: string): Promise<string[]> =>
  (await owner<{ id: string }[]>`select id from swaps where organization_id = ${organizationId}`).map(({ id }) => id)

test('of many executions of a quote at once one is done; the others are told that it was used', async () => {
  const at = await exchanger('1000.00')
  const admin = await person()
  await join(at.org.id, admin, 'admin')
  const { quote_id, target_amount } = await quoted(at)
  const answers = await times(AT_ONCE, (index) => execute(index % 2 ? at.boss : admin, quote_id))
  expect(tally(answers)).toEqual({ '201 ok': 1, '409 quote_already_used': AT_ONCE - 1 })
  expect(await balancesOf(at)).toEqual({ USD: '990.00', EUR: target_amount })
  await booksAreClean(at)
  const [id] = await swapsOf(at.org.id)
  await isCovered({ id: id ?? '' })
})

test('one key for two quotes at once carries out one of them, and answers each call for it alike', async () => {
  const at = await exchanger('1000.00')
  const quotes = [await quoted(at), await quoted(at)]
  const key = randomUUID()
  const answers = await times(AT_ONCE, (index) => execute(at.boss, quotes[index % 2]?.quote_id ?? '', key))
  expect(tally(answers)).toEqual({ '201 ok': AT_ONCE / 2, '422 idempotency_key_reused': AT_ONCE / 2 })
  const done = answers.filter(({ status }) => status === 201)
  expect(new Set(done.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(await swapsOf(at.org.id)).toHaveLength(1)
})

test('of quotes that together ask for more than there is, as many are done as the balance covers', async () => {
  const at = await exchanger('35.00')
  const quotes = await times(AT_ONCE, () => quoted(at))
  const answers = await Promise.all(quotes.map(({ quote_id }) => execute(at.boss, quote_id)))
  expect(tally(answers)).toEqual({ '201 ok': 3, '422 insufficient_funds': AT_ONCE - 3 })
  expect(await balancesOf(at)).toMatchObject({ USD: '5.00' })
  await booksAreClean(at)
})

longTest('swaps there and back between three currencies at once neither deadlock nor lose a cent', async () => {
  const at = await exchanger('1000.00')
  await endow(at.org.id, '1000.00', 'EUR')
  await endow(at.org.id, '100000', 'JPY')
  const pairs = ['USD EUR', 'EUR USD', 'EUR JPY', 'JPY USD']
  const quotes = await times(AT_ONCE, (index) => {
    const [source_currency, target_currency] = pairs[index % pairs.length]?.split(' ') ?? []
    return quoted(at, { source_currency, target_currency, source_amount: '7' })
  })
  const answers = await Promise.all(quotes.map(({ quote_id }) => execute(at.boss, quote_id)))
  expect(tally(answers)).toEqual({ '201 ok': AT_ONCE })
  await booksAreClean(at)
  const [position, balances] = [await positionOf(at.org.id), await balancesOf(at)]
  const sum = (currency: string) => Number(position[currency]) + Number(balances[currency])
  const sums = ['USD', 'EUR', 'JPY'].map((currency) => sum(currency).toFixed(2))
  expect(sums).toEqual(['1000.00', '1000.00', '100000.00'])
  for (const id of await swapsOf(at.org.id)) await isCovered({ id })
})

longTest('a pause in the middle lets each swap be done whole or not at all', async () => {
  const at = await exchanger('1000.00')
  const quotes = await times(AT_ONCE, () => quoted(at))
  const pausing = moveOrganization(at.org.id as OrganizationId, 'pause')
  const answers = await Promise.all(quotes.map(({ quote_id }) => execute(at.boss, quote_id)))
  await pausing
  const counts = tally(answers)
  expect(Object.keys(counts).every((name) => ['201 ok', '403 organization_unavailable'].includes(name))).toBe(true)
  expect(await swapsOf(at.org.id)).toHaveLength(counts['201 ok'] ?? 0)
  await booksAreClean(at)
})
