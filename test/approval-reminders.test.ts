import { expect, test } from 'vitest'
import { type TestPerson, api, createPayment, payerAndPayee } from './support/api.ts'
import { approvalOf, joined, setRules, statusOf } from './support/approvals.ts'
import { owner } from './support/database.ts'
import { advance, mailsTo } from './support/identity.ts'
import { eventually, runOf } from './support/runs.ts'
import { useWorker } from './support/worker.ts'

useWorker()

const HOUR = 3600
const DAY = 24 * HOUR
const remindersTo = async ({ email }: TestPerson) =>
  (await mailsTo(email)).filter(({ subject }) => subject.includes('waits for your approval'))
/** Sessions outlive the moved clock. */
const move = async (seconds: number) => {
  await advance(seconds)
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
}

test('approvers are reminded after a day and a day before the expiry, and then it expires', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [admin, other] = await joined(payer.id, 'admin', 2)
  const [member] = await joined(payer.id, 'member', 1)
  const rule = { steps: [{ required: 2, roles: ['admin', 'owner'] }], self_approval: false, expires_after_hours: 96 }
  await setRules(payer.id, boss, [rule])
  const payment = await createPayment(admin!, contactId, '5.00')

  await move(DAY - 60)
  expect(await remindersTo(boss)).toHaveLength(0)
  await move(61)
  await eventually(() => remindersTo(boss)).toHaveLength(1)
  expect(await remindersTo(other!)).toHaveLength(1)
  expect((await remindersTo(boss))[0]?.text).toContain('5.00 USD to Payee')
  // four-eyes: who asked is not reminded, nor who approves nothing
  expect([await remindersTo(admin!), await remindersTo(member!)]).toEqual([[], []])
  const { currentDetails } = await runOf(payment).query<{ currentDetails: string }>('__temporal_workflow_metadata')
  expect(currentDetails).toContain('2 more of admin, owner')

  await move(2 * DAY - 120)
  expect(await remindersTo(boss)).toHaveLength(1)
  await move(121)
  await eventually(() => remindersTo(boss)).toHaveLength(2)
  expect(await statusOf(payment.id)).toBe('awaiting_approval')
  await move(DAY)
  await eventually(() => statusOf(payment.id)).toBe('cancelled')
  expect((await approvalOf(payment, boss)).decisions).toMatchObject([{ decision: 'expire', user_id: null }])
  expect(await remindersTo(boss)).toHaveLength(2)
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

test('what waits for an hour only is not reminded of, and expires', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const rule = { steps: [{ required: 1, roles: ['owner'] }], expires_after_hours: 1 }
  await setRules(payer.id, boss, [rule])
  const payment = await createPayment(boss, contactId, '1.00')
  await move(HOUR + 1)
  await eventually(() => statusOf(payment.id)).toBe('cancelled')
  expect(await remindersTo(boss)).toHaveLength(0)
})
