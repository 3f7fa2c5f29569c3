import { expect, test, vi } from 'vitest'
import { pingTemporal } from '../../../temporal/client.ts'
import { usePartners } from '../../support/partners/partners.ts'
import {
  UNCOVERED,
  balancesOf,
  booksAreClean,
  coverOf,
  exchanger,
  execute,
  isCovered,
  quoted,
} from '../../support/swaps.ts'
import { startWorker } from '../../../worker.ts'
import '../../support/temporal-runtime.ts'

const { temporal } = await vi.hoisted(async () => {
  const { startProxy } = await import('../../support/faults/proxy.ts')
  const proxy = await startProxy(process.env['TEMPORAL_ADDRESS'] ?? '')
  process.env['TEMPORAL_ADDRESS'] = proxy.address
  return { temporal: proxy }
})
usePartners()

test('with Temporal away a swap is executed all the same, and its cover made up for when it is back', async () => {
  const at = await exchanger('100.00')
  const { quote_id, target_amount } = await quoted(at)
  await temporal.cut()
  const { status, body } = await execute(at.boss, quote_id)
  expect(status).toBe(201)
  expect(await balancesOf(at)).toEqual({ USD: '90.00', EUR: target_amount })
  const swap = { id: body.swap_id as string }
  expect(await coverOf(swap)).toEqual(UNCOVERED)
  await temporal.mend()
  await expect.poll(() => pingTemporal().catch(() => false), { timeout: 15_000 }).toBe(true)
  const worker = await startWorker({ versioned: false, reconciles: false })
  await isCovered(swap)
  await booksAreClean(at)
  await worker.stop()
})
