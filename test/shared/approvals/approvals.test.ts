import { expect, test } from 'vitest'
import { api, approve, payerAndPayee } from '../../support/api.ts'
import { approvalOf, decide, staffedPayer } from '../../support/approvals/approvals.ts'
import { idsOf, paymentsOf } from '../../support/approvals/sets.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

test('the filters of the list: status, statuses before status, mine, and clamped pages', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, ['1.00', '2.00'])
  const [open, closed] = idsOf(payments)
  await decide(boss, payments[1], 'reject')
  const list = async (query: string) =>
    (await api('GET', `/organizations/${payer.id}/approvals?${query}`, { token: boss.token })).body
  for (const [query, ids] of [
    ['', [open]],
    ['status=rejected', [closed]],
    ['status=all', [closed, open]],
    ['status=pending&statuses=rejected', [closed]],
    ['statuses[]=rejected&statuses[]=pending', [closed, open]],
    ['statuses=rejected&statuses=pending', [closed, open]],
    ['status=all&mine=false', []],
    ['status=all&action_type=payment_batch', []],
  ] as const) {
    expect(
      (await list(query)).data.map((one: any) => one.approval_id),
      query,
    ).toEqual(ids)
  }
  expect((await list('status=open')).error.type).toBe('invalid_request')
})

test('an approval shows its subject, its steps and its decisions', async () => {
  const { boss, payee, pay } = await staffedPayer()
  const payment = await pay('12.34')
  await approve(boss, payment)
  expect(await approvalOf(payment, boss)).toMatchObject({
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
