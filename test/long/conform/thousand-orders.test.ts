/** A thousand orders at a partner that forgets ids after a day: none is paid twice, the unknowable is on hold. */
import { beforeAll, expect, test } from 'vitest'
import type { Run } from '../../support/conform/orders.ts'
import { providerOf } from '../../support/conform/environment.ts'

const [ORDERS, FIRST] = [Number(process.env['CONFORM_ORDERS'] ?? 1000), Number(process.env['CONFORM_BATCH'] ?? 0)]
const runs: Run[] = []

beforeAll(async () => {
  const provider = providerOf('http-24h')
  const { openKit } = await import('../../../dev/conform/kit.ts')
  const { BATCH, runBatch } = await import('../../support/conform/orders.ts')
  const { installStops } = await import('../../../dev/conform/stops.ts')
  const kit = await openKit(provider)
  await installStops()
  const began = Date.now()
  for (let batch = FIRST; runs.length < ORDERS; batch += 1) runs.push(...(await runBatch(kit, batch)))
  const count = (status: string) => runs.filter((run) => run.status === status).length
  const twice = runs.filter(({ payouts }) => payouts > 1).length
  console.log(
    `${runs.length} orders in batches of ${BATCH}: ${count('succeeded')} paid once, ${count('on_hold')} on hold, ` +
      `${twice} paid twice; ${Math.round((Date.now() - began) / 1000)} s`,
  )
  await kit.close()
}, 1_200_000)

test('none is paid twice, and every ledger is right', () => {
  const faults = runs.filter((run) => run.faults.length > 0 || run.payouts > 1)
  expect(faults).toEqual([])
})

test('each has ended, or waits for a person', () => {
  expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(['succeeded', 'on_hold']))
})
