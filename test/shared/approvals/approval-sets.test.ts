/** Sets of approvals: one proof, a verdict for each, and what meets at once. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { approvalOf, decide, joined, outcome, setRules, staffedPayer } from '../../support/approvals/approvals.ts'
import {
  type Answer,
  type TestPerson,
  api,
  approvalPath,
  approve,
  contact,
  createPayment,
  fund,
  payerAndPayee,
} from '../../support/api.ts'
import { readEvidence } from '../../support/approvals/evidence.ts'
import { owner } from '../../support/database.ts'
import { advance } from '../../support/identity/identity.ts'
import { fullScale, MANY } from '../../support/model-runs.ts'
import { staffOf } from '../../support/organizations/members.ts'
import { decisionOf, record, waits } from '../../support/runs/runs.ts'
import {
  type Payment,
  type Verdict,
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

const stepUpsOf = (userId: string) => owner`select status, summary from step_ups where user_id = ${userId} order by id`

test('one step-up approves a whole set, in the order asked, and each payment moves once', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, ['10.00', '20.00', '30.00'])
  const [one, two, three] = idsOf(payments)
  const ids = [three, one, two]
  const answer = await decideSet(boss, payer.id, ids, { reason: 'checked' })
  const data = ids.map((approval_id) => ({ approval_id, status: 'approved' }))
  expect([answer.status, answer.body]).toEqual([200, { data }])
  const again = await decideOnce(boss, payer.id, [...ids, randomUUID()]) // nothing is left, so no step-up is asked for
  expect(told(again)).toEqual(['approved', 'approved', 'approved', 'not_found'])
  expect(await stepUpsOf(boss.userId)).toMatchObject([{ status: 'consumed' }])
  expect(await reserved(payments)).toBe(3)
  const rows = await owner`select distinct comment, factor from approval_decisions where approval_id = any (${ids})`
  expect([...rows]).toEqual([{ comment: 'checked', factor: 'sandbox' }])
  expect(await booksAreInOrder(payer.id, boss)).toBe(true)
})

test('the challenge says in words what the whole set releases', async () => {
  const { boss, payer, payee, contactId } = await payerAndPayee('100.00')
  await setRules(payer.id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const waiting = await contact(boss, payer.id, payee.svcId)
  const [row] = await owner<{ id: string }[]>`select id from approvals where target_id = ${waiting}`
  const payments = await paymentsOf(boss, contactId, ['100.00', '20.00'])
  const answer = await decideSet(boss, payer.id, [...idsOf(payments), row!.id])
  expect(told(answer)).toEqual(['approved', 'insufficient_funds', 'approved'])
  expect((await stepUpsOf(boss.userId))[0]?.['summary']).toMatch(
    /^Approve 3 requests: 120\.00 USD and 1 other\. 1 of them with warnings\. \(1\) Warning: The name looks like that of another payee\. Add .* \(2\) Pay 100\.00 USD to "Payee" \(service ID .*\)\.$/,
  )
  expect((await api('GET', `/payment-contacts/${waiting}`, { token: boss.token })).body.status).toBe('active')
})

test('a rejection asks for no step-up', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, ['10.00', '20.00'])
  for (const reason of ['not ours', 'again']) {
    const answer = await decideOnce(boss, payer.id, idsOf(payments), { decision: 'reject', reason })
    expect(told(answer)).toEqual(['rejected', 'rejected'])
  }
  expect((await approvalOf(payments[0], boss)).rejection_reason).toBe('not ours')
  expect(await stepUpsOf(boss.userId)).toHaveLength(0)
})

test('each verdict is its own: what the caller cannot approve does not stand in the way', async () => {
  const { boss, id, contactId, staff } = await staffedPayer('admin')
  const other = await payerAndPayee('100.00')
  const foreign = await createPayment(other.boss, other.contactId, '1.00')
  const [done, gone, expired, mine] = await paymentsOf(boss, contactId, ['1.00', '2.00', '3.00', '4.00'])
  await approve(boss, done)
  await decide(boss, gone, 'reject')
  await waits(expired) // its run looked at it and did not find it expired
  await owner`update approvals set expires_at = inserted_at where id = ${expired.approval_request_id}`
  await setRules(id, boss, [{ steps: [{ required: 1, roles: ['owner', 'admin'] }], self_approval: false }])
  const own = await createPayment(boss, contactId, '5.00')
  const ids = [randomUUID(), ...idsOf([foreign, done, gone, expired, mine, own])]
  const answer = await decideSet(boss, id, ids)
  expect(answer.body.data.map(({ status, error }: Verdict) => [status, error?.type])).toEqual([
    [null, 'not_found'],
    [null, 'not_found'],
    ['approved', undefined],
    ['rejected', 'approval_already_processed'],
    ['pending', 'approval_expired'],
    ['approved', undefined],
    ['pending', 'requester_cannot_approve'],
  ])
  expect(answer.body.data[3].error).toEqual({
    type: 'approval_already_processed',
    message: 'This request has been decided already.',
    details: { current: 'rejected', allowed: [] },
  })
  expect(told(await decideSet(staff[0], id, ids)).at(-1)).toBe('approved')
  expect((await approvalOf(foreign, other.boss)).status).toBe('pending')
})

test('where the balance covers only some, it goes to the first that it covers, in the order asked', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [fifty, sixty, forty, cent] = idsOf(await paymentsOf(boss, contactId, ['50.00', '60.00', '40.00', '0.01']))
  const answer = await decideSet(boss, payer.id, [sixty, fifty, forty, cent])
  expect(told(answer)).toEqual(['approved', 'insufficient_funds', 'approved', 'insufficient_funds'])
  expect(answer.body.data[1]).toMatchObject({
    status: 'pending',
    error: { details: { available: { amount: '40.00' }, required: { amount: '50.00' } } },
  })
  expect(await booksAreInOrder(payer.id, boss)).toBe(true)
})

test('what was refused is tried again by the same request under the same proof; what was approved moves no more', async () => {
  const { boss, payer, contactId } = await payerAndPayee('10.00')
  const payments = await paymentsOf(boss, contactId, ['10.00', '20.00'])
  const { decide: send } = await preparedSet(boss, payer.id, idsOf(payments))
  for (const tried of [1, 2]) expect(told(await send()), `${tried}`).toEqual(['approved', 'insufficient_funds'])
  await fund(payer.id, '20.00')
  for (const tried of [3, 4]) expect(told(await send()), `${tried}`).toEqual(['approved', 'approved'])
  expect(await reserved(payments)).toBe(2)
  expect(await stepUpsOf(boss.userId)).toHaveLength(1)
})

test('a member whom the policy names decides what names them, and finds nothing else', async () => {
  const { boss, id, contactId, staff } = await staffedPayer('member')
  const [member] = staff
  const [hidden] = await paymentsOf(boss, contactId, ['271.82'])
  expect((await decideOnce(member, id, [randomUUID()])).status).toBe(403)
  await setRules(id, boss, [
    {
      steps: [
        { required: 1, roles: ['owner'] },
        { required: 1, user_ids: [member.userId] },
      ],
    },
  ])
  const [named] = await paymentsOf(boss, contactId, ['20.00'])
  const ids = idsOf([hidden, named])
  expect(told(await decideSet(boss, id, ids))).toEqual(['approved', 'pending'])
  const evidence = await readEvidence(member, named)
  expect(evidence.status).toBe(200)
  expect(JSON.stringify(evidence.body)).not.toContain('271.82') // what else was in its set
  expect((await api('GET', approvalPath(hidden), { token: member.token })).status).toBe(404)
  expect(told(await decideSet(member, id, ids))).toEqual(['not_found', 'approved'])
})

test('a key is kept for its request: the same again answers the verdicts, another is refused', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const ids = idsOf(await paymentsOf(boss, contactId, ['10.00', '20.00']))
  const key = 'set-1'
  const first = await decideSet(boss, payer.id, ids, { key })
  expect(await decideOnce(boss, payer.id, ids, { key })).toMatchObject({ status: 200, body: first.body })
  const other = await decideOnce(boss, payer.id, [ids[0]], { decision: 'reject', key })
  expect(outcome(other)).toEqual([422, 'idempotency_key_reused'])
  expect(await owner`select from approval_decisions where approval_id = any (${ids})`).toHaveLength(2)
})

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

test('three people decide the same set in other orders, and one by one, at once: each payment moves once', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const people = [boss, ...(await joined(payer.id, 'admin', 2))]
  const payments = await paymentsOf(boss, contactId, amounts(5))
  const ids = idsOf(payments)
  const sets = await Promise.all(
    people.map((one, turn) => preparedSet(one, payer.id, [...ids.slice(turn), ...ids.slice(0, turn)])),
  )
  const [answers] = await Promise.all([
    Promise.all(sets.map((set) => set.decide())),
    Promise.all(payments.map((payment) => approve(boss, payment))),
  ])
  for (const verdict of answers.flatMap(told)) expect(['approved', 'approval_already_processed']).toContain(verdict)
  expect(await reserved(payments)).toBe(5)
  expect(await booksAreInOrder(payer.id, boss)).toBe(true)
})
