/** Sweeps at Fireblocks: coins that arrive move to the vault account that pays, once, and are counted where they are. */
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { reconcilePartner } from '../../../activities/reconciliation.ts'
import { moneyPartner } from '../../../partners/money-partners.ts'
import { owner } from '../../support/database.ts'
import { letArrive, setFault } from '../../support/partners/fireblocks/client.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'

await vi.hoisted(async () => {
  const { connect } = await import('../../support/connections.ts')
  const { sandboxEntries } = await import('../../../platform/drivers/sandbox.ts')
  const [custodian] = sandboxEntries(['fireblocks'], '')
  const rates = { serves: [{ rates: true }] }
  connect({ custodian: { ...custodian, sweep_above: { 'USDC/ethereum': '10.00' } }, rates })
})

usePartners()
beforeEach(() => owner`delete from sandbox_faults`)

const driver = moneyPartner('custodian')
const sweep = async (): Promise<number> => (await driver.sweep?.()) ?? -1

const open = async (coin = 'USDC') =>
  (await driver.openAccount?.({ id: randomUUID(), coin, network: 'ethereum' }, randomUUID()))?.account ?? ''
const heldOf = async (currency = 'USDC') =>
  (await driver.balances?.())?.find((one) => one.currency === currency && one.network === 'ethereum')?.amount

/** Lists the transfers to the vault account that pays. */
const sweeps = () => owner<{ id: string; status: string; amount: string; vault: string }[]>`
  select id, status, amount::float8::text as amount, document ->> 'sourceVault' as vault from sandbox_payouts
  where partner = 'custodian' and document -> 'destination' ->> 'type' = 'VAULT_ACCOUNT' order by seq`
const untilSwept = (count: number) =>
  until('swept', async () => (await sweeps()).filter(({ status }) => status === 'settled').length === count)

async function arriveAt(amount: string): Promise<void> {
  const before = Number(await heldOf())
  await letArrive(await open(), amount)
  await until('arrived', async () => Number(await heldOf()) === before + Number(amount))
}

test('what is above the floor moves, once however often it is asked for; the workspace holds as much as before', async () => {
  await arriveAt('25.00')
  await arriveAt('9.00')
  const before = await heldOf()
  expect(await sweep()).toBe(1)
  await untilSwept(1)
  expect(await sweep()).toBe(0)
  expect(await sweeps()).toMatchObject([{ amount: '25' }])
  expect(await heldOf()).toBe(before)
})

test('an answer that is lost, and two workers at once, order one transfer', async () => {
  await arriveAt('40.00')
  await setFault('ambiguous')
  await expect(sweep()).rejects.toThrow()
  await Promise.all([sweep(), sweep()])
  await untilSwept(2)
  expect(await sweep()).toBe(0)
  expect((await sweeps()).map(({ amount }) => amount)).toEqual(['25', '40'])
})

test('coins of a sweep are no deposit and no payout; one that failed is tried again', async () => {
  const listed = async () => {
    const [deposits, payouts] = [await driver.deposits(), await driver.payouts()]
    return { deposits: deposits.data.length, payouts: payouts.data.length, odd: [...deposits.odd, ...payouts.odd] }
  }
  await arriveAt('50.00')
  const before = await listed()
  await setFault('manual')
  expect(await sweep()).toBe(1)
  const failing = (await sweeps()).at(-1)
  await owner`update sandbox_payouts set status = 'rejected' where id = ${failing?.id ?? ''} and partner = 'custodian'`
  expect(await sweep()).toBe(1)
  await untilSwept(3)
  expect((await sweeps()).at(-1)).toMatchObject({ amount: '50', vault: failing?.vault })
  expect(await listed()).toEqual(before)
})

test('each reconciliation ends with a sweep, but while the connection is paused; one that fails is left to the next', async () => {
  const steps = async () => {
    let next: Parameters<typeof reconcilePartner>[0] | undefined = { partner: 'custodian' }
    while (next) ({ next } = (await reconcilePartner(next)) as { next?: typeof next })
  }
  await arriveAt('60.00')
  const [pause] = await owner`
    insert into connection_pauses (connection, reason, paused_by) values ('custodian', 'a test', 'operator') returning id`
  await steps()
  expect(await sweeps()).toHaveLength(4)
  await owner`update connection_pauses set resumed_at = business_now(), resumed_by = 'operator' where id = ${pause?.['id']}`
  await setFault('ambiguous')
  await steps()
  await steps()
  await untilSwept(4)
  expect((await sweeps()).map(({ amount }) => amount)).toEqual(['25', '40', '50', '50', '60'])
})

test('coins without a floor stay where they are', async () => {
  const address = await open('USDT')
  await letArrive(address, '70.00', 'USDT')
  const moved = (await sweeps()).length
  expect(await sweep()).toBe(0)
  expect(await sweeps()).toHaveLength(moved)
})
