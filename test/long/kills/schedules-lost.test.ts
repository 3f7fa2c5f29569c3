/** Payments on a date while all is down: the API and the worker at midnight, Temporal at their hour, and its data. */
import { beforeAll, expect, test } from 'vitest'
import type { Dated } from '../../support/payments/schedules.ts'
import { startApi, startServers, startWorker } from '../../support/processes.ts'

const servers = await startServers() // before anything reads the environment
const { approve, payerAndPayee } = await import('../../support/api.ts')
const { draftOf, ended, outcomes, submit } = await import('../../support/batches/batches.ts')
const { owner } = await import('../../support/database.ts')
const { payoutAt, usePartners } = await import('../../support/partners/partners.ts')
const { eventsOf, payerBy, read, violations } = await import('../../support/payments/payouts.ts')
const { businessDay, moveTo, moveToHour, onDate, scheduled, unschedule } =
  await import('../../support/payments/schedules.ts')
const { until } = await import('../../support/until.ts')
const { daysAfter } = await import('../../../domain/instants.ts')

const LATE_MS = 150_000

usePartners()

let worker: Awaited<ReturnType<typeof startWorker>>
let api: Awaited<ReturnType<typeof startApi>>
beforeAll(async () => {
  ;[worker, api] = await Promise.all([startWorker(), startApi()])
})

const late = (id: string, status: string) =>
  until(
    `${id} ${status}`,
    async () => (await owner`select from payments where id = ${id} and status = ${status}`)[0],
    LATE_MS,
  )

async function batchOn(day: string) {
  const { boss, payer, payee } = await payerAndPayee('100.00')
  const draft = await draftOf(boss, payer.id, [
    { svc: payee, amount: '4.00' },
    { svc: payee, amount: '3.00' },
  ])
  const { body: batch } = await submit(boss, draft, { execute_on: day })
  await approve(boss, batch)
  return batch
}

async function isPaidOnce(at: Dated, { id }: { id: string }) {
  await late(id, 'succeeded')
  expect(await owner`select from ledger_transfers where key = ${`payment:${id}:reserve`}`).toHaveLength(1)
  expect(await payoutAt('bank', id)).toMatchObject({ status: 'settled' })
  const events = await eventsOf(at, { id })
  expect(new Set(events).size).toBe(events.length)
}

test('the API and the worker die at midnight: what waits is paid once on its day, and what was not approved expires', async () => {
  const at = await payerBy('fiat')
  const day = await businessDay()
  const [paid, taken] = [await scheduled(at, day, '10.00'), await scheduled(at, day, '30.00')]
  const [pending, batch] = [await onDate(at, day, '20.00'), await batchOn(day)]
  expect((await unschedule(at.boss, taken)).status).toBe(200)
  await Promise.all([worker.kill(), api.kill(), moveTo(`${day}T00:00:00Z`)])
  ;[worker, api] = await Promise.all([startWorker(), startApi()])
  await late(pending.id, 'cancelled')
  expect(await read(at, paid)).toMatchObject({ status: 'submitted', schedule: { state: 'executing' } })
  await worker.kill()
  await moveToHour(day, 6)
  worker = await startWorker()
  await isPaidOnce(at, paid)
  await ended(batch.id, LATE_MS)
  expect(await outcomes(batch.id)).toEqual(['succeeded', 'succeeded'])
  expect(await owner`select from payments where id = ${taken.id} and status = 'cancelled'`).toHaveLength(1)
  expect(await violations(at, at.payer.id)).toEqual([])
})

const LOSSES = [
  { what: 'is away at their hour, and back a day later', days: 1, hour: 3, lose: () => servers.temporal.kill() },
  { what: 'loses its data', days: 0, hour: 6, lose: () => servers.temporal.wipe() },
]

test.each(LOSSES)('Temporal $what while payments wait for their day: each is paid once', async (loss) => {
  const at = await payerBy('fiat')
  const day = await businessDay()
  const [paid, batch] = [await scheduled(at, day, '10.00'), await batchOn(day)]
  await loss.lose()
  await moveToHour(daysAfter(day, loss.days), loss.hour)
  if (loss.days > 0) await servers.temporal.restart()
  await isPaidOnce(at, paid)
  await ended(batch.id, LATE_MS)
  expect(await outcomes(batch.id)).toEqual(['succeeded', 'succeeded'])
  expect(await violations(at, at.payer.id)).toEqual([])
})
