/** Insistent callers: they repeat 503 answers, and each payment ends as requested, once. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Answer, type TestPerson, approvalPath, contact, fund, organization, paymentBody, person } from '../api.ts'
import { owner } from '../database.ts'
import { call } from '../processes.ts'
import { expectBooks, expectOnce } from './outcomes.ts'

const INSIST_MS = 45_000
const INSIST_PAUSE_MS = 50

export type Reach = () => { url: string }
export type Payment = { id: string; organization_id: string; approval_request_id: string }

/** Repeats a call after each 503, which must say when; no answer may be a 500. */
export async function insist(attempt: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + INSIST_MS
  for (;;) {
    const answer = await attempt()
    expectNoBug(answer)
    if (answer.status !== 503 || Date.now() > deadline) return answer
    await delay(INSIST_PAUSE_MS)
  }
}

/** Expects a 503 with Retry-After, never a 500, whatever is away. */
export function expectNoBug({ status, body, headers }: Answer): void {
  if (status < 500) return
  expect([status, body.error.type, headers.get('retry-after')]).toEqual([
    503,
    'service_unavailable',
    expect.any(String),
  ])
}

/** Creates a payment with this key, repeating until it succeeds. */
export async function createInsistently(reach: Reach, by: TestPerson, contactId: string, amount: string, key: string) {
  const body = paymentBody(contactId, amount)
  const answer = await insist(() => call(reach(), 'POST', '/payments', { token: by.token, key, body }))
  expect(answer).toMatchObject({ status: 201 })
  return answer.body as Payment // the contract's Payment
}

/** Approves with this key through its step-up, repeating until it succeeds. */
export async function approveInsistently(reach: Reach, by: TestPerson, payment: Payment, key: string): Promise<Answer> {
  const approve = () => call(reach(), 'POST', `${approvalPath(payment)}/approve`, { token: by.token, key, body: {} })
  return insist(async () => {
    const asked = await approve()
    if (asked.body.error?.type !== 'step_up_required') return asked
    const path = `/sandbox/step-up/${asked.body.error.step_up.id}/decide`
    const verified = await call(reach(), 'POST', path, { body: { decision: 'allow' } })
    return verified.status === 200 ? approve() : verified
  })
}

export type Payer = { boss: TestPerson; organizationId: string; contactId: string }

/** Payers with 1000.00 each, who pay the next in a ring: settlements lock books that others need. */
export async function ringOfPayers(count: number): Promise<Payer[]> {
  const people = await Promise.all(Array.from({ length: count }, () => person({ authenticator: true })))
  const members = await Promise.all(people.map(async (boss) => ({ boss, ...(await organization(boss, 'Payer')) })))
  return Promise.all(
    members.map(async ({ boss, id }, index) => {
      await fund(id, '1000.00')
      const next = members[(index + 1) % count]
      return { boss, organizationId: id, contactId: await contact(boss, id, next?.svcId ?? '') }
    }),
  )
}

export type Errand = { payer: Payer; amount: string; paid: boolean }

/** Creates payments and approves those to be paid, `atOnce` at a time, with repeats. */
export async function carryOut(reach: Reach, errands: Errand[], atOnce: number, answered: (count: number) => void) {
  const waiting = [...errands]
  const done: { id: string; paid: boolean }[] = []
  let answers = 0
  const lane = async () => {
    for (let errand = waiting.shift(); errand; errand = waiting.shift()) {
      const { payer, amount, paid } = errand
      const payment = await createInsistently(reach, payer.boss, payer.contactId, amount, randomUUID())
      answered((answers += 1))
      done.push({ id: payment.id, paid })
      if (!paid) continue
      const approved = await approveInsistently(reach, payer.boss, payment, randomUUID())
      expect(approved).toMatchObject({ status: 200, body: { status: 'approved' } })
      answered((answers += 1))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return done
}

/** Expects that every approved payment succeeded once, and that all books are in order. */
export async function expectCarriedOut(reach: Reach, payers: Payer[], done: { id: string; paid: boolean }[]) {
  const [written] = await owner`
    select count(*)::int as n from payments where organization_id = any (${payers.map((payer) => payer.organizationId)})`
  expect(written).toEqual({ n: done.length })
  await expectOnce(done)
  const members = payers.map(({ boss, organizationId }) => ({ token: boss.token, organizationId }))
  await expectBooks(reach, members, `${payers.length * 1000}.00`)
}
