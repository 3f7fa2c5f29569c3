import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { main } from '../../../activities/index.ts'
import type { Person } from '../../../domain/actor.ts'
import { type ContactId, type OrganizationId, type UserId, newId } from '../../../domain/ids.ts'
import { createPayment as insertPayment } from '../../../db/payments/commands.ts'
import { inOrganization } from '../../../db/sql.ts'
import { client } from '../../../temporal/client.ts'
import {
  type TestPerson,
  api,
  approvalPath,
  approve,
  createPayment,
  fund,
  join,
  payerAndPayee,
  person,
  verifyStepUp,
} from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { type Payment, decisionOf, earnedFor, record } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'
import { everyNth, fullScale } from '../../support/model-runs.ts'

useWorker()

async function admins(organizationId: string, count: number): Promise<TestPerson[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const admin = await person()
      await join(organizationId, admin, 'admin')
      return admin
    }),
  )
}

async function prepared(by: TestPerson, payment: Payment) {
  const asked = await api('POST', `${approvalPath(payment)}/approve`, { token: by.token, body: {} })
  expect(asked.body.error?.type).toBe('step_up_required')
  await verifyStepUp(asked)
  return () => api('POST', `${approvalPath(payment)}/approve`, { token: by.token, body: {} })
}

const proof = async (organizationId: string, by: TestPerson) =>
  (await api('GET', `/organizations/${organizationId}/ledger/integrity`, { token: by.token })).body.ok

const completed = (payment: Payment) =>
  expect
    .poll(async () => (await client.workflow.getHandle(`payment-${payment.id}`).describe()).status.name)
    .toBe('COMPLETED')

test.each(everyNth([5, 50], 2))(
  '%i people approve at once: one wins, money moves once, the workflow completes',
  async (count) => {
    const { boss, payer, contactId } = await payerAndPayee('100.00')
    const people = await admins(payer.id, count)
    const payment = await createPayment(boss, contactId, '60.00')
    const ready = await Promise.all(people.map((admin) => prepared(admin, payment)))
    const answers = await Promise.all(ready.map((decide) => decide()))
    const won = answers.filter((answer) => answer.status === 200)
    expect(won).toHaveLength(1)
    for (const lost of answers.filter((answer) => answer.status !== 200)) {
      expect([lost.status, lost.body.error.type]).toEqual([409, 'approval_already_processed'])
    }
    const [moved] = await owner`select count(*) as n from ledger_transfers where key like ${`payment:${payment.id}:%`}`
    expect(moved?.['n']).toBe('2') // one reserve, one settlement
    expect(await proof(payer.id, boss)).toBe(true)
    await completed(payment)
  },
)

test('one person who approves twice at once gets the same answer twice, and money moves once', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '60.00')
  const decide = await prepared(boss, payment)
  const answers = await Promise.all([decide(), decide(), decide()])
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
  expect((await decide()).status).toBe(200)
  await completed(payment)
})

test.each(everyNth(['\u200c', ' \n', '', null, undefined], 2))(
  'a rejection with the reason %j has none',
  async (reason) => {
    const { boss, payer, contactId } = await payerAndPayee()
    const payments = [await createPayment(boss, contactId, '1.00'), await createPayment(boss, contactId, '1.00')]
    const [one, other] = payments.map(({ approval_request_id: id }) => id as string)
    const path = `/organizations/${payer.id}/approvals`
    const alone = await api('POST', `${path}/${one}/reject`, { token: boss.token, body: { reason } })
    expect([alone.status, alone.body.rejection_reason]).toEqual([200, null])
    const body = { approval_ids: [other], decision: 'reject', reason }
    expect((await api('POST', `${path}/decide`, { token: boss.token, body })).status).toBe(200)
    const read = await api('GET', `${path}/${other}`, { token: boss.token })
    expect([read.body.rejection_reason, read.body.decisions[0].comment]).toEqual([null, null])
  },
)

test('approve and reject at once by two people have one outcome', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [admin] = await admins(payer.id, 1)
  if (!admin) throw new Error('an admin was made')
  const payment = await createPayment(boss, contactId, '60.00')
  const decide = await prepared(boss, payment)
  const answers = await Promise.all([
    decide(),
    api('POST', `${approvalPath(payment)}/reject`, { token: admin.token, body: {} }),
  ])
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409])
  const { status } = (await api('GET', `/payments/${payment.id}`, { token: boss.token })).body
  expect(status).toBe(answers[0]?.status === 200 ? 'succeeded' : 'cancelled')
})

