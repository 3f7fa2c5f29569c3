/** SIGKILL to the worker between money that comes in and the invoice that it pays: it pays once. */
import { beforeAll, expect, test } from 'vitest'
import { person } from '../../support/api.ts'
import { closeGate, installGates } from '../../support/faults/gates.ts'
import {
  allocationsOf,
  matched,
  received,
  seller,
  sentInvoice,
  violationsOf,
} from '../../support/invoices/allocations.ts'
import { historyOf, readInvoice } from '../../support/invoices/invoices.ts'
import { type Child, startWorker } from '../../support/processes.ts'

const boss = await person()
let worker: Child

beforeAll(async () => {
  await installGates({ look: { on: 'insert on invoice_allocations' } })
  worker = await startWorker()
})

test('money that comes without a worker, and money that one was about to allocate as it died, pays once', async () => {
  const at = await seller(boss)
  const [dying, waiting] = [await sentInvoice(at, '50'), await sentInvoice(at, '60')]
  const gate = await closeGate('look', at.id)
  const first = await received(at, '50.00', dying.number)
  await gate.waiting()
  await worker.kill()
  await gate.open()
  const second = await received(at, '60.00', waiting.number)
  expect(await readInvoice(boss, dying.id)).toMatchObject({ state: 'sent', allocated: '0.00' })
  worker = await startWorker()
  expect(await Promise.all([matched(first), matched(second)])).toEqual(['allocated', 'allocated'])
  for (const { id } of [dying, waiting]) {
    expect(await readInvoice(boss, id)).toMatchObject({ state: 'paid' })
    expect(await allocationsOf(boss, id)).toHaveLength(1)
    const types = await historyOf(boss, id)
    expect(types.filter((type) => type === 'invoice.allocated' || type === 'invoice.paid')).toHaveLength(2)
  }
  expect(await violationsOf(boss, at.id)).toEqual([])
})
