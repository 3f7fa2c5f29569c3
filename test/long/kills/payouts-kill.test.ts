/** SIGKILL to the worker during approvals, cancellations and payouts: each payment ends once. */
import { beforeAll, expect, test, vi } from 'vitest'
import { inLanes } from '../../../platform/concurrency.ts'
import { type TestPerson, api, approvalPath, join, person, verifyStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { closeGate, installGates } from '../../support/faults/gates.ts'
import { payoutAt, usePartners } from '../../support/partners/partners.ts'
import {
  PARTNER,
  type Rail,
  become,
  cancel,
  eventsOf,
  outgoing,
  payerBy,
  read,
  sent,
  violations,
} from '../../support/payments/payouts.ts'
import { type Child, startWorker } from '../../support/processes.ts'
import { replayAll } from '../../support/histories/replayed.ts'
import { until } from '../../support/until.ts'

// withdrawals are slow enough to cancel some, and callbacks at a gate leave connections free
vi.hoisted(() => Object.assign(process.env, { SANDBOX_SETTLE_MS: '100', DATABASE_POOL_SIZE: '40' }))

usePartners()

const MANY = 6
const RAILS: readonly Rail[] = ['fiat', 'crypto']

type Payer = Awaited<ReturnType<typeof payerBy>>
type Payment = Awaited<ReturnType<typeof outgoing>>

/** A payment at its partner, whose update waits at the gate before it is recorded. */
async function unrecorded(rail: Rail) {
  const payer = await payerBy(rail)
  const gate = await closeGate('settle', payer.payer.id)
  const payment = await sent(payer)
  await gate.waiting()
  expect(await payoutAt(PARTNER[rail], payment.id)).toBeDefined()
  expect(await read(payer, payment)).toMatchObject({ status: 'submitted' })
  return { payer, payment, gate }
}

async function readyToApprove(by: TestPerson, payment: Payment) {
  const call = () => api('POST', `${approvalPath(payment)}/approve`, { token: by.token, body: {} })
  await verifyStepUp(await call())
  return call
}

async function approvable(payer: Payer, second: TestPerson) {
  const payment = await outgoing(payer, '1.00')
  return { payment, approvals: [await readyToApprove(payer.boss, payment), await readyToApprove(second, payment)] }
}

const taken = new Map<Rail, Awaited<ReturnType<typeof unrecorded>>>()
let bank: Payer
let custodian: Payer
const approved: { id: string; answers: number[] }[] = []
const withdrawn: { id: string; answers: number[] }[] = []

/** Everything is under way when the one worker dies, and continues with the next one. */
beforeAll(async () => {
  await installGates({
    settle: { on: 'update on payments', when: "old.status = 'submitted' and new.status <> 'submitted'" },
  })
  const worker: Child = await startWorker()
  ;[bank, custodian] = await Promise.all([payerBy('fiat'), payerBy('crypto')])
  const second = await person({ authenticator: true })
  await join(bank.payer.id, second, 'admin')
  const waiting: Awaited<ReturnType<typeof approvable>>[] = []
  await inLanes(Array.from({ length: MANY }), 4, async () => void waiting.push(await approvable(bank, second)))
  for (const rail of RAILS) taken.set(rail, await unrecorded(rail))
  const killed = async () => {
    await worker.kill()
    for (const { gate } of taken.values()) await gate.open()
  }
  let dead: Promise<void> | undefined
  await inLanes(waiting.entries(), 2, async ([index, { payment, approvals }]) => {
    if (index === MANY / 2) dead = killed()
    const withdrawal = await sent(custodian, '1.00')
    const [approving, cancelling] = await Promise.all([
      Promise.all(approvals.map((approve) => approve())),
      Promise.all([cancel(custodian, withdrawal), cancel(custodian, withdrawal)]),
    ])
    approved.push({ id: payment.id, answers: approving.map(({ status }) => status) })
    withdrawn.push({ id: withdrawal.id, answers: cancelling.map(({ status }) => status) })
  })
  await dead
  await startWorker()
})

/** Waits for the end of each payment, and returns its status here and at its partner. */
const ends = (payments: readonly { id: string }[]) =>
  until(`${payments.length} payments to end`, async () => {
    const rows = await owner<{ status: string; book: string | null }[]>`
      select p.status, b.status as book from payments p left join sandbox_payouts b on b.id = p.id
      where p.id = any (${payments.map(({ id }) => id)})`
    return rows.every(({ status }) => ['succeeded', 'failed', 'cancelled'].includes(status)) && [...rows]
  })

test.each(RAILS)('a payment by %s that its partner took, and nobody recorded, is paid once', async (rail) => {
  const { payer, payment } = taken.get(rail) ?? {}
  if (!payer || !payment) throw new Error('nothing was taken')
  await become(payer, payment, 'succeeded')
  expect(await payoutAt(PARTNER[rail], payment.id)).toMatchObject({ status: 'settled' })
  const events = await eventsOf(payer, payment)
  expect(new Set(events).size).toBe(events.length)
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('payments that two people approve at once are approved by one of them, and all paid', async () => {
  for (const { answers } of approved) expect(answers.toSorted()).toEqual([200, 409])
  expect(await ends(approved)).toEqual(Array.from({ length: MANY }, () => ({ status: 'succeeded', book: 'settled' })))
  expect(await violations(bank, bank.payer.id)).toEqual([])
})

test('withdrawals that are cancelled twice meanwhile all end, as the custodian has it', async () => {
  for (const { answers } of withdrawn) for (const status of answers) expect([200, 409]).toContain(status)
  const found = await ends(withdrawn)
  expect(found).toHaveLength(MANY)
  for (const { status, book } of found) expect(status === 'succeeded').toBe(book === 'settled')
  expect(await violations(custodian, custodian.payer.id)).toEqual([])
})

test('every history is replayed by the code that wrote it, and no process is left open', async () => {
  await until('no open process', async () => (await owner`select from processes`).length === 0)
  const replayed = await until('all histories to be listed', async () => {
    const seen = await replayAll()
    return (seen.faults.length > 0 || seen.replayed >= 2 * MANY + RAILS.length) && seen
  })
  expect(replayed.faults).toEqual([])
})
