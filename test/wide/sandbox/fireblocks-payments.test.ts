/** Payments and deposits by Fireblocks: the published document judges each request. */
import { expect, test, vi } from 'vitest'
import { api } from '../../support/api.ts'
import { openAccount } from '../../support/deposits/deposits.ts'
import { comparisonOf, prove } from '../../support/ledger/funds.ts'
import { reconcileWith } from '../../support/ledger/books.ts'
import { letArrive } from '../../support/partners/fireblocks/client.ts'
import { useJudge } from '../../support/partners/fireblocks/judge.ts'
import { advance, become, payerBy, sent, taken } from '../../support/payments/payouts.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

vi.hoisted(() => {
  process.env['SANDBOX_PARTNERS'] = 'fireblocks'
})
const used = useJudge()
useWorker({ whole: true })

test('a payment settles, and what the vaults hold is what the books say', async () => {
  const payer = await payerBy('crypto')
  await become(payer, await sent(payer), 'succeeded')
  await until('an equal balance', async () => (await prove(false)).open === 0)
  expect(await comparisonOf('custodian', 'USDC')).toMatchObject({ outcome: 'equal' })
  await reconcileWith('custodian')
})

test('a payment goes where it is moved at the stand-in', async () => {
  const failed = await taken('crypto')
  await advance(failed.payment, 'failed')
  await become(failed.payer, failed.payment, 'failed')
  const held = await taken('crypto')
  await advance(held.payment, 'on_hold')
  await become(held.payer, held.payment, 'on_hold')
})

test('addresses are opened, and deposits listed', async () => {
  const payer = await payerBy('crypto')
  const { account } = await openAccount(payer.boss, payer.payer.id, 'USDC', 'ethereum')
  expect(account).toMatch(/^0x/)
  await letArrive(account, '12.00')
  await until('a booked deposit', async () => {
    const { body } = await api('GET', `/organizations/${payer.payer.id}/deposits`, { token: payer.boss.token })
    return body.data.some(({ amount }: { amount: { amount: string } }) => amount.amount === '12.000000')
  })
  await reconcileWith('custodian')
  const operations = [
    'POST /transactions',
    'GET /transactions',
    'GET /transactions/external_tx_id',
    'GET /vault/assets',
  ]
  expect([...used]).toEqual(expect.arrayContaining(operations))
})
