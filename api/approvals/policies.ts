/** The approval policy: who has to approve what, set by an owner, read and tried out by every member. */
import { checkRules, evaluate, findPolicy, isInForce, setPolicy } from '../../db/approvals/policies.ts'
import { ApprovalPolicy, Evaluated, Evaluation, PolicyRules } from '../../domain/approvals/policy.ts'
import { canonicalMoney } from '../../domain/money/money.ts'
import { RATE_MINUTES } from '../../domain/payments/quote.ts'
import { inPath } from '../http/in-path.ts'
import { type Binding, type Context, route } from '../http/route.ts'

const shared = {
  path: '/organizations/{organization_id}/approval-policy',
  tag: 'Approvals',
  ...inPath('organization'),
} as const

export const approvalPolicies = [
  route({
    ...shared,
    method: 'get',
    operationId: 'getApprovalPolicy',
    summary: 'Read the rules by which approvals are asked for; version 0 is what every organization begins with',
    can: 'organization.read',
    returns: ApprovalPolicy,
    handle: ({ read }) => findPolicy(read),
  }),
  route({
    ...shared,
    method: 'put',
    operationId: 'setApprovalPolicy',
    summary: 'Replace all rules; what waits for approval keeps the rule that it was asked under',
    can: 'organization.update',
    note:
      `A payment that exchanges currencies waits at most ${RATE_MINUTES} minutes, whatever \`expires_after_hours\` says: ` +
      'its rate is good for no longer.',
    only: 'owner',
    stepUp: { mode: 'once', bind: bindRules },
    body: PolicyRules,
    returns: ApprovalPolicy,
    handle: ({ write, person, stepUpId, body }) => write((tx) => setPolicy(tx, { person, stepUpId }, body.rules)),
  }),
  route({
    ...shared,
    path: `${shared.path}/evaluate`,
    method: 'post',
    operationId: 'evaluateApprovalPolicy',
    summary: 'See who would have to approve if you asked for this; nothing is written',
    can: 'organization.read',
    body: Evaluation,
    returns: Evaluated,
    handle: ({ read, person, body: { action_type, amount } }) =>
      evaluate(read, person.userId, { action_type, amount: amount ? canonicalMoney(amount) : null }),
  }),
]

/** The rules that are in force already are answered; what is refused anyway is refused before a proof is asked for. */
async function bindRules({
  read,
  org,
  body: { rules },
}: Context<'read' | 'org', { readonly body: PolicyRules }>): Promise<Binding<ApprovalPolicy>> {
  const policy = await findPolicy(read)
  if (isInForce(policy, rules)) return { answer: policy }
  await checkRules(read, rules)
  return { target: `organization:${org.organizationId}`, summary: summaryOf(rules.length) }
}

const summaryOf = (count: number): string =>
  count === 0 ? 'Remove all approval rules' : `Set ${count} approval ${count === 1 ? 'rule' : 'rules'}`
