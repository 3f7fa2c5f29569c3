import { expect, test } from 'vitest'
import { approvalOf, decide, joined, setRules } from '../../support/approvals/approvals.ts'
import { type Answer, type TestPerson, approve, fund, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { fullScale, longTest, MANY } from '../../support/model-runs.ts'
import { advance } from '../../support/identity/identity.ts'
import { staffOf } from '../../support/organizations/members.ts'
import { decisionOf, record } from '../../support/runs/runs.ts'
import {
  type Payment,
  booksAreInOrder,
  decideOnce,
  decideSet,
  idsOf,
  paymentsOf,
  preparedSet,
  reserved,
  told,
} from '../../support/approvals/sets.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const times = (count: number, word: string) => Array<string>(count).fill(word)
const amounts = (count: number) => times(count, '1.00')
const statusesOf = async (payments: readonly Payment[]) =>
  (await owner`select status from payments where id = any (${payments.map(({ id }) => id)})`).map(
    (row) => row['status'],
  )
const proofsUsed = async (by: TestPerson) =>
  (await owner`select from step_ups where user_id = ${by.userId} and status = 'consumed'`).length

test('one person sends the same set many times at once: one proof is used, each payment moves once, all hear the same', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, amounts(6))
  const { decide: send } = await preparedSet(boss, payer.id, idsOf(payments))
  const answers = await Promise.all(Array.from({ length: MANY }, send))
  for (const answer of answers) expect([answer.status, new Set(told(answer))]).toEqual([200, new Set(['approved'])])
  expect(await reserved(payments)).toBe(6)
  expect(await proofsUsed(boss)).toBe(1)
  expect(await owner`select from approval_decisions where approval_id = any (${idsOf(payments)})`).toHaveLength(6)
  expect(await booksAreInOrder(payer.id, boss)).toBe(true)
})

longTest('five people approve the same set at once: each approval has one outcome, and money moves once', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const people = [boss, ...(await joined(payer.id, 'admin', 4))]
  const payments = await paymentsOf(boss, contactId, amounts(8))
  const ready = await Promise.all(
    people.map((one, turn) => {
      const ids = idsOf(payments)
      return preparedSet(one, payer.id, [...ids.slice(turn), ...ids.slice(0, turn)])
    }),
  )
  const answers = await Promise.all(ready.map((one) => one.decide()))
  const verdicts = answers.flatMap(told)
  expect(verdicts.filter((verdict) => verdict === 'approved')).toHaveLength(8)
  expect(verdicts.filter((verdict) => verdict === 'approval_already_processed')).toHaveLength(32)
  expect(await reserved(payments)).toBe(8)
  expect(await booksAreInOrder(payer.id, boss)).toBe(true)
})

test('a set is approved by one and rejected by another at once: each payment settles or is cancelled, never both', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [admin] = await staffOf(payer.id, 'admin')
  const payments = await paymentsOf(boss, contactId, amounts(10))
  const { decide: send } = await preparedSet(boss, payer.id, idsOf(payments))
  const rejecting = decideOnce(admin, payer.id, idsOf(payments).toReversed(), { decision: 'reject' })
  const [approved, rejected] = await Promise.all([send(), rejecting])
  const won = told(approved).filter((verdict) => verdict === 'approved').length
  expect(told(rejected).filter((verdict) => verdict === 'rejected')).toHaveLength(10 - won)
  expect(await reserved(payments)).toBe(won)
  await expect
    .poll(async () => (await statusesOf(payments)).toSorted())
    .toEqual([...times(10 - won, 'cancelled'), ...times(won, 'succeeded')])
})

longTest('a set and its approvals one by one, by the same person at once: each payment moves once', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, amounts(5))
  const { decide: send } = await preparedSet(boss, payer.id, idsOf(payments))
  const [answer, ...single] = await Promise.all([send(), ...payments.map((payment) => approve(boss, payment))])
  expect(told(answer)).toEqual(times(5, 'approved'))
  expect(single.map(({ status }) => status)).toEqual(amounts(5).map(() => 200))
  expect(await reserved(payments)).toBe(5)
})

/** The limit of one request; a quarter of it meets every page and lane. */
const IN_A_SET = fullScale ? 100 : 12

