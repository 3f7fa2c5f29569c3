/** Coins at Fireblocks, as its stand-in plays it: withdrawals, deposits, returns, addresses and proofs of funds. */
import { expect, test, vi } from 'vitest'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import { owner } from '../../support/database.ts'
import {
  answer,
  arriveCrypto,
  booksOf,
  deposit,
  depositor,
  openAccount,
  OTHER,
} from '../../support/deposits/deposits.ts'
import { comparisonOf, prove } from '../../support/ledger/funds.ts'
import { serviceFindings } from '../../support/ledger/books.ts'
import { UNTIL_LIFTED, become, cancel, outgoing, payerBy, sent, violations } from '../../support/payments/payouts.ts'
import { approve } from '../../support/api.ts'
import { fault, liftFaults, usePartners } from '../../support/partners/partners.ts'
import { reconcile } from '../../support/partners/reconcile.ts'
import { eventually } from '../../support/runs/runs.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

vi.hoisted(() => Object.assign(process.env, { SANDBOX_PARTNERS: 'fireblocks' }))

useWorker({ whole: true })
usePartners()

/** Reads the orders that the stand-in has of a payment. */
const orderOf = (id: string) => owner<{ status: string; document: object }[]>`
  select status, document from sandbox_payouts where partner = 'custodian' and id = ${id}`

const move = ({ id }: { id: string }, to: 'on_hold' | 'settled') =>
  movePayout('custodian', id, { from: ['pending', 'on_hold'], to })

test('a withdrawal is paid once, under the id of its payment, with its hash and the fee of its network', async () => {
  const payer = await payerBy('crypto')
  const payment = await sent(payer)
  const paid = await become(payer, payment, 'succeeded')
  expect(paid.status_detail).toContain('COMPLETED')
  const [memory] =
    await owner`select last_view ->> 'reference' as hash from partner_orders where subject_id = ${payment.id}`
  expect(memory?.['hash']).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await orderOf(payment.id)).toMatchObject([
    {
      status: 'settled',
      document: { externalTxId: payment.id, assetId: 'USDC', destination: { type: 'ONE_TIME_ADDRESS' } },
    },
  ])
  const charges = await owner`select name, amount::text, currency from partner_charges where payment_id = ${payment.id}`
  expect(charges).toEqual([{ name: 'settled', amount: '0.001365000000000000', currency: 'ETH' }])
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('answers that are lost, late or wrong pay nothing twice', async () => {
  const payer = await payerBy('crypto')
  for (const name of ['ambiguous', 'error', 'malformed', 'rate_limited'] as const) await fault('custodian', name)
  const payment = await sent(payer)
  await become(payer, payment, 'succeeded')
  await liftFaults('custodian')
  expect(await orderOf(payment.id)).toHaveLength(1)
})

test('one that is not broadcast can be cancelled, and one that its policy blocks fails', async () => {
  const payer = await payerBy('crypto')
  await fault('custodian', 'manual', UNTIL_LIFTED)
  const payment = await sent(payer)
  await become(payer, payment, 'processing')
  await liftFaults('custodian')
  expect((await cancel(payer, payment)).status).toBeLessThan(300)
  await become(payer, payment, 'cancelled')
  const blocked = await outgoing(payer)
  await owner`update payments set statement_description = 'refused at the door' where id = ${blocked.id}`
  await approve(payer.boss, blocked)
  expect((await become(payer, blocked, 'failed')).status_detail).toContain('BLOCKED')
})

test('one that waits for a person at the custodian is on hold, then paid', async () => {
  const payer = await payerBy('crypto')
  await fault('custodian', 'manual', UNTIL_LIFTED)
  const payment = await sent(payer)
  await become(payer, payment, 'processing')
  await liftFaults('custodian')
  await move(payment, 'on_hold')
  await become(payer, payment, 'on_hold')
  await move(payment, 'settled')
  await become(payer, payment, 'succeeded')
})

test('each receiving account gets an address of its own, once, and coins that arrive there are credited', async () => {
  const { boss, id } = await depositor()
  await fault('custodian', 'ambiguous', 2)
  const accounts = []
  for (const [coin, network] of [
    ['USDC', 'ethereum'],
    ['USDC', 'solana'],
    ['BTC', 'bitcoin'],
  ] as const)
    // prettier-ignore
    accounts.push(await openAccount(boss, id, coin, network))
  await liftFaults('custodian')
  expect(new Set(accounts.map(({ account }) => account)).size).toBe(3)
  const vaults = await owner`select from sandbox_vaults where partner = 'custodian' and name = any (${accounts.map((one) => `Receiving account ${one.id}`)})` // prettier-ignore
  expect(vaults).toHaveLength(2)
  const made = await arriveCrypto(id, '25')
  await eventually(async () => (await deposit(boss, made.id)).status).toBe('credited')
  expect(await booksOf(boss, id)).toMatchObject({ balance: '25.000000', ok: true })
})

test('what the custodian holds is what the books say, in each coin, and no list differs', async () => {
  await until('an equal balance', async () => (await prove(false)).open === 0)
  expect(await comparisonOf('custodian', 'USDC')).toMatchObject({ outcome: 'equal', items: [] })
  expect(await comparisonOf('custodian', 'ETH')).toMatchObject({ outcome: 'equal' })
  expect(await serviceFindings('reconciliation')).toEqual([])
})

test('coins whose sender nobody names go back to their address, once', async () => {
  const { boss, id } = await depositor()
  const made = await arriveCrypto(id, '1500')
  expect((await deposit(boss, made.id)).status).toBe('held')
  const theirs = await owner`select partner_deposit_id as id from deposits where id = ${made.id}`
  const sender = owner.json({ name: null, account_reference: '0x52908400098527886E0F7030069857D2E4169EE7', country: null, reference: null }) // prettier-ignore
  await owner`update sandbox_deposits set sender = ${sender} where id = ${theirs[0]?.['id']}`
  await owner`update deposits set release_by = business_now() - interval '1 second' where id = ${made.id}`
  await reconcile()
  await eventually(async () => (await deposit(boss, made.id)).status).toBe('returned')
  const back = await owner`
    select amount::float8 as amount, status from sandbox_payouts
    where partner = 'custodian' and document ->> 'externalTxId' = ${`return-${theirs[0]?.['id']}`}`
  expect(back).toEqual([{ amount: 1500, status: 'settled' }])
  expect(await booksOf(boss, id)).toMatchObject({ balance: '0', ok: true })
})

test('held coins are credited when their sender is named', async () => {
  const { boss, id } = await depositor()
  const made = await arriveCrypto(id, '1500')
  expect((await answer(boss, made.id, OTHER)).status).toBe(200)
  await eventually(async () => (await deposit(boss, made.id)).status).toBe('credited')
})
