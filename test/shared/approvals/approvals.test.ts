import { expect, test } from 'vitest'
import { api, approvalPath, approve, createPayment, payerAndPayee } from '../../support/api.ts'
import { approvalOf, joined, setRules } from '../../support/approvals/approvals.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

test('the filters of the list: status, statuses before status, mine, and clamped pages', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [pending, rejected] = [
    await createPayment(boss, contactId, '1.00'),
    await createPayment(boss, contactId, '2.00'),
  ]
  await api('POST', `${approvalPath(rejected)}/reject`, { token: boss.token, body: {} })
  const list = async (query: string) => {
    const { body } = await api('GET', `/organizations/${payer.id}/approvals?${query}`, { token: boss.token })
    return body.data.map((approval: { approval_id: string }) => approval.approval_id)
  }
  const [open, closed] = [pending.approval_request_id, rejected.approval_request_id]
  expect(await list('')).toEqual([open])
  expect(await list('status=rejected')).toEqual([closed])
  expect(await list('status=all')).toEqual([closed, open])
  expect(await list('status=pending&statuses=rejected')).toEqual([closed])
  expect(await list('statuses[]=rejected&statuses[]=pending')).toEqual([closed, open])
  expect(await list('statuses=rejected&statuses=pending')).toEqual([closed, open])
  expect(await list('status=all&mine=false')).toEqual([])
  expect(await list('status=all&action_type=payment_batch')).toEqual([])
  expect((await api('GET', `/organizations/${payer.id}/approvals?status=open`, { token: boss.token })).status).toBe(400)
})

test('an approval shows its subject, its steps and its decisions', async () => {
  const { boss, payee, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '12.34')
  await approve(boss, payment)
  const { body } = await api('GET', approvalPath(payment), { token: boss.token })
  expect(body).toMatchObject({
    action_type: 'withdrawal',
    target_type: 'internal_transfer',
    target_id: payment.id,
    status: 'approved',
    requester: { id: boss.userId, email: boss.email, name: 'Test Person' },
    summary: `12.34 USD to "Payee": service ID ${payee.svcId}`,
    subject: {
      type: 'internal_transfer',
      internal_transfer: { amount: '12.34', currency: 'USD', destination: { svc_id: payee.svcId }, state: 'settled' },
    },
    steps: [{ required: 1, roles: ['owner', 'admin'] }],
    decisions: [{ decision: 'approve', user_id: boss.userId }],
    can_take_action: false,
  })
})

test('who alone can give a later step does not use themselves up on an earlier one', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [admin] = await joined(payer.id, 'admin', 1)
  const steps = [
    { required: 1, roles: ['owner', 'admin'] },
    { required: 1, roles: ['owner'] },
  ]
  await setRules(payer.id, boss, [{ steps }])
  const payment = await createPayment(boss, contactId, '5.00')
  expect((await approvalOf(payment, boss)).blocked_by).toEqual(['no_eligible_approver'])
  const eager = await approve(boss, payment)
  expect([eager.status, eager.body.error.type, eager.body.error.details]).toEqual([
    422,
    'no_eligible_approver',
    { reason: 'needed_later' },
  ])
  expect((await approvalOf(payment, admin!)).blocked_by).toEqual([])
  expect((await approve(admin!, payment)).body.status).toBe('pending')
  expect((await approvalOf(payment, boss)).blocked_by).toEqual([])
  expect((await approve(boss, payment)).body.status).toBe('approved')
})