test('insufficient funds leave the approval pending; after a deposit the same step-up approves', async () => {
  const { boss, payer, contactId } = await payerAndPayee('10.00')
  const payment = await createPayment(boss, contactId, '25.00')
  const decide = await prepared(boss, payment)
  const short = await decide()
  expect([short.status, short.body.error.type]).toEqual([422, 'insufficient_funds'])
  expect(short.body.error.details).toEqual({
    available: { amount: '10.00', currency: 'USD' },
    required: { amount: '25.00', currency: 'USD' },
  })
  expect((await api('GET', approvalPath(payment), { token: boss.token })).body.status).toBe('pending')
  await fund(payer.id, '15.00')
  expect((await decide()).body.status).toBe('approved')
  expect((await api('GET', `/payments/${payment.id}`, { token: boss.token })).body.status).toBe('succeeded')
})

const COVERED = fullScale ? 10 : 2
test(`three times as many approvals as a balance covers at once: exactly ${COVERED} succeed, the others stay pending`, async () => {
  const { boss, payer, contactId } = await payerAndPayee(`${10 * COVERED}.00`)
  const payments: Payment[] = await Promise.all(
    Array.from({ length: 3 * COVERED }, () => createPayment(boss, contactId, '10.00')),
  )
  const answers = await Promise.all(payments.map((payment) => approve(boss, payment)))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(COVERED)
  expect(answers.filter((answer) => answer.body.error?.type === 'insufficient_funds')).toHaveLength(2 * COVERED)
  const { body } = await api('GET', `/organizations/${payer.id}/approvals?limit=100`, { token: boss.token })
  expect(body).toMatchObject({ pending_count: 2 * COVERED, can_take_action: true, organization_id: payer.id })
  expect(body.data).toHaveLength(2 * COVERED)
  expect(await proof(payer.id, boss)).toBe(true)
})

test('a step-up earned for one payment never releases another', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const [one, other] = [await createPayment(boss, contactId, '1.00'), await createPayment(boss, contactId, '99.00')]
  await prepared(boss, one)
  const tried = await api('POST', `${approvalPath(other)}/approve`, { token: boss.token, body: {} })
  expect(tried.body.error.type).toBe('step_up_required')
})

test('a step-up is used once: the deed that used it cannot be followed by another', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '1.00')
  const decide = await prepared(boss, payment)
  await decide()
  const [row] = await owner`select count(*) as n from step_ups where status = 'consumed' and user_id = ${boss.userId}`
  expect(row?.['n']).toBe('1')
  expect(await proof(payer.id, boss)).toBe(true)
})

test('what decides and what looks answers a repeat of itself with its first answer', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const outcomes = { approve: 'approved', reject: 'rejected', cancel: 'cancelled' } as const
  for (const kind of ['approve', 'reject', 'cancel'] as const) {
    const payment = await createPayment(boss, contactId, '5.00')
    if (kind === 'approve') await prepared(boss, payment)
    const decision = await decisionOf(boss, payment, kind === 'approve' ? await earnedFor(boss, payment) : null, kind)
    const answer = await record(decision)
    expect(answer).toMatchObject({ status: outcomes[kind], subject: { internal_transfer: { id: payment.id } } })
    expect(await record(decision)).toEqual(answer)
    expect((await api('GET', approvalPath(payment), { token: boss.token })).body).toMatchObject(answer)
    await completed(payment)
    const look = () => main.viewPayment({ organizationId: decision.organizationId, id: payment.id })
    const seen = await look()
    expect(seen).toMatchObject({ again: false, at_rest: true, status: kind === 'approve' ? 'succeeded' : 'cancelled' })
    expect(await look()).toEqual(seen)
  }
  const rows = await owner`select 1 from approval_decisions where organization_id = ${payer.id}`
  expect(rows).toHaveLength(3)
  expect(await proof(payer.id, boss)).toBe(true)
})

test('a decision whose turn does not come in time is answered 503, and recorded nowhere', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '5.00')
  const decide = await prepared(boss, payment)
  await owner.begin(async (tx) => {
    await tx`select from approvals where id = ${payment.approval_request_id} for update`
    const late = await decide()
    expect([late.status, late.body.error.type]).toEqual([503, 'service_unavailable'])
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
  })
  const rows = await owner`select from approval_decisions where approval_id = ${payment.approval_request_id}`
  expect(rows).toEqual([])
  expect((await api('GET', approvalPath(payment), { token: boss.token })).body.status).toBe('pending')
  expect((await decide()).body.status).toBe('approved') // the same proof still works
})

