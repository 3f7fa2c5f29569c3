/** Limits that add up: which rules of the policy are reached by what was requested in a period, and this request. */
import { type AppliedRule, type Rule } from '../approvals/policy.ts'
import { isUnpegged } from '../approvals/matching.ts'
import type { ActionType } from '../approvals/approval.ts'
import type { Step } from '../approvals/requirements.ts'
import { canonicalJson } from '../canonical.ts'
import { type Decimal, compareDecimals, decimalOf, tenTo } from '../money/decimal.ts'
import { type Money, decimalsOf, fromMinor } from '../money/money.ts'
import { PER, PERIODS, type LimitStanding, type Per, type Period, type ReachedLimit } from '../period.ts'

/** Rule that compares a sum over a period. */
export type Limit = Rule & { readonly period: Period; readonly per: Per; readonly amount_from: string }

export const isLimit = (rule: Rule): rule is Limit =>
  rule.period !== undefined && rule.per !== undefined && rule.amount_from !== null

/** Value of one unit in US dollars, and its day. */
export type DailyRate = { readonly usd: string; readonly day: string }
export type DailyRates = ReadonlyMap<string, DailyRate>

/** Amounts of one person, payee or organization in a period: requested before, and asked for now. */
export type Sums = { readonly before: readonly Money[]; readonly asked: readonly Money[] }

/** Sums by period and kind (of a batch for each payee), ends of periods, and rates. */
export type CountedSums = {
  readonly sumsOf: (period: Period, per: Per) => readonly Sums[]
  readonly endOf: (period: Period) => string
  readonly rates: DailyRates
}

/**
 * Lists the limits that bind an action. Where it has none of its own over a period and per something, those of other
 * actions bind it, so that nothing gets around them by another way to pay. Only a hard one stands for a hard one.
 */
export function limitsOn(rules: readonly Rule[], action: ActionType): Limit[] {
  const limits = rules.filter(isLimit)
  const scopeOf = ({ period, per, hard = false }: Limit) => `${period} ${per} ${hard}`
  const own = new Set(limits.filter(({ action_type: type }) => type === action).map(scopeOf))
  return limits.filter((limit) => limit.action_type === action || !own.has(scopeOf(limit)))
}

/** Limit with its sum. */
export type Measurement = LimitStanding & { readonly rule: Limit; readonly total: Money }

/**
 * Measures the limits for what is asked. One without a currency counts in each currency that is asked for, and by its
 * highest sum. Without a rate for a currency, the limit counts as reached.
 */
export function measure(limits: readonly Limit[], asked: readonly Money[], counted: CountedSums): Measurement[] {
  return limits.flatMap((limit) => {
    const units = limit.currency === null ? [...new Set(asked.map(({ currency }) => currency))] : [limit.currency]
    const all = units.flatMap((unit) =>
      counted.sumsOf(limit.period, limit.per).map((sums) => measureOne(limit, unit, sums, counted)),
    )
    const [highest] = all.sort(
      (a, b) => Number(b.reached) - Number(a.reached) || compareDecimals(b.total.amount, a.total.amount),
    )
    return highest ? [highest] : []
  })
}

function measureOne(limit: Limit, unit: string, { before, asked }: Sums, { rates, endOf }: CountedSums) {
  const { amount_from: from, period, per, hard = false } = limit
  const [used, total] = [convert(before, unit, rates), convert([...before, ...asked], unit, rates)]
  const without = total.without
  const isWorthless = limit.currency === null && isUnpegged(unit) && asked.length > 0
  const left = roundToMinor(subtractDecimal(from, used.money.amount), unit, 'down')
  return {
    rule: limit,
    period,
    per,
    limit: { amount: from, currency: unit },
    used: used.money,
    left: fromMinor(left > 0n ? left : 0n, unit),
    total: total.money,
    hard,
    reached: isWorthless || without.length > 0 || compareDecimals(total.money.amount, from) >= 0,
    resets_at: endOf(period),
    rate_date: total.day,
    without_rate: without,
  }
}

type Conversion = { readonly money: Money; readonly day: string | null; readonly without: string[] }

/** Adds amounts in one currency, rounded up to its smallest unit; answers the oldest day of the rates. */
function convert(amounts: readonly Money[], unit: string, rates: DailyRates): Conversion {
  const own = amounts.filter(({ currency }) => currency === unit)
  const others = amounts.filter(({ currency, amount }) => currency !== unit && compareDecimals(amount, '0') !== 0)
  const sum = own.reduce((minor, { amount }) => minor + roundToMinor(decimalOf(amount), unit, 'up'), 0n)
  if (others.length === 0) return { money: fromMinor(sum, unit), day: null, without: [] }
  const codes = [...new Set([unit, ...others.map(({ currency }) => currency)])]
  const without = codes.filter((code) => rateOf(code, rates) === undefined).toSorted()
  const target = rateOf(unit, rates)
  const worth = target ? others.reduce((total, money) => total + worthIn(money, unit, target, rates), 0n) : 0n
  const days = codes.flatMap((code) => (code === 'USD' ? [] : (rates.get(code)?.day ?? []))).toSorted()
  return { money: fromMinor(sum + worth, unit), day: days[0] ?? null, without }
}

