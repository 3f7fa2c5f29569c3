/** Requirements: the steps of the copied policy, the approvals of each, and the rights of one person. */
import type { UserId } from '../ids.ts'
import type { ReachedLimit } from '../period.ts'
import { type Capacity, type Role, type Standing, isRemoved } from '../permissions.ts'

/** Step of a policy: it requires n different people with these roles or ids. */
export type Step = { readonly required: number; readonly roles: readonly Role[]; readonly user_ids: readonly UserId[] }

export type Policy = {
  readonly steps: readonly Step[]
  readonly self_approval: boolean
  readonly expires_after_hours: number
  /** People who may not approve, beside the requester under four-eyes: their own changes have to be reviewed. */
  readonly barred?: readonly UserId[]
  /** Limits that were reached, and asked for their steps. */
  readonly limits?: readonly ReachedLimit[]
}

/** Steps of an approval, with their approvers, and people who may not approve. */
export type ApprovalRequirements = {
  readonly steps: readonly Step[]
  /** Approvers of each step, sorted; a person approves only one step. */
  readonly given: readonly (readonly UserId[])[]
  /** People on whose behalf a substitute approved, sorted; absent if there are none. */
  readonly represented?: readonly UserId[]
  /** Requester under four-eyes; null if they may approve themselves. */
  readonly excluded: UserId | null
  /** Requester who may approve themselves, but never as a substitute. */
  readonly requester?: UserId
  /** Further people who may not approve, by the policy. */
  readonly barred?: readonly UserId[]
}

/** Person, with the principals whose substitute they are now. Never chained: a principal's principals are not theirs. */
export type Reviewer = Standing & {
  readonly userId: string
  readonly principals?: readonly Capacity[] | null
}

/** Caller; with `ownOnly` they see only their own requests and those that they review. */
export type Viewer = Reviewer & { readonly userId: UserId; readonly ownOnly: boolean }

/** Reason against an approval: no open step names the person, or they requested it, or are barred. */
export type NotApproverReason = 'not_an_approver' | 'requester_cannot_approve'

export const initialRequirements = (policy: Policy, requester: UserId): ApprovalRequirements =>
  requirementsOf(policy, requester, [])

/** Approval that counts, with the principal on whose behalf it was given. */
export type GivenApproval = { readonly user_id: UserId; readonly on_behalf_of?: UserId | null; readonly step: number }

/** Derives the requirements of a policy after these approvals. */
export function requirementsOf(
  policy: Policy,
  requester: UserId,
  approvals: readonly GivenApproval[],
): ApprovalRequirements {
  const { steps } = policy
  const given = steps.map((_, index) =>
    approvals
      .filter(({ step }) => step === index)
      .map(({ user_id: id }) => id)
      .sort(),
  )
  const { barred } = policy
  const represented = approvals.flatMap(({ on_behalf_of: principal }) => principal ?? []).sort()
  return {
    steps,
    given,
    ...(represented.length > 0 && { represented }),
    ...(policy.self_approval ? { excluded: null, requester } : { excluded: requester }),
    ...(barred && { barred }),
  }
}

/** Finds the first step that lacks approvals, or -1 if all are met. */
export const openStep = (requirements: ApprovalRequirements): number =>
  requirements.steps.findIndex((_, index) => missingApprovals(requirements, index) > 0)

export const missingApprovals = (requirements: ApprovalRequirements, index: number): number =>
  Math.max(0, (requirements.steps[index]?.required ?? 0) - (requirements.given[index]?.length ?? 0))

/** Tells if one more approval is enough. */
export const isLastApproval = (requirements: ApprovalRequirements): boolean =>
  requirements.steps.reduce((sum, _, index) => sum + missingApprovals(requirements, index), 0) <= 1

/** Tells if a step names the capacity, by role or by id; none from whom reviewing was taken. */
export const names = (step: Step, { userId, role, removed }: Capacity): boolean =>
  !isRemoved({ removed }, 'approvals.review') &&
  (step.roles.includes(role) || step.user_ids.some((id) => id === userId))

/** Lists the capacities of a person: their own first, which takes the fewest people. */
const capacitiesOf = ({ userId, role, removed, principals }: Reviewer): readonly Capacity[] =>
  // who may not review does not review for others either
  isRemoved({ removed }, 'approvals.review') ? [] : [{ userId, role, removed }, ...(principals ?? [])]

/** Tells if any step names the person or a principal of theirs: they may see it. */
export const reviews = (requirements: ApprovalRequirements, reviewer: Reviewer): boolean =>
  requirements.steps.some((step) => capacitiesOf(reviewer).some((capacity) => names(step, capacity)))

/** Finds the capacity in which a person may reject at any time; a principal who approved speaks for themselves. */
export const findRejecting = (requirements: ApprovalRequirements, reviewer: Reviewer): Capacity | undefined =>
  capacitiesOf(reviewer).find(
    (one) =>
      requirements.steps.some((step) => names(step, one)) &&
      (one.userId === reviewer.userId ||
        (mayAct(requirements, reviewer, one) && !hasApproved(requirements, one.userId))),
  )

/** Tells if the person's approval counts already. One person approves once, in any step and any capacity. */
export const hasApproved = (requirements: ApprovalRequirements, userId: string): boolean =>
  requirements.given.some((people) => people.some((id) => id === userId))

/** Tells if a substitute approved on the person's behalf. */
export const isRepresented = ({ represented = [] }: ApprovalRequirements, userId: string): boolean =>
  represented.some((id) => id === userId)

/** Tells if the person stands for an approval, as its approver or as the principal: nobody does so twice. */
const isCounted = (requirements: ApprovalRequirements, userId: string): boolean =>
  hasApproved(requirements, userId) || isRepresented(requirements, userId)

