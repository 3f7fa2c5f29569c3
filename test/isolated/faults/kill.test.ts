/** SIGKILL to the worker at every step, then to all at once: each payment ends in the right state once. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { TestPerson } from '../../support/api.ts'
import { fullScale } from '../../support/model-runs.ts'
import { type Child, call, startApi, startServers, startWorker } from '../../support/processes.ts'

const servers = await startServers() // before anything reads the environment
const { approvalPath, createPayment, payerAndPayee, verifyStepUp } = await import('../../support/api.ts')
const faults = await import('../../support/faults/faults.ts')
const outcomes = await import('../../support/faults/outcomes.ts')
let worker: Child
let api: Child & { url: string }
const reach = () => api

async function startProcesses(): Promise<void> {
  ;[worker, api] = await Promise.all([startWorker(), startApi()])
}

beforeAll(async () => {
  await faults.installPaymentGates()
  await startProcesses()
})

describe('a worker is killed at every step at once', () => {
  let every: Awaited<ReturnType<typeof faults.stopAtEveryStep>>
  let left: Record<string, string | undefined>
  let idle: { boss: TestPerson; payment: Awaited<ReturnType<typeof createPayment>> }

  beforeAll(async () => {
    const { boss, contactId } = await payerAndPayee('100.00')
    idle = { boss, payment: await createPayment(boss, contactId, '10.00') }
    await outcomes.expectOnce([{ id: idle.payment.id, paid: false }])
    every = await faults.stopAtEveryStep(reach)
    await worker.kill()
    await every.release()
    left = await faults.whatIsLeft(every)
    worker = await startWorker()
  })

  test.each(faults.STEPS)('$name: its client is answered as ever, and the payment ends once', async (step) => {
    expect(left[step.name]).toBe(step.done)
    await outcomes.expectRecovered(reach, every.stopped(step.name), 'done')
  })

  test('the run of a payment that it kept in its cache ends with the next approval', async () => {
    const { boss, payment } = idle
    const approve = () => call(api, 'POST', `${approvalPath(payment)}/approve`, { token: boss.token, body: {} })
    await verifyStepUp(await approve())
    expect(await approve()).toMatchObject({ status: 200, body: { status: 'approved' } })
    await outcomes.expectOnce([{ id: payment.id, paid: true }])
  })
})

describe.runIf(fullScale)('everything is killed at once and started again', () => {
  let every: Awaited<ReturnType<typeof faults.stopAtEveryStep>>

  beforeAll(async () => {
    every = await faults.stopAtEveryStep(reach)
    const killAll = () => Promise.all([worker, api, servers.temporal, servers.postgres].map(({ kill }) => kill()))
    await every.perish(async () => void (await killAll()))
    await Promise.all([servers.postgres.restart(), servers.temporal.restart()])
    await startProcesses()
  })

  test.each(faults.STEPS)('$name: the payment ends in the right state exactly once', async ({ name }) => {
    await outcomes.expectRecovered(reach, every.stopped(name), undefined)
  })
})
