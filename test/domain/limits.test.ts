/** Limits that add up: sums over currencies, which of them apply, and the steps that they ask for together. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_RULES, type Rule } from '../../domain/approvals/policy.ts'
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
