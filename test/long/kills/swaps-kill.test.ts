/** SIGKILL to the API during an execution, and to the worker between a trade and its record. */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { owner } from '../../support/database.ts'
import { closeGate, installGates } from '../../support/faults/gates.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { sentExchanged, violations } from '../../support/payments/payouts.ts'
import { type Child, call, startApi, startWorker } from '../../support/processes.ts'
import { UNCOVERED, balancesOf, booksAreClean, coverOf, exchanger, isCovered, quoted } from '../../support/swaps.ts'

usePartners()
let worker: Child
let api: Awaited<ReturnType<typeof startApi>>

beforeAll(async () => {
  await installGates({ create: { on: 'insert on swaps' }, settle: { on: 'update on covers' } })
  ;[worker, api] = await Promise.all([startWorker(), startApi()])
})

const swapOf = async (organizationId: string): Promise<{ id: string }> => {
  const rows = await owner<{ id: string }[]>`select id from swaps where organization_id = ${organizationId}`
  expect(rows).toHaveLength(1)
  return rows[0] ?? { id: '' }
}

test('an API that is killed while it executes: the same key at another one makes one swap', async () => {
  const at = await exchanger('100.00')
  const { quote_id, target_amount } = await quoted(at)
  const request = { token: at.boss.token, key: randomUUID(), body: { quote_id } }
  const execute = () => call(api, 'POST', '/swaps/execute', request)
  const gate = await closeGate('create', at.org.id)
  const broken = expect(execute()).rejects.toThrow('fetch failed')
  await gate.waiting()
  await api.kill()
  api = await startApi()
  await broken
  await gate.open()
  const [answer, again] = [await execute(), await execute()]
  expect([answer.status, again.status, again.body]).toEqual([201, 201, answer.body])
  expect(await balancesOf(at)).toEqual({ USD: '90.00', EUR: target_amount })
  await booksAreClean(at)
  await isCovered(await swapOf(at.org.id))
})

test('a worker that is killed after the trade and before its record: the desk is asked again, and has traded once', async () => {
  const at = await exchanger('100.00')
  const swapGate = await closeGate('settle', at.org.id)
  const { quote_id } = await quoted(at)
  expect((await call(api, 'POST', '/swaps/execute', { token: at.boss.token, body: { quote_id } })).status).toBe(201)
  const swap = await swapOf(at.org.id)
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
