/** T1: two approvers at once, a cancellation against the custodian, and a dying worker: nothing is stranded. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inLanes } from '../../platform/concurrency.ts'
import type { TestPerson } from '../support/api.ts'
import { type Child, startServers, startWorker } from '../support/processes.ts'

await startServers() // before anything reads the environment
process.env['SANDBOX_SETTLE_MS'] = '100'
const { api, approvalPath, approve, fund, join, organization, person, verifyStepUp } = await import('../support/api.ts')
const { IBAN, cancel: cancelBatch, payees, submitted, violations } = await import('../support/batches/batches.ts')
const { requestPayment, typedBill } = await import('../support/bills/bills.ts')
const { billFaults } = await import('../support/chaos/bills.ts')
const { usePartners } = await import('../support/partners/partners.ts')
const { cancel, outgoing, payerBy, sent } = await import('../support/payments/payouts.ts')
const { owner } = await import('../support/database.ts')
const { bundleOf, verify } = await import('../support/approvals/evidence.ts')
const { replayAll } = await import('../support/histories/replayed.ts')
const { preparedSet, told } = await import('../support/approvals/sets.ts')
const { until } = await import('../support/until.ts')

const MANY = Number(process.env['AT_ONCE'] ?? 50)
type Paid = { id: string; organization_id: string; approval_request_id: string }

usePartners()
let worker: Child
beforeAll(async () => {
  worker = await startWorker()
})
afterAll(() => worker.stop())

async function readyToApprove(by: TestPerson, payment: Paid) {
  const call = () => api('POST', `${approvalPath(payment)}/approve`, { token: by.token, body: {} })
  await verifyStepUp(await call())
  return call
}

async function ended(ids: readonly string[]): Promise<Record<string, number>> {
  return until(`${ids.length} payments to end`, async () => {
    const open = await owner`
      select status, count(*)::int as n from payments
      where id = any (${[...ids]}) and status not in ('succeeded', 'failed', 'cancelled') group by 1`
    if (open.length > 0) return false
    const rows = await owner<{ status: string; n: number }[]>`
      select status, count(*)::int as n from payments where id = any (${[...ids]}) group by 1`
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
  })
}

const kinds = [
  ['kill -9', () => worker.kill()],
  ['SIGTERM', () => worker.stop()],
] as const

test.each(kinds)(
  'payments that two people approve at once, %s of the worker in between, are all paid once',
  async (_, end) => {
    const payer = await payerBy('fiat', '90000.00')
    const second = await person({ authenticator: true })
    await join(payer.payer.id, second, 'admin')
    const payments: Paid[] = []
    await inLanes(Array.from({ length: MANY }), 8, async () => void payments.push(await outgoing(payer, '1.00')))
    const calls = new Map<string, (() => Promise<{ status: number }>)[]>()
    await inLanes(payments, 8, async (payment) => {
      calls.set(payment.id, [await readyToApprove(payer.boss, payment), await readyToApprove(second, payment)])
    })
    let dead: Promise<unknown> = Promise.resolve()
    await inLanes(payments.entries(), 8, async ([index, payment]) => {
      if (index === Math.floor(MANY / 2)) dead = Promise.resolve(end())
      const answers = await Promise.all((calls.get(payment.id) ?? []).map((call) => call()))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    })
    await dead
    worker = await startWorker()
    expect(await ended(payments.map(({ id }) => id))).toEqual({ succeeded: MANY })
  },
)

test.each(kinds)(
  'withdrawals that are cancelled while they are approved, %s of the worker in between, all end',
  async (_, end) => {
    const payer = await payerBy('crypto', '900.00')
    const withdrawals: Paid[] = []
    await inLanes(Array.from({ length: MANY }), 8, async () => void withdrawals.push(await sent(payer, '1.00')))
    const statuses = new Set<number>()
    let dead: Promise<unknown> = Promise.resolve()
    await inLanes(withdrawals.entries(), 8, async ([index, payment]) => {
      if (index === Math.floor(MANY / 2)) dead = Promise.resolve(end())
      const answers = await Promise.all([cancel(payer, payment), cancel(payer, payment)])
      for (const { status } of answers) statuses.add(status)
    })
    expect([...statuses].every((status) => status === 200 || status === 409)).toBe(true)
    await dead
    worker = await startWorker()
    const ends = await ended(withdrawals.map(({ id }) => id))
    expect(Object.values(ends).reduce((sum, n) => sum + n, 0)).toBe(MANY)
    const differing = await owner`
    select p.id, p.status, b.status as book from payments p join sandbox_payouts b on b.id = p.id
    where p.id = any (${withdrawals.map(({ id }) => id)})
      and (p.status = 'succeeded') is distinct from (b.status = 'settled')`
    expect([...differing]).toEqual([])
  },
)

const BATCHES = Math.ceil(MANY / 5)
type Batch = Paid & { status: string }

/** Batches in approval, of three rows by service ID and two by bank, and two approvers. */
async function waitingBatches() {
  const [boss, second] = [await person({ authenticator: true }), await person({ authenticator: true })]
  const payer = await organization(boss, 'Payer')
  await join(payer.id, second, 'admin')
  for (const currency of ['USD', 'EUR']) await fund(payer.id, '90000.00', currency)
  const rows = [
    ...(await payees(3)).map((svc) => ({ svc, amount: '1.00' })),
    ...['2.00', '3.00'].map((amount) => ({ iban: IBAN, amount })),
  ]
  const batches: Paid[] = []
  await inLanes(
    Array.from({ length: BATCHES }),
    4,
    async () => void batches.push(await submitted(boss, payer.id, rows)),
  )
  return { boss, second, payer, batches }
}

