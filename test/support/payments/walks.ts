/** People of a walk, their decisions, and the bank; for bills and batches. */
import { partners } from '../../../activities/index.ts'
import type { OrganizationId, PaymentId } from '../../../domain/ids.ts'
import { type Answer, type TestPerson, api, approvalPath, approve, join, organization, person } from '../api.ts'
import { setRules } from '../approvals/approvals.ts'
import type { Command as Decision, Role, Rule } from '../approvals/model.ts'
import { owner } from '../database.ts'
import { calledBack } from '../partners/partners.ts'

const BOARD: Role[] = ['owner', 'admin']
export const RULES = {
  one: { steps: [{ required: 1, roles: BOARD, people: [] }], selfApproval: true },
  'two others': { steps: [{ required: 2, roles: BOARD, people: [] }], selfApproval: false },
} satisfies Record<string, Rule>

export type Asked = { readonly organization_id: string; readonly approval_request_id: string }

export const told = ({ status, body }: Answer): string => (status < 300 ? 'done' : body.error.type)
export const money = (cents: number): string => (cents / 100).toFixed(2)
export const centsOf = (amount: string | undefined): number => Math.round(Number(amount ?? '0') * 100)

/** An organization with this rule, and people of these roles; the first owns it, those without one are outside. */
export async function boardOf(roles: readonly (Role | undefined)[], action_type: string, rule: keyof typeof RULES) {
  const people = await Promise.all(roles.map(() => person({ authenticator: true })))
  const boss = people[0] as TestPerson
  const payer = await organization(boss, 'Payer')
  for (const [who, role] of roles.entries()) if (role && who > 0) await join(payer.id, people[who] as TestPerson, role)
  const { steps, selfApproval } = RULES[rule]
  await setRules(payer.id, boss, [{ action_type, steps, self_approval: selfApproval }])
  return { people, boss, payer }
}

export async function decided(asked: Asked | undefined, decision: Decision, by: TestPerson): Promise<string> {
  if (!asked) return 'done'
  if (decision === 'approve') return told(await approve(by, asked))
  return told(await api('POST', `${approvalPath(asked)}/${decision}`, { token: by.token, body: {} }))
}

/** Changes the payment at the bank, calls back, and polls as the payment's run does. */
export async function bankSays(organizationId: string, payment: string, word: string, isNew: boolean): Promise<string> {
  const ref = { id: payment as PaymentId, organizationId: organizationId as OrganizationId }
  if (isNew) await partners.orderPayout(ref)
  await owner`
    update sandbox_payouts set status = ${word}, detail = ${word}, version = version + 1, due_at = null
    where partner = 'bank' and id = ${payment}`
  const answer = await calledBack(payment)
  await partners.pollPayout(ref)
  return told(answer)
}
