/** Final checks: each payment exactly once, books in order, every change seen, nothing left waiting. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { client } from '../../../temporal/client.ts'
import { type Answer, type TestPerson, approvalPath } from '../api.ts'
import { owner } from '../database.ts'
import { call } from '../processes.ts'
import { until } from '../until.ts'
import type { Stopped } from './faults.ts'

const INSIST_MS = 45_000
const INSIST_PAUSE_MS = 50

export type Reach = () => { url: string }
export type Payment = { id: string; organization_id: string; approval_request_id: string }

/** Repeats a call after each 503, which must say when; no answer may be a 500. */
async function insist(attempt: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + INSIST_MS
  for (;;) {
    const answer = await attempt()
    expectNoBug(answer)
    if (answer.status !== 503 || Date.now() > deadline) return answer
    await delay(INSIST_PAUSE_MS)
  }
}

/** Expects a 503 with Retry-After, never a 500, whatever is away. */
function expectNoBug({ status, body, headers }: Answer): void {
  if (status < 500) return
  expect([status, body.error.type, headers.get('retry-after')]).toEqual([
    503,
    'service_unavailable',
    expect.any(String),
  ])
}

/** Approves with this key through its step-up, repeating until it succeeds. */
async function approveInsistently(reach: Reach, by: TestPerson, payment: Payment, key: string): Promise<Answer> {
  const approve = () => call(reach(), 'POST', `${approvalPath(payment)}/approve`, { token: by.token, key, body: {} })
  return insist(async () => {
    const asked = await approve()
    if (asked.body.error?.type !== 'step_up_required') return asked
    const path = `/sandbox/step-up/${asked.body.error.step_up.id}/decide`
    const verified = await call(reach(), 'POST', path, { body: { decision: 'allow' } })
    return verified.status === 200 ? approve() : verified
  })
}

const PAID_ONCE = {
  status: 'succeeded',
  approval: 'approved',
  decisions: 'approve',
  step_ups: 1,
  transfers: 'reserve settle',
  feed: 'in 1 out 1',
  repeated_events: null,
}
const WAITS = {
  status: 'awaiting_approval',
  approval: 'pending',
  decisions: null,
  step_ups: 0,
  transfers: null,
  feed: null,
  repeated_events: null,
}

/**
 * Expects each payment succeeded exactly once in every book, or untouched: one decision, one used step-up, one reserve,
 * one settlement, one feed row for each side, no event twice, its workflow ended, and every change looked at.
 */
export async function expectOnce(payments: { id: string; paid: boolean }[]): Promise<void> {
  const found = await owner`
    select p.id, p.status, a.status as approval,
      (select string_agg(d.decision, ' ') from approval_decisions d where d.approval_id = a.id) as decisions,
      (select count(*)::int from approval_decisions d join step_ups s on s.id = d.step_up_id
        where d.approval_id = a.id and s.status = 'consumed') as step_ups,
      (select string_agg(split_part(t.key, ':', 3), ' ' order by t.key) from ledger_transfers t
        where t.key like 'payment:' || p.id || ':%') as transfers,
      (select string_agg(side.direction || ' ' || side.rows, ' ' order by side.direction) from (
        select t.direction, count(*) as rows from transactions t
        where t.payment_id = p.id and t.status = 'posted' and t.amount = p.deducting_amount
          and case t.direction when 'in' then t.organization_id = p.payee_organization_id
            else t.organization_id = p.organization_id and t.id = p.transaction_id end
        group by 1) side) as feed,
      (select string_agg(twice.type, ' ') from (select e.type from events e where e.subject_id in (p.id, a.id)
        group by e.type having count(*) > 1) twice) as repeated_events
    from payments p join approvals a on a.id = p.approval_request_id
    where p.id = any (${payments.map(({ id }) => id)})`
  const byId = new Map(found.map(({ id, ...books }) => [id, books]))
  for (const { id, paid } of payments) {
    expect(byId.get(id), `payment ${id}`).toEqual(paid ? PAID_ONCE : WAITS)
    await until(`payment ${id} to be seen`, async () => {
      const [process] = await owner`select unseen_since is null as seen from processes where id = ${id}`
      return paid ? process === undefined : process?.['seen'] === true
    })
    const expected = paid ? 'COMPLETED' : 'RUNNING'
    await until(`the workflow of ${id} to be ${expected}`, async () => {
      const { status } = await client.workflow.getHandle(`payment-${id}`).describe()
      return status.name === expected
    })
  }
}

/** Expects that each organization's books hold together, and that their total is unchanged. */
async function expectBooks(reach: Reach, members: { token: string; organizationId: string }[], total: string) {
  for (const { token, organizationId } of members) {
    const { body } = await call(reach(), 'GET', `/organizations/${organizationId}/ledger/integrity`, { token })
    expect(body).toMatchObject({ ok: true })
  }
  const [sum] = await owner`
    select sum(balance) filter (where kind = 'available')::numeric(20, 2) as available,
      sum(balance) filter (where kind = 'held')::numeric(20, 2) as held
    from ledger_accounts where organization_id = any (${members.map((member) => member.organizationId)})`
  expect(sum).toEqual({ available: total, held: '0.00' })
}

/** Expects a payment that was paid once. The waiting client gets this outcome or no answer; a repeat gets the truth. */
export async function expectRecovered(
  reach: Reach,
  { step, parties, answer, repeat }: Stopped,
  expected: 'done' | undefined,
): Promise<void> {
  const { boss, payeeBoss, payer, payee } = parties
  const first = await answer
  const again = await insist(repeat)
  const isCreation = step.moment === 'create' || step.moment === 'look'
  const done = isCreation ? 201 : 200
  const told = step.moment === 'look' ? 'done' : expected
  expect(first?.status).toBe(told && done)
  expect(again).toMatchObject({ status: done })
  const [payment, ...others] = await owner<Payment[]>`
    select id, organization_id, approval_request_id from payments where organization_id = ${payer.id}`
  if (!payment) throw new Error('a key that answered 201 has no payment')
  expect(others).toEqual([])
  if (isCreation) {
    expect(again.body.id).toBe(payment.id)
    await expectOnce([{ id: payment.id, paid: false }])
    expect(await approveInsistently(reach, boss, payment, randomUUID())).toMatchObject({ status: 200 })
  }
  const { body } = await insist(() => call(reach(), 'GET', `/payments/${payment.id}`, { token: boss.token }))
  expect(body.status).toBe('succeeded')
  await expectOnce([{ id: payment.id, paid: true }])
  const members = [
    { token: boss.token, organizationId: payer.id },
    { token: payeeBoss.token, organizationId: payee.id },
  ]
  await expectBooks(reach, members, '100.00')
}
