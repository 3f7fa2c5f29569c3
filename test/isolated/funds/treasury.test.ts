/** Coins of the operator for fees of networks, among those of customers: the item `treasury` of a proof of funds. */
import { expect, test, vi } from 'vitest'
import { fundCoins } from '../../support/payments/payouts.ts'
import { comparisonOf, prove, proofsOf } from '../../support/ledger/funds.ts'
import { serviceFindings } from '../../support/ledger/books.ts'
import { depositor } from '../../support/deposits/deposits.ts'
import { answerInstead, usePartnerProxy } from '../../support/partners/proxy.ts'
import { useWorker } from '../../support/worker.ts'

vi.hoisted(() => Object.assign(process.env, { SANDBOX_PARTNERS: 'fireblocks' }))

usePartnerProxy()
useWorker({ whole: true })

/** Has the custodian say what it holds. */
const holds = (wallets: Readonly<Record<string, string>>): void =>
  answerInstead((_, path) => {
    if (!path.endsWith('/v1/vault/assets')) return undefined
    const body = Object.entries(wallets).map(([id, total]) => ({ id, total, pending: '0' }))
    return { status: 200, body: JSON.stringify(body) }
  })

test('ether beyond what customers have is the operator’s, with its amount; less of it, or more of another coin, differs', async () => {
  const { id } = await depositor()
  await fundCoins(id, '0.1', 'ETH')
  await fundCoins(id, '10', 'USDC')
  holds({ ETH: '2.6', USDC: '10' })
  await prove()
  expect(await comparisonOf('custodian', 'ETH')).toMatchObject({
    outcome: 'equal',
    difference: '0.000000000000000000',
    items: [{ kind: 'treasury', name: 'fees', amount: '2.500000000000000000' }],
  })
  expect(await serviceFindings('reconciliation')).toEqual([])
  const [proof] = await proofsOf('ETH')
  expect(JSON.parse(proof?.statement ?? '').connections).toMatchObject([
    { connection: 'custodian', outcome: 'equal', in_flight: '2.500000000000000000', items: 1 },
  ])
  holds({ ETH: '0.05', USDC: '11' })
  await prove()
  expect(await comparisonOf('custodian', 'ETH')).toMatchObject({ outcome: 'differs', items: [] })
  expect(await comparisonOf('custodian', 'USDC')).toMatchObject({ outcome: 'differs', difference: '1.000000' })
})
