import { expect, test } from 'vitest'
import { api, payerAndPayee } from '../../support/api.ts'
import { joined, setRules } from '../../support/approvals/approvals.ts'
import { decideSet, idsOf, paymentsOf, told } from '../../support/approvals/sets.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

test('a member who reviews one approval of a set learns no amount and no payee of the others', async () => {
  const { boss, payer, contactId } = await payerAndPayee('1000.00')
  const [member] = await joined(payer.id, 'member', 1)
  if (!member) throw new Error('they joined')
  const [hidden] = await paymentsOf(boss, contactId, ['271.82'])
  const steps = [
    { required: 1, roles: ['owner'] },
    { required: 1, user_ids: [member.userId] },
  ]
  await setRules(payer.id, boss, [{ steps }])
  const [shown] = await paymentsOf(boss, contactId, ['4.00'])
  if (!hidden || !shown) throw new Error('they were made')
  expect(told(await decideSet(boss, payer.id, idsOf([hidden, shown])))).toEqual(['approved', 'pending'])

  const path = (payment: { approval_request_id: string }) =>
    `/organizations/${payer.id}/approvals/${payment.approval_request_id}`
  expect((await api('GET', path(hidden), { token: member.token })).status).toBe(404)
  const evidence = await api('GET', `${path(shown)}/evidence`, { token: member.token })
  expect(evidence.status).toBe(200)
  expect(JSON.stringify(evidence.body)).not.toContain('271.82')
})
