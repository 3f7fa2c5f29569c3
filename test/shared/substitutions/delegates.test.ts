/** Delegates and substitutes: a delegate is none, has none, and prepares nothing that a substitute may wave through. */
import { expect, test } from 'vitest'
import { api, approvalPath, approve, paymentBody } from '../../support/api.ts'
import { approvalOf, outcome, staffedPayer } from '../../support/approvals/approvals.ts'
import { nameSubstitute } from '../../support/approvals/substitutions.ts'
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'

test('what a delegate of the member asked for is not approved by their substitute, nor by themselves', async () => {
  const { id, boss, contactId, staff } = await staffedPayer('member', 'admin')
  const [member, admin] = staff
  const token = await tokenOf(await delegateOf(boss, id, { access: 'prepare' }))
  const { body: payment } = await api('POST', '/payments', { token, body: paymentBody(contactId) })
  await nameSubstitute(boss, id, member)
  expect(await approvalOf(payment, member)).toMatchObject({
    can_take_action: false,
    blocked_by: ['requester_cannot_approve'],
  })
  expect(outcome(await approve(member, payment))).toEqual([403, 'requester_cannot_approve'])
  expect((await approve(admin, payment)).status).toBe(200)
})

test('a delegate of the substitute sees nothing by the substitution', async () => {
  const { id, boss, staff, pay } = await staffedPayer('member')
  const [member] = staff
  const payment = await pay()
  await nameSubstitute(boss, id, member)
  const token = await tokenOf(await delegateOf(member, id, { access: 'prepare' }))
  expect((await api('GET', approvalPath(payment), { token: member.token })).status).toBe(200)
  expect((await api('GET', approvalPath(payment), { token })).status).toBe(404)
  expect((await api('GET', `/payments/${payment.id}`, { token })).status).toBe(404)
})
