/** Postgres, Temporal, or all at once die and come back in the middle: each payment ends in the right state once. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { EveryStep } from './support/faults.ts'
import { type Child, call, startApi, startServers, startWorker } from './support/processes.ts'

const servers = await startServers() // before anything reads the environment
const { paymentBody } = await import('./support/api.ts')
const faults = await import('./support/faults.ts')
const outcomes = await import('./support/outcomes.ts')
const callers = await import('./support/errands.ts')
const { reconcile } = await import('./support/reconcile.ts')

/** By then six payments are under way. */
const STRIKE_AT_ANSWER = 7

let worker: Child
let api: Child & { url: string }
const reach = () => api
/** As it does every minute: tells the workflows what a server that was killed forgot. */
const meanwhile = () => reconcile()

async function startProcesses(): Promise<void> {
  ;[worker, api] = await Promise.all([startWorker(), startApi()])
}

beforeAll(async () => {
  await faults.installGates()
  await startProcesses()
})

describe.each([
  {
    name: 'Postgres' as const,
    /** What a read is answered meanwhile. */
    reads: 503,
    server: servers.postgres,
    strike: (every: EveryStep) => every.perish(servers.postgres.kill),
  },
  {
    name: 'Temporal' as const,
    reads: 200,
    server: servers.temporal,
    strike: (every: EveryStep) => servers.temporal.kill().then(every.release),
  },
])('$name is killed and started again', ({ reads, server, strike }) => {
  let every: EveryStep

  beforeAll(async () => {
    every = await faults.stopAtEveryStep(reach)
    await strike(every)
  })

  test('meanwhile everything that needs it answers 503 with Retry-After', async () => {
    const { parties, repeat } = every.stopped('before the decision is written')
    const { boss, payer, contactId } = parties
    const read = await call(api, 'GET', `/organizations/${payer.id}/payments`, { token: boss.token })
    const body = paymentBody(contactId, '1.00')
    const created = await call(api, 'POST', '/payments', { token: boss.token, key: randomUUID(), body })
    const approved = await repeat()
    for (const answer of [read, created, approved]) callers.expectNoBug(answer)
    expect([read.status, created.status]).toEqual([reads, 503])
    expect([reads, 503]).toContain(approved.status) // the worker has recorded what Temporal had given it
    await server.restart()
  })

  test.each(faults.STEPS)('$name: the payment ends in the right state exactly once', async ({ name }) => {
    await outcomes.expectRecovered(reach, every.stopped(name), { meanwhile })
  })

  test('payments that run at the same time as the restart: each succeeds exactly once or waits', async () => {
    const payers = await callers.ringOfPayers(3)
    const errands = payers.flatMap((payer) =>
      ['1.00', '2.00', '3.00', '4.00'].map((amount) => ({ payer, amount, paid: amount !== '4.00' })),
    )
    let restarting = Promise.resolve()
    const done = await callers.carryOut(reach, errands, 6, (answers) => {
      if (answers === STRIKE_AT_ANSWER) restarting = server.kill().then(server.restart)
      restarting.catch(() => {}) // awaited below
    })
    await restarting
    await callers.expectCarriedOut(reach, payers, done, meanwhile)
    expect(api.bugs()).toEqual([])
  })
})

describe('everything is killed at once and started again', () => {
  let every: EveryStep

  beforeAll(async () => {
    every = await faults.stopAtEveryStep(reach)
    const killAll = () => Promise.all([worker, api, servers.temporal, servers.postgres].map(({ kill }) => kill()))
    await every.perish(async () => void (await killAll()))
    await Promise.all([servers.postgres.restart(), servers.temporal.restart()])
    await startProcesses()
  })

  test.each(faults.STEPS)('$name: the payment ends in the right state exactly once', async ({ name }) => {
    await outcomes.expectRecovered(reach, every.stopped(name), { apiLived: false, meanwhile })
  })
})
