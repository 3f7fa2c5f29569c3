import { expect, test } from 'vitest'
import { type TestPerson, api, approvalPath, approve, createPayment, payerAndPayee } from '../../support/api.ts'
import { approvalOf, joined, setRules, statusOf } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { advance, mailsTo } from '../../support/identity/identity.ts'
import { eventually, runOf } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const MINUTE = 60
const HOUR = 3600
const DAY = 24 * HOUR
const remindersTo = async ({ email }: TestPerson) =>
  (await mailsTo(email)).filter(({ subject }) => subject.includes('waits for your approval'))
/** Sessions outlive the moved clock. */
const move = async (seconds: number) => {
  await advance(seconds)
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
}

test('approvers are told soon, after a day and a day before the expiry; then it expires, and its requester is told', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [admin, other] = await joined(payer.id, 'admin', 2)
  const [member] = await joined(payer.id, 'member', 1)
  const rule = { steps: [{ required: 2, roles: ['admin', 'owner'] }], self_approval: false, expires_after_hours: 96 }
  await setRules(payer.id, boss, [rule])
  const payment = await createPayment(admin!, contactId, '5.00')

  await move(9 * MINUTE)
  expect(await remindersTo(boss)).toHaveLength(0)
  await move(2 * MINUTE)
  await eventually(() => remindersTo(boss)).toHaveLength(1)
  expect(await remindersTo(other!)).toHaveLength(1)
  expect((await remindersTo(boss))[0]?.text).toContain('5.00 USD to "Payee": service ID ')
  // four-eyes: neither the requester nor people without an open approval get a reminder
  expect([await remindersTo(admin!), await remindersTo(member!)]).toEqual([[], []])
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
  expect((await approvalOf(payment, boss)).decisions).toMatchObject([{ decision: 'expire', user_id: null }])
  expect(await remindersTo(boss)).toHaveLength(3)
  expect((await mailsTo(admin!.email))[0]).toMatchObject({ subject: 'Your request in "Payer" expired' })
})

test('however much waits, somebody is reminded once in a while, and not of what they have approved', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [admin, other] = await joined(payer.id, 'admin', 2)
  await setRules(payer.id, boss, [{ steps: [{ required: 2, roles: ['admin'] }] }])
  const payments = await Promise.all([1, 2, 3, 4].map(() => createPayment(boss, contactId, '1.00')))
  const path = `/organizations/${payer.id}/approvals`
  for (const { approval_request_id: id } of payments) {
    const asked = await api('POST', `${path}/${id}/approve`, { token: admin!.token, body: {} })
    await api('POST', `/sandbox/step-up/${asked.body.error.step_up.id}/decide`, { body: { decision: 'allow' } })
    expect((await api('POST', `${path}/${id}/approve`, { token: admin!.token, body: {} })).status).toBe(200)
  }
  await move(DAY + 1)
  await eventually(
    async () =>
      (
        await owner`select count(*)::int as n from approvals where organization_id = ${payer.id}
        and next_reminder_at > expires_at - interval '25 hours'`
      )[0]?.['n'],
  ).toBe(4)
  expect(await remindersTo(other!)).toHaveLength(1)
  expect(await remindersTo(admin!)).toHaveLength(0)
})

test('what is decided soon is told to nobody but its requester, where somebody else decided', async () => {
  const { boss, payer, payee, contactId } = await payerAndPayee('100.00')
  const [admin] = await joined(payer.id, 'admin', 1)
  const own = await createPayment(boss, contactId, '1.00')
  const others = await createPayment(boss, contactId, '2.00')
  const third = await createPayment(boss, contactId, '3.00')
  expect((await approve(boss, own)).status).toBe(200)
  expect((await approve(admin!, others)).status).toBe(200)
  const reject = { token: admin!.token, body: { reason: 'twice,\r\n\r\nsee above' } }
  expect((await api('POST', `${approvalPath(third)}/reject`, reject)).status).toBe(200)
  await move(HOUR)
  const to = `"Payee": service ID ${payee.svcId}`
  const told = (await mailsTo(boss.email)).map(({ subject, text }) => [subject, text])
  expect(told).toEqual([
    ['Your request in "Payer" was rejected', `3.00 USD to ${to} was rejected. Reason: "twice, see above".`],
    ['Your request in "Payer" was approved', `2.00 USD to ${to} was approved.`],
  ])
  expect(await remindersTo(admin!)).toEqual([])
})

test('who is waited for in a later step is told when their turn comes', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [admin] = await joined(payer.id, 'admin', 1)
  const steps = [
    { required: 1, roles: ['admin'] },
    { required: 1, roles: ['owner'] },
  ]
  await setRules(payer.id, boss, [{ steps }])
  const payment = await createPayment(boss, contactId, '1.00')
  await move(HOUR)
  await eventually(() => remindersTo(admin!)).toHaveLength(1)
  expect(await remindersTo(boss)).toHaveLength(0)
  expect((await approve(admin!, payment)).body.status).toBe('pending')
  await move(11 * MINUTE)
  await eventually(() => remindersTo(boss)).toHaveLength(1)
})

test('what waits for an hour only is told once, and expires', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const rule = { steps: [{ required: 1, roles: ['owner'] }], expires_after_hours: 1 }
  await setRules(payer.id, boss, [rule])
  const payment = await createPayment(boss, contactId, '1.00')
  await move(11 * MINUTE)
  await eventually(() => remindersTo(boss)).toHaveLength(1)
  await move(HOUR)
  await eventually(() => statusOf(payment.id)).toBe('cancelled')
  expect(await remindersTo(boss)).toHaveLength(1)
})
