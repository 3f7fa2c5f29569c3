/** T16: a stop of everything under load: answered requests are stored, and all are seen after the restart. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inLanes } from '../../platform/concurrency.ts'
import { type Child, call, placeApi, startApi, startServers, startWorker } from '../support/processes.ts'

await startServers() // before anything reads the environment
const port = await placeApi()
const { approveInsistently, createInsistently, expectCarriedOut, ringOfPayers } =
  await import('../support/faults/errands.ts')
const { owner } = await import('../support/database.ts')
const { allAreSeen } = await import('../support/runs/runs.ts')
const { until } = await import('../support/until.ts')

test('SIGTERM of API and worker in the middle of payments loses no answer and no row', async () => {
  let [worker, api]: [Child, Awaited<ReturnType<typeof startApi>>] = await Promise.all([startWorker(), startApi(port)])
  const payers = await ringOfPayers(6)
  const errands = Array.from({ length: 120 }, (_, index) => ({
    payer: payers[index % payers.length] ?? never(),
    amount: '1.00',
    paid: index % 5 !== 0,
  }))
  let restarting: Promise<void> | undefined
  const done: { id: string; paid: boolean }[] = []
  await inLanes(errands, 8, async ({ payer, amount, paid }) => {
    const [create, approve] = [randomUUID(), randomUUID()]
    const payment = await reached(() => createInsistently(() => api, payer.boss, payer.contactId, amount, create))
    if (paid) await reached(() => approveInsistently(() => api, payer.boss, payment, approve))
    done.push({ id: payment.id, paid })
    if (done.length % 30 === 0) restarting ??= restart().finally(() => (restarting = undefined))
  })
  await restarting
  await expectCarriedOut(() => api, payers, done)
  await allAreSeen()
  expect([...api.bugs(), ...worker.bugs()]).toEqual([])
  await Promise.all([worker.stop(), api.stop()])

  async function restart(): Promise<void> {
    const codes = await Promise.all([worker.stop(), api.stop()])
    expect(codes).toEqual([0, 0])
    ;[worker, api] = await Promise.all([startWorker(), startApi(port)])
  }
})

test('a request that is under way when its API is told to stop is answered', async () => {
  const [worker, api] = await Promise.all([startWorker(), startApi(port)])
  const [payer] = await ringOfPayers(2)
  const asking = Array.from({ length: 20 }, () =>
    call(api, 'POST', '/payments', {
      token: payer?.boss.token,
      key: randomUUID(),
      body: {
        amount: { amount: '1.00', currency: 'USD' },
        payment_contact_id: payer?.contactId,
        payout_reason: 'services',
        statement_description: 'Stopping',
      },
    }).then(
      ({ status }) => status,
      () => 'not taken',
    ),
  )
  await until(
    'one of them is written',
    async () => (await owner`select from payments where statement_description = 'Stopping'`).length > 0,
  )
  expect(await api.stop()).toBe(0)
  const answers = await Promise.all(asking)
  const [row] = await owner`select count(*)::int as n from payments where statement_description = 'Stopping'`
  expect(answers.filter((status) => status === 201)).toHaveLength(Number(row?.['n']))
  await worker.stop()
})

/** Retries while the API is unreachable, with the same key. */
async function reached<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return until('an answer', () =>
    ask().catch((error: unknown) => (error instanceof TypeError ? false : Promise.reject(error))),
  )
}

function never(): never {
  throw new Error('no payers')
}
