import { expect, test } from 'vitest'
import { type TestPerson, api, approve, createPayment } from '../../support/api.ts'
import { approvalOf, decide, outcome, setRules, staffedPayer, statusOf } from '../../support/approvals/approvals.ts'
import { move } from '../../support/approvals/substitutions.ts'
import { owner } from '../../support/database.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { eventually, runOf } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const MINUTE = 60
const HOUR = 3600
const DAY = 24 * HOUR
const remindersTo = async ({ email }: TestPerson) =>
  (await mailsTo(email)).filter(({ subject }) => /waits? for your approval/.test(subject))

test('approvers are told soon, after a day and a day before the expiry; then it expires, and its requester is told', async () => {
  const { boss, id, contactId, staff } = await staffedPayer('admin', 'admin', 'member')
  const [admin, other, member] = staff
  const rule = { steps: [{ required: 2, roles: ['admin', 'owner'] }], self_approval: false, expires_after_hours: 96 }
  await setRules(id, boss, [rule])
  const payment = await createPayment(admin, contactId, '5.00')

  await move(9 * MINUTE)
  expect(await remindersTo(boss)).toHaveLength(0)
  await move(2 * MINUTE)
  await eventually(() => remindersTo(boss)).toHaveLength(1)
  expect(await remindersTo(other)).toHaveLength(1)
  const [reminder] = await remindersTo(boss)
  for (const fact of ['Request: Pay 5.00 USD to "Payee" (service ID ', `(${admin.email})`, 'Organization: "Payer"'])
    expect(reminder?.text).toContain(fact)
  expect(reminder?.text).toMatch(/^Until: \d{4}-\d\d-\d\d \d\d:\d\d UTC$/m)
  expect(reminder?.url).toMatch(`/approve/${payment.approval_request_id}`)
  // four-eyes: neither the requester nor people without an open approval get a reminder
  expect([await remindersTo(admin), await remindersTo(member)]).toEqual([[], []])
  const { currentDetails } = await runOf(payment).query<{ currentDetails: string }>('__temporal_workflow_metadata')
  expect(currentDetails).toContain('2 more of admin, owner')

  await move(DAY)
  await eventually(() => remindersTo(boss)).toHaveLength(2)
  await move(2 * DAY - 12 * MINUTE)
  expect(await remindersTo(boss)).toHaveLength(2)
  await move(2 * MINUTE)
  await eventually(() => remindersTo(boss)).toHaveLength(3)
  expect(await statusOf(payment.id)).toBe('awaiting_approval')
  await move(DAY)
  await eventually(() => statusOf(payment.id)).toBe('cancelled')
  expect(await remindersTo(boss)).toHaveLength(3)
  expect((await mailsTo(admin.email))[0]).toMatchObject({ subject: 'Your request in "Payer" expired' })
  expect(await approvalOf(payment, boss)).toMatchObject({
    status: 'cancelled',
    processed_at: null,
    approver: null,
    can_take_action: false,
    blocked_by: ['approval_expired'],
    decisions: [{ decision: 'expire', user_id: null }],
  })
  const late = [await decide(boss, payment, 'approve'), await decide(boss, payment, 'reject')]
  expect(late.map(outcome)).toEqual(Array(2).fill([409, 'approval_expired']))
  expect(late[0]?.body.error.details).toEqual({ current: 'cancelled', allowed: [] })
})

test('however much waits, somebody is reminded once in a while, and not of what they have approved', async () => {
  const { boss, id, staff, pay } = await staffedPayer('admin', 'admin')
  const [admin, other] = staff
  await setRules(id, boss, [{ steps: [{ required: 2, roles: ['admin'] }] }])
  const payments = await Promise.all([1, 2, 3, 4].map(() => pay('1.00')))
  for (const payment of payments) expect(outcome(await approve(admin, payment))).toEqual([200, 'pending'])
  await move(DAY + 1)
  const reminded = () => owner`select from approvals where organization_id = ${id}
    and next_reminder_at > expires_at - interval '25 hours'`
  await eventually(reminded).toHaveLength(4)
  expect(await remindersTo(other)).toHaveLength(1)
  expect(await remindersTo(admin)).toHaveLength(0)
})

test('what is decided soon is told to nobody but its requester, where somebody else decided', async () => {
  const { boss, payee, staff, pay } = await staffedPayer('admin')
  const [own, others, third] = [await pay('1.00'), await pay('2.00'), await pay('3.00')]
  expect((await approve(boss, own)).status).toBe(200)
  expect((await approve(staff[0], others)).status).toBe(200)
  const reason = 'twice,\r\n\r\nsee above'
  expect((await decide(staff[0], third, 'reject', { body: { reason } })).status).toBe(200)
  await move(HOUR)
  const to = `"Payee" (service ID ${payee.svcId}).`
  const about = (outcome: string, request: string, payment: { approval_request_id: string }) => [
    `Your request in "Payer" was ${outcome}`,
    expect.stringContaining(`Your request was ${outcome}.\n\nRequest: ${request}\nOrganization: "Payer"\n\nSee`),
    expect.stringMatching(`/approve/${payment.approval_request_id}$`),
  ]
  expect((await mailsTo(boss.email)).map(({ subject, text, url }) => [subject, text, url])).toEqual([
    about('rejected', `Pay 3.00 USD to ${to}\nReason: "twice, see above"`, third),
    about('approved', `Pay 2.00 USD to ${to}`, others),
  ])
  expect(await remindersTo(staff[0])).toEqual([])
})

test('who is waited for in a later step is told when their turn comes', async () => {
  const { boss, id, staff, pay } = await staffedPayer('admin')
  await setRules(id, boss, [{ steps: ['admin', 'owner'].map((role) => ({ required: 1, roles: [role] })) }])
  const payment = await pay()
  await move(HOUR)
  await eventually(() => remindersTo(staff[0])).toHaveLength(1)
  expect(await remindersTo(boss)).toHaveLength(0)
  expect(outcome(await approve(staff[0], payment))).toEqual([200, 'pending'])
  await move(11 * MINUTE)
  await eventually(() => remindersTo(boss)).toHaveLength(1)
})

test('what waits for an hour only is told once, and expires', async () => {
  const { boss, id, pay } = await staffedPayer()
  await setRules(id, boss, [{ steps: [{ required: 1, roles: ['owner'] }], expires_after_hours: 1 }])
  const payment = await pay()
  await move(11 * MINUTE)
  await eventually(() => remindersTo(boss)).toHaveLength(1)
  await move(HOUR)
  await eventually(() => statusOf(payment.id)).toBe('cancelled')
  expect(await remindersTo(boss)).toHaveLength(1)
})

test.each([0, -1, 31_536_001, 1.5, '60'])('the clock does not move by %j seconds', async (seconds) => {
  expect((await api('POST', '/sandbox/clock/advance', { body: { seconds } })).status).toBe(400)
})
