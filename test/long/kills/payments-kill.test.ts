/** SIGKILL to the API at every step, and while clients wait for its answer. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Payment } from '../../support/faults/errands.ts'
import { call, startApi, startPostgres, startWorker } from '../../support/processes.ts'

await startPostgres() // before anything reads the environment
const { approvalPath, createPayment, payerAndPayee, paymentBody, verifyStepUp } = await import('../../support/api.ts')
const faults = await import('../../support/faults/faults.ts')
const { closeGate } = await import('../../support/faults/gates.ts')
const outcomes = await import('../../support/faults/outcomes.ts')
const { owner } = await import('../../support/database.ts')

let api: Awaited<ReturnType<typeof startApi>>
const reach = () => api

beforeAll(async () => {
  await faults.installPaymentGates()
  ;[api] = await Promise.all([startApi(), startWorker()])
})

const replaceApi = async () => {
  await api.kill()
  api = await startApi()
}

describe('the API is killed at every step at once', () => {
  let every: Awaited<ReturnType<typeof faults.stopAtEveryStep>>
  let left: Record<string, string | undefined>

  beforeAll(async () => {
    every = await faults.stopAtEveryStep(reach)
    await api.kill()
    await every.release()
    left = await faults.whatIsLeft(every)
    api = await startApi()
  })

  test.each(faults.STEPS)('$name: the payment ends in the right state exactly once, and is seen', async (step) => {
    expect(left[step.name]).toBe(step.left)
    await outcomes.expectRecovered(reach, every.stopped(step.name), [undefined])
  })
})

describe('the API is killed while two clients wait', () => {
  let creation: Awaited<ReturnType<typeof waitingCreation>>
  let decision: Awaited<ReturnType<typeof waitingDecision>>

  async function waitingCreation() {
    const { boss, payer, contactId } = await payerAndPayee('100.00')
    const request = { token: boss.token, key: randomUUID(), body: paymentBody(contactId, '10.00') }
    const create = () => call(api, 'POST', '/payments', request)
    const gate = await closeGate('create', payer.id)
    const broken = expect(create()).rejects.toThrow('fetch failed')
    await gate.waiting()
    return { payer, create, gate, broken }
  }

  async function waitingDecision() {
    const { boss, payer, contactId } = await payerAndPayee('100.00')
    const payment: Payment = await createPayment(boss, contactId, '10.00')
    const request = { token: boss.token, key: randomUUID(), body: {} }
    const approve = () => call(api, 'POST', `${approvalPath(payment)}/approve`, request)
    await verifyStepUp(await approve())
    const gate = await closeGate('decide', payer.id)
    const broken = expect(approve()).rejects.toThrow('fetch failed')
    await gate.waiting()
    return { payment, approve, gate, broken }
  }

  beforeAll(async () => {
    ;[creation, decision] = await Promise.all([waitingCreation(), waitingDecision()])
    await replaceApi()
  })

  test('the same key at another API makes one payment', async () => {
    const { payer, create, gate, broken } = creation
    await broken
    const early = create()
    await gate.open()
    const [answer, later] = [await early, await create()]
    expect([answer.status, later.status]).toEqual([201, 201])
    expect(later.body).toEqual(answer.body)
    const rows = await owner`select id from payments where organization_id = ${payer.id}`
    expect(rows).toEqual([{ id: answer.body.id }])
    await outcomes.expectOnce([{ id: answer.body.id, paid: false }])
  })

  test('the same key at another API gets the decision that was recorded once', async () => {
    const { payment, approve, gate, broken } = decision
    await broken
    const early = approve()
    await gate.open()
    const [answer, later] = [await early, await approve()]
    expect([answer.status, later.status]).toEqual([200, 200])
    expect([answer.body.status, later.body.status]).toEqual(['approved', 'approved'])
    await outcomes.expectOnce([{ id: payment.id, paid: true }])
  })
})
