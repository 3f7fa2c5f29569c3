import { DefaultLogger, Runtime } from '@temporalio/worker'
import { afterEach, expect, test, vi } from 'vitest'
import { type RunningWorker, startWorker } from '../worker.ts'
import { payerAndPayee } from './support/api.ts'
import { owner } from './support/database.ts'
import { eventually } from './support/runs.ts'
import { booksAreInOrder, idsOf, paymentsOf, preparedSet, reserved, told } from './support/sets.ts'

vi.hoisted(() => Object.assign(process.env, { REQUEST_DEADLINE_MS: '1500' }))
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })

let worker: RunningWorker | undefined
const rest = async () => {
  const stopping = worker
  worker = undefined
  await stopping?.stop()
}
afterEach(rest)

test('a set that is sent while no worker runs is told so of each, and goes on under the same proof when one does', async () => {
  worker = await startWorker()
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(
    boss,
    contactId,
    Array.from({ length: 12 }, () => '1.00'),
  )
  const { decide } = await preparedSet(boss, payer.id, idsOf(payments))
  await rest()
  const answer = await decide()
  expect([answer.status, new Set(told(answer))]).toEqual([200, new Set(['service_unavailable'])])
  expect(answer.body.data[0]).toMatchObject({ status: 'pending', error: { details: { retry_after_seconds: 1 } } })
  expect(await reserved(payments)).toBe(0)

  worker = await startWorker()
  await eventually(async () => new Set(told(await decide()))).toEqual(new Set(['approved']))
  expect(await reserved(payments)).toBe(12)
  const proofs = await owner`select status from step_ups where user_id = ${boss.userId}`
  expect(proofs.map((row) => row['status'])).toEqual(['consumed'])
  expect(await booksAreInOrder(payer.id, boss)).toBe(true)
})
