/** Calls about approval policies, and rules for them. */
import { type Answer, type TestPerson, api, withStepUp } from '../api.ts'

export type Step = { required: number; roles?: string[]; user_ids?: string[] }

export const policyPath = (organizationId: string) => `/organizations/${organizationId}/approval-policy`
export const readPolicy = ({ token }: TestPerson, organizationId: string) =>
  api('GET', policyPath(organizationId), { token })
export const putPolicy = ({ token }: TestPerson, organizationId: string, rules: unknown): Promise<Answer> =>
  withStepUp('PUT', policyPath(organizationId), { token, body: { rules } })
export const evaluate = ({ token }: TestPerson, organizationId: string, asked: unknown) =>
  api('POST', `${policyPath(organizationId)}/evaluate`, { token, body: asked })

/** A valid rule: one owner or admin approves withdrawals, the requester too, for 30 days. */
export const rule = (more: object = {}) => ({
  action_type: 'withdrawal',
  steps: [{ required: 1, roles: ['owner', 'admin'] }] as Step[],
  self_approval: true,
  expires_after_hours: 720,
  ...more,
})

export const answered = (more: object = {}) => {
  const { steps, ...rest } = rule(more)
  const whole = steps.map(({ required, roles = [], user_ids = [] }) => ({ required, roles, user_ids }))
  return { currency: null, amount_from: null, ...rest, steps: whole }
}

export async function setPolicy(by: TestPerson, organizationId: string, ...rules: object[]) {
  const answer = await putPolicy(by, organizationId, rules)
  if (answer.status !== 200) throw new Error(`policy: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
