/** A company with one bank alone: it pays by it, and all else is refused before it is approved. */
import { expect, test, vi } from 'vitest'
import { requireConnections } from '../../../services/connections/open.ts'
import { api, fund } from '../../support/api.ts'
import { BANK, WALLET, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { execute, quoteOf } from '../../support/payments/quotes.ts'
import { become, payerBy, sent } from '../../support/payments/payouts.ts'
import { useWorker } from '../../support/worker.ts'

await vi.hoisted(async () => {
  const { connect } = await import('../../support/connections.ts')
  connect({ bank: { serves: [{ rail: 'fiat', currencies: ['EUR', 'GBP'] }] } })
})
usePartners()
useWorker()

test('a payment by the bank settles', async () => {
  const payer = await payerBy('fiat')
  await become(payer, await sent(payer), 'succeeded')
})

test('what nobody serves is refused when it is asked for, and said before', async () => {
  const { boss, contact, payer } = await contactWith([WALLET])
  const quote = await quoteOf(boss, contact, { amount: '5.00', currency: 'USDC' })
  expect(quote.blocked_by).toContainEqual({
    type: 'unsupported_rail',
    message: 'No partner that is connected here pays in this way.',
  })
  const answer = await execute(boss, quote.quote_id)
  expect([answer.status, answer.body.error.type]).toEqual([422, 'unsupported_rail'])
  const dollars = await contactWith([{ ...BANK, currency: 'USD', swift_code: 'BYLADEM1001' }])
  const inDollars = await quoteOf(dollars.boss, dollars.contact, { amount: '5.00', currency: 'USD' })
  expect(inDollars.blocked_by.map(({ type }: { type: string }) => type)).toContain('unsupported_currency')
  await fund(payer.id, '10.00', 'EUR')
  const swap = await api('POST', `/organizations/${payer.id}/swaps/quote`, {
    token: boss.token,
    body: { source_currency: 'EUR', target_currency: 'GBP', source_amount: '1.00' },
  })
  expect(swap.body.error).toMatchObject({ type: 'market_closed', details: { reason: 'no_rates_desk' } })
})

test('capabilities say so, and accounts are opened for what is served alone', async () => {
  const { boss, payer } = await contactWith([BANK])
  const { body } = await api('GET', `/organizations/${payer.id}/capabilities`, { token: boss.token })
  const ability = (rail: string, currency: string) =>
    body.data.find((one: { rail: string; currency: string }) => one.rail === rail && one.currency === currency)
  const [yes, no] = [
    { available: true, reason: null },
    { available: false, reason: 'not_served' },
  ]
  expect(ability('fiat', 'EUR')).toMatchObject({ send: yes, receive: yes, exchange: no, instant: no, payee_check: yes })
  expect(ability('fiat', 'USD')).toBeUndefined()
  expect(ability('crypto', 'USDC')).toMatchObject({ send: no, receive: no })
  const accounts = async (what: string) =>
    (await api('GET', `/organizations/${payer.id}/${what}`, { token: boss.token })).body.data
  expect((await accounts('bank-accounts')).map((one: { currency: string }) => one.currency).toSorted()).toEqual([
    'EUR',
    'GBP',
  ])
  expect(await accounts('deposit-addresses')).toEqual([])
  expect((await api('POST', '//partners/custodian/callbacks', { body: {} })).status).toBe(404)
})

test('rows of a batch that no bank carries are told before it is submitted', async () => {
  const { boss, payer } = await contactWith([BANK])
  const batch = await api('POST', `/organizations/${payer.id}/payment-batches`, {
    token: boss.token,
    body: { name: 'B' },
  })
  const row = { account_holder_name: 'Payee', account_number: '123456789', aba_code: '021000021', bank_country: 'US' }
  const added = await api('POST', `/payment-batches/${batch.body.id}/rows`, {
    token: boss.token,
    body: { ...row, amount: '5.00', currency: 'USD', payout_reason: 'services', statement_description: 'Invoice 1' },
  })
  expect(added.body.errors).toContainEqual({
    column: 'currency',
    code: 'unsupported_currency',
    message: 'must be EUR, GBP',
  })
})

test('a start without the partner of an open payment is refused, with how many there are', async () => {
  await requireConnections()
  const { payer } = await contactWith([WALLET])
  await owner`
    insert into processes (id, workflow, organization_id, rail, status, why)
    values (uuidv7(), 'payment', ${payer.id}, 'crypto', 'processing', 'accepted')`
  await expect(requireConnections()).rejects.toThrow('custodian is not connected, and has 1 open payments')
  await owner`delete from processes where organization_id = ${payer.id} and rail = 'crypto'`
})
