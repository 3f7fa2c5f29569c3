/** Evaluation of the approval policy: who would have to approve a request, and how limits stand. */
import {
  type PolicyResult,
  type Evaluation,
  type Rule,
  findUnmeetable,
  policyOf,
} from '../../domain/approvals/policy.ts'
import { routedRules, ruleFor } from '../../domain/approvals/matching.ts'
import { type RequestFacts, namesOfConditions } from '../../domain/approvals/routing.ts'
import { initialRequirements, isSatisfiable } from '../../domain/approvals/requirements.ts'
import { refuse } from '../../domain/errors.ts'
import type { ContactId, UserId } from '../../domain/ids.ts'
import { mergeRules, softOnes, toStanding } from '../../domain/limits/limits.ts'
import { approversOf, peopleOf, rulesOf } from '../approvals/policies.ts'
import { type Reader, first, sql } from '../../db/postgres/sql.ts'
import { measureLimits } from './limits.ts'

/**
 * Evaluates the policy, or other rules in its place, for a request. The caller asks for it, or the member who is named.
 * `factsOf` reads what conditions compare.
 * Refuses `not_found` for a contact that is not there.
 */
export async function evaluate(
  reader: Reader,
  caller: UserId,
  { action_type: action, amount, payment_contact_id: contactId, requested_by: asker, rules: rehearsed }: Evaluation,
  factsOf: (rules: readonly Rule[]) => Promise<RequestFacts & { readonly uncoded: readonly number[] }>,
): Promise<PolicyResult> {
  const [rules, people] = await Promise.all([rehearsed ?? rulesOf(reader), peopleOf(reader)])
  const requester = asker ?? caller
  if (asker && !people.some(({ userId }) => userId === asker)) refuse('invalid_request', { errors: [NO_MEMBER] })
  if (contactId) await requireContact(reader, contactId)
  const unmeetable = findUnmeetable(rules, people)
  const asked = amount ? [amount] : []
  const measured = await measureLimits(reader, { rules, action, requester, asked, contactId: contactId ?? undefined })
  const limits = measured.map(toStanding)
  const own = ruleFor(rules, { action_type: action, amount: amount ?? null })
  if (!own) return { rule: null, routed: [], can_be_met: true, uncoded_lines: [], steps: [], limits, unmeetable }
  const facts = await factsOf(rules)
  const met = routedRules(rules, action, asked, facts)
  const { limits: _, isRouted: __, ...rule } = mergeRules(own, asked.length > 0 ? softOnes(measured) : [], met)
  const wait = initialRequirements(policyOf(rule), requester)
  return {
    rule,
    routed: met.map((one) => ({ rule: rules.indexOf(one), conditions: namesOfConditions(one) })),
    can_be_met: isSatisfiable(wait, people),
    uncoded_lines: rule.require ? [...facts.uncoded] : [],
    steps: wait.steps.map(({ required }, index) => ({
      required,
      approvers: approversOf(wait, index, people),
    })),
    limits,
    unmeetable,
  }
}

const NO_MEMBER = {
  path: 'requested_by',
  code: 'not_a_member',
  message: 'must be a member of the organization',
} as const

async function requireContact(reader: Reader, id: ContactId): Promise<void> {
  const found = await first(
    reader(sql`
      select id from payment_contacts
      where id = ${id} and organization_id = ${reader.organizationId} and deleted_at is null`),
  )
  if (!found) refuse('not_found')
}
