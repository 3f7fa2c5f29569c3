/** The rules of approval themselves: which rule applies, who may approve, and whether it could be met. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Rule, DEFAULT_RULES, findUnmeetable, highestRuleFor, ruleFor } from '../../db/model/approvals/policy.ts'
import {
  type Policy,
  type Reviewer,
  type ApprovalRequirements,
  whyNotApprover,
  isSatisfiable,
  candidates,
  hasApproved,
  initialRequirements,
  missingApprovals,
  names,
  openStep,
  requirementsOf,
  addApproval,
} from '../../db/model/approvals/requirements.ts'
import type { UserId } from '../../db/model/ids.ts'
import { ROLES } from '../../db/model/permissions.ts'

// ids are opaque to these functions
const ids = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => name as UserId)
const people = fc
  .uniqueArray(fc.record({ userId: fc.constantFrom(...ids), role: fc.constantFrom(...ROLES) }), {
    maxLength: 6,
    selector: ({ userId }) => userId,
  })
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

/**
 * Whether some order of some of these people, each approving once and where they may, meets all: every one is tried.
 */
function bruteForce(wait: ApprovalRequirements, crowd: readonly Reviewer[]): boolean {
  if (openStep(wait) < 0) return true
  return crowd.some(
    (one) => whyNotApprover(wait, one) === null && bruteForce(addApproval(wait, one.userId as UserId), crowd),
  )
}

