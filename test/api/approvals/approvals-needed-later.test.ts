import { expect, test } from 'vitest'
import { approve, createPayment, payerAndPayee } from '../../support/api.ts'
import { approvalOf, joined, setRules } from '../../support/approvals.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

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
