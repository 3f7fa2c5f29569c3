/** Approval requirements: who may approve, and whether they can be met. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Rule, DEFAULT_RULES, findUnmeetable } from '../../domain/approvals/policy.ts'
import type { ApprovalRequirements, Policy, Reviewer } from '../../domain/approvals/requirements.ts'
import * as requirements from '../../domain/approvals/requirements.ts'
import type { UserId } from '../../domain/ids.ts'
import { ROLES } from '../../domain/permissions.ts'
import { always } from '../support/property.ts'

const { addApproval, candidates, findCapacities, hasApproved, initialRequirements, isSatisfiable } = requirements
const { missingApprovals, names, openStep, requirementsOf, whyNotApprover } = requirements

// ids are opaque to these functions
const ids = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => name as UserId)
const member = fc.record({ userId: fc.constantFrom(...ids), role: fc.constantFrom(...ROLES) })
const people = fc
  .uniqueArray(member, { maxLength: 6, selector: ({ userId }) => userId })
  .map((list): Reviewer[] => list)
const step = fc.record({
  required: fc.integer({ min: 1, max: 3 }),
  roles: fc.uniqueArray(fc.constantFrom(...ROLES)),
  user_ids: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 3 }),
})
const policy: fc.Arbitrary<Policy> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  self_approval: fc.boolean(),
  expires_after_hours: fc.constant(1),
})
const requester = fc.constantFrom(...ids)

/** Tries every order of reviewers, each approving once and where they may. */
function bruteForce(requirements: ApprovalRequirements, crowd: readonly Reviewer[]): boolean {
  if (openStep(requirements) < 0) return true
  return crowd.some(
    (one) =>
      whyNotApprover(requirements, one) === null && bruteForce(addApproval(requirements, one.userId as UserId), crowd),
  )
}

/** Approves with those who may, chosen by picks: the wait before and after each, and what is recorded of it. */
function approvals(rule: Policy, asker: UserId, crowd: readonly Reviewer[], picks: readonly number[]) {
  const waits = [initialRequirements(rule, asker)]
  const recorded: { user_id: UserId; step: number }[] = []
  for (const pick of picks) {
    const wait = waits.at(-1)!
    const able = crowd.filter((one) => whyNotApprover(wait, one) === null)
    const next = able[pick % able.length]
    if (!next) break
    recorded.push({ user_id: next.userId as UserId, step: openStep(wait) })
    waits.push(addApproval(wait, next.userId as UserId))
  }
  return { waits, recorded }
}
const picking = fc.array(fc.nat())

describe('isSatisfiable', () => {
  test('says what trying every order of approvals says, also half way, whoever approved so far', () => {
    let [met, unmet] = [0, 0]
    always(2000, policy, requester, people, picking, (rule, asker, crowd, picks) => {
      const { waits } = approvals(rule, asker, crowd, picks)
      for (const wait of waits) expect(isSatisfiable(wait, crowd)).toBe(bruteForce(wait, crowd))
      if (isSatisfiable(waits[0]!, crowd)) met += 1
      else unmet += 1
    })
    expect(Math.min(met, unmet)).toBeGreaterThan(20)
  })
})

describe('approving one after the other', () => {
  test('nobody stands twice, steps open in order, and all is met exactly with the people that each step requires', () =>
    always(1000, policy, requester, people, fc.array(fc.nat({ max: 5 })), (rule, asker, crowd, picks) => {
      let wait = initialRequirements(rule, asker)
      for (const pick of picks) {
        const one = crowd[pick]
        if (!one) continue
        const [open, bar] = [openStep(wait), whyNotApprover(wait, one)]
        const named = rule.steps[open] !== undefined && names(wait.steps[open] as never, one)
        const excluded = !rule.self_approval && one.userId === asker
        if (!named || hasApproved(wait, one.userId)) expect(bar).toBe('not_an_approver')
        else expect(bar).toBe(excluded ? 'requester_cannot_approve' : null)
        if (bar) continue
        expect(candidates(wait, open, crowd).map(({ person }) => person)).toContain(one)
        const next = addApproval(wait, one.userId as UserId)
        expect(missingApprovals(next, open)).toBe(missingApprovals(wait, open) - 1)
        expect(openStep(next) === -1 || openStep(next) >= open).toBe(true)
        expect(hasApproved(next, one.userId)).toBe(true)
        expect(wait.given).not.toEqual(next.given)
        wait = next
      }
      const given = wait.given.flat()
      expect(new Set(given).size).toBe(given.length)
      if (!rule.self_approval) expect(given).not.toContain(asker)
      const met = wait.steps.every((each, index) => wait.given[index]?.length === each.required)
      expect(openStep(wait) === -1).toBe(met)
      for (const [index, each] of wait.steps.entries()) {
        const givers = (wait.given[index] ?? []).map((userId) => crowd.find((one) => one.userId === userId))
        expect(givers.length).toBeLessThanOrEqual(each.required)
        expect(givers.every((giver) => giver && names(each, giver))).toBe(true)
      }
    }))

  test('the recorded approvals, in whatever order they are read, are the wait that they made', () =>
    always(1000, policy, requester, people, picking, (rule, asker, crowd, picks) => {
      const { waits, recorded } = approvals(rule, asker, crowd, picks)
      expect(requirementsOf(rule, asker, recorded.toReversed())).toEqual(waits.at(-1))
    }))

  test('an approval that is taken twice, or when all is met, changes nothing', () => {
    const [a, b] = ids as [UserId, UserId]
    const two = { steps: [{ required: 2, roles: [], user_ids: [a, b] }], self_approval: true, expires_after_hours: 1 }
    const once = addApproval(initialRequirements(two, a), a)
    expect(addApproval(once, a)).toEqual(once)
    const met = addApproval(once, b)
    expect(addApproval(met, 'c' as UserId)).toEqual(met)
  })
})

