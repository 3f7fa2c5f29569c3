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
