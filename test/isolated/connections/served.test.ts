/** Money that connections serve decides which pays it; the service may start with others after a quote or a batch. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { findConnection } from '../../../services/connections/connections.ts'
import { fund } from '../../support/api.ts'
import { IBAN, approved, payPage } from '../../support/batches/batches.ts'
import { BANK, WALLET, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { execute, quoteOf } from '../../support/payments/quotes.ts'

await vi.hoisted(async () => {
  const { connect } = await import('../../support/connections.ts')
  connect({
    bank: { serves: [{ rail: 'fiat', currencies: ['EUR'] }] },
    dollars: { serves: [{ rail: 'fiat', currencies: ['USD'] }] },
    ethereum: { serves: [{ rail: 'crypto', coins: { 'USDC/ethereum': 'USDC' } }] },
    custodian: { serves: [{ rail: 'crypto' }] },
  })
})
usePartners()

test('a coin is paid by the custodian that serves its network, also if another serves all', async () => {
  const elsewhere = { ...WALLET, network: 'solana', address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' }
  for (const [wallet, connection] of [
    [WALLET, 'ethereum'],
    [elsewhere, 'custodian'],
  ] as const) {
    const { boss, contact } = await contactWith([wallet])
    const { quote_id } = await quoteOf(boss, contact, { amount: '5.00', currency: 'USDC' })
    expect(await owner`select connection from payment_quotes where id = ${quote_id}`).toEqual([{ connection }])
  }
})

test('a quote whose connection is gone, or serves its money no more, is not executed', async () => {
  const { boss, contact } = await contactWith([{ ...BANK, currency: 'USD', swift_code: 'BYLADEM1001' }])
  for (const [connection, status, type] of [
    ['gone', 422, 'quote_expired'],
    [null, 422, 'quote_expired'], // of the release before: the bank, which has no dollars here
    ['dollars', 201, undefined],
  ] as const) {
    const { quote_id } = await quoteOf(boss, contact, { amount: '5.00', currency: 'USD' })
    await owner`update payment_quotes set connection = ${connection} where id = ${quote_id}`
    const { status: answered, body } = await execute(boss, quote_id)
    expect([answered, body.error?.type]).toEqual([status, type])
  }
})

test('a row of a batch that no connection serves any more fails, and no bank gets it', async () => {
  const { boss, payer } = await contactWith([BANK])
  await fund(payer.id, '50.00', 'EUR')
  const batch = await approved(boss, payer.id, [{ iban: IBAN, amount: '5.00' }])
  const bank = findConnection('bank')
  const before = bank?.serves
  onTestFinished(() => void Object.assign(bank ?? {}, { serves: before }))
  Object.assign(bank ?? {}, { serves: ['CHF'] }) // another start has other connections
  await payPage(batch)
  expect(await owner`select status, status_detail from payments where payment_batch_id = ${batch.id}`).toEqual([
    { status: 'failed', status_detail: 'unsupported_currency' },
  ])
})
