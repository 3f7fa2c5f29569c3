import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { advance } from '../../support/identity/identity.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import {
  type Exchanger,
  askQuote,
  balancesOf,
  booksAreClean,
  endow,
  exchanger,
  execute,
  quoted,
  setMarket,
} from '../../support/swaps.ts'

usePartners()
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
    await fault('rates', name)
    const answer = await askQuote(at, { source_amount: '1' })
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
    await fault('rates', 'down')
    await unmoved(at, () => execute(at.boss, quote_id), 503, 'service_unavailable')
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
