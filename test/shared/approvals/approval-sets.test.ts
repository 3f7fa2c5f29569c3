import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { approvalOf, decide, outcome, setRules, staffedPayer } from '../../support/approvals/approvals.ts'
import { api, approvalPath, approve, contact, createPayment, fund, payerAndPayee } from '../../support/api.ts'
import { readEvidence } from '../../support/approvals/evidence.ts'
import { owner } from '../../support/database.ts'
import { waits } from '../../support/runs/runs.ts'
import {
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
    /^Approve 3 requests: 120\.00 USD and 1 other \(.*100\.00 USD to "Payee": service ID .*\)$/,
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
  expect(answer.body.data.map(({ status, error }: any) => [status, error?.type])).toEqual([
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

test('several steps: a set stays pending until the last approver, and nobody counts twice', async () => {
  const { boss, id, contactId, staff } = await staffedPayer('admin')
  await setRules(id, boss, [{ steps: [['owner', 'admin'], ['admin']].map((roles) => ({ required: 1, roles })) }])
  const payments = await paymentsOf(boss, contactId, ['10.00', '20.00'])
  expect(told(await decideSet(boss, id, idsOf(payments)))).toEqual(['pending', 'pending'])
  expect(told(await decideSet(boss, id, idsOf(payments)))).toEqual(['pending', 'pending'])
  expect(await reserved(payments)).toBe(0)
  expect(told(await decideSet(staff[0], id, idsOf(payments)))).toEqual(['approved', 'approved'])
  expect(await reserved(payments)).toBe(2)
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

const ID = randomUUID()
test.each([
  ['none', [], 'reject', 'approval_ids', 'min_length'],
  ['101', Array.from({ length: 101 }, () => randomUUID()), 'reject', 'approval_ids', 'max_length'],
  ['no ids', ['nonsense'], 'reject', 'approval_ids.0', 'check'],
  ['one that is named twice, in whatever case', [ID, ID.toUpperCase()], 'reject', 'approval_ids.1', 'duplicate'],
  ['another decision', [ID], 'cancel', 'decision', 'picklist'],
])('a set of %s is refused by name', async (_, ids, decision, path, code) => {
  const { boss, payer } = await payerAndPayee('0')
  const answer = await decideOnce(boss, payer.id, ids, { decision })
  expect(outcome(answer)).toEqual([400, 'invalid_request'])
  expect(answer.body.error.details.errors).toMatchObject([{ path, code }])
})