const rateOf = (code: string, rates: DailyRates): Decimal | undefined => {
  const usd = code === 'USD' ? '1' : rates.get(code)?.usd
  return usd === undefined ? undefined : decimalOf(usd)
}

/** Converts to minor units of another currency, rounded up; nothing without a rate. */
function worthIn({ amount, currency }: Money, unit: string, target: Decimal, rates: DailyRates): bigint {
  const source = rateOf(currency, rates)
  if (!source) return 0n
  const value = decimalOf(amount)
  const numerator = value.digits * source.digits * tenTo(target.scale + decimalsOf(unit))
  const denominator = target.digits * tenTo(value.scale + source.scale)
  return divide(numerator, denominator, 'up')
}

/** Rounds an amount to the smallest unit of a currency. */
const roundToMinor = ({ digits, scale }: Decimal, unit: string, how: 'up' | 'down'): bigint =>
  divide(digits * tenTo(decimalsOf(unit)), tenTo(scale), how)

/** Divides whole numbers towards the larger or the smaller one; the denominator is positive. */
function divide(numerator: bigint, denominator: bigint, how: 'up' | 'down'): bigint {
  const quotient = numerator / denominator
  const rest = numerator % denominator
  if (how === 'up') return rest > 0n ? quotient + 1n : quotient
  return rest < 0n ? quotient - 1n : quotient
}

function subtractDecimal(a: string, b: string): Decimal {
  const [x, y] = [decimalOf(a), decimalOf(b)]
  return { digits: x.digits * tenTo(y.scale) - y.digits * tenTo(x.scale), scale: x.scale + y.scale }
}

/** Picks the hard limits that are reached, in the order of their periods. */
export const hardOnes = (measured: readonly Measurement[]): Measurement[] =>
  measured.filter(({ reached, hard }) => reached && hard).toSorted(inOrder)

/** Picks the limits that ask for people: of each period, per and currency the highest that is reached. */
export function softOnes(measured: readonly Measurement[]): Measurement[] {
  const highest = new Map<string, Measurement>()
  for (const one of measured) {
    if (!one.reached || one.hard) continue
    const scope = [one.period, one.per, one.rule.currency].join(' ')
    const before = highest.get(scope)
    if (!before || compareDecimals(one.rule.amount_from, before.rule.amount_from) > 0) highest.set(scope, one)
  }
  return [...highest.values()].toSorted(inOrder)
}

const inOrder = (a: Measurement, b: Measurement): number =>
  PERIODS.indexOf(a.period) - PERIODS.indexOf(b.period) || PER.indexOf(a.per) - PER.indexOf(b.per)

/**
 * Merges the rule of the amount with those of conditions and of reached limits. It has the steps of all in their order,
 * self-approval only if all permit it, and the earliest expiry.
 */
export function mergeRules(rule: Rule, reached: readonly Measurement[], routed: readonly Rule[] = []): AppliedRule {
  if (reached.length + routed.length === 0) return rule
  const all = [rule, ...routed, ...reached.map((one) => one.rule)]
  const { delegate_self_approval: _, ...own } = rule
  return {
    ...own,
    steps: all.map(({ steps }) => steps).reduce(appendSteps),
    self_approval: all.every(({ self_approval: self }) => self),
    ...(all.every(({ delegate_self_approval: self }) => self) && { delegate_self_approval: true }),
    expires_after_hours: Math.min(...all.map(({ expires_after_hours: hours }) => hours)),
    ...(reached.length > 0 && { limits: reached.map(toReached) }),
    ...(routed.length > 0 && { isRouted: true }),
    ...(all.some(({ require }) => require) && { require: [...new Set(all.flatMap(({ require = [] }) => require))] }),
  }
}

/** Appends steps. One with the approvers of a step before is met by the larger number of them. */
function appendSteps(steps: Rule['steps'], more: Rule['steps']): Rule['steps'] {
  const merged = [...steps]
  const taken = new Set<number>()
  for (const step of more) {
    const at = steps.findIndex((other, index) => !taken.has(index) && approversOf(other) === approversOf(step))
    const before = steps[at]
    if (!before) merged.push(step)
    else merged[at] = { ...before, required: Math.max(before.required, step.required) }
    taken.add(at)
  }
  return merged
}

const approversOf = ({ roles, user_ids }: Step): string =>
  canonicalJson({ roles: roles.toSorted(), user_ids: user_ids.toSorted() })

/** Drops the standing of a limit before its request. */
const toReached = ({ period, per, limit, total, rate_date, without_rate }: Measurement): ReachedLimit => ({
  period,
  per,
  limit,
  total,
  rate_date,
  without_rate,
})

/** Drops what is not answered. */
export function toStanding(measured: Measurement): LimitStanding {
  const { rule: _, total: __, ...standing } = measured
  return standing
}
