/** Who still has to approve: the copied policy, who has approved so far, and what that means for one person. Pure. */
import type { UserId } from '../ids.ts'
import type { Role } from '../permissions.ts'

/** One step of a policy: so many different people of these roles, or of these people. */
export type Step = { readonly required: number; readonly roles: readonly Role[]; readonly user_ids: readonly UserId[] }

/** The rule that applied, as it is copied into an approval. */
export type Policy = {
  readonly steps: readonly Step[]
  readonly self_approval: boolean
  readonly expires_after_hours: number
  /** Who may not approve, beside the requester under four-eyes: what they did is what has to be looked at. */
  readonly barred?: readonly UserId[]
}

/** Where an approval stands: its steps, who approved each, and who asked if that person may not approve. */
export type ApprovalRequirements = {
  readonly steps: readonly Step[]
  /** For each step who approved it, sorted. Nobody stands in two steps. */
  readonly given: readonly (readonly UserId[])[]
  /** The requester under four-eyes; null if they may approve themselves. */
  readonly excluded: UserId | null
  /** More who may not, as the policy says; absent if there is nobody. */
  readonly barred?: readonly UserId[]
}

export type Reviewer = { readonly userId: string; readonly role: Role }

/** Why a person may not approve: no open step names them, or they asked for it, or did what it is about. */
export type NotApproverReason = 'not_an_approver' | 'requester_cannot_approve'

/** Nobody has approved yet. */
export const initialRequirements = (policy: Policy, requester: UserId): ApprovalRequirements =>
  requirementsOf(policy, requester, [])

/** The wait of a policy after these approvals. */
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

/** The first step that lacks approvals, or -1 if all are met. */
export const openStep = (wait: ApprovalRequirements): number =>
  wait.steps.findIndex((_, index) => missingApprovals(wait, index) > 0)

/** How many approvals a step still needs. */
export const missingApprovals = (wait: ApprovalRequirements, index: number): number =>
  Math.max(0, (wait.steps[index]?.required ?? 0) - (wait.given[index]?.length ?? 0))

/** Whether one approval more is all that is asked for. */
export const isLastApproval = (wait: ApprovalRequirements): boolean =>
  wait.steps.reduce((sum, _, index) => sum + missingApprovals(wait, index), 0) <= 1

/** Whether a step names the person, by role or by name. */
export const names = (step: Step, { userId, role }: Reviewer): boolean =>
  step.roles.includes(role) || step.user_ids.some((id) => id === userId)

/** Whether any step names the person: they may see it, and stop it at any time. */
export const reviews = (wait: ApprovalRequirements, reviewer: Reviewer): boolean =>
  wait.steps.some((step) => names(step, reviewer))

/** Whether the person's approval counts already. One person approves once, whatever the steps. */
export const hasApproved = (wait: ApprovalRequirements, userId: string): boolean =>
  wait.given.some((people) => people.some((id) => id === userId))

/** Why a person may not approve now, or null: the one function behind the guard, `can_take_action` and attention. */
export function whyNotApprover(wait: ApprovalRequirements, reviewer: Reviewer): NotApproverReason | null {
  const step = wait.steps[openStep(wait)]
  if (!step || !names(step, reviewer) || hasApproved(wait, reviewer.userId)) return 'not_an_approver'
  return mayNot(wait, reviewer.userId) ? 'requester_cannot_approve' : null
}

/** Whether a person may not approve whatever step names them. */
const mayNot = ({ excluded, barred }: ApprovalRequirements, userId: string): boolean =>
  excluded === userId || (barred?.some((id) => id === userId) ?? false)

/** Whether a step that is not open yet names the person: their turn may come. */
export const isLaterApprover = (wait: ApprovalRequirements, reviewer: Reviewer): boolean =>
  wait.steps.some((step, index) => index > openStep(wait) && names(step, reviewer))

/** The wait with one more approval, for the step that is open; the same one if all is met, or this person approved. */
export function addApproval(wait: ApprovalRequirements, userId: UserId): ApprovalRequirements {
  if (hasApproved(wait, userId)) return wait
  const open = openStep(wait)
  const given = wait.given.map((people, index) => (index === open ? [...people, userId].sort() : people))
  return { ...wait, given }
}

/** Who could still approve a step, of these people. */
export const candidates = <Person extends Reviewer>(
  wait: ApprovalRequirements,
  index: number,
  people: readonly Person[],
): Person[] => {
  const step = wait.steps[index]
  if (!step) return []
  return people.filter(
    (person) => names(step, person) && !mayNot(wait, person.userId) && !hasApproved(wait, person.userId),
  )
}

/**
 * Whether these people could meet all that is open, each of them approving once: an assignment of people to the places
 * that are left, found by augmenting paths (Kuhn).
 */
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

/** Whether an approval that leads from one wait to the next takes somebody whom a later step cannot do without. */
export const blocksLaterStep = (
  wait: ApprovalRequirements,
  next: ApprovalRequirements,
  people: readonly Reviewer[],
): boolean => isSatisfiable(wait, people) && !isSatisfiable(next, people)

/** What an operator reads of it: step, how many, of whom. Roles and ids, never names. */
export function waitingFor(wait: ApprovalRequirements): string {
  const open = openStep(wait)
  const step = wait.steps[open]
  if (!step) return 'nobody'
  const whom = [...step.roles, ...step.user_ids].join(', ')
  const not = [...(wait.excluded ? [wait.excluded] : []), ...(wait.barred ?? [])]
  const but = not.length > 0 ? `, but not ${not.join(', ')}` : ''
  return `step ${open + 1} of ${wait.steps.length}: ${missingApprovals(wait, open)} more of ${whom}${but}`
}
