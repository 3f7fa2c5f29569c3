/** Limits that add up: sums over currencies, which of them apply, and the steps that they ask for together. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Rule, DEFAULT_RULES } from '../../domain/approvals/policy.ts'
import { highestRuleFor, ruleFor } from '../../domain/approvals/matching.ts'
import { type CountedSums, type Limit, limitsOn, measure, mergeRules, softOnes } from '../../domain/limits/limits.ts'
import { type Money, fromMinor } from '../../domain/money/money.ts'
import { always } from '../support/property.ts'

const base = DEFAULT_RULES[0] as Rule
const ofRoles = (required: number, ...roles: Rule['steps'][number]['roles'][number][]) => ({
  required,
  roles,
  user_ids: [],
})
const limit = (more: Partial<Limit> = {}): Limit => ({
  ...base,
  currency: 'EUR',
  amount_from: '100',
  period: 'day',
  per: 'organization',
  steps: [ofRoles(2, 'owner')],
  ...more,
})
const rates = new Map([
  ['EUR', { usd: '1.25', day: '2026-02-03' }],
  ['JPY', { usd: '0.007', day: '2026-02-02' }],
])
const counted = (before: readonly Money[], asked: readonly Money[]): CountedSums => ({
  sumsOf: () => [{ before, asked }],
  endOf: () => '2026-02-04T00:00:00Z',
  rates,
})
const eur = (minor: bigint) => fromMinor(minor, 'EUR')
const total = (before: readonly Money[], asked: readonly Money[], rule = limit()) =>
  measure([rule], asked, counted(before, asked))[0]

const minor = fc.bigInt({ min: 1n, max: 20_000n })

describe('measure', () => {
  test('however an amount is split, the last part reaches what the whole reaches', () =>
    always(500, fc.array(minor, { minLength: 1, maxLength: 20 }), (parts) => {
      const whole = parts.reduce((sum, part) => sum + part, 0n)
      const found = total(parts.slice(1).map(eur), [eur(parts[0] ?? 0n)])
      expect(found?.reached).toBe(whole >= 10_000n)
      expect(found?.total).toEqual(eur(whole))
      expect(found).toEqual(expect.objectContaining({ rate_date: null, without_rate: [] }))
    }))

  test('splitting over currencies never lowers a sum: each is rounded up', () =>
    always(500, fc.array(minor, { minLength: 1, maxLength: 10 }), (parts) => {
      const dollars = parts.map((part) => fromMinor(part, 'USD'))
      const whole = [
        fromMinor(
          parts.reduce((sum, part) => sum + part, 0n),
          'USD',
        ),
      ]
      const [split, one] = [total(dollars, []), total(whole, [])]
      expect(Number(split?.used.amount)).toBeGreaterThanOrEqual(Number(one?.used.amount))
    }))

  test('other currencies count by their rates, and the oldest day is told', () => {
    const found = total([fromMinor(1000n, 'JPY'), eur(100n)], [fromMinor(125n, 'USD')])
    expect(found).toMatchObject({ used: { amount: '6.60' }, total: { amount: '7.60' }, rate_date: '2026-02-02' })
  })

  test('a currency without a rate reaches the limit; nothing of it does not', () => {
    expect(total([], [{ amount: '0.01', currency: 'CHF' }])).toMatchObject({ reached: true, without_rate: ['CHF'] })
    expect(total([{ amount: '0.00', currency: 'CHF' }], [eur(1n)])).toMatchObject({ reached: false, without_rate: [] })
  })

  test('without a currency it counts in that of the request, and any amount of an unpegged coin reaches it', () => {
    const any = limit({ currency: null })
    expect(total([], [{ amount: '0.00000001', currency: 'BTC' }], any)).toMatchObject({ reached: true })
    expect(total([], [{ amount: '99.99', currency: 'USDC' }], any)).toMatchObject({ reached: false })
    expect(total([], [{ amount: '100', currency: 'USD' }], any)).toMatchObject({
      reached: true,
      limit: { amount: '100', currency: 'USD' },
    })
  })
})

test('limits bind another action unless it has some for the same period and per; only a hard limit stands for a hard one', () => {
  const own = limit({ action_type: 'payment_batch', amount_from: '500' })
  const [day, week] = [limit(), limit({ period: 'week' })]
  expect(limitsOn([base, day, week, own], 'payment_batch')).toEqual([week, own])
  expect(limitsOn([base, day, week, own], 'withdrawal')).toEqual([day, week])
  const [hard, ownHard] = [limit({ hard: true, steps: [] }), { ...own, hard: true }]
  expect(limitsOn([hard, own], 'payment_batch')).toEqual([hard, own])
  expect(limitsOn([hard, ownHard], 'payment_batch')).toEqual([ownHard])
})

describe('mergeRules', () => {
  const merge = (rule: Rule, ...limits: Limit[]) => {
    const asked = [eur(1_000_000n)]
    return mergeRules(rule, softOnes(measure(limits, asked, counted([], asked))))
  }

  test('steps with the same approvers are one, with the larger number; others are added in order', () => {
    const rule = { ...base, steps: [ofRoles(1, 'admin', 'owner')] }
    const merged = merge(
      rule,
      limit({ period: 'month', steps: [ofRoles(1, 'member')] }),
      limit({ steps: [ofRoles(2, 'owner', 'admin'), ofRoles(1, 'owner')] }),
    )
    expect(merged.steps).toEqual([ofRoles(2, 'admin', 'owner'), ofRoles(1, 'owner'), ofRoles(1, 'member')])
  })

  test('two steps of one rule with the same approvers stay two', () => {
    const twice = [ofRoles(1, 'owner'), ofRoles(1, 'owner')]
    expect(merge({ ...base, steps: twice }, limit({ steps: twice })).steps).toEqual(twice)
    expect(merge({ ...base, steps: [ofRoles(1, 'owner')] }, limit({ steps: twice })).steps).toEqual(twice)
  })

  test('of one period, per and currency the highest limit applies', () => {
    const merged = merge(base, limit({ amount_from: '9', steps: [ofRoles(5, 'member')] }), limit())
    expect(merged.limits?.map(({ limit: { amount } }) => amount)).toEqual(['100'])
  })

  test('without a reached limit the rule is as it was', () => expect(merge(base)).toBe(base))

  test('a person of a delegate may approve only if all rules permit it', () => {
    const permits = { ...base, delegate_self_approval: true }
    expect(merge(permits, limit({ delegate_self_approval: true })).delegate_self_approval).toBe(true)
    expect(merge(permits, limit()).delegate_self_approval).toBeUndefined()
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

const ownersOf = (required: number): Rule['steps'] => [{ required, roles: ['owner'], user_ids: [] }]

const rule = (currency: string | null, amount_from: string | null, required: number, self_approval = true) =>
  ruleOf({ action_type: 'payment_batch', currency, amount_from, self_approval, steps: ownersOf(required) })
const usd = { amount: '1000', currency: 'USD' }
const yen = { amount: '90000', currency: 'JPY' }

test.each([
  [[rule('USD', '1000', 3), rule('JPY', '50000', 1)], { currency: 'USD' }],
  [[rule('USD', null, 3), rule('JPY', '1', 1)], { currency: 'USD' }],
  [[rule('USD', '500', 1, false), rule('JPY', '50000', 1)], { currency: 'USD' }],
  [[rule('USD', '1000', 3)], { currency: 'USD' }],
  [[rule(null, '500', 2), rule(null, '50000', 1)], { amount_from: '50000' }], // the one from the highest amount on
])(
  'highestRuleFor a smaller sum of another currency gets nobody around the rule that asks for more approvals',
  (rules, found) => expect(highestRuleFor(rules, 'payment_batch', [usd, yen])).toMatchObject(found),
)

describe('ruleFor', () => {
  test('of the rules from an amount on, the highest that the amount reaches applies, by exact decimals', () =>
    always(1000, fc.array(amount, { maxLength: 6 }), amount, (tiers, asked) => {
      const rules = tiers.map(({ text }) => ruleOf({ amount_from: text }))
      const found = ruleFor(rules, { action_type: 'withdrawal', amount: { amount: asked.text, currency: 'USD' } })
      const reached = tiers.filter(({ value }) => value <= asked.value).map(({ value }) => value)
      const tier = tiers.find(({ text }) => text === found?.amount_from)
      if (reached.length === 0) expect(found).toEqual(DEFAULT_RULES[0])
      else expect(tier?.value).toBe(reached.reduce((a, b) => (a > b ? a : b)))
    }))

  test('the amount decides before the currency, which decides between two of one amount, in whatever order they stand', () => {
    const members = [{}, { currency: 'USD' }, { amount_from: '10' }, { amount_from: '10', currency: 'USD' }]
    const others = [{ amount_from: '20' }, { action_type: 'payment_batch', amount_from: '30' }] as const
    const rules = [...members, ...others].map((more, index) => ruleOf({ expires_after_hours: index + 1, ...more }))
    const hours = (shuffled: Rule[], money: string) => {
      const [amount = '', currency = ''] = money.split(' ')
      const asked = { action_type: 'withdrawal', amount: money === '' ? null : { amount, currency } } as const
      return ruleFor(shuffled, asked)?.expires_after_hours
    }
    always(1000, fc.shuffledSubarray(rules, { minLength: rules.length }), (shuffled) => {
      const asked = ['', '9.99 EUR', '9.99 USD', '10.00 EUR', '19.99 USD', '31.00 USD']
      expect(asked.map((money) => hours(shuffled, money))).toEqual([1, 1, 2, 3, 4, 5])
    })
  })

  const tiers = [ruleOf({}), ruleOf({ amount_from: '10.00', currency: 'EUR' }), ruleOf({ amount_from: '1000' })]
  const named = [ruleOf({}), ruleOf({ amount_from: '0.5', currency: 'BTC' })]
  test.each([
    ['0.00000001', 'BTC', tiers, '1000'],
    ['10', 'BTC', tiers, '1000'],
    ['10', 'ETH', tiers, '1000'],
    ['999.99', 'USDC', tiers, null],
    ['999.99', 'USDT', tiers, null],
    ['999.99', 'USD', tiers, null],
    ['1000', 'USDC', tiers, '1000'],
    ['0.4', 'BTC', named, null],
    ['0.50', 'BTC', named, '0.5'],
  ])(
    '%s %s reaches every amount if it is a coin of no fixed worth, unless the rule names it',
    (amount, currency, rules, from) => {
      const found = ruleFor(rules, { action_type: 'withdrawal', amount: { amount, currency } })
      expect(found?.amount_from ?? null).toBe(from)
    },
  )

  test('where none applies money waits for one approver, and everything else for nobody', () => {
    const asked = (action_type: Rule['action_type']) => ruleFor([ruleOf({ currency: 'EUR' })], { action_type })
    expect(asked('withdrawal')).toEqual(DEFAULT_RULES[0])
    expect(asked('payment_batch')).toEqual(DEFAULT_RULES[1])
    for (const action of ['billing_invoice', 'payment_contact', 'organization_invitation'] as const)
      expect(asked(action)).toBeNull()
  })
})
