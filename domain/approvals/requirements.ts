/** Requirements: the steps of the copied policy, the approvals of each, and the rights of one person. */
import type { UserId } from '../ids.ts'
import type { Role } from '../permissions.ts'

/** Step of a policy: it requires n different people with these roles or ids. */
export type Step = { readonly required: number; readonly roles: readonly Role[]; readonly user_ids: readonly UserId[] }

export type Policy = {
  readonly steps: readonly Step[]
  readonly self_approval: boolean
  readonly expires_after_hours: number
  /** People who may not approve, beside the requester under four-eyes: their own changes have to be reviewed. */
  readonly barred?: readonly UserId[]
}

/** Steps of an approval, with their approvers, and people who may not approve. */
export type ApprovalRequirements = {
  readonly steps: readonly Step[]
  /** Approvers of each step, sorted; a person approves only one step. */
  readonly given: readonly (readonly UserId[])[]
  /** Requester under four-eyes; null if they may approve themselves. */
  readonly excluded: UserId | null
  /** Further people who may not approve, by the policy. */
  readonly barred?: readonly UserId[]
}

export type Reviewer = { readonly userId: string; readonly role: Role }

/** Caller; with `ownOnly` they see only their own requests and those that they review. */
export type Viewer = { readonly userId: UserId; readonly role: Role; readonly ownOnly: boolean }

/** Reason against an approval: no open step names the person, or they requested it, or are barred. */
export type NotApproverReason = 'not_an_approver' | 'requester_cannot_approve'

export const initialRequirements = (policy: Policy, requester: UserId): ApprovalRequirements =>
  requirementsOf(policy, requester, [])

/** Derives the requirements of a policy after these approvals. */
export function requirementsOf(
  policy: Policy,
  requester: UserId,
  approvals: readonly { user_id: UserId; step: number }[],
): ApprovalRequirements {
  const { steps } = policy
  const given = steps.map((_, index) =>
    approvals
      .filter(({ step }) => step === index)
      .map(({ user_id: id }) => id)
      .sort(),
  )
  const { barred } = policy
  return { steps, given, excluded: policy.self_approval ? null : requester, ...(barred && { barred }) }
}

/** Finds the first step that lacks approvals, or -1 if all are met. */
export const openStep = (wait: ApprovalRequirements): number =>
  wait.steps.findIndex((_, index) => missingApprovals(wait, index) > 0)

export const missingApprovals = (wait: ApprovalRequirements, index: number): number =>
  Math.max(0, (wait.steps[index]?.required ?? 0) - (wait.given[index]?.length ?? 0))

/** Tells if one more approval is enough. */
export const isLastApproval = (wait: ApprovalRequirements): boolean =>
  wait.steps.reduce((sum, _, index) => sum + missingApprovals(wait, index), 0) <= 1

/** Tells if a step names the person, by role or by id. */
export const names = (step: Step, { userId, role }: Reviewer): boolean =>
  step.roles.includes(role) || step.user_ids.some((id) => id === userId)

/** Tells if any step names the person: they may see it, and reject it at any time. */
export const reviews = (wait: ApprovalRequirements, reviewer: Reviewer): boolean =>
  wait.steps.some((step) => names(step, reviewer))

/** Tells if the person's approval counts already. One person approves once, in any step. */
export const hasApproved = (wait: ApprovalRequirements, userId: string): boolean =>
  wait.given.some((people) => people.some((id) => id === userId))

/** Finds the reason against an approval now, or null; for refusals, `can_take_action` and attention alike. */
export function whyNotApprover(wait: ApprovalRequirements, reviewer: Reviewer): NotApproverReason | null {
  const step = wait.steps[openStep(wait)]
  if (!step || !names(step, reviewer) || hasApproved(wait, reviewer.userId)) return 'not_an_approver'
  return mayNot(wait, reviewer.userId) ? 'requester_cannot_approve' : null
}

/** Tells if a person may not approve any step. */
const mayNot = ({ excluded, barred }: ApprovalRequirements, userId: string): boolean =>
  excluded === userId || (barred?.some((id) => id === userId) ?? false)

export const isLaterApprover = (wait: ApprovalRequirements, reviewer: Reviewer): boolean =>
  wait.steps.some((step, index) => index > openStep(wait) && names(step, reviewer))

/** Adds an approval of the open step; changes nothing if all is met, or this person approved. */
export function addApproval(wait: ApprovalRequirements, userId: UserId): ApprovalRequirements {
  if (hasApproved(wait, userId)) return wait
  const open = openStep(wait)
  const given = wait.given.map((people, index) => (index === open ? [...people, userId].sort() : people))
  return { ...wait, given }
}

/** Filters the people who could still approve a step. */
export const candidates = <Person extends Reviewer>(
  wait: ApprovalRequirements,
  index: number,
  people: readonly Person[],
): Person[] => {
  const step = wait.steps[index]
  const could = (person: Person) => step && names(step, person) && !mayNot(wait, person.userId)
  return people.filter((person) => could(person) && !hasApproved(wait, person.userId))
}

/** Tells if these people could meet all open steps, each approving once: bipartite matching (Kuhn's algorithm). */
export function isSatisfiable(wait: ApprovalRequirements, people: readonly Reviewer[]): boolean {
  const places = wait.steps.flatMap((_, index) => Array.from({ length: missingApprovals(wait, index) }, () => index))
  const able = wait.steps.map((_, index) => candidates(wait, index, people).map(({ userId }) => userId))
  const taken = new Map<string, number>()
  const seat = (place: number, tried: Set<string>): boolean =>
    (able[places[place] ?? -1] ?? []).some((userId) => {
      if (tried.has(userId)) return false
      tried.add(userId)
      const holder = taken.get(userId)
      if (holder !== undefined && !seat(holder, tried)) return false
      taken.set(userId, place)
      return true
    })
  return places.every((_, place) => seat(place, new Set()))
}

/** Tells if the approval between `wait` and `next` takes a person whom a later step needs. */
export const blocksLaterStep = (
  wait: ApprovalRequirements,
  next: ApprovalRequirements,
  people: readonly Reviewer[],
): boolean => isSatisfiable(wait, people) && !isSatisfiable(next, people)

/** Describes the open step for an operator, by roles and ids, never names. */
export function waitingFor(wait: ApprovalRequirements): string {
  const open = openStep(wait)
  const step = wait.steps[open]
  if (!step) return 'nobody'
  const whom = [...step.roles, ...step.user_ids].join(', ')
  const not = [wait.excluded ?? [], wait.barred ?? []].flat()
  const but = not.length > 0 ? `, but not ${not.join(', ')}` : ''
  return `step ${open + 1} of ${wait.steps.length}: ${missingApprovals(wait, open)} more of ${whom}${but}`
}
