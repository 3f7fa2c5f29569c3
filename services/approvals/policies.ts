/** Approval policies: the rules of an organization, and the one that applies to a request. */
import { newCause, record } from '../events.ts'
import { type Person, delegateOf, onlyPrepares } from '../../domain/people/actor.ts'
import { policyEvents } from '../../domain/approvals/events.ts'
import {
  type ApprovalPolicy,
  DEFAULT_RULES,
  type PolicyRules,
  type Rule,
  barPeople,
  findUnmeetable,
  policyOf,
  type AppliedRule,
} from '../../domain/approvals/policy.ts'
import { type PolicyQuestion, ruleFor } from '../../domain/approvals/matching.ts'
import { compareCoding } from '../../domain/approvals/routing.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import {
  type ApprovalRequirements,
  type Policy,
  type Reviewer,
  isSatisfiable,
  candidates,
  initialRequirements,
} from '../../domain/approvals/requirements.ts'
import { refuse } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Preparer } from '../../domain/people/delegate.ts'
import type { Role } from '../../domain/permissions.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import { quoteInMail } from '../../domain/text.ts'
import { notify } from '../messages/account-notices.ts'
import { joinPrincipals, membersWithRoles } from '../membership-lock.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Reader, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { useStepUp } from '../step-up-use.ts'

export async function rulesOf(reader: Reader): Promise<readonly Rule[]> {
  const [row] = await reader<{ rules: Rule[] }>(sql`
    select rules from approval_policies where organization_id = ${reader.organizationId}`)
  return row?.rules ?? []
}

/**
 * Refuses to change labels or coding that rules compare, `invalid_state`: the steps of a payment that waits for approval
 * were asked for by them.
 */
export async function requireNotCompared(tx: Tx): Promise<void> {
  if (!compareCoding(await rulesOf(within(tx)))) return
  refuse('invalid_state', { current: 'awaiting_approval', allowed: [], reason: 'compared_by_rules' })
}

/**
 * Reads the policy that an approval copies from the rule in force; null if it needs no approval. What a delegate asks for
 * or prepared always needs one, and what a session of a mailbox alone asks for: without a rule, as a withdrawal does.
 * Refuses as policyUnder().
 */
export async function policyFor(
  tx: Tx,
  asked: PolicyQuestion,
  preparers: readonly Preparer[] = [],
): Promise<Policy | null> {
  const rules = await rulesOf(within(tx))
  const isPrepared = onlyPrepares(tx.actor) || preparers.length > 0
  const rule = ruleFor(rules, asked) ?? (isPrepared ? ruleFor(rules, { action_type: 'withdrawal' }) : null)
  return rule && policyUnder(tx, rule, { preparers })
}

type Bars = {
  /** People who may not approve, for another reason than a delegate. */
  readonly barred?: readonly UserId[]
  /** Delegates that prepared what a person asks for. */
  readonly preparers?: readonly Preparer[]
}

/**
 * Copies the policy of a rule. The people of the delegates that ask or prepared are barred, unless the rule lets them
 * approve it. Refuses `no_eligible_approver` if others could not meet it, or no members the steps of several rules.
 */
export async function policyUnder(
  tx: Tx,
  rule: AppliedRule,
  { barred = [], preparers = [] }: Bars = {},
): Promise<Policy> {
  const { actor } = tx
  const requester = actor.kind === 'user' ? actor.userId : null
  const people = preparers.map(({ userId }) => userId)
  if (requester && delegateOf(actor)) people.push(requester)
  const all = [...new Set([...barred, ...barPeople(rule, people)])]
  const policy = all.length > 0 ? { ...policyOf(rule), barred: all } : policyOf(rule)
  if (requester && (all.length > 0 || people.length > 0 || rule.limits || rule.isRouted)) {
    const isMet = isSatisfiable(initialRequirements(policy, requester), await membersWithRoles(within(tx)))
    if (!isMet) {
      const added = rule.limits ? 'limits_add_up' : 'rules_add_up'
      const why = barred.length > 0 ? 'bank_details_changed' : added
      refuse('no_eligible_approver', { reason: people.length > 0 ? 'asked_by_delegate' : why })
    }
  }
  return policy
}

/** Finds the delegates that created, changed or asked for these: each once, in the order of their making. */
export const findPreparers = (tx: Tx, subjects: readonly string[]): Promise<Preparer[]> =>
  tx<Preparer[]>`
    select d.id, d.name, d.user_id as "userId" from delegates d
    where 'delegate:' || d.id in (
      select e.provider from events e where e.subject_id = any (${subjects}) and e.provider like 'delegate:%')
    order by d.id`

/** Tells if the person may review: a policy or a pending approval names them, their role, or a principal of theirs. */
export async function isReviewer(reader: Reader, userId: UserId): Promise<boolean> {
  const found = await reader(sql`
    select organization_id from reviewing_in(${userId}) where organization_id = ${reader.organizationId}`)
  return found.length > 0
}

/** Reads the members with role, principals and name, in the order of joining. */
export const peopleOf = (reader: Reader): Promise<(Reviewer & { name: string | null })[]> =>
  reader(sql`
    select m.user_id as "userId", m.role, m.permissions_removed as removed, acting.principals,
      ${fullName(sql`p`)} as name
    from members m join people p on p.id = m.user_id ${joinPrincipals(sql`m`, reader)}
    where m.organization_id = ${reader.organizationId} order by m.joined_at, m.user_id`)