test(`${IN_A_SET} approvals are decided by one request`, async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, amounts(IN_A_SET))
  const ids = idsOf(payments)
  const answer = await decideSet(boss, payer.id, ids, { key: 'all of them' })
  // a machine under load may leave some for the repeat
  const verdicts = told(answer).some((verdict) => verdict === 'service_unavailable')
    ? told(await decideOnce(boss, payer.id, ids, { key: 'all of them' }))
    : told(answer)
  expect(verdicts).toEqual(ids.map(() => 'approved'))
  expect(await reserved(payments)).toBe(IN_A_SET)
  expect(await proofsUsed(boss)).toBe(1)
})

const forged = async (by: TestPerson, payment: Payment, stepUpId: string) =>
  expect(record(await decisionOf(by, payment, stepUpId))).rejects.toMatchObject({ type: 'step_up_required' })
const unproved = async (answer: Promise<Answer>) => expect((await answer).body.error.type).toBe('step_up_required')

test('the proof of a set releases nothing outside of it: no other approval, no other set, no single approval', async () => {
  const { boss, payer, contactId } = await payerAndPayee('10.00')
  const [one, two, outside] = await paymentsOf(boss, contactId, ['1.00', '99.00', '1.00'])
  const { decide: send, stepUpId } = await preparedSet(boss, payer.id, idsOf([one, two]))
  await forged(boss, one, stepUpId) // not granted yet
  expect(told(await send())).toEqual(['approved', 'insufficient_funds'])
  await forged(boss, outside, stepUpId)
  for (const set of [[outside], [one, two, outside], [two]]) await unproved(decideOnce(boss, payer.id, idsOf(set)))
  await unproved(decide(boss, two, 'approve'))
  expect(await reserved([one, two, outside])).toBe(1)
})

test('a set releases each of its approvals once: an approval that was taken back needs a proof of its own', async () => {
  const { boss, payer, contactId } = await payerAndPayee('10.00')
  await setRules(payer.id, boss, [{ steps: [{ required: 2, roles: ['owner', 'admin'] }] }])
  const [payment, other] = await paymentsOf(boss, contactId, ['1.00', '2.00'])
  const { decide: send, stepUpId } = await preparedSet(boss, payer.id, idsOf([payment, other]))
  expect(told(await send())).toEqual(['pending', 'pending'])
  await owner`
    insert into voided_approvals (decision_id, organization_id, approval_id, reason)
    select decision_id, organization_id, approval_id, 'role_changed' from approval_decisions
    where approval_id = ${payment.approval_request_id}`
  await owner`
    update approvals a set wait_id = w.id from approval_waits w
    where a.id = ${payment.approval_request_id} and w.organization_id = a.organization_id
      and w.wait -> 'given' = '[[]]'::jsonb`
  await forged(boss, payment, stepUpId)
  await unproved(send())
  expect(told(await decideSet(boss, payer.id, idsOf([payment, other])))).toEqual(['pending', 'pending'])
  expect((await approvalOf(payment, boss)).steps[0].approved_by).toEqual([boss.userId])
})

test('another session, another person and a changed subject get nothing of a set', async () => {
  const { boss, payer, contactId } = await payerAndPayee('10.00')
  const [admin] = await staffOf(payer.id, 'admin')
  const [one, two] = await paymentsOf(boss, contactId, ['1.00', '99.00'])
  const { decide: send, stepUpId } = await preparedSet(boss, payer.id, idsOf([one, two]))
  await owner`update approvals set subject_hash = ${'ab'.repeat(32)} where id = ${one.approval_request_id}`
  await unproved(send()) // the target has changed since it was shown
  const fresh = await preparedSet(boss, payer.id, idsOf([two, one]))
  expect(told(await fresh.decide())).toEqual(['insufficient_funds', 'approved'])
  await fund(payer.id, '99.00') // so that only the proof can fail
  for (const proof of [fresh.stepUpId, stepUpId]) await forged(admin, two, proof)
  await owner`update sessions set ended_at = business_now() where id = ${boss.sessionId}`
  await forged(boss, two, fresh.stepUpId)
})

test('what a set has left ends with its step-up', async () => {
  const { boss, payer, contactId } = await payerAndPayee('10.00')
  const [one, two] = await paymentsOf(boss, contactId, ['1.00', '99.00'])
  const { decide: send, stepUpId } = await preparedSet(boss, payer.id, idsOf([one, two]))
  expect(told(await send())).toEqual(['approved', 'insufficient_funds'])
  await advance(11 * 60)
  await fund(payer.id, '99.00')
  await forged(boss, two, stepUpId)
  await unproved(send())
})
