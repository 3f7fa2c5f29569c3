/** Postgres or Temporal dies and comes back: each payment ends in the right state once. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { EveryStep } from '../../support/faults/faults.ts'
import { type Child, call, startApi, startServers, startWorker } from '../../support/processes.ts'

const servers = await startServers() // before anything reads the environment
const { payerAndPayee, paymentBody } = await import('../../support/api.ts')
const faults = await import('../../support/faults/faults.ts')
const outcomes = await import('../../support/faults/outcomes.ts')
const callers = await import('../../support/faults/errands.ts')

/** Six payments are under way at this answer. */
const STRIKE_AT_ANSWER = 7

let api: Child & { url: string }
const reach = () => api

beforeAll(async () => {
  await faults.installPaymentGates()
  ;[, api] = await Promise.all([startWorker(), startApi()])
})

const KILLED = [
  {
    name: 'Postgres' as const,
    /** Statuses while it is away, and for requests that waited when it was killed. */
    reads: 503,
    creates: 503,
    approves: 503,
    told: ['done', 503] as const,
    server: servers.postgres,
    strike: (every: EveryStep) => every.perish(servers.postgres.kill),
  },
  {
    name: 'Temporal' as const,
    reads: 200,
    creates: 201,
    approves: 200,
    told: ['done'] as const,
    server: servers.temporal,
    strike: (every: EveryStep) => servers.temporal.kill().then(every.release),
  },
]

describe.each(KILLED)('$name is killed and started again', ({ reads, creates, approves, told, server, strike }) => {
  let every: EveryStep
  let bystander: Awaited<ReturnType<typeof payerAndPayee>>

  beforeAll(async () => {
    bystander = await payerAndPayee('100.00')
    every = await faults.stopAtEveryStep(reach)
    await strike(every)
  })

  test(`meanwhile a read is answered ${reads}, a creation ${creates}, an approval ${approves}`, async () => {
    const { repeat } = every.stopped('before the decision is written')
    const { boss, payer, contactId } = bystander
    const read = await call(api, 'GET', `/organizations/${payer.id}/payments`, { token: boss.token })
    const body = paymentBody(contactId, '1.00')
    const created = await call(api, 'POST', '/payments', { token: boss.token, key: randomUUID(), body })
    const approved = await repeat()
    for (const answer of [read, created, approved]) callers.expectNoBug(answer)
    expect([read.status, created.status, approved.status]).toEqual([reads, creates, approves])
    await server.restart()
  })

  test.each(faults.STEPS)('$name: the payment ends in the right state exactly once', async ({ name }) => {
    await outcomes.expectRecovered(reach, every.stopped(name), told)
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
    await callers.expectCarriedOut(reach, payers, done)
    expect(api.bugs()).toEqual([])
  })
})
