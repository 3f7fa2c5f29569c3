/** T1: two approvers at once, a cancellation against the custodian, and a dying worker: nothing is stranded. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inLanes } from '../../platform/concurrency.ts'
import type { Answer, TestPerson } from '../support/api.ts'
import { type Child, startServers, startWorker } from '../support/processes.ts'

await startServers() // before anything reads the environment
process.env['SANDBOX_SETTLE_MS'] = '100'
const { fund, join, organization, person } = await import('../support/api.ts')
const { decide } = await import('../support/approvals/approvals.ts')
const { IBAN, cancel: cancelBatch, payees, submitted, violations } = await import('../support/batches/batches.ts')
const { cancel: cancelBill, change, requestPayment, typedBill } = await import('../support/bills/bills.ts')
const { billFaults } = await import('../support/chaos/bills.ts')
const { usePartners } = await import('../support/partners/partners.ts')
const { cancel, outgoing, payerBy, sent } = await import('../support/payments/payouts.ts')
const { owner } = await import('../support/database.ts')
const { faultsOfAll } = await import('../support/histories/replayed.ts')
const { earnStepUp } = await import('../support/runs/runs.ts')
const { until } = await import('../support/until.ts')

const MANY = Number(process.env['AT_ONCE'] ?? 50)
type Paid = { id: string; organization_id: string; approval_request_id: string }
type Call = () => Promise<{ status: number }>

usePartners()
let worker: Child
beforeAll(async () => {
  worker = await startWorker()
})
afterAll(() => worker.stop())

/** The calls by which these people approve at once: their proofs are earned. */
async function approvalsOf(people: readonly TestPerson[], payment: Paid): Promise<Call[]> {
  for (const by of people) await earnStepUp(by, payment)
  return people.map((by) => () => decide(by, payment, 'approve'))
}

/** Makes the calls about each thing at once, eight things at a time; the worker dies midway, and another one goes on. */
async function answersTo(calls: readonly (readonly Call[])[]): Promise<number[][]> {
  const answers: number[][] = []
  let dead = Promise.resolve()
  await inLanes(calls.entries(), 8, async ([index, about]) => {
    if (index === Math.floor(calls.length / 2)) dead = worker.kill()
    const given = await Promise.all(about.map((call) => call()))
    answers[index] = given.map(({ status }) => status).toSorted()
  })
  await dead
  worker = await startWorker()
  return answers
}

/** Steps that the dead worker had begun end by their time limit, and are done again. */
const STEP_TWICE_MS = 90_000
const ENDS = ['succeeded', 'failed', 'cancelled']

/** Waits until all have ended; returns their number by status, and those whose partner has another end. */
const ended = (payments: readonly Paid[]) => {
  const condition = async () => {
    const rows = await owner<{ status: string; book: string | null }[]>`
      select p.status, b.status as book from payments p left join sandbox_payouts b on b.id = p.id
      where p.id = any (${payments.map(({ id }) => id)})`
    if (!rows.every(({ status }) => ENDS.includes(status))) return false
    const counts = Object.fromEntries(ENDS.map((end) => [end, rows.filter(({ status }) => status === end).length]))
    return { counts, differing: rows.filter(({ status, book }) => (status === 'succeeded') !== (book === 'settled')) }
  }
  return until(`${payments.length} payments to end`, condition, STEP_TWICE_MS)
}

test('payments that two people approve at once while the worker is killed are all paid once', async () => {
  const payer = await payerBy('fiat', '90000.00')
  const second = await person({ authenticator: true })
  await join(payer.payer.id, second, 'admin')
  const [payments, calls]: [Paid[], Call[][]] = [[], []]
  await inLanes(Array.from({ length: MANY }), 8, async () => {
    const payment = await outgoing(payer, '1.00')
    payments.push(payment)
    calls.push(await approvalsOf([payer.boss, second], payment))
  })
  expect(await answersTo(calls)).toEqual(payments.map(() => [200, 409]))
  expect(await ended(payments)).toMatchObject({ counts: { succeeded: MANY }, differing: [] })
  expect(await violations(payer.payer.id)).toEqual([])
})

test('withdrawals that are cancelled twice at once while the worker is killed all end', async () => {
  const payer = await payerBy('crypto', '900.00')
  const withdrawals: Paid[] = []
  await inLanes(Array.from({ length: MANY }), 8, async () => void withdrawals.push(await sent(payer, '1.00')))
  const twice = withdrawals.map((payment) => [1, 2].map(() => () => cancel(payer, payment)))
  const answers = await answersTo(twice)
  expect(answers.flat().filter((status) => status !== 200 && status !== 409)).toEqual([])
  expect((await ended(withdrawals)).differing).toEqual([])
  expect(await violations(payer.payer.id)).toEqual([])
})

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

