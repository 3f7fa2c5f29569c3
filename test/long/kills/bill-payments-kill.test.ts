/** SIGKILL to the worker during bill payments and races: each bill is paid once, or open again. */
import { beforeAll, expect, test } from 'vitest'
import { type Answer, api, approve, fund, join, organization, person } from '../../support/api.ts'
import { decide } from '../../support/approvals/approvals.ts'
import { violations } from '../../support/batches/batches.ts'
import { cancel, change, detail, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { billFaults } from '../../support/chaos/bills.ts'
import { owner } from '../../support/database.ts'
import { closeGate, installGates } from '../../support/faults/gates.ts'
import { calledBack, fault, payoutAt, usePartners } from '../../support/partners/partners.ts'
import { advance } from '../../support/payments/payouts.ts'
import { MortalWorker } from '../../support/faults/mortal.ts'
import { faultsOfAll } from '../../support/histories/replayed.ts'
import { allAreSeen, earnStepUp } from '../../support/runs/runs.ts'
import { until } from '../../support/until.ts'

usePartners()

const [boss, second] = [await person({ authenticator: true }), await person({ authenticator: true })]
const worker = new MortalWorker()

async function requested() {
  const { id } = await organization(boss, 'Payer')
  await join(id, second, 'admin')
  await fund(id, '100.00', 'EUR')
  const bill = await typedBill(boss, id, { amount: '10.00' })
  const { status, body } = await requestPayment(boss, bill.id)
  if (status !== 200) throw new Error(`bill: ${JSON.stringify(body)}`)
  return { organizationId: id, bill: bill.id as string, approval: body, payment: body.fiat_outgoing_id as string }
}
type Requested = Awaited<ReturnType<typeof requested>>

const isNow = ({ payment }: { payment: string }, status: string) =>
  until(`payment ${payment} ${status}`, async () => {
    const [row] = await owner`select status from payments where id = ${payment}`
    return row?.['status'] === status
  })
const approved = async (scene: Requested): Promise<Requested> => {
  expect((await approve(boss, scene.approval)).status).toBe(200)
  return scene
}
const billOf = async ({ bill }: Requested) => (await detail(boss, bill)).bill

/** Expects a bill that stands for its one payment, and refusals that say so. */
async function isBusy(scene: Requested): Promise<void> {
  expect(await billOf(scene)).toMatchObject({ status: 'payment_requested', fiat_outgoing_id: scene.payment })
  const answers = [await requestPayment(boss, scene.bill), await change(boss, scene.bill, { amount: '11.00' })]
  expect(answers.map(({ body }) => body.error.type)).toEqual(['bill_payment_in_progress', 'invalid_state'])
}

beforeAll(async () => {
  await installGates({
    look: { on: 'update on payments', when: "old.status = 'submitted' and new.status <> 'submitted'" },
    settle: { on: 'update on bills', when: "old.status = 'payment_requested' and new.status = 'extracted'" },
  })
  await worker.start()
})

test('what is approved without a worker, and what the bank took as it died, is paid once', async () => {
  const [waits, taken] = [await requested(), await requested()]
  const meanwhile = async () => {
    await isBusy(taken)
    await approved(waits)
  }
  await worker.dieAt('look', taken.organizationId, () => approved(taken), meanwhile)
  for (const scene of [waits, taken]) {
    await isNow(scene, 'succeeded')
    expect(await payoutAt('bank', scene.payment)).toMatchObject({ status: 'settled', amount: '10.00' })
    expect(await billOf(scene)).toMatchObject({ status: 'payment_requested', fiat_outgoing_id: scene.payment })
    expect(await violations(scene.organizationId)).toEqual([])
  }
})

const ENDS = {
  failed: async (scene: Requested) => {
    await fault('bank', 'manual', 1)
    await approved(scene)
    await isNow(scene, 'processing')
    return () => advance({ id: scene.payment }, 'failed')
  },
  reversed: async (scene: Requested) => {
    await approved(scene)
    await isNow(scene, 'succeeded')
    return () => advance({ id: scene.payment }, 'reversed')
  },
  cancelled: async (scene: Requested) => async () => {
    await owner`update approvals set expires_at = business_now() where id = ${scene.approval.approval_request_id}`
    await owner`update processes set look_at = business_now() where id = ${scene.payment}`
  },
} as const

test.each(Object.entries(ENDS))(
  'a bill whose payment is %s as the worker dies is open once, and paid anew through a restart',
  async (end, lead) => {
    const scene = await requested()
    await worker.dieAt('settle', scene.organizationId, await lead(scene), () => isBusy(scene))
    const open = await until('a bill that is open', async () => {
      const found = await detail(boss, scene.bill)
      return found.bill.status === 'extracted' && found
    })
    expect(open.bill).toMatchObject({ fiat_outgoing_id: null, approval_request_id: null })
    const ends = open.events.filter(({ event_type: type }: { event_type: string }) => type === 'bill.payment_ended')
    expect(ends).toMatchObject([{ payload: { payment_id: scene.payment, status: end } }])
    const { body } = await requestPayment(boss, scene.bill)
    const anew = await approved({ ...scene, approval: body, payment: body.fiat_outgoing_id })
    expect(await worker.stop()).toBe(0)
    await worker.start()
    await isNow(anew, 'succeeded')
    expect(await violations(scene.organizationId)).toEqual([])
  },
)

const types = (answers: readonly Answer[]) =>
  answers.map(({ status, body }) => (status === 200 ? 'done' : body.error.type)).toSorted()
test('of two people who ask at once one is heard: a payment is requested once, or the bill is changed, or put away', async () => {
  const { organizationId } = await requested()
  const bill = async (amount: string) => (await typedBill(boss, organizationId, { amount, bill_number: amount })).id
  const ask = (id: string, by = boss) => requestPayment(by, id)
  const [twice, changed, putAway] = [await bill('1.00'), await bill('2.00'), await bill('3.00')]
  expect(types(await Promise.all([ask(twice), ask(twice, second)]))).toEqual(['bill_payment_in_progress', 'done'])
  const [paid, typed] = await Promise.all([ask(changed), change(second, changed, { amount: '2.50' })])
  expect([paid.status, [200, 409].includes(typed.status)]).toEqual([200, true])
  const [made] = await owner`select landing_amount from payments where id = ${paid.body.fiat_outgoing_id}`
  expect(made).toEqual({ landing_amount: typed.status === 200 ? '2.50' : '2.00' })
  expect(types(await Promise.all([ask(putAway), cancel(second, putAway)]))).toEqual(['done', 'invalid_state'])
  expect(await billFaults()).toEqual([])
})

test('an approval against a withdrawal, a rejection, and the deletion of the contact: one of them counts', async () => {
  for (const other of ['cancel', 'reject', 'delete'] as const) {
    const scene = await requested()
    await earnStepUp(second, scene.approval)
    const stop = () =>
      other === 'delete'
        ? api('DELETE', `/payment-contacts/${scene.approval.payment_contact_id}`, { token: boss.token })
        : decide(boss, scene.approval, other)
    const [given, stopped] = await Promise.all([decide(second, scene.approval, 'approve'), stop()])
    const isPaid = given.status === 200
    expect(stopped.status, other).toBe(isPaid ? 409 : 200)
    await isNow(scene, isPaid ? 'succeeded' : 'cancelled')
    expect((await billOf(scene)).status).toBe(isPaid ? 'payment_requested' : 'extracted')
  }
  expect(await billFaults()).toEqual([])
})

test('a rejection whose connection is killed as it opens the bill is done once when it is answered', async () => {
  const scene = await requested()
  const gate = await closeGate('settle', scene.organizationId)
  const rejected = decide(boss, scene.approval, 'reject')
  const backend = await gate.waiting()
  await owner`select pg_terminate_backend(${backend})`
  await gate.open()
  expect((await rejected).status).toBe(200)
  const { bill, events } = await detail(boss, scene.bill)
  expect(bill.status).toBe('extracted')
  expect(events.map(({ event_type: type }: { event_type: string }) => type)).toEqual([
    'bill.created',
    'bill.payment_requested',
    'bill.payment_ended',
  ])
})

test('a burst of callbacks about a bill that is sent back opens it once', async () => {
  const scene = await approved(await requested())
  await isNow(scene, 'succeeded')
  expect((await advance({ id: scene.payment }, 'reversed')).status).toBe(200)
  await Promise.all(Array.from({ length: 8 }, () => calledBack(scene.payment)))
  await isNow(scene, 'reversed')
  expect((await billOf(scene)).status).toBe('extracted')
  expect(await billFaults()).toEqual([])
  expect(await violations(scene.organizationId)).toEqual([])
})

test('every history is replayed by the code that wrote it, and every bill is what its log says', async () => {
  await allAreSeen()
  expect(await faultsOfAll(2 + 2 * Object.keys(ENDS).length)).toEqual([])
  expect(await billFaults()).toEqual([])
  expect(await worker.stop()).toBe(0)
})
