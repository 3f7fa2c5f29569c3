/** Organizations whose policy asks for several approvers, and reads of their approvals. */
import { expect } from 'vitest'
import { type Answer, type TestPerson, api, approvalPath, createPayment, payerAndPayee } from '../api.ts'
import { owner } from '../database.ts'
import { type Role, type Staff, staffOf } from '../organizations/members.ts'

type Step = { required: number; roles?: string[]; user_ids?: string[] }
export type TestRule = {
  action_type?: string
  currency?: string
  amount_from?: string
  steps: Step[]
  self_approval?: boolean
  delegate_self_approval?: boolean
  expires_after_hours?: number
  when?: Readonly<Record<string, string[] | boolean>>
}

/** Sets the rules of an organization directly, without an approval. */
export async function setRules(organizationId: string, by: TestPerson, rules: TestRule[]): Promise<void> {
  const whole = rules.map(({ steps, ...rule }) => ({
    action_type: 'withdrawal',
    currency: null,
    amount_from: null,
    self_approval: true,
    expires_after_hours: 720,
    ...rule,
    steps: steps.map(({ required, roles = [], user_ids = [] }) => ({ required, roles, user_ids })),
  }))
  const all = whole.flatMap((rule) => rule.steps)
  const roles = [...new Set(all.flatMap((step) => step.roles))]
  const people = [...new Set(all.flatMap((step) => step.user_ids))]
  await owner`
    insert into approval_policies (organization_id, rules, named_roles, named_user_ids, updated_by)
    values (${organizationId}, ${owner.json(whole)}, ${roles}, ${people}::uuid[], ${by.userId})
    on conflict (organization_id) do update set rules = excluded.rules, named_roles = excluded.named_roles,
      named_user_ids = excluded.named_user_ids, version = approval_policies.version + 1`
}

/** Expects that a decision's answer equals the approval as read afterwards. */
export async function expectAsRead(answer: Answer, path: string, by: TestPerson): Promise<void> {
  expect(answer.status).toBe(200)
  const { body } = await api('GET', path, { token: by.token })
  expect(Object.fromEntries(Object.keys(answer.body).map((name) => [name, body[name]]))).toEqual(answer.body)
}

/** Adds `count` new members with a role. */
export const joined = (organizationId: string, role: Role, count: number): Promise<TestPerson[]> =>
  staffOf(organizationId, ...Array.from({ length: count }, () => role))

type StaffedPayer<Roles extends readonly Role[]> = Awaited<ReturnType<typeof payerAndPayee>> & {
  id: string
  staff: Staff<Roles>
  pay: (amount?: string) => ReturnType<typeof createPayment>
}

/** A payer with money, its payee, and one more member for each named role. */
export async function staffedPayer<const Roles extends readonly Role[]>(...roles: Roles): Promise<StaffedPayer<Roles>> {
  const world = await payerAndPayee()
  const staff = await staffOf(world.payer.id, ...roles)
  const pay = (amount = '10.00') => createPayment(world.boss, world.contactId, amount)
  return { ...world, id: world.payer.id, staff, pay }
}

type Payment = { organization_id: string; approval_request_id: string }

/** Sends one decision, without its step-up. */
export const decide = (
  { token }: { token: string },
  payment: Payment,
  verb: 'approve' | 'reject' | 'cancel',
  more: object = {},
) => api('POST', `${approvalPath(payment)}/${verb}`, { token, body: {}, ...more })

/** The status of an answer, and what it says: the type of its error, or the status of its thing. */
export const outcome = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body.error?.type ?? body.status]

export const approvalOf = async (payment: Payment, by: TestPerson) =>
  (await api('GET', approvalPath(payment), { token: by.token })).body

export const statusOf = async (paymentId: string): Promise<string> =>
  (await owner`select status from payments where id = ${paymentId}`)[0]?.['status']