describe('isSatisfiable', () => {
  test('says what trying every order of approvals says', () => {
    let [met, unmet] = [0, 0]
    fc.assert(
      fc.property(policy, requester, people, (rule, asker, crowd) => {
        const wait = initialRequirements(rule, asker)
        const expected = bruteForce(wait, crowd)
        expect(isSatisfiable(wait, crowd)).toBe(expected)
        if (expected) met += 1
        else unmet += 1
      }),
      { numRuns: 2000 },
    )
    expect(Math.min(met, unmet)).toBeGreaterThan(100)
  })

  test('says it also half way, whoever approved so far', () => {
    fc.assert(
      fc.property(policy, requester, people, fc.array(fc.nat()), (rule, asker, crowd, picks) => {
        let wait = initialRequirements(rule, asker)
        for (const pick of picks) {
          const able = crowd.filter((one) => whyNotApprover(wait, one) === null)
          const next = able[pick % able.length]
          if (next) wait = addApproval(wait, next.userId as UserId)
          expect(isSatisfiable(wait, crowd)).toBe(bruteForce(wait, crowd))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('more people never make it harder, and somebody less never easier', () => {
    fc.assert(
      fc.property(policy, requester, people, (rule, asker, crowd) => {
        const wait = initialRequirements(rule, asker)
        for (const gone of crowd) {
          const rest = crowd.filter((one) => one !== gone)
          if (isSatisfiable(wait, rest)) expect(isSatisfiable(wait, crowd)).toBe(true)
        }
      }),
    )
  })

  test('moves people between steps where that makes room: one of either, then the one of both', () => {
    const [a, b] = ids as [UserId, UserId]
    const wait = initialRequirements(
      {
        steps: [
          { required: 1, roles: ['owner', 'admin'], user_ids: [] },
          { required: 1, roles: ['owner'], user_ids: [] },
        ],
        self_approval: true,
        expires_after_hours: 1,
      },
      a,
    )
    const crowd: Reviewer[] = [
      { userId: a, role: 'owner' },
      { userId: b, role: 'admin' },
    ]
    expect(isSatisfiable(wait, crowd)).toBe(true)
    expect(isSatisfiable(wait, crowd.slice(0, 1))).toBe(false)
  })
})

describe('approving one after the other', () => {
  test('nobody stands twice, steps open in order, and all is met exactly with the people that each step requires', () => {
    fc.assert(
      fc.property(policy, requester, people, fc.array(fc.nat({ max: 5 })), (rule, asker, crowd, picks) => {
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
          expect(candidates(wait, open, crowd)).toContain(one)
          const next = addApproval(wait, one.userId as UserId)
          expect(missingApprovals(next, open)).toBe(missingApprovals(wait, open) - 1)
          expect(openStep(next) === -1 || openStep(next) >= open).toBe(true)
          expect(hasApproved(next, one.userId)).toBe(true)
          expect(wait.given).not.toEqual(next.given) // the wait itself is left as it was
          wait = next
        }
        const given = wait.given.flat()
        expect(new Set(given).size).toBe(given.length)
        if (!rule.self_approval) expect(given).not.toContain(asker)
        const met = wait.steps.every((each, index) => wait.given[index]?.length === each.required)
        expect(openStep(wait) === -1).toBe(met)
        for (const [index, each] of wait.steps.entries()) {
          expect(wait.given[index]?.length ?? 0).toBeLessThanOrEqual(each.required)
          for (const userId of wait.given[index] ?? []) {
            const giver = crowd.find((one) => one.userId === userId)
            expect(giver && names(each, giver)).toBe(true)
          }
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('the recorded approvals, in whatever order they are read, are the wait that they made', () => {
    fc.assert(
      fc.property(policy, requester, people, fc.array(fc.nat()), (rule, asker, crowd, picks) => {
        let wait = initialRequirements(rule, asker)
        const recorded: { user_id: UserId; step: number }[] = []
        for (const pick of picks) {
          const able = crowd.filter((one) => whyNotApprover(wait, one) === null)
          const next = able[pick % able.length]
          if (!next) break
          recorded.push({ user_id: next.userId as UserId, step: openStep(wait) })
          wait = addApproval(wait, next.userId as UserId)
        }
        expect(requirementsOf(rule, asker, recorded.toReversed())).toEqual(wait)
      }),
    )
  })

  test('an approval that is taken twice, or when all is met, changes nothing', () => {
    const [a, b] = ids as [UserId, UserId]
    const two = { steps: [{ required: 2, roles: [], user_ids: [a, b] }], self_approval: true, expires_after_hours: 1 }
    const once = addApproval(initialRequirements(two, a), a)
    expect(addApproval(once, a)).toEqual(once)
    const met = addApproval(once, b)
    expect(addApproval(met, 'c' as UserId)).toEqual(met)
  })
})

const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 18 }), fc.integer({ min: 0, max: 3 }))
  .map(([minor, digits, zeros]) => {
    const all = minor.toString().padStart(digits + 1, '0')
    const decimals = all.slice(all.length - digits) + '0'.repeat(zeros)
    const whole = digits === 0 ? all : all.slice(0, -digits)
    const text = digits === 0 && zeros === 0 ? whole : `${whole}.${digits === 0 ? '0'.repeat(zeros) : decimals}`
    return { text, value: minor * 10n ** BigInt(18 - digits) }
  })

const ruleOf = (more: Partial<Rule>): Rule => ({ ...(DEFAULT_RULES[0] as Rule), expires_after_hours: 1, ...more })

describe('highestRuleFor', () => {
  const rule = (currency: string | null, amount_from: string | null, required: number, self_approval = true) =>
    ruleOf({
      action_type: 'payment_batch',
      currency,
      amount_from,
      self_approval,
      steps: [{ required, roles: ['owner'], user_ids: [] }],
    })
  const usd = { amount: '1000', currency: 'USD' }
  const yen = { amount: '90000', currency: 'JPY' }
  const found = (rules: Rule[]) => highestRuleFor(rules, 'payment_batch', [usd, yen])

  test('a smaller sum of another currency gets nobody around the rule that asks for more approvals', () => {
    expect(found([rule('USD', '1000', 3), rule('JPY', '50000', 1)])).toMatchObject({ currency: 'USD' })
    expect(found([rule('USD', null, 3), rule('JPY', '1', 1)])).toMatchObject({ currency: 'USD' })
    expect(found([rule('USD', '500', 1, false), rule('JPY', '50000', 1)])).toMatchObject({ currency: 'USD' })
    expect(found([rule('USD', '1000', 3)])).toMatchObject({ currency: 'USD' })
  })

  test('of rules that name no currency it is the one from the highest amount on', () => {
    expect(found([rule(null, '500', 2), rule(null, '50000', 1)])).toMatchObject({ amount_from: '50000' })
  })
})

describe('ruleFor', () => {
  test('of the rules from an amount on, the highest that the amount reaches applies, by exact decimals', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 6 }), amount, (tiers, asked) => {
        const rules = tiers.map(({ text }) => ruleOf({ amount_from: text }))
        const found = ruleFor(rules, { action_type: 'withdrawal', amount: { amount: asked.text, currency: 'USD' } })
        const reached = tiers.filter(({ value }) => value <= asked.value).map(({ value }) => value)
        const tier = tiers.find(({ text }) => text === found?.amount_from)
        if (reached.length === 0) expect(found).toEqual(DEFAULT_RULES[0])
        else expect(tier?.value).toBe(reached.reduce((a, b) => (a > b ? a : b)))
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['9.99', null],
    ['10', '10.00'],
    ['10.000', '10.00'],
    ['99.999999999999999999', '10.00'],
    ['100.00', '100'],
    ['1000000000000000000000.01', '1000000000000000000000.01'],
  ])('%s is under the rule from %s', (asked, from) => {
    const rules = ['100', '10.00', '1000000000000000000000.01'].map((text) => ruleOf({ amount_from: text }))
    const found = ruleFor(rules, { action_type: 'withdrawal', amount: { amount: asked, currency: 'USD' } })
    expect(found?.amount_from).toBe(from)
  })

  test('the amount decides before the currency, which decides between two of one amount, in whatever order they stand', () => {
    const rules = [
      ruleOf({ expires_after_hours: 1 }),
      ruleOf({ expires_after_hours: 2, currency: 'USD' }),
      ruleOf({ expires_after_hours: 3, amount_from: '10' }),
      ruleOf({ expires_after_hours: 4, amount_from: '10', currency: 'USD' }),
      ruleOf({ expires_after_hours: 5, amount_from: '20' }),
      ruleOf({ expires_after_hours: 6, action_type: 'payment_batch', amount_from: '30' }),
    ]
    const hours = (shuffled: Rule[], money: { amount: string; currency: string } | null) =>
      ruleFor(shuffled, { action_type: 'withdrawal', amount: money })?.expires_after_hours
    fc.assert(
      fc.property(fc.shuffledSubarray(rules, { minLength: rules.length }), (shuffled) => {
        expect(hours(shuffled, null)).toBe(1)
        expect(hours(shuffled, { amount: '9.99', currency: 'EUR' })).toBe(1)
        expect(hours(shuffled, { amount: '9.99', currency: 'USD' })).toBe(2)
        expect(hours(shuffled, { amount: '10.00', currency: 'EUR' })).toBe(3)
        expect(hours(shuffled, { amount: '19.99', currency: 'USD' })).toBe(4)
        expect(hours(shuffled, { amount: '31.00', currency: 'USD' })).toBe(5)
      }),
    )
  })

  test.each([
    ['0.00000001', 'BTC', '1000'],
    ['10', 'BTC', '1000'],
    ['10', 'ETH', '1000'],
    ['999.99', 'USDC', null],
    ['999.99', 'USDT', null],
    ['999.99', 'USD', null],
    ['1000', 'USDC', '1000'],
  ])(
    '%s %s is under the rule without a currency from %s: a coin of no fixed worth reaches every amount',
    (asked, currency, from) => {
      const rules = [ruleOf({}), ruleOf({ amount_from: '10.00', currency: 'EUR' }), ruleOf({ amount_from: '1000' })]
      const found = ruleFor(rules, { action_type: 'withdrawal', amount: { amount: asked, currency } })
      expect(found?.amount_from ?? null).toBe(from)
    },
  )

  test('a rule that names the coin is compared as a number', () => {
    const rules = [ruleOf({}), ruleOf({ amount_from: '0.5', currency: 'BTC' })]
    const from = (amount: string) =>
      ruleFor(rules, { action_type: 'withdrawal', amount: { amount, currency: 'BTC' } })?.amount_from
    expect([from('0.4'), from('0.50')]).toEqual([null, '0.5'])
  })

  test('where none applies money waits for one approver, and everything else for nobody', () => {
    const asked = (action_type: Rule['action_type']) => ruleFor([ruleOf({ currency: 'EUR' })], { action_type })
    expect(asked('withdrawal')).toEqual(DEFAULT_RULES[0])
    expect(asked('payment_batch')).toEqual(DEFAULT_RULES[1])
    for (const action of ['billing_invoice', 'payment_contact', 'organization_invitation'] as const) {
      expect(asked(action)).toBeNull()
    }
  })
})

test('a rule is refused exactly where no member who may ask for it could be approved, at the first step that shows it', () => {
  const actions = fc.constantFrom('withdrawal' as const, 'organization_invitation' as const)
  fc.assert(
    fc.property(policy, actions, people, (given, action_type, crowd) => {
      const rule = ruleOf({ ...given, action_type } as Partial<Rule>)
      const askers = crowd.filter(({ role }) => action_type === 'withdrawal' || role !== 'member')
      const meetable = (steps: number) =>
        askers.some(({ userId }) =>
          bruteForce(initialRequirements({ ...given, steps: given.steps.slice(0, steps) }, userId as UserId), crowd),
        )
      const first = given.steps.findIndex((_, index) => !meetable(index + 1))
      expect(findUnmeetable([rule], crowd)).toEqual(first < 0 ? null : { rule: 0, step: first })
    }),
    { numRuns: 1000 },
  )
})
