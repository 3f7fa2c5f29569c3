import { expect, test } from 'vitest'
import { joined, setRules } from '../../support/approvals/approvals.ts'
import { type TestPerson, api, approvalPath, approve, contact, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { bundleOf, readEvidence, verify, verifyHere } from '../../support/approvals/evidence.ts'
import { advance } from '../../support/identity/identity.ts'
import { changeRole } from '../../support/organizations/members.ts'
import { outgoing, payerBy } from '../../support/payments/payouts.ts'
import { type Payment, paymentsOf } from '../../support/approvals/sets.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const reject = ({ token }: TestPerson, payment: Payment) =>
  api('POST', `${approvalPath(payment)}/reject`, { token, body: { reason: 'no' } })

async function onePayment(amount = '10.00') {
  const world = await payerAndPayee('100.00')
  const [payment] = await paymentsOf(world.boss, world.contactId, [amount])
  if (!payment) throw new Error('it was made')
  return { ...world, payment }
}

test('the bundle says who saw and decided what, when, by which factor and on which device, and the script verifies it', async () => {
  const { boss, payment } = await onePayment('12.34')
  await approve(boss, payment)
  const bundle = await bundleOf(boss, payment)
  const [device] = await owner`
    select d.id, d.public_id from devices d join sessions s on s.device_id = d.id where s.id = ${boss.sessionId}`
  const [approval] = await owner`select subject_hash from approvals where id = ${payment.approval_request_id}`
  const hash = approval?.['subject_hash'] as string
  expect(bundle).toMatchObject({
    approval: { approval_id: payment.approval_request_id, status: 'approved', target_id: payment.id },
    subject_hash: hash,
    policy: { steps: [{ required: 1, roles: ['owner', 'admin'] }], self_approval: true, expires_after_hours: 720 },
    steps: [{ required: 1, status: 'met', approved_by: [boss.userId] }],
    chain: { complete: true, algorithm: 'sha256' },
  })
  expect(JSON.parse(bundle.subject_body)).toMatchObject({ amount: '12.34', currency: 'USD', target_id: payment.id })
  expect(bundle.decisions).toEqual([
    {
      decision_id: expect.any(String),
      actor: { id: boss.userId, email: boss.email, name: 'Test Person' },
      on_behalf_of: null,
      decision: 'approve',
      step: 0,
      role: 'owner',
      factor: 'sandbox',
      device_id: device?.['public_id'],
      comment: null,
      occurred_at: expect.any(String),
      voided: null,
      step_up: {
        id: expect.any(String),
        operation: 'POST /organizations/{organization_id}/approvals/{approval_id}/approve',
        target: `approval:${payment.approval_request_id}:${hash}`,
        summary: expect.stringMatching(/^Approve: 12\.34 USD to "Payee": service ID /),
        asked_at: expect.any(String),
        verified_at: expect.any(String),
        consumed_at: expect.any(String),
        methods: ['totp'],
        factor: 'sandbox',
        client_data: null,
        set: null,
      },
    },
  ])
  expect(bundle.events.map(({ type }: { type: string }) => type)).toEqual([
    'payment.created',
    'approval.requested',
    'approval.approved',
    'payment.submitted',
    'payment.accepted',
    'payment.settled',
  ])
  expect(await verify(bundle)).toBe('')
  // with the id itself the person signs in
  expect(JSON.stringify(bundle)).not.toContain(device?.['id'])
})

test('several steps, a voided approval and the one that took its place are all in it, and verify', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [first, second] = await joined(payer.id, 'admin', 2)
  if (!first || !second) throw new Error('they were made')
  await setRules(payer.id, boss, [
    {
      steps: [
        { required: 1, roles: ['admin'] },
        { required: 1, user_ids: [boss.userId] },
      ],
    },
  ])
  const [payment] = await paymentsOf(boss, contactId, ['10.00'])
  if (!payment) throw new Error('it was made')
  await approve(first, payment)
  expect((await changeRole(boss, payer.id, first.userId, 'member')).status).toBe(200)
  await approve(second, payment)
  expect(verifyHere(await bundleOf(boss, payment))).toBe('') // still pending
  await approve(boss, payment)
  const bundle = await bundleOf(boss, payment)
  expect(bundle.decisions.map(({ actor, step, voided }: any) => [actor.id, step, voided?.reason ?? null])).toEqual([
    [first.userId, 0, 'role_changed'],
    [second.userId, 0, null],
    [boss.userId, 1, null],
  ])
  expect(bundle.steps).toMatchObject([
    { status: 'met', approved_by: [second.userId] },
    { status: 'met', approved_by: [boss.userId] },
  ])
  expect(verifyHere(bundle)).toBe('')
})

