/** The published table: fees of payments by rail and currency, of exchanges, and times of arrival. */
import * as v from 'valibot'
import { digitsOf, isCoin, isCurrency } from './currencies.ts'
import { compareDecimals } from './decimal.ts'
import { type Money, fromMinor, moneyOf, toMinor } from './money.ts'
import { model, AnswerMoney, integer, nullableText, describe } from '../text.ts'
import { PARTNER_RAILS, type Rail } from '../rails.ts'

const BASIS_POINTS = 10_000n

const amount = v.pipe(v.string(), v.regex(/^(0|[1-9][0-9]{0,14})(\.[0-9]+)?$/, 'must be a plain decimal number'))
const wholeNumber = (max: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(max))
const basisPoints = wholeNumber(9999)
const MINUTES_MAX = 100_000
const DAYS_MAX = 30

const FeeRule = v.pipe(
  v.strictObject({
    rail: v.picklist(PARTNER_RAILS),
    currency: v.nullable(v.string()),
    name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)),
    fixed: amount,
    basis_points: basisPoints,
    min: amount,
    max: v.nullable(amount),
  }),
  v.check(
    ({ rail, currency }) => currency === null || (isCurrency(currency) && isCoin(currency) === (rail === 'crypto')),
    'no currency of this rail',
  ),
  v.check(
    ({ currency, fixed, min, max }) => [fixed, min, max ?? '0'].every((value) => fits(value, currency)),
    'an amount has more decimals than its currency; where no currency is named only 0 is an amount',
  ),
  v.check(({ currency, max }) => currency !== null || max === null, 'a max needs a currency'),
  v.check(({ min, max }) => max === null || compareDecimals(min, max) <= 0, 'min is more than max'),
)

const fits = (value: string, currency: string | null): boolean =>
  currency === null ? !/[1-9]/.test(value) : (value.split('.')[1] ?? '').length <= (digitsOf(currency) ?? 0)

const Payments = v.pipe(
  v.array(FeeRule),
  v.check(
    (rules) => new Set(rules.map(({ rail, currency }) => `${rail} ${currency ?? ''}`)).size === rules.length,
    'two rules for the same rail and currency',
  ),
  v.check(
    (rules) => PARTNER_RAILS.every((rail) => rules.some((rule) => rule.rail === rail && rule.currency === null)),
    'each rail needs a rule for every other currency (currency: null)',
  ),
)

/** The configured table. Amounts are in the currency of their rule. */
export const FeeTable = v.strictObject({
  payments: Payments,
  exchange: describe(v.strictObject({ basis_points: basisPoints }), 'Spread of the rate below the middle rate.'),
  arrival: v.pipe(
    v.strictObject({
      svc_id: describe(
        v.strictObject({ minutes: wholeNumber(MINUTES_MAX) }),
        'Payments between organizations of the service.',
      ),
      crypto: describe(v.strictObject({ minutes: wholeNumber(MINUTES_MAX) }), 'Payments by blockchain.'),
      fiat: describe(v.strictObject({ business_days: wholeNumber(DAYS_MAX) }), 'Payments by bank.'),
    }),
    v.title('ArrivalTimes'),
  ),
})
export type FeeTable = v.InferOutput<typeof FeeTable>

const publishedAmount = v.nullable(AnswerMoney)
/** The answered table; the rule for every other currency has no amounts. */
export const Fees = model(
  'FeeTable',
  {
    ...FeeTable.entries,
    payments: describe(
      v.array(
        model('PaymentFee', {
          rail: v.picklist(PARTNER_RAILS),
          currency: describe(nullableText, 'Deducted currency; null for every one that has no rule of its own.'),
          name: v.string(),
          fixed: describe(publishedAmount, 'Fixed part of the fee.'),
          basis_points: describe(integer, 'Hundredths of a percent.'),
          min: describe(publishedAmount, 'Least fee.'),
          max: describe(publishedAmount, 'Largest fee.'),
        }),
      ),
      'Fees of payments.',
    ),
  },
  { arrival: 'Times until a payment arrives.' },
)
export type Fees = v.InferOutput<typeof Fees>