/** Reads the policy in force, or the default rules as version 0. */
export async function findPolicy(reader: Reader): Promise<ApprovalPolicy> {
  const [policy] = await reader<Omit<ApprovalPolicy, 'defaults'>>(sql`
    select rules, version, updated_at, updated_by from approval_policies
    where organization_id = ${reader.organizationId}`)
  const defaults = [...DEFAULT_RULES]
  if (!policy) return { rules: defaults, defaults, version: 0, updated_at: null, updated_by: null }
  return { ...policy, defaults }
}

/** Tells if exactly these rules were set last; setting the defaults for the first time is a change. */
export const isInForce = (policy: ApprovalPolicy, rules: readonly Rule[]): boolean =>
  policy.version > 0 && canonicalJson(policy.rules) === canonicalJson(rules)

/** Refuses a change of another version than the one in force: it would take back what it does not know. */
export function requireVersion({ version: current }: ApprovalPolicy, expected: number | undefined): void {
  if (expected === undefined || expected === current) return
  refuse('invalid_state', { current: String(current), allowed: [String(expected)], reason: 'policy_changed' })
}

/** Refuses rules that no members could meet, and then each named person who is no member. */
export async function requireMeetable(reader: Reader, rules: readonly Rule[]): Promise<void> {
  const people = await membersWithRoles(reader)
  const members = new Set(people.map(({ userId }) => userId))
  const strangers = rules.flatMap(({ steps }, rule) =>
    steps.flatMap(({ user_ids: named }, step) =>
      named.flatMap((userId, index) => (members.has(userId) ? [] : `rules.${rule}.steps.${step}.user_ids.${index}`)),
    ),
  )
  const unmeetable = findUnmeetable(rules, people)
  if (unmeetable) refuse('no_eligible_approver', unmeetable)
  const message = 'must be a member of the organization'
  const errors = strangers.slice(0, ERRORS_MAX).map((path) => ({ path, code: 'not_a_member', message }))
  if (errors.length > 0) refuse('invalid_request', { errors })
}

const ERRORS_MAX = 50

/**
 * Replaces all rules, uses up the step-up, and mails every owner. Rules in force change nothing. The caller keeps the
 * memberships locked. A paused organization may do it too: it has reason to ask for more.
 */
export async function setPolicy(
  tx: Tx,
  { person, stepUpId }: { readonly person: Person; readonly stepUpId: string | null },
  { rules, version }: PolicyRules,
): Promise<ApprovalPolicy> {
  const organization = await lockPolicy(tx, person)
  const before = await findPolicy(within(tx))
  if (isInForce(before, rules)) return before
  requireVersion(before, version)
  await requireMeetable(within(tx), rules)
  await useStepUp(tx, person, stepUpId)
  const steps = rules.flatMap((rule) => rule.steps)
  const [policy] = await tx<Omit<ApprovalPolicy, 'defaults'>[]>`
    insert into approval_policies as p (organization_id, rules, named_roles, named_user_ids, updated_by)
    values (${tx.organizationId}, ${sql.json(rules)}, ${[...new Set(steps.flatMap(({ roles }) => roles))]},
      ${[...new Set(steps.flatMap(({ user_ids: people }) => people))]}::uuid[], ${person.userId})
    on conflict (organization_id) do update
    set rules = excluded.rules, named_roles = excluded.named_roles, named_user_ids = excluded.named_user_ids,
      version = p.version + 1, updated_by = excluded.updated_by, updated_at = business_now()
    returning rules, version, updated_at, updated_by`
  if (!policy) throw new Error('the approval policy was not written')
  await record(tx, policyEvents.changed, {
    subjectId: tx.organizationId,
    cause: newCause(),
    payload: { rules, version: policy.version },
  })
  const owners = await tx<{ user_id: UserId }[]>`
    select user_id from members where organization_id = ${tx.organizationId} and role = 'owner' order by user_id`
  for (const { user_id: userId } of owners) {
    await notify(tx, userId, {
      subject: 'The approval policy of an organization changed',
      organization,
      body: `The approval policy of ${quoteInMail(organization)} was replaced: version ${policy.version} has ${rules.length} of its own rules. What waits for approval already keeps the rules that it was asked under.`,
    })
  }
  return { ...policy, defaults: [...DEFAULT_RULES] }
}

/** Locks the policy, and reads the organization's name; the next statement sees what the lock waited for. */
async function lockPolicy(tx: Tx, { userId }: Person): Promise<string> {
  await tx`select from organizations where id = ${tx.organizationId} for no key update`
  const [found] = await tx<{ name: string; status: string; role: Role }[]>`
    select o.name, o.status, m.role from organizations o
    join members m on m.organization_id = o.id and m.user_id = ${userId}
    where o.id = ${tx.organizationId}`
  if (!found || isGone(found.status)) refuse('not_found')
  if (found.role !== 'owner') refuse('forbidden', { role: 'owner' })
  return found.name
}

/** Lists who could approve a step; a substitute comes with their principal. */
export const approversOf = (
  requirements: ApprovalRequirements,
  index: number,
  people: readonly (Reviewer & { readonly name: string | null })[],
) =>
  candidates(requirements, index, people).map(({ person: { userId: id, name }, capacity: { userId: principal } }) => ({
    id,
    name,
    on_behalf_of: principal === id ? null : principal,
  }))