test('batches that two people approve at once while one cancels and the worker is killed all end, with each row paid once or skipped', async () => {
  const { boss, second, payer, batches } = await waitingBatches()
  const calls: Call[][] = []
  await inLanes(batches.entries(), 8, async ([index, batch]) => {
    const approvals = await approvalsOf([boss, second], batch)
    calls[index] = index % 2 ? [...approvals, () => cancelBatch(second, batch.id)] : approvals
  })
  const answers = await answersTo(calls)
  for (const [index, statuses] of answers.entries()) if (index % 2 === 0) expect(statuses).toEqual([200, 409])
  expect(new Set(answers.flat())).toEqual(new Set([200, 409]))
  const { batches: ended, faults } = await endedBatches(batches.map(({ id }) => id))
  expect(faults).toEqual([])
  const whole = ended.filter(({ id }) => batches.findIndex((batch) => batch.id === id) % 2 === 0)
  expect(new Set(whole.map(({ status }) => status))).toEqual(new Set(['completed']))
  expect(await violations(payer.id)).toEqual([])
})

test('bills whose payment two people ask for and approve at once while one withdraws it and the worker is killed are paid once or open again', async () => {
  const [boss, second] = [await person({ authenticator: true }), await person({ authenticator: true })]
  const payer = await organization(boss, 'Payer')
  await join(payer.id, second, 'admin')
  await fund(payer.id, '90000.00', 'EUR')
  const [payments, calls]: [Paid[], Call[][]] = [[], []]
  await inLanes(Array.from({ length: BATCHES }).keys(), 4, async (index) => {
    const bill = await typedBill(boss, payer.id, { bill_number: String(index), amount: `${1 + index}.00` })
    const asked = await Promise.all([boss, second].map((by) => requestPayment(by, bill.id)))
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const { body } = asked.find(({ status }) => status === 200) ?? asked[0]!
    const payment = { ...body, id: body.fiat_outgoing_id }
    const by = asked[0]?.status === 200 ? boss : second
    const approvals = await approvalsOf([boss, second], payment)
    payments.push(payment)
    calls.push(index % 2 ? [...approvals, () => decide(by, payment, 'cancel')] : approvals)
  })
  const answers = await answersTo(calls)
  expect(answers.map((statuses) => statuses.filter((status) => status === 200).length)).toEqual(payments.map(() => 1))
  await ended(payments)
  expect(await billFaults()).toEqual([])
  expect(await violations(payer.id)).toEqual([])
})

test('every history that the server has is replayed by the code that wrote it, and no process is left open', async () => {
  await until('no open process', async () => (await owner`select from processes`).length === 0)
  expect(await faultsOfAll(2 * MANY + BATCHES)).toEqual([])
})

const types = (answers: readonly Answer[]) =>
  answers.map(({ status, body }) => (status === 200 ? 'done' : body.error.type)).toSorted()

test('of two people who ask at once one is heard: a payment is requested once, or the bill is changed, or put away', async () => {
  const [boss, second] = [await person({ authenticator: true }), await person()]
  const payer = await organization(boss, 'Payer')
  await join(payer.id, second, 'admin')
  await fund(payer.id, '100.00', 'EUR')
  const bill = async (amount: string) => (await typedBill(boss, payer.id, { amount, bill_number: amount })).id
  const [twice, changed, putAway] = [await bill('1.00'), await bill('2.00'), await bill('3.00')]
  const both = await Promise.all([requestPayment(boss, twice), requestPayment(second, twice)])
  expect(types(both)).toEqual(['bill_payment_in_progress', 'done'])
  const [paid, typed] = await Promise.all([requestPayment(boss, changed), change(second, changed, { amount: '2.50' })])
  expect([paid.status, [200, 409].includes(typed.status)]).toEqual([200, true])
  const [made] = await owner`select landing_amount from payments where id = ${paid.body.fiat_outgoing_id}`
  expect(made).toEqual({ landing_amount: typed.status === 200 ? '2.50' : '2.00' })
  expect(types(await Promise.all([requestPayment(boss, putAway), cancelBill(second, putAway)]))).toEqual([
    'done',
    'invalid_state',
  ])
  expect(await billFaults()).toEqual([])
})
