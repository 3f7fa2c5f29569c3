import { afterEach, expect, test } from 'vitest'
import { exchange } from '../../../domain/money/rates.ts'
import { subtract } from '../../../domain/money/money.ts'
import { api, approvalPath } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { usePartners, whileFaulty } from '../../support/partners/partners.ts'
import { execute, executed, preflight, quoteOf } from '../../support/payments/quotes.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const setMarket = (state: 'open' | 'closed') => api('POST', '/sandbox/market', { body: { state } })
afterEach(() => setMarket('open'))
const USD = { amount: '100.00', currency: 'USD' }

test('what leaves in one currency arrives in another at the rate that is told, to the last digit', async () => {
  const { boss, contact } = await contactWith([BANK])
  const quote = await quoteOf(boss, contact, USD)
  expect(quote).toMatchObject({ rail: 'fiat', deducting: USD, landing: { currency: 'EUR' }, blocked_by: [] })
  const [fee] = quote.fees
  expect(fee).toEqual({ name: 'Bank transfer', amount: { amount: '0.55', currency: 'USD' } })
  expect(exchange(subtract(quote.deducting, fee.amount), quote.rate, 'EUR')).toEqual(quote.landing)

  const payment = await executed(boss, quote.quote_id)
  expect(payment).toMatchObject({ deducting: quote.deducting, landing: quote.landing })
  const [row] = await owner`select fee_amount, rate from payments where id = ${payment.id}`
  expect(row).toEqual({ fee_amount: '0.55', rate: quote.rate })
  const { body } = await api('GET', approvalPath(payment), { token: boss.token })
  expect(body.summary).toBe(
    `Pay ${quote.landing.amount} EUR to "Payee" (IBAN …2051). Fee ${quote.fees[0].amount.amount}; 100.00 USD leave the balance.`,
  )
  expect(body.subject.fiat_outgoing).toMatchObject({
    amount: quote.landing.amount,
    currency: 'EUR',
    amount_with_fees: null,
    deducting: USD,
    rate: quote.rate,
  })
})

test('in the currency of the account nobody is asked for a rate', async () => {
  const { boss, contact } = await contactWith([BANK])
  await whileFaulty('rates', 'down', async () => {
    expect((await quoteOf(boss, contact, { amount: '5', currency: 'EUR' })).rate).toBe(null)
    expect((await preflight(boss, contact, USD)).status).toBe(503)
  })
})

test.each(['down', 'error', 'rate_limited', 'malformed'] as const)(
  'while the rates desk is %s the answer is service_unavailable, and later the quote',
  async (name) => {
    const { boss, contact } = await contactWith([BANK])
    const answer = await whileFaulty('rates', name, () => preflight(boss, contact, USD))
    expect([answer.status, answer.body.error.type]).toEqual([503, 'service_unavailable'])
    expect((await preflight(boss, contact, USD)).status).toBe(200)
  },
)

test('a quote survives a rates desk that cannot say whether the market is open', async () => {
  const { boss, contact } = await contactWith([BANK])
  const quote = await quoteOf(boss, contact, USD)
  const answer = await whileFaulty('rates', 'error', () => execute(boss, quote.quote_id, {}, 'a key'))
  expect([answer.status, answer.body.error.type]).toEqual([503, 'service_unavailable'])
  expect((await execute(boss, quote.quote_id, {}, 'a key')).status).toBe(201)
})

test('a closed market stands in the way of an exchange, and of nothing else', async () => {
  const { boss, contact } = await contactWith([BANK])
  const before = await quoteOf(boss, contact, USD)
  await setMarket('closed')
  const closed = await quoteOf(boss, contact, USD)
  expect(closed.blocked_by).toEqual([{ type: 'market_closed', message: 'The market is closed.' }])
  for (const { quote_id: id } of [before, closed]) {
    const answer = await execute(boss, id)
    expect([answer.status, answer.body.error.type]).toEqual([422, 'market_closed'])
  }
  const same = await quoteOf(boss, contact, { amount: '5', currency: 'EUR' })
  expect(same.blocked_by).toEqual([])
  expect((await execute(boss, same.quote_id)).status).toBe(201)
  await setMarket('open')
  expect((await execute(boss, closed.quote_id)).status).toBe(201)
})
