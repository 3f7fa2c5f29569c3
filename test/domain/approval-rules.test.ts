import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Rule, DEFAULT_RULES, highestRuleFor, ruleFor } from '../../domain/approvals/policy.ts'
import { always } from '../support/property.ts'

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

  test('of rules that name no currency it is the one from the highest amount on', () =>
    expect(found([rule(null, '500', 2), rule(null, '50000', 1)])).toMatchObject({ amount_from: '50000' }))
})

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
    always(1000, fc.shuffledSubarray(rules, { minLength: rules.length }), (shuffled) => {
      expect(hours(shuffled, null)).toBe(1)
      expect(hours(shuffled, { amount: '9.99', currency: 'EUR' })).toBe(1)
      expect(hours(shuffled, { amount: '9.99', currency: 'USD' })).toBe(2)
      expect(hours(shuffled, { amount: '10.00', currency: 'EUR' })).toBe(3)
      expect(hours(shuffled, { amount: '19.99', currency: 'USD' })).toBe(4)
      expect(hours(shuffled, { amount: '31.00', currency: 'USD' })).toBe(5)
    })
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
    for (const action of ['billing_invoice', 'payment_contact', 'organization_invitation'] as const)
      expect(asked(action)).toBeNull()
  })
})