/** Waits for their ends; returns the rows that are neither paid once nor skipped. */
async function endedBatches(ids: readonly string[]): Promise<{ batches: Batch[]; faults: string[] }> {
  const batches = await until(`${ids.length} batches to end`, async () => {
    const rows = await owner<Batch[]>`
      select id, organization_id, approval_request_id, status from payment_batches where id = any (${[...ids]})`
    return rows.every(({ status }) => ['completed', 'partially_completed', 'cancelled'].includes(status)) && rows
  })
  const faults = await owner<{ fault: string }[]>`
    select concat_ws(' ', b.id, b.status, r.row_number, r.status, p.status) as fault
    from payment_batches b join payment_batch_rows r on r.payment_batch_id = b.id left join payments p on p.id = r.payment_id
    where b.id = any (${[...ids]}) and case b.status when 'completed' then p.status is distinct from 'succeeded'
      when 'cancelled' then (r.status, r.payment_id) is distinct from ('skipped', null::uuid)
      else (p.status is not distinct from 'succeeded') = (r.status = 'skipped') end
    union all
    select b.id || ' has payments of no row' from payment_batches b
    where b.id = any (${[...ids]}) and (select count(*) from payments p where p.payment_batch_id = b.id)
      <> (select count(r.payment_id) from payment_batch_rows r where r.payment_batch_id = b.id)`
  return { batches: [...batches], faults: faults.map(({ fault }) => fault) }
}

test.each(kinds)(
  'batches that two people approve at once while one cancels, %s of the worker in between, all end, with each row paid once or skipped',
  async (_, end) => {
    const { boss, second, payer, batches } = await waitingBatches()
    const calls = new Map<string, (() => Promise<{ status: number }>)[]>()
    await inLanes(batches, 8, async (batch) => {
      calls.set(batch.id, [await readyToApprove(boss, batch), await readyToApprove(second, batch)])
    })
    const statuses = new Set<number>()
    let dead: Promise<unknown> = Promise.resolve()
    await inLanes(batches.entries(), 8, async ([index, batch]) => {
      if (index === Math.floor(BATCHES / 2)) dead = Promise.resolve(end())
      const stop = () => cancelBatch(second, batch.id)
      const answers = await Promise.all(
        [...(calls.get(batch.id) ?? []), ...(index % 2 ? [stop] : [])].map((call) => call()),
      )
      for (const { status } of answers) statuses.add(status)
      if (index % 2 === 0) expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    })
    await dead
    worker = await startWorker()
    expect([...statuses].toSorted()).toEqual([200, 409])
    const { batches: ended, faults } = await endedBatches(batches.map(({ id }) => id))
    expect(faults).toEqual([])
    const whole = ended.filter(({ id }) => batches.findIndex((batch) => batch.id === id) % 2 === 0)
    expect(new Set(whole.map(({ status }) => status))).toEqual(new Set(['completed']))
    expect(await violations(payer.id)).toEqual([])
  },
)

