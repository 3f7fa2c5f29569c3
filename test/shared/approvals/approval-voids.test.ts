import { expect, test } from 'vitest'
import { api, approvalPath, approve, createPayment, join, payerAndPayee } from '../../support/api.ts'
import { approvalOf, joined, setRules, statusOf } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { changeRole, leave, remove } from '../../support/organizations/members.ts'
import { eventually, runOf } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

/** A payment of 40.00 that needs two admins, and some of them. */
async function scene(count = 3) {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const admins = await joined(payer.id, 'admin', count)
  await setRules(payer.id, boss, [{ steps: [{ required: 2, roles: ['admin'] }] }])
  const payment = await createPayment(boss, contactId, '40.00')
  return { boss, organizationId: payer.id, admins, payment, first: admins[0]!, second: admins[1]!, third: admins[2]! }
}
const detailsOf = async (payment: { id: string }) =>
  (await runOf(payment).query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails
const refused = (answer: { status: number; body: any }) => [answer.status, answer.body.error?.type]

test('the approval of who is removed counts no more: another one is asked for before money moves', async () => {
  const { boss, organizationId, payment, first, second, third } = await scene()
  expect((await approve(first, payment)).body.status).toBe('pending')
  expect((await approvalOf(payment, boss)).steps).toMatchObject([{ approved_by: [first.userId], status: 'open' }])
  await eventually(() => detailsOf(payment)).toContain('step 1 of 1: 1 more of admin')

  expect((await remove(boss, organizationId, first.userId)).status).toBe(200)
  await eventually(() => detailsOf(payment)).toContain('step 1 of 1: 2 more of admin')
  const voided = await approvalOf(payment, boss)
  expect(voided.steps).toMatchObject([{ approved_by: [], status: 'open' }])
  expect(new Set(voided.steps[0].approvers.map(({ id }: { id: string }) => id))).toEqual(
    new Set([second.userId, third.userId]),
  )
  expect(voided.decisions).toMatchObject([
    { user_id: first.userId, decision: 'approve', voided_at: expect.any(String) },
  ])

  expect((await approve(second, payment)).body.status).toBe('pending')
  expect(await statusOf(payment.id)).toBe('awaiting_approval')
  expect((await approve(third, payment)).body.status).toBe('approved')
  await eventually(() => statusOf(payment.id)).toBe('succeeded')
})

test('a role that comes back brings no approval back, and its holder may approve again', async () => {
  const { boss, organizationId, payment, first, second } = await scene()
  await approve(first, payment)
  await changeRole(boss, organizationId, first.userId, 'member')
  await changeRole(boss, organizationId, first.userId, 'admin')
  expect((await approve(second, payment)).body.status).toBe('pending')
  expect((await approve(first, payment)).body.status).toBe('approved')
})

test('who left and joined again approves anew', async () => {
  const { organizationId, payment, first, second } = await scene()
  await approve(first, payment)
  await leave(first, organizationId)
  await join(organizationId, first, 'admin')
  expect((await approve(second, payment)).body.status).toBe('pending')
  expect((await approve(first, payment)).body.status).toBe('approved')
})

test('a change that leaves the step within reach voids nothing', async () => {
  const { boss, organizationId, first, second } = await scene()
  await setRules(organizationId, boss, [{ steps: [{ required: 2, roles: ['admin', 'owner'] }] }])
  const { body } = await api('GET', `/organizations/${organizationId}/payment-contacts`, { token: boss.token })
  const payment = await createPayment(boss, body.data[0].id, '10.00')
  await approve(first, payment)
  await changeRole(boss, organizationId, first.userId, 'owner')
  expect((await approve(second, payment)).body.status).toBe('approved')
})

test('what nobody can approve any more says so, is rejected by nobody, and is withdrawn by its requester', async () => {
  const { boss, organizationId, payment, first, second } = await scene(2)
  await remove(boss, organizationId, first.userId)
  const blocked = await approvalOf(payment, boss)
  expect(blocked.blocked_by).toContain('no_eligible_approver')
  expect((await approvalOf(payment, second)).blocked_by).toEqual(['no_eligible_approver'])
  const rejected = await api('POST', `${approvalPath(payment)}/reject`, { token: boss.token, body: {} })
  expect(refused(rejected)).toEqual([403, 'not_an_approver'])
  const withdrawn = await api('POST', `${approvalPath(payment)}/cancel`, { token: boss.token, body: {} })
  expect(withdrawn.body.status).toBe('cancelled')
  await eventually(() => statusOf(payment.id)).toBe('cancelled')
})

test('an owner withdraws what somebody else asked for only where it is stranded', async () => {
  const { boss, organizationId, admins, first, second } = await scene(2)
  const [member] = await joined(organizationId, 'member', 1)
  const { body } = await api('GET', `/organizations/${organizationId}/payment-contacts`, { token: boss.token })
  const payment = await createPayment(member!, body.data[0].id, '10.00')
  const cancel = (token: string) => api('POST', `${approvalPath(payment)}/cancel`, { token, body: {} })
  expect(refused(await cancel(boss.token))).toEqual([403, 'forbidden'])
  expect(refused(await cancel(admins[1]!.token))).toEqual([403, 'forbidden'])
  await remove(boss, organizationId, first.userId)
  expect((await cancel(second.token)).body.status).toBe('cancelled')
})

test('an owner withdraws what was asked for by somebody who left', async () => {
  const { boss, organizationId, first } = await scene()
  const { body } = await api('GET', `/organizations/${organizationId}/payment-contacts`, { token: boss.token })
  const payment = await createPayment(first, body.data[0].id, '10.00')
  await leave(first, organizationId)
  const cancelled = await api('POST', `${approvalPath(payment)}/cancel`, { token: boss.token, body: {} })
  expect(cancelled.body.status).toBe('cancelled')
})

test('a last approval and the removal of the first approver at once: money moves by two who still counted, or not', async () => {
  const scenes = await Promise.all(Array.from({ length: 6 }, () => scene()))
  await Promise.all(scenes.map(({ first, payment }) => approve(first, payment)))
  await Promise.all(
    scenes.flatMap(({ boss, organizationId, payment, first, second }) => [
      approve(second, payment),
      remove(boss, organizationId, first.userId),
    ]),
  )
  for (const { payment, boss, organizationId } of scenes) {
    const approval = await approvalOf(payment, boss)
    const counted = approval.decisions.filter((decision: { voided_at: string | null }) => decision.voided_at === null)
    expect(counted).toHaveLength(approval.status === 'approved' ? 2 : 1)
    const [moved] =
      await owner`select count(*)::int as n from ledger_transfers where key = ${`payment:${payment.id}:reserve`}`
    expect(moved?.['n']).toBe(approval.status === 'approved' ? 1 : 0)
    const [gone] = await owner`
      select count(*)::int as n from members where organization_id = ${organizationId}`
    expect(gone?.['n']).toBe(3)
  }
})