test('the transaction that makes a payment asks again whether its person may still pay', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [leaver] = await admins(payer.id, 1)
  if (!leaver) throw new Error('an admin was made')
  const organizationId = payer.id as OrganizationId // of a row just made
  const userId = leaver.userId as UserId // the same
  const requester = { kind: 'user', userId, sessionId: leaver.sessionId, deviceId: randomUUID() } as unknown as Person
  const create = (status: string) => {
    const request = {
      amount: { amount: '1.00', currency: 'USD' },
      payment_contact_id: contactId as ContactId, // the same
      payout_reason: 'services',
      statement_description: status,
      internal_notes: null,
      request_id: randomUUID(),
    }
    return inOrganization(requester, organizationId, (tx) => insertPayment(tx, newId(), userId, request))
  }
  expect(await create('active')).toMatchObject({ status: 'awaiting_approval' })
  await owner`update organizations set status = 'paused' where id = ${payer.id}`
  await expect(create('paused')).rejects.toMatchObject({ type: 'organization_unavailable' })
  await owner`update organizations set status = 'active' where id = ${payer.id}`
  await owner`delete from members where organization_id = ${payer.id} and user_id = ${leaver.userId}`
  await expect(create('left')).rejects.toMatchObject({ type: 'not_found' })
  expect((await api('GET', `/organizations/${payer.id}/payments`, { token: boss.token })).body.data).toHaveLength(1)
})

test('an approver who left meanwhile no longer decides, whatever the API saw', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [admin] = await admins(payer.id, 1)
  if (!admin) throw new Error('an admin was made')
  const payment = await createPayment(boss, contactId, '5.00')
  const decide = await prepared(admin, payment)
  await owner`delete from members where organization_id = ${payer.id} and user_id = ${admin.userId}`
  expect((await decide()).status).toBe(404)
  expect((await api('GET', approvalPath(payment), { token: boss.token })).body.status).toBe('pending')
})

test('an organization that is paused reads and rejects, and approves nothing', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [one, two] = [await createPayment(boss, contactId, '5.00'), await createPayment(boss, contactId, '6.00')]
  await owner`update organizations set status = 'paused' where id = ${payer.id}`
  const approved = await api('POST', `${approvalPath(one)}/approve`, { token: boss.token, body: {} })
  expect([approved.status, approved.body.error.type]).toEqual([403, 'organization_unavailable'])
  expect((await api('POST', `${approvalPath(two)}/reject`, { token: boss.token, body: {} })).body.status).toBe(
    'rejected',
  )
  await owner`update organizations set status = 'banned' where id = ${payer.id}`
  expect((await api('GET', approvalPath(one), { token: boss.token })).status).toBe(404)
})

test('what stands against an approval is told in the order in which it is refused', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [payment, larger] = [
    await createPayment(boss, contactId, '5.00'),
    await createPayment(boss, contactId, '101.00'),
  ]
  const blockersOf = async (one: Payment) =>
    (await api('GET', approvalPath(one), { token: boss.token })).body.blocked_by
  expect([await blockersOf(payment), await blockersOf(larger)]).toEqual([[], ['insufficient_funds']])
  const decide = await prepared(boss, payment)
  const refused = async () => (await decide()).body.error.type
  await owner`update organizations set books_stopped_at = business_now() where id = ${payer.id}`
  expect([await blockersOf(payment), await refused()]).toEqual([['ledger_unbalanced'], 'ledger_unbalanced'])
  expect(await blockersOf(larger)).toEqual(['ledger_unbalanced', 'insufficient_funds'])
  await owner`update payment_contacts set status = 'archived' where id = ${contactId}`
  expect([await blockersOf(payment), await refused()]).toEqual([
    ['contact_not_approved', 'ledger_unbalanced'],
    'contact_not_approved',
  ])
  await owner`update payment_contacts set status = 'active' where id = ${contactId}`
  await owner`update organizations set books_stopped_at = null where id = ${payer.id}`
  expect([await blockersOf(payment), (await decide()).body.status]).toEqual([[], 'approved'])
})

test('a payee that is gone at settlement fails the payment and gives the money back', async () => {
  const { boss, payer, payee, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '40.00')
  await owner`update organizations set status = 'deleted' where id = ${payee.id}`
  await approve(boss, payment)
  const { body } = await api('GET', `/payments/${payment.id}`, { token: boss.token })
  expect(body).toMatchObject({ status: 'failed', status_detail: 'payee unavailable', transaction_id: null })
  const balances = await api('GET', `/organizations/${payer.id}/balances`, { token: boss.token })
  expect(balances.body.data).toMatchObject([{ available: { amount: '100.00' }, held: { amount: '0.00' } }])
  expect(await proof(payer.id, boss)).toBe(true)
})
