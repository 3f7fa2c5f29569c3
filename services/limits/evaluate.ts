/** Evaluation of the approval policy: who would have to approve a request, and how limits stand. */
import { type PolicyResult, type Evaluation, policyOf, ruleFor } from '../../domain/approvals/policy.ts'
import { initialRequirements, isSatisfiable } from '../../domain/approvals/requirements.ts'
import { refuse } from '../../domain/errors.ts'
import type { ContactId, UserId } from '../../domain/ids.ts'
import { mergeRules, softOnes, toStanding } from '../../domain/limits/limits.ts'
import { approversOf, peopleOf, rulesOf } from '../approvals/policies.ts'
import { type Reader, first, sql } from '../../db/postgres/sql.ts'
import { measureLimits } from './limits.ts'

/** Evaluates the policy for a request by this person. Refuses `not_found` for a contact that is not there. */
export async function evaluate(
  reader: Reader,
  requester: UserId,
  { action_type: action, amount, payment_contact_id: contactId }: Evaluation,
): Promise<PolicyResult> {
  const [rules, people] = await Promise.all([rulesOf(reader), peopleOf(reader)])
  if (contactId) await requireContact(reader, contactId)
  const asked = amount ? [amount] : []
  const measured = await measureLimits(reader, { rules, action, requester, asked, contactId: contactId ?? undefined })
  const limits = measured.map(toStanding)
  const own = ruleFor(rules, { action_type: action, amount: amount ?? null })
  if (!own) return { rule: null, can_be_met: true, steps: [], limits }
  const { limits: _, ...rule } = mergeRules(own, asked.length > 0 ? softOnes(measured) : [])
  const wait = initialRequirements(policyOf(rule), requester)
  return {
    rule,
    can_be_met: isSatisfiable(wait, people),
    steps: wait.steps.map(({ required }, index) => ({
      required,
      approvers: approversOf(wait, index, people),
    })),
    limits,
  }
}

async function requireContact(reader: Reader, id: ContactId): Promise<void> {
  const found = await first(
    reader(sql`
      select id from payment_contacts
      where id = ${id} and organization_id = ${reader.organizationId} and deleted_at is null`),
  )
  if (!found) refuse('not_found')
}
