import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { joined, setRules } from '../../support/approvals/approvals.ts'
import {
  api,
  approvalPath,
  approve,
  contact,
  createPayment,
  fund,
  join,
  payerAndPayee,
  person,
} from '../../support/api.ts'
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
  setPath,
  told,
} from '../../support/approvals/sets.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const stepUpsOf = async (userId: string) =>
  (await owner`select id, status, summary, target from step_ups where user_id = ${userId} order by id`).map((row) => ({
    ...row,
  }))

test('one step-up approves a whole set, in the order asked, and each payment moves once', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, ['10.00', '20.00', '30.00'])
  const ids = [2, 0, 1].map((index) => idsOf(payments)[index] ?? '')
  const answer = await decideSet(boss, payer.id, ids, { reason: 'checked' })
  expect([answer.status, answer.body]).toEqual([
    200,
    { data: ids.map((approval_id) => ({ approval_id, status: 'approved' })) },
  ])
  expect(await stepUpsOf(boss.userId)).toMatchObject([{ status: 'consumed' }])
  expect(await reserved(payments)).toBe(3)
  const rows = await owner`select distinct comment, factor from approval_decisions where approval_id = any (${ids})`
  expect(rows.map((row) => ({ ...row }))).toEqual([{ comment: 'checked', factor: 'sandbox' }])
  expect(await booksAreInOrder(payer.id, boss)).toBe(true)
})

test('the challenge says in words what the whole set releases', async () => {
  const { boss, payer, payee, contactId } = await payerAndPayee('100.00')
  await setRules(payer.id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const waiting = await contact(boss, payer.id, payee.svcId)
  const [row] = await owner`select id from approvals where target_id = ${waiting}`
  const payments = await paymentsOf(boss, contactId, ['100.00', '20.00'])
  const ids = [...idsOf(payments), row?.['id'] as string]
  const answer = await decideSet(boss, payer.id, ids)
  expect(told(answer)).toEqual(['approved', 'approved', 'approved'].with(1, 'insufficient_funds'))
  expect((await stepUpsOf(boss.userId))[0]?.['summary']).toMatch(
    /^Approve 3 requests: 120\.00 USD and 1 other \(.*100\.00 USD to "Payee": service ID .*\)$/,
  )
  expect((await api('GET', `/payment-contacts/${waiting}`, { token: boss.token })).body.status).toBe('active')
})

test('a rejection asks for no step-up', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, ['10.00', '20.00'])
  const answer = await decideOnce(boss, payer.id, idsOf(payments), { decision: 'reject', reason: 'not ours' })
  expect(told(answer)).toEqual(['rejected', 'rejected'])
  expect((await api('GET', approvalPath(payments[0] ?? never()), { token: boss.token })).body.rejection_reason).toBe(
    'not ours',
  )
  expect(told(await decideOnce(boss, payer.id, idsOf(payments), { decision: 'reject' }))).toEqual([
    'rejected',
    'rejected',
  ])
  expect(await stepUpsOf(boss.userId)).toEqual([])
})

test('while the organization is paused a set is rejected, and none is approved', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, ['10.00', '20.00'])
  await owner`update organizations set status = 'paused' where id = ${payer.id}`
  const approved = await decideOnce(boss, payer.id, idsOf(payments))
  expect([approved.status, approved.body.error.type]).toEqual([403, 'organization_unavailable'])
  expect(told(await decideOnce(boss, payer.id, idsOf(payments), { decision: 'reject' }))).toEqual([
    'rejected',
    'rejected',
  ])
})

test('each verdict is its own: what the caller cannot approve does not stand in the way', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [admin] = await joined(payer.id, 'admin', 1)
  const other = await payerAndPayee('100.00')
  const foreign = await createPayment(other.boss, other.contactId, '1.00')
  const [done, gone, expired, mine] = await paymentsOf(boss, contactId, ['1.00', '2.00', '3.00', '4.00'])
  await approve(boss, done ?? never())
  await decideOnce(boss, payer.id, [gone?.approval_request_id ?? ''], { decision: 'reject' })
  await waits(expired ?? never()) // its run looked at it and did not find it expired
  await owner`update approvals set expires_at = inserted_at where id = ${expired?.approval_request_id ?? ''}`
  await setRules(payer.id, boss, [{ steps: [{ required: 1, roles: ['owner', 'admin'] }], self_approval: false }])
  const [own] = await paymentsOf(boss, contactId, ['5.00'])
  const unknown = randomUUID()
  const ids = [unknown, ...idsOf([foreign, done, gone, expired, mine, own].map((one) => one ?? never()))]
  const answer = await decideSet(boss, payer.id, ids)
  expect(told(answer)).toEqual([
    'not_found',
    'not_found',
    'approved',
    'approval_already_processed',
    'approval_expired',
    'approved',
    'requester_cannot_approve',
  ])
  expect(answer.body.data.map(({ status }: { status: string }) => status)).toEqual([
    null,
    null,
    'approved',
    'rejected',
    'pending',
    'approved',
    'pending',
  ])
  expect(answer.body.data[3].error).toEqual({
    type: 'approval_already_processed',
    message: 'This request has been decided already.',
    details: { current: 'rejected', allowed: [] },
  })
  expect(told(await decideSet(admin ?? never(), payer.id, ids)).at(-1)).toBe('approved')
  expect((await api('GET', approvalPath(foreign), { token: other.boss.token })).body.status).toBe('pending')
})

