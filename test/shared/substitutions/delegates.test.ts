/** Delegates and substitutes: a delegate is none, has none, and prepares nothing that a substitute may wave through. */
import { expect, test } from 'vitest'
import { api, approvalPath, approve, paymentBody } from '../../support/api.ts'
import { approvalOf, staffedPayer } from '../../support/approvals/approvals.ts'
import { endSubstitution, nameSubstitute, substitutionsPath } from '../../support/approvals/substitutions.ts'
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'

const refusal = ({ status, body }: { status: number; body: any }) => [
  status,
  body.error?.type,
  body.error?.details?.reason,
]

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
  expect(refusal(await approve(member, payment))).toEqual([403, 'requester_cannot_approve', 'no_substitute'])
  expect((await approve(admin, payment)).status).toBe(200)
})

test('a delegate of the substitute sees nothing by the substitution, and no delegate names or ends one', async () => {
  const { id, boss, staff, pay } = await staffedPayer('member')
  const [member] = staff
  const payment = await pay()
  const { body: substitution } = await nameSubstitute(boss, id, member)
  const agent = { ...member, token: await tokenOf(await delegateOf(member, id, { access: 'prepare' })) }
  expect((await api('GET', approvalPath(payment), { token: member.token })).status).toBe(200)
  expect((await api('GET', approvalPath(payment), { token: agent.token })).status).toBe(404)
  expect((await api('GET', `/payments/${payment.id}`, { token: agent.token })).status).toBe(404)
  expect((await api('GET', substitutionsPath(id), { token: agent.token })).body.data).toHaveLength(1)
  expect(refusal(await nameSubstitute(agent, id, boss))[1]).toBe('delegate_not_permitted')
  expect(refusal(await endSubstitution(agent, id, substitution.id))[1]).toBe('delegate_not_permitted')
})
