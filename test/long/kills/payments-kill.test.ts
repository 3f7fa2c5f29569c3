/** SIGKILL to the API at every step, and to workers at one step and under many payments. */
import { randomInt, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { numbersFrom } from '../../support/chaos/random.ts'
import type { Payment } from '../../support/faults/errands.ts'
import type { Gate } from '../../support/faults/gates.ts'
import { type Child, call, startApi, startPostgres, startWorker } from '../../support/processes.ts'

await startPostgres() // before anything reads the environment
const { approvalPath, createPayment, payerAndPayee, paymentBody, verifyStepUp } = await import('../../support/api.ts')
const faults = await import('../../support/faults/faults.ts')
const { closeGate } = await import('../../support/faults/gates.ts')
const outcomes = await import('../../support/faults/outcomes.ts')
const callers = await import('../../support/faults/errands.ts')
const { owner } = await import('../../support/database.ts')
const { until } = await import('../../support/until.ts')

let worker: Child
let api: Awaited<ReturnType<typeof startApi>>
const reach = () => api

beforeAll(async () => {
  await faults.installPaymentGates()
  ;[worker, api] = await Promise.all([startWorker(), startApi()])
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

describe('a worker is killed in the expiry of two approvals', () => {
  const CASES = [
    { when: 'before it is written', committed: false, left: 'awaiting_approval' },
    { when: 'after it is written, before Temporal hears of it', committed: true, left: 'cancelled' },
  ]
  const statusOf = async ({ id }: Payment) => (await owner`select status from payments where id = ${id}`)[0]?.['status']

  /** A payment whose expiry waits at the gate. */
  async function expiring(): Promise<{ payment: Payment; gate: Gate; pid: number }> {
    const { boss, payer, contactId } = await payerAndPayee('100.00')
    const payment: Payment = await createPayment(boss, contactId, '10.00')
    await outcomes.expectOnce([{ id: payment.id, paid: false }])
    const gate = await closeGate('decide', payer.id)
    await owner`update approvals set expires_at = business_now() where id = ${payment.approval_request_id}`
    await owner`update processes set look_at = business_now() where id = ${payment.id}`
    return { payment, gate, pid: await gate.waiting() }
  }

  const expired = new Map<string, { payment: Payment; left: unknown }>()

  beforeAll(async () => {
    const all = await Promise.all(CASES.map(async (each) => ({ ...each, ...(await expiring()) })))
    const commits = await faults.holdCommits()
    for (const { committed, gate, pid } of all) {
      if (!committed) continue
      await gate.open()
      await commits.holds(pid)
    }
    await worker.kill()
    await commits.release()
    for (const { when, payment, gate, pid } of all) {
      await gate.open()
      await faults.isOver(pid)
      expired.set(when, { payment, left: await statusOf(payment) })
    }
    worker = await startWorker()
  })

  test.each(CASES)('$when: it expires once', async ({ when, left }) => {
    const { payment, left: found } = expired.get(when) ?? {}
    if (!payment) throw new Error('no payment expired')
    expect(found).toBe(left)
    await until('the payment to be at rest', async () => {
      return (await owner`select from processes where id = ${payment.id}`).length === 0
    })
    expect(await statusOf(payment)).toBe('cancelled')
    const log = await owner`
      select type from events where subject_id in (${payment.id}, ${payment.approval_request_id}) order by type`
    expect(log.map((event) => event['type'])).toEqual([
      'approval.expired',
      'approval.requested',
      'payment.cancelled',
      'payment.created',
    ])
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

const EACH = 10
test(`${3 * EACH} payments in a ring of 3, 8 at once, while the worker is killed twice: each succeeds exactly once or waits`, async () => {
  const seed = Number(process.env['KILL_SEED'] ?? randomInt(2 ** 31))
  onTestFailed(() => console.log(`KILL_SEED=${seed}`))
  const random = numbersFrom(seed)
  const payers = await callers.ringOfPayers(3)
  const errands = payers.flatMap((payer) =>
    Array.from({ length: EACH }, () => ({ payer, amount: `${1 + random(50)}.00`, paid: random(5) > 0 })),
  )
  const killAt = new Set([2 + random(2 * EACH - 2), 2 * EACH + 2 + random(2 * EACH - 2)])
  let restarting = Promise.resolve()
  const done = await callers.carryOut(reach, errands, 8, (answers) => {
    if (!killAt.delete(answers)) return
    restarting = restarting.then(async () => {
      await worker.kill()
      worker = await startWorker()
    })
    restarting.catch(() => {}) // awaited below
  })
  await restarting
  expect(killAt.size).toBe(0)
  await callers.expectCarriedOut(reach, payers, done)
  expect(api.bugs()).toEqual([])
}, 60_000)
