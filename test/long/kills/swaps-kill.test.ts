/** SIGKILL to the worker between a trade and its record: the desk trades once. */
import { beforeAll, expect, test } from 'vitest'
import { closeGate, installGates } from '../../support/faults/gates.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { sentExchanged, violations } from '../../support/payments/payouts.ts'
import { type Child, startWorker } from '../../support/processes.ts'
import { UNCOVERED, booksAreClean, coverOf, exchanger, execute, isCovered, quoted } from '../../support/swaps.ts'

usePartners()
let worker: Child

beforeAll(async () => {
  await installGates({ settle: { on: 'update on covers' } })
  worker = await startWorker()
})

test('a worker that is killed after the trade and before its record: the desk is asked again, and has traded once', async () => {
  const at = await exchanger('100.00')
  const swapGate = await closeGate('settle', at.org.id)
  const { quote_id } = await quoted(at)
  const { status, body } = await execute(at.boss, quote_id)
  expect(status).toBe(201)
  const swap = { id: body.swap_id as string }
  const { payer, payment } = await sentExchanged()
  const paymentGate = await closeGate('settle', payer.payer.id)
  for (const [gate, exchange] of [
    [swapGate, swap],
    [paymentGate, payment],
  ] as const) {
    await gate.waiting()
    expect(await coverOf(exchange)).toEqual({ ...UNCOVERED, trades: 1 })
  }
  await worker.kill()
  for (const gate of [swapGate, paymentGate]) await gate.open()
  worker = await startWorker()
  for (const exchange of [swap, payment]) await isCovered(exchange)
  await booksAreClean(at)
  expect(await violations(payer, payer.payer.id)).toEqual([])
})
