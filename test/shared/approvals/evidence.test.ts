import { expect, test } from 'vitest'
import { joined, setRules, staffedPayer } from '../../support/approvals/approvals.ts'
import { type TestPerson, api, approvalPath, approve, contact, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { bundleOf, readEvidence, script, verify, verifyHere } from '../../support/approvals/evidence.ts'
import { advance } from '../../support/identity/identity.ts'
import { changeRole } from '../../support/organizations/members.ts'
import { type Payment, decideSet, idsOf, paymentsOf } from '../../support/approvals/sets.ts'
import { useWorker } from '../../support/worker.ts'
import { nameSubstitute } from '../../support/approvals/substitutions.ts'
import { outgoing, payerBy } from '../../support/payments/payouts.ts'

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
        summary: expect.stringMatching(/^Approve: Pay 12\.34 USD to "Payee" \(service ID /),
        asked_at: expect.any(String),
        verified_at: expect.any(String),
        consumed_at: expect.any(String),
        methods: ['totp'],
        factor: 'sandbox',
        client_data: null,
        assertion: null,
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

const { boss, id, contactId, staff } = await staffedPayer('admin', 'member')
const [admin, member] = staff

/** A payment approved by two people, one under four eyes: by its own proof, and as one of a set. */
async function twiceApproved(): Promise<Payment> {
  const steps = [
    { required: 1, roles: ['owner'] },
    { required: 1, user_ids: [admin.userId] },
  ]
  await setRules(id, boss, [{ steps }])
  const [payment, other] = await paymentsOf(boss, contactId, ['10.00', '20.00'])
  await approve(boss, payment)
  await decideSet(admin, id, idsOf([payment, other]))
  return payment
}

const real = await twiceApproved().then((payment) => bundleOf(boss, payment))

/** A payment that a substitute approved on behalf of the admin whom the rule names. */
async function approvedOnBehalf(): Promise<Payment> {
  await setRules(id, boss, [{ steps: [{ required: 1, user_ids: [admin.userId] }], self_approval: false }])
  const [payment] = await paymentsOf(boss, contactId, ['30.00'])
  await nameSubstitute(admin, id, member)
  await approve(member, payment)
  return payment
}

const substituted = await approvedOnBehalf().then((payment) => bundleOf(boss, payment))

test('the script is eleven statements, and a real bundle passes it', async () => {
  expect(script.match(/^(const|assert)/gm)).toHaveLength(11)
  expect(script).not.toMatch(/require\((?!`node:|resolve)/)
  expect(Math.max(...script.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120)
  expect(real.decisions[1].step_up).toMatchObject({
    operation: 'POST /organizations/{organization_id}/approvals/decide',
    target: expect.stringMatching(/^approvals:[0-9a-f]{64}$/),
    set: { targets: { length: 2 }, used_at: expect.any(String) },
  })
  expect(await verify(real)).toBe('')
  expect(verifyHere(real)).toBe('')
})

const eventOf = (copy: any, type: string) => copy.events.find((event: any) => event.type === type)
const approved = (copy: any) => eventOf(copy, 'approval.approved')
const decided = (copy: any) => copy.decisions[0]
const rewrite = (event: any, from: string, to: string) => {
  const text = event.canonical as string
  event.canonical = text.replace(from, to)
  if (event.canonical === text) throw new Error(`${from} is not in ${text}`)
}
const ANOTHER = '00000000-0000-4000-8000-000000000000'
const LATER = '2099-01-01T00:00:00.000000Z'

const TAMPERINGS: Record<string, (copy: any) => void> = {
  'another amount in the body': (copy) => (copy.subject_body = copy.subject_body.replace('10.00', '99.00')),
  'another hash of the body': (copy) =>
    (copy.subject_hash = copy.subject_hash.replace(/^./, (c: string) => (c === '0' ? '1' : '0'))),
  'another amount shown': (copy) => (copy.approval.subject.internal_transfer.amount = '1.00'),
  'another target': (copy) => (copy.approval.target_id = ANOTHER),
  'another approval': (copy) => (copy.approval.approval_id = ANOTHER),
  'another status': (copy) => (copy.approval.status = 'rejected'),
  'another requester': (copy) => (copy.approval.requester.id = ANOTHER),
  'another cause of an event': (copy) => (approved(copy).causation_id = ANOTHER),
  'another person in an event': (copy) => (approved(copy).actor_user_id = boss.userId),
  'another person in what was chained': (copy) =>
    rewrite(approved(copy), `"actor_user_id":"${admin.userId}"`, `"actor_user_id":"${boss.userId}"`),
  'another time in what was chained': (copy) => rewrite(approved(copy), '"occurred_at":"2', '"occurred_at":"3'),
  'another amount in what was chained': (copy) => rewrite(eventOf(copy, 'payment.created'), '10.00', '11.00'),
  'another type of an event': (copy) => (approved(copy).type = 'approval.rejected'),
  'another hash of an event': (copy) => (copy.events[0].hash = copy.events[1].hash),
  'another hash before an event': (copy) => (copy.events[1].previous_hash = copy.events[2].previous_hash),
  'an event that is not chained': (copy) =>
    Object.assign(copy.events.at(-1), { hash: null, previous_hash: null, seq: null }),
  'events in another order': (copy) => copy.events.reverse(),
  'the request left out': (copy) => copy.events.splice(copy.events.indexOf(eventOf(copy, 'approval.requested')), 1),
  'the event of an approval left out': (copy) =>
    copy.events.splice(copy.events.indexOf(eventOf(copy, 'approval.approval_given')), 1),
  'a decision left out': (copy) => copy.decisions.shift(),
  'a decision twice': (copy) => copy.decisions.push(copy.decisions[0]),
  'another decider': (copy) => (decided(copy).actor.id = admin.userId),
  'another decision': (copy) => (decided(copy).decision = 'reject'),
  'another id of a decision': (copy) => (decided(copy).decision_id = ANOTHER),
  'another time of a decision': (copy) => (decided(copy).occurred_at = LATER),
  'another step of a decision': (copy) => (decided(copy).step = 1),
  'another role': (copy) => (decided(copy).role = 'member'),
  'another factor': (copy) => (decided(copy).factor = 'webauthn'),
  'a void that was not logged': (copy) => (decided(copy).voided = { at: LATER, reason: 'member_left' }),
  'no proof': (copy) => (decided(copy).step_up = null),
  'a proof that was never used': (copy) => (decided(copy).step_up.consumed_at = null),
  'a proof that came after the decision': (copy) => (decided(copy).step_up.verified_at = LATER),
  'a proof for another approval': (copy) =>
    (decided(copy).step_up.target = decided(copy).step_up.target.replace(/:.*:/, `:${ANOTHER}:`)),
  'a proof for another set': (copy) => (copy.decisions[1].step_up.target = `approvals:${copy.subject_hash}`),
  'a set that this is not in': (copy) =>
    (copy.decisions[1].step_up.set.targets = copy.decisions[1].step_up.set.targets.filter(
      (target: string) => !target.includes(copy.approval.approval_id),
    )),
  'a set with one more': (copy) =>
    copy.decisions[1].step_up.set.targets.push(`approval:${ANOTHER}:${copy.subject_hash}`),
  'a set whose part was never used': (copy) => (copy.decisions[1].step_up.set.used_at = null),
  'a policy that asks for more': (copy) => (copy.policy.steps[0].required = 2),
  'a policy with another step': (copy) => copy.policy.steps.push({ required: 1, roles: ['owner'], user_ids: [] }),
  'a policy that names somebody else': (copy) => (copy.policy.steps[1].user_ids = [ANOTHER]),
  'a policy that is easier to meet': (copy) => copy.policy.steps.pop(),
  'a policy that waits longer': (copy) => (copy.policy.expires_after_hours += 1),
  'a policy of four eyes': (copy) => (copy.policy.self_approval = false),
}

test.each(Object.entries(TAMPERINGS))('%s does not pass', (_, tamper) => {
  const copy = structuredClone(real)
  tamper(copy)
  expect(verifyHere(copy)).not.toBe('')
})

const OF_SUBSTITUTES: Record<string, (copy: any) => void> = {
  'another member on whose behalf it was': (copy) => (decided(copy).on_behalf_of.id = ANOTHER),
  'a decision of their own': (copy) => (decided(copy).on_behalf_of = null),
  'another substitute': (copy) => (decided(copy).actor.id = boss.userId),
  'another substitution': (copy) => (decided(copy).on_behalf_of.substitution_id = ANOTHER),
  'no substitution': (copy) => copy.events.splice(copy.events.indexOf(eventOf(copy, 'substitution.created')), 1),
  'a later time': (copy) => (decided(copy).occurred_at = LATER),
  'a requester who is the member': (copy) => (copy.approval.requester.id = admin.userId),
}

test('a bundle of a decision on behalf of another person passes the script', async () => {
  const principal = { id: admin.userId, email: admin.email, substitution_id: expect.any(String) }
  expect(substituted.decisions).toMatchObject([
    { actor: { id: member.userId }, on_behalf_of: principal, role: 'admin' },
  ])
  expect(approved(substituted).payload).toMatchObject({ role: 'admin', on_behalf_of: admin.userId })
  expect(await verify(substituted)).toBe('')
})

test.each(Object.entries(OF_SUBSTITUTES))('%s of a substitute does not pass', (_, tamper) => {
  const copy = structuredClone(substituted)
  tamper(copy)
  expect(verifyHere(copy)).not.toBe('')
})

test('a payment by bank or blockchain verifies too', async () => {
  for (const rail of ['fiat', 'crypto'] as const) {
    const payer = await payerBy(rail)
    const payment = await outgoing(payer)
    await approve(payer.boss, payment)
    expect(verifyHere(await bundleOf(payer.boss, payment))).toBe('')
  }
})