/** Converts the amounts of the table to Money. */
export const toFees = ({ payments, ...table }: FeeTable): Fees => ({
  ...table,
  payments: payments.map(({ fixed, min, max, ...rule }) => {
    const { currency } = rule
    const money = (text: string | null) => (currency === null || text === null ? null : moneyOf(text, currency))
    return { ...rule, fixed: money(fixed), min: money(min), max: money(max) }
  }),
})
type Rule = FeeTable['payments'][number]

const rule = (rail: Rule['rail'], currency: string | null, fee: Partial<Rule>): Rule => ({
  rail,
  currency,
  name: rail === 'fiat' ? 'Bank transfer' : 'Network',
  fixed: '0',
  basis_points: 0,
  min: '0',
  max: null,
  ...fee,
})

export const DEFAULT_FEES: FeeTable = {
  payments: [
    rule('fiat', 'EUR', { fixed: '0.20' }),
    rule('fiat', 'USD', { fixed: '0.50', basis_points: 5, max: '25.00' }),
    rule('fiat', 'GBP', { fixed: '0.20' }),
    rule('fiat', null, { basis_points: 10 }),
    rule('crypto', 'USDC', { fixed: '1.00' }),
    rule('crypto', 'USDT', { fixed: '1.00' }),
    rule('crypto', 'BTC', { fixed: '0.00005' }),
    rule('crypto', 'ETH', { fixed: '0.0005' }),
    rule('crypto', null, { basis_points: 10 }),
  ],
  exchange: { basis_points: 40 },
  arrival: { svc_id: { minutes: 0 }, crypto: { minutes: 10 }, fiat: { business_days: 1 } },
}

/** Parses a table from JSON. Throws with every fault. */
export function parseFees(text: string): FeeTable {
  const parsed = v.safeParse(FeeTable, JSON.parse(text))
  if (parsed.success) return parsed.output
  throw new Error(parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'table'}: ${issue.message}`).join('; '))
}

/** A named charge, in the deducting currency and part of the deducting amount. */
export type Fee = { readonly name: string; readonly amount: Money }

const ruleFor = ({ payments }: FeeTable, rail: Rail, currency: string): Rule | undefined => {
  const rules = payments.filter((one) => one.rail === rail)
  return rules.find((one) => one.currency === currency) ?? rules.find((one) => one.currency === null)
}

/** Converts a rule to minor units of a currency. */
function inMinor(found: Rule, currency: string) {
  const minor = (value: string) => toMinor({ amount: value, currency })
  const { fixed, min, max, basis_points: points } = found
  return { fixed: minor(fixed), min: minor(min), max: max === null ? null : minor(max), points: BigInt(points) }
}

/** Computes the fees of a deducted amount: fixed and proportional, rounded up, not below min, not above max. */
export function feesOf(table: FeeTable, rail: Rail, deducting: Money): Fee[] {
  const found = ruleFor(table, rail, deducting.currency)
  if (!found) return []
  const { fixed, min, max, points } = inMinor(found, deducting.currency)
  const charged = fixed + ceilDivide(toMinor(deducting) * points, BASIS_POINTS)
  const least = charged < min ? min : charged
  const fee = max !== null && least > max ? max : least
  return fee === 0n ? [] : [{ name: found.name, amount: fromMinor(fee, deducting.currency) }]
}

/** Computes the least amount to deduct so that exactly `net` is left after its fees. */
export function deductingFor(table: FeeTable, rail: Rail, net: Money): Money {
  const found = ruleFor(table, rail, net.currency)
  if (!found) return net
  const { fixed, min, max, points } = inMinor(found, net.currency)
  const wanted = toMinor(net)
  // with each unit deducted more, what is left grows by one or not at all: the least that reaches it is exact
  const proportional = ceilDivide((wanted + fixed) * BASIS_POINTS, BASIS_POINTS - points)
  const least = proportional < wanted + min ? wanted + min : proportional
  return fromMinor(max !== null && least > wanted + max ? wanted + max : least, net.currency)
}

const ceilDivide = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor
