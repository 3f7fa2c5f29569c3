import { findPolicy, isInForce, requireMeetable, requireVersion, setPolicy } from '../../services/approvals/policies.ts'
import { rehearse } from '../../services/decisions/rehearsal.ts'
import { NewRehearsal, Rehearsal } from '../../domain/limits/rehearsal.ts'
import { rehearsals } from '../http/limits.ts'
import { evaluate } from '../../services/limits/evaluate.ts'
import { originsOf } from '../../domain/approvals/routing.ts'
import { factsOfPayment } from '../../services/routing/payees.ts'
import { ApprovalPolicy, PolicyResult, Evaluation, PolicyRules } from '../../domain/approvals/policy.ts'
import { canonicalMoney } from '../../domain/money/money.ts'
import { RATE_MINUTES } from '../../domain/payments/quote.ts'
import { operations } from '../http/operation.ts'
import type { Binding, Context } from '../http/route.ts'

const { command, query } = operations('Approvals')

export const approvalPolicies = [
  query('/organizations/{organization_id}/approval-policy', 'getApprovalPolicy')
    .says('Read the approval policy', 'Version 0 is the policy of a new organization.')
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .answers(ApprovalPolicy)
    .does(({ read }) => findPolicy(read)),
  command('put', '/organizations/{organization_id}/approval-policy', 'setApprovalPolicy')
    .says(
      'Replace the approval policy',
      'Pending approvals keep the rule that they were requested under. A payment that exchanges currencies waits at most ' +
        `${RATE_MINUTES} minutes, whatever \`expires_after_hours\` says: its rate is valid no longer.`,
    )
    .of('organization')
    .can('organization.update')
    .onlyOwner()
    .takes(PolicyRules)
    .refuses('no_eligible_approver', 'invalid_state')
    .answers(ApprovalPolicy)
    .proved('once', bindRules)
    .does(({ tx, person, stepUpId, body }) => setPolicy(tx, { person, stepUpId }, body)),
  query('/organizations/{organization_id}/approval-policy/evaluate', 'evaluateApprovalPolicy', 'post')
    .says(
      'Evaluate the approval policy',
      'Answers who would have to approve such a request, and how limits stand: what was requested, and what is left. ' +
        'Those of payees need `payment_contact_id`. Nothing is written.',
    )
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .takes(Evaluation)
    .refuses('unsupported_currency', 'amount_too_large', 'amount_precision')
    .answers(PolicyResult)
    // read only, so it needs no transaction
    .does(({ read, person, body }) => {
      const origins = body.origin ? [body.origin] : originsOf(person, 0)
      const { labels = [], bill_id: billId = null, payment_contact_id: contactId = null } = body
      const paying = { origins, contactId, destinationId: null, labels, billId }
      return evaluate(
        read,
        person.userId,
        { ...body, amount: body.amount ? canonicalMoney(body.amount) : null },
        (rules) => factsOfPayment(read, { rules, ...paying }),
      )
    }),
  query('/organizations/{organization_id}/approval-policy/rehearse', 'rehearseApprovalPolicy', 'post')
    .says(
      'Rehearse an approval policy',
      'Answers what other rules would have asked for the requests of a span: what changes, who could have approved how ' +
        'much, and what nobody could have approved. Members, roles and rates are those of today. It is not kept whether a ' +
        'past request came from a page or by the API: it counts as both. Limits of payees do not count batches. Nothing ' +
        'is written.',
    )
    .of('organization')
    .delegates('read')
    .can('organization.update')
    .takes(NewRehearsal)
    .answers(Rehearsal)
    .limited(rehearsals)
    .does(({ read, body }) => rehearse(read, body)),
]

/** Answers rules that are in force already; refuses hopeless ones before asking for a step-up. */
async function bindRules(
  context: Context<'read' | 'org', { readonly body: PolicyRules }>,
): Promise<Binding<ApprovalPolicy>> {
  const { read, org, body } = context
  const policy = await findPolicy(read)
  if (isInForce(policy, body.rules)) return { answer: policy }
  requireVersion(policy, body.version)
  await requireMeetable(read, body.rules)
  const count = body.rules.length
  const set = `Set ${count} approval ${count === 1 ? 'rule' : 'rules'}`
  return {
    target: `organization:${org.organizationId}`,
    summary: count === 0 ? 'Remove all approval rules' : set,
  }
}