test('where nothing is left to approve, no step-up is asked and the verdicts are answered', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, ['10.00', '20.00'])
  await decideSet(boss, payer.id, idsOf(payments))
  const again = await decideOnce(boss, payer.id, [...idsOf(payments), randomUUID()])
  expect(told(again)).toEqual(['approved', 'approved', 'not_found'])
  expect(await stepUpsOf(boss.userId)).toHaveLength(1)
})

test('where the balance covers only some, it goes to the first that it covers, in the order asked', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, ['50.00', '60.00', '40.00', '0.01'])
  const [fifty, sixty, forty, cent] = idsOf(payments)
  const answer = await decideSet(boss, payer.id, [sixty ?? '', fifty ?? '', forty ?? '', cent ?? ''])
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
  const { decide } = await preparedSet(boss, payer.id, idsOf(payments))
  expect(told(await decide())).toEqual(['approved', 'insufficient_funds'])
  expect(told(await decide())).toEqual(['approved', 'insufficient_funds'])
  await fund(payer.id, '20.00')
  expect(told(await decide())).toEqual(['approved', 'approved'])
  expect(told(await decide())).toEqual(['approved', 'approved'])
  expect(await reserved(payments)).toBe(2)
  expect(await stepUpsOf(boss.userId)).toHaveLength(1)
})

test('several steps: a set stays pending until the last approver, and nobody counts twice', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  await setRules(payer.id, boss, [
    {
      steps: [
        { required: 1, roles: ['owner', 'admin'] },
        { required: 1, roles: ['admin'] },
      ],
    },
  ])
  const [admin] = await joined(payer.id, 'admin', 1)
  const payments = await paymentsOf(boss, contactId, ['10.00', '20.00'])
  expect(told(await decideSet(boss, payer.id, idsOf(payments)))).toEqual(['pending', 'pending'])
  expect(told(await decideSet(boss, payer.id, idsOf(payments)))).toEqual(['pending', 'pending'])
  expect(await reserved(payments)).toBe(0)
  expect(told(await decideSet(admin ?? never(), payer.id, idsOf(payments)))).toEqual(['approved', 'approved'])
  expect(await reserved(payments)).toBe(2)
})

test('a member whom the policy names decides what names them, and finds nothing else', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const member = await person()
  await join(payer.id, member, 'member')
  const [hidden] = await paymentsOf(boss, contactId, ['10.00'])
  expect((await decideOnce(member, payer.id, [randomUUID()])).status).toBe(403)
  await setRules(payer.id, boss, [{ steps: [{ required: 1, user_ids: [member.userId] }] }])
  const [named] = await paymentsOf(boss, contactId, ['20.00'])
  const ids = idsOf([hidden ?? never(), named ?? never()])
  expect(told(await decideSet(member, payer.id, ids))).toEqual(['not_found', 'approved'])
})

test('a key is kept for its request: the same again answers the verdicts, another is refused', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, ['10.00', '20.00'])
  const [one, two] = idsOf(payments)
  const first = await decideSet(boss, payer.id, [one ?? '', two ?? ''], { key: 'set-1' })
  expect(await decideOnce(boss, payer.id, [one ?? '', two ?? ''], { key: 'set-1' })).toMatchObject({
    status: 200,
    body: first.body,
  })
  const other = await decideOnce(boss, payer.id, [one ?? ''], { decision: 'reject', key: 'set-1' })
  expect([other.status, other.body.error.type]).toEqual([422, 'idempotency_key_reused'])
  const decisions =
    await owner`select count(*) as n from approval_decisions where approval_id in (${one ?? ''}, ${two ?? ''})`
  expect(decisions[0]?.['n']).toBe('2')
})

test.each([
  ['none', []],
  ['101', Array.from({ length: 101 }, () => randomUUID())],
  ['no ids', ['nonsense']],
])('a set of %s is refused', async (_, ids) => {
  const { boss, payer } = await payerAndPayee('0')
  const answer = await decideOnce(boss, payer.id, ids, { decision: 'reject' })
  expect([answer.status, answer.body.error.type]).toEqual([400, 'invalid_request'])
})

test('an approval that is named twice, in whatever case, and another decision are refused by name', async () => {
  const { boss, payer } = await payerAndPayee('0')
  const id = randomUUID()
  const twice = await decideOnce(boss, payer.id, [id, id.toUpperCase()], { decision: 'reject' })
  expect(twice.body.error.details.errors).toMatchObject([{ path: 'approval_ids.1', code: 'duplicate' }])
  const cancelled = await api('POST', setPath(payer.id), {
    token: boss.token,
    body: { approval_ids: [id], decision: 'cancel' },
  })
  expect(cancelled.body.error.details.errors).toMatchObject([{ path: 'decision' }])
})

function never(): never {
  throw new Error('it was made')
}