test('rejected and withdrawn approvals, and those of contacts, verify too', async () => {
  const { boss, payer, payee, contactId } = await payerAndPayee('100.00')
  const [rejected, withdrawn] = await paymentsOf(boss, contactId, ['1.00', '2.00'])
  if (!rejected || !withdrawn) throw new Error('they were made')
  await reject(boss, rejected)
  await api('POST', `${approvalPath(withdrawn)}/cancel`, { token: boss.token, body: {} })
  await setRules(payer.id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const waiting = await contact(boss, payer.id, payee.svcId)
  const [row] = await owner`select id from approvals where target_id = ${waiting}`
  const ofContact = { id: waiting, organization_id: payer.id, approval_request_id: row?.['id'] as string }
  await approve(boss, ofContact)
  for (const [payment, status] of [
    [rejected, 'rejected'],
    [withdrawn, 'cancelled'],
    [ofContact, 'approved'],
  ] as const) {
    const bundle = await bundleOf(boss, payment)
    expect(bundle.approval.status).toBe(status)
    expect(verifyHere(bundle)).toBe('')
  }
})

test('a payment by bank or blockchain verifies too', async () => {
  for (const rail of ['fiat', 'crypto'] as const) {
    const payer = await payerBy(rail)
    const payment = await outgoing(payer)
    await approve(payer.boss, payment)
    expect(verifyHere(await bundleOf(payer.boss, payment))).toBe('')
  }
})

test('what was decided is chained for its evidence, whatever runs beside it; what is not chained does not verify', async () => {
  const { boss, payment } = await onePayment()
  const body = await owner.begin(async (beside) => {
    await beside`select pg_current_xact_id()`
    await reject(boss, payment)
    return bundleOf(boss, payment)
  })
  expect(body.chain).toEqual({ complete: true, algorithm: 'sha256' })
  expect(verifyHere(body)).toBe('')
  const events = body.events.map((event: object) => ({ ...event, seq: null, hash: null, previous_hash: null }))
  expect(verifyHere({ ...body, chain: { complete: false, algorithm: 'sha256' }, events })).not.toBe('')
})

test('it tells no secret: no body of a step-up, no number to match, no token', async () => {
  const { boss, payment } = await onePayment()
  await approve(boss, payment)
  const text = JSON.stringify(await bundleOf(boss, payment))
  expect(text).not.toMatch(/body_hash|match_code|token|secret|password|session/)
  const [row] = await owner`select body_hash, authentication_id from step_ups where user_id = ${boss.userId}`
  expect(text).not.toContain(row?.['body_hash'])
  expect(text).not.toContain(row?.['authentication_id'])
})

test('an expired approval was decided by nobody, and verifies', async () => {
  const { payer, payment } = await onePayment()
  await advance(31 * 24 * 3600)
  const [later] = await joined(payer.id, 'admin', 1) // no approver is signed in any more
  if (!later) throw new Error('they were made')
  await expect.poll(async () => (await readEvidence(later, payment)).body.approval?.status).toBe('cancelled')
  const bundle = await bundleOf(later, payment)
  expect(bundle.decisions).toMatchObject([{ decision: 'expire', actor: null, step_up: null }])
  expect(verifyHere(bundle)).toBe('')
})