/** Finds the reason against an approval now, or null; for refusals, `can_take_action` and attention alike. */
export function whyNotApprover(requirements: ApprovalRequirements, reviewer: Reviewer): NotApproverReason | null {
  const named = listUnused(requirements, openStep(requirements), reviewer)
  if (named.length === 0) return 'not_an_approver'
  return named.some((one) => mayAct(requirements, reviewer, one)) ? null : 'requester_cannot_approve'
}

/** Lists the capacities in which a person may approve a step, the open one by default; their own comes first. */
export const findCapacities = (
  requirements: ApprovalRequirements,
  reviewer: Reviewer,
  index: number = openStep(requirements),
): readonly Capacity[] => listUnused(requirements, index, reviewer).filter((one) => mayAct(requirements, reviewer, one))

/** Lists the capacities that a step names and that nobody has used; none if the person stands for an approval. */
function listUnused(requirements: ApprovalRequirements, index: number, reviewer: Reviewer): readonly Capacity[] {
  const step = requirements.steps[index]
  if (!step || isCounted(requirements, reviewer.userId)) return []
  return capacitiesOf(reviewer).filter((one) => names(step, one) && !isCounted(requirements, one.userId))
}

/** Tells if a person may act in a capacity: a substitute is never the requester, nor acts for a person who may not. */
const mayAct = (requirements: ApprovalRequirements, { userId }: Reviewer, capacity: Capacity): boolean =>
  !mayNot(requirements, userId) &&
  (capacity.userId === userId || (requirements.requester !== userId && !mayNot(requirements, capacity.userId)))

/** Tells if a person may not approve any step. */
const mayNot = ({ excluded, barred }: ApprovalRequirements, userId: string): boolean =>
  excluded === userId || (barred?.some((id) => id === userId) ?? false)

export const isLaterApprover = (requirements: ApprovalRequirements, reviewer: Reviewer): boolean =>
  requirements.steps.some(
    (step, index) => index > openStep(requirements) && capacitiesOf(reviewer).some((capacity) => names(step, capacity)),
  )

/** Adds an approval of the open step, given in a capacity; changes nothing if all is met, or this person approved. */
export function addApproval(
  requirements: ApprovalRequirements,
  userId: UserId,
  capacity?: Capacity,
): ApprovalRequirements {
  if (hasApproved(requirements, userId)) return requirements
  const open = openStep(requirements)
  const given = requirements.given.map((people, index) => (index === open ? [...people, userId].sort() : people))
  if (!capacity || open < 0 || !isSubstitute(userId, capacity)) return { ...requirements, given }
  return {
    ...requirements,
    given,
    represented: [...(requirements.represented ?? []), capacity.userId as UserId].sort(),
  } // a person's id
}

/** Tells if a capacity is that of a principal. */
export const isSubstitute = (userId: string, capacity: Capacity): boolean => capacity.userId !== userId

/** Lists the people who could still approve a step, with the capacity of each. */
export const candidates = <Person extends Reviewer>(
  requirements: ApprovalRequirements,
  index: number,
  people: readonly Person[],
): { readonly person: Person; readonly capacity: Capacity }[] =>
  people.flatMap((person) => {
    const [capacity] = findCapacities(requirements, person, index)
    return capacity ? [{ person, capacity }] : []
  })

/**
 * Tells if these people could meet all open steps, each approving once: bipartite matching (Kuhn's algorithm).
 * Substitutes change nothing: a person stands for one approval, so for each that a substitute could give there is one
 * that the principal could give.
 */
export function isSatisfiable(requirements: ApprovalRequirements, people: readonly Reviewer[]): boolean {
  const places = requirements.steps.flatMap((_, index) =>
    Array.from({ length: missingApprovals(requirements, index) }, () => index),
  )
  const able = requirements.steps.map((_, index) =>
    people
      .map(alone)
      .filter(isAble(requirements, index))
      .map(({ userId }) => userId),
  )
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

const alone = ({ userId, role, removed }: Reviewer): Reviewer => ({ userId, role, removed })

const isAble =
  (requirements: ApprovalRequirements, index: number) =>
  (person: Reviewer): boolean =>
    findCapacities(requirements, person, index).length > 0

/** Tells if the approval between `wait` and `next` takes a person whom a later step needs. */
export const blocksLaterStep = (
  requirements: ApprovalRequirements,
  next: ApprovalRequirements,
  people: readonly Reviewer[],
): boolean => isSatisfiable(requirements, people) && !isSatisfiable(next, people)

/** Chooses the capacity of an approval now: the first that leaves later steps the people whom they need. */
export const chooseCapacity = (
  requirements: ApprovalRequirements,
  reviewer: Reviewer & { readonly userId: UserId },
  people: readonly Reviewer[],
): Capacity | undefined =>
  findCapacities(requirements, reviewer).find(
    (capacity) => !blocksLaterStep(requirements, addApproval(requirements, reviewer.userId, capacity), people),
  )

/** Describes the open step for an operator, by roles and ids, never names. */
export function waitingFor(requirements: ApprovalRequirements): string {
  const open = openStep(requirements)
  const step = requirements.steps[open]
  if (!step) return 'nobody'
  const whom = [...step.roles, ...step.user_ids].join(', ')
  const not = [requirements.excluded ?? [], requirements.barred ?? []].flat()
  const but = not.length > 0 ? `, but not ${not.join(', ')}` : ''
  return `step ${open + 1} of ${requirements.steps.length}: ${missingApprovals(requirements, open)} more of ${whom}${but}`
}