describe('substitutes', () => {
  const pairs = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 })), { minLength: 2, maxLength: 4 })

  /** Makes members substitutes of others: pairs of principal and substitute. */
  function withSubstitutes(all: readonly Reviewer[], acting: readonly (readonly [number, number])[]): Reviewer[] {
    const crowd = all.slice(0, 5)
    const of = (index: number) => crowd[index % crowd.length]
    return crowd.map((one) => ({
      ...one,
      principals: acting.flatMap(([principal, substitute]) => {
        const other = of(principal)
        return of(substitute) === one && other && other !== one ? { userId: other.userId, role: other.role } : []
      }),
    }))
  }

  const steps = (requirements: ApprovalRequirements, crowd: readonly Reviewer[]) =>
    crowd.flatMap((one) => findCapacities(requirements, one).map((capacity) => ({ one, capacity })))

  /** Tries every order of people, each in every capacity. */
  const canBeMet = (requirements: ApprovalRequirements, crowd: readonly Reviewer[]): boolean =>
    openStep(requirements) < 0 ||
    steps(requirements, crowd).some(({ one, capacity }) =>
      canBeMet(addApproval(requirements, one.userId as UserId, capacity), crowd),
    )

  test('make nothing meetable that the members could not meet by themselves, also half way', () => {
    let [met, unmet] = [0, 0]
    always(2000, policy, requester, people, pairs, picking, (rule, asker, members, acting, picks) => {
      const crowd = withSubstitutes(members, acting)
      let wait = initialRequirements(rule, asker)
      for (const pick of [...picks.slice(0, 2), 0]) {
        expect(isSatisfiable(wait, crowd)).toBe(canBeMet(wait, crowd))
        if (isSatisfiable(wait, crowd)) met += 1
        else unmet += 1
        const able = steps(wait, crowd)
        const next = able[pick % able.length]
        if (!next) break
        wait = addApproval(wait, next.one.userId as UserId, next.capacity)
      }
    })
    expect(Math.min(met, unmet)).toBeGreaterThan(5)
  })

  test('are counted once with their principals, are never the requester, and act for nobody who may not approve', () => {
    let count = 0
    always(2000, policy, requester, people, pairs, picking, (rule, asker, members, acting, picks) => {
      const crowd = withSubstitutes(members, acting)
      const recorded: { user_id: UserId; on_behalf_of: UserId | null; step: number }[] = []
      let wait = initialRequirements(rule, asker)
      for (const pick of picks) {
        const able = steps(wait, crowd)
        const next = able[pick % able.length]
        if (!next) break
        const { one, capacity } = next
        const principal = capacity.userId === one.userId ? null : (capacity.userId as UserId)
        recorded.push({ user_id: one.userId as UserId, on_behalf_of: principal, step: openStep(wait) })
        wait = addApproval(wait, one.userId as UserId, capacity)
      }
      const counted = recorded.flatMap(({ user_id: person, on_behalf_of: principal }) => [
        person,
        ...(principal ? [principal] : []),
      ])
      expect(new Set(counted).size).toBe(counted.length)
      if (!rule.self_approval) expect(counted).not.toContain(asker)
      const acted = recorded.filter((one) => one.on_behalf_of)
      count += acted.length
      expect(acted.map((one) => one.user_id)).not.toContain(asker)
      expect(requirementsOf(rule, asker, recorded.toReversed())).toEqual(wait)
    })
    expect(count).toBeGreaterThan(5)
  })
})

const ruleOf = (more: Partial<Rule>): Rule => ({ ...(DEFAULT_RULES[0] as Rule), expires_after_hours: 1, ...more })

test('a rule is refused exactly where no member who may ask for it could be approved, at the first step that shows it', () => {
  const actions = fc.constantFrom('withdrawal' as const, 'organization_invitation' as const)
  always(1000, policy, actions, people, (given, action_type, crowd) => {
    const rule = ruleOf({ ...given, action_type } as Partial<Rule>)
    const askers = crowd.filter(({ role }) => action_type === 'withdrawal' || role !== 'member')
    const meetable = (steps: number) =>
      askers.some(({ userId }) =>
        bruteForce(initialRequirements({ ...given, steps: given.steps.slice(0, steps) }, userId as UserId), crowd),
      )
    const first = given.steps.findIndex((_, index) => !meetable(index + 1))
    expect(findUnmeetable([rule], crowd)).toEqual(first < 0 ? null : { rule: 0, step: first })
  })
})