test('batches that are approved as a set while some of them are cancelled: each is paid or stopped, as its verdict says, and proved', async () => {
  const { boss, second, payer, batches } = await waitingBatches()
  const ids = batches.map((batch) => batch.approval_request_id)
  const { decide } = await preparedSet(boss, payer.id, ids)
  const stopped = batches.filter((_, index) => index % 2 === 1)
  const [answer] = await Promise.all([decide(), ...stopped.map(({ id }) => cancelBatch(second, id))])
  expect(answer.status).toBe(200)
  const { batches: ended, faults } = await endedBatches(batches.map(({ id }) => id))
  expect(faults).toEqual([])
  const statusOf = new Map(ended.map(({ id, status }) => [id, status]))
  for (const [index, verdict] of told(answer).entries()) {
    const batch = batches[index] as Paid
    if (index % 2 === 0) expect([verdict, statusOf.get(batch.id)]).toEqual(['approved', 'completed'])
    else if (verdict !== 'approved') expect(statusOf.get(batch.id)).toBe('cancelled')
    if (verdict === 'approved') await expect(verify(await bundleOf(boss, batch))).resolves.toBeDefined()
  }
  expect(await violations(payer.id)).toEqual([])
})

test.each(kinds)(
  'bills whose payment two people ask for and approve at once while one withdraws it, %s of the worker in between, are paid once or open again',
  async (_, end) => {
    const [boss, second] = [await person({ authenticator: true }), await person({ authenticator: true })]
    const payer = await organization(boss, 'Payer')
    await join(payer.id, second, 'admin')
    await fund(payer.id, '90000.00', 'EUR')
    const payments: Paid[] = []
    const calls = new Map<string, (() => Promise<{ status: number }>)[]>()
    await inLanes(Array.from({ length: BATCHES }).keys(), 4, async (index) => {
      const bill = await typedBill(boss, payer.id, { bill_number: String(index), amount: `${1 + index}.00` })
      const asked = await Promise.all([boss, second].map((by) => requestPayment(by, bill.id)))
      expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const { body } = asked.find(({ status }) => status === 200) ?? asked[0]!
      const payment = { ...body, id: body.fiat_outgoing_id }
      const by = asked[0]?.status === 200 ? boss : second
      const withdraw = () => api('POST', `${approvalPath(payment)}/cancel`, { token: by.token, body: {} })
      const approvals = [await readyToApprove(boss, payment), await readyToApprove(second, payment)]
      payments.push(payment)
      calls.set(payment.id, index % 2 ? [...approvals, withdraw] : approvals)
    })
    let dead: Promise<unknown> = Promise.resolve()
    await inLanes(payments.entries(), 8, async ([index, { id }]) => {
      if (index === Math.floor(BATCHES / 2)) dead = Promise.resolve(end())
      const answers = await Promise.all((calls.get(id) ?? []).map((call) => call()))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    })
    await dead
    worker = await startWorker()
    const ends = await ended(payments.map(({ id }) => id))
    expect(Object.values(ends).reduce((sum, n) => sum + n, 0)).toBe(BATCHES)
    expect(await billFaults()).toEqual([])
    expect(await violations(payer.id)).toEqual([])
  },
)

test('every history that the server has is replayed by the code that wrote it, and no process is left open', async () => {
  await until('no open process', async () => (await owner`select from processes`).length === 0)
  const { replayed, faults } = await replayAll()
  expect(faults).toEqual([])
  expect(replayed).toBeGreaterThanOrEqual(4 * MANY + 2 * BATCHES)
})

test('a decision that is repeated by its key after all of that answers the first outcome', async () => {
  const payer = await payerBy('fiat')
  const payment = await outgoing(payer, '1.00')
  expect((await approve(payer.boss, payment)).status).toBe(200)
  const key = randomUUID()
  const again = await api('POST', `${approvalPath(payment)}/approve`, { token: payer.boss.token, key, body: {} })
  expect(again).toMatchObject({ status: 200, body: { status: 'approved' } })
})
