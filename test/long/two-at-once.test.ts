/**
 * T1: two approvers at once, a cancellation against the custodian, and the worker dies in the middle: nothing is
 * stranded.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inLanes } from '../../db/concurrency.ts'
import type { TestPerson } from '../support/api.ts'
import { type Child, startServers, startWorker } from '../support/processes.ts'

await startServers() // before anything reads the environment
process.env['SANDBOX_SETTLE_MS'] = '100'
const { api, approvalPath, approve, join, person, verifyStepUp } = await import('../support/api.ts')
const { usePartners } = await import('../support/partners.ts')
const { cancel, outgoing, payerBy, sent } = await import('../support/payouts.ts')
const { owner } = await import('../support/database.ts')
const { replayAll } = await import('../support/replayed.ts')
const { until } = await import('../support/until.ts')

const MANY = Number(process.env['AT_ONCE'] ?? 50)
type Paid = { id: string; organization_id: string; approval_request_id: string }

usePartners()
let worker: Child
beforeAll(async () => {
  worker = await startWorker()
})
afterAll(() => worker.stop())

/** Earns the proof for an approval, and answers the call that uses it. */
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

test('every history that the server has is replayed by the code that wrote it, and no process is left open', async () => {
  await until('no open process', async () => (await owner`select from processes`).length === 0)
  const { replayed, faults } = await replayAll()
  expect(faults).toEqual([])
  expect(replayed).toBeGreaterThanOrEqual(4 * MANY)
})

test('a decision that is repeated by its key after all of that answers the first outcome', async () => {
  const payer = await payerBy('fiat')
  const payment = await outgoing(payer, '1.00')
  expect((await approve(payer.boss, payment)).status).toBe(200)
  const key = randomUUID()
  const again = await api('POST', `${approvalPath(payment)}/approve`, { token: payer.boss.token, key, body: {} })
  expect(again).toMatchObject({ status: 200, body: { status: 'approved' } })
})
