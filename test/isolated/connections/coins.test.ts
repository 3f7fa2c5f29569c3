/** A custodian that serves one coin on one network: the same coin elsewhere is refused when its quote is asked for. */
import { expect, test, vi } from 'vitest'
import { WALLET, contactWith } from '../../support/contacts/destinations.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { become, payerBy, sent } from '../../support/payments/payouts.ts'
import { preflight } from '../../support/payments/quotes.ts'
import { useWorker } from '../../support/worker.ts'

await vi.hoisted(async () => {
  const { connect } = await import('../../support/connections.ts')
  connect({ custodian: { serves: [{ rail: 'crypto', coins: { 'USDC/ethereum': 'USDC' } }] } })
})
usePartners()
useWorker()

test('a coin settles on its network, and is refused on another', async () => {
  const payer = await payerBy('crypto')
  await become(payer, await sent(payer), 'succeeded')
  const elsewhere = { ...WALLET, network: 'solana', address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' }
  const { boss, contact } = await contactWith([elsewhere])
  const answer = await preflight(boss, contact, { amount: '5.00', currency: 'USDC' })
  expect(answer.status).toBe(422)
  expect(answer.body.error).toMatchObject({
    type: 'unsupported_currency',
    details: { currency: 'USDC', supported: ['USDC/ethereum'] },
  })
})
