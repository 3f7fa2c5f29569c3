/** Rules that apply to a request: the most specific one for its amount, and those whose conditions it meets. */
import type { ActionType } from './approval.ts'
import { DEFAULT_RULES, type Rule } from './policy.ts'
import { type RequestFacts, meets } from './routing.ts'
import { isCoin } from '../money/currencies.ts'
import { compareDecimals } from '../money/decimal.ts'

/** Request; without an amount only rules without one apply. */
export type PolicyQuestion = {
  readonly action_type: ActionType
  readonly amount?: { amount: string; currency: string } | null
}

/** Finds the most specific rule of one amount without conditions, or the default one; null if no approval is needed. */
export function ruleFor(rules: readonly Rule[], asked: PolicyQuestion): Rule | null {
  const best = rules.filter((rule) => !rule.when && matches(rule, asked)).sort(moreSpecificFirst)[0]
  return best ?? DEFAULT_RULES.find((rule) => rule.action_type === asked.action_type) ?? null
}

/** Finds the most specific rule for several amounts; of those for other currencies the strictest. */
export function highestRuleFor(
  rules: readonly Rule[],
  action_type: ActionType,
  amounts: readonly { amount: string; currency: string }[],
): Rule | null {
  const applying = amounts.flatMap((amount) => ruleFor(rules, { action_type, amount }) ?? []).sort(moreSpecificFirst)
  const byCurrency = new Map(applying.toReversed().map((rule) => [rule.currency, rule]))
  return [...byCurrency.values()].sort(stricterFirst)[0] ?? null
}

/** Lists the rules with conditions that a request of these amounts meets, in their order. */
export const routedRules = (
  rules: readonly Rule[],
  action_type: ActionType,
  amounts: readonly { amount: string; currency: string }[],
  facts: RequestFacts,
): Rule[] =>
  rules.filter(
    (rule) => rule.when && amounts.some((amount) => matches(rule, { action_type, amount })) && meets(rule, facts),
  )

/** Sorts by the number of approvals; at equal numbers, a rule without self-approval is stricter. */
const stricterFirst = (a: Rule, b: Rule): number =>
  approvalsOf(b) - approvalsOf(a) || Number(a.self_approval) - Number(b.self_approval) || moreSpecificFirst(a, b)
const approvalsOf = ({ steps }: Rule): number => steps.reduce((sum, { required }) => sum + required, 0)

function matches(rule: Rule, { action_type: action, amount: money }: PolicyQuestion) {
  const { action_type, currency, amount_from: from, period } = rule
  if (action_type !== action || period !== undefined) return false
  if (currency !== null && currency !== money?.currency) return false
  if (from === null) return true
  if (!money) return false
  return (currency === null && isUnpegged(money.currency)) || compareDecimals(money.amount, from) >= 0
}

const PEGGED_COINS: ReadonlySet<string> = new Set(['USDC', 'USDT'])
/** Tells if the coin has no fixed worth: any amount of it reaches every threshold without a currency. */
export const isUnpegged = (currency: string): boolean => isCoin(currency) && !PEGGED_COINS.has(currency)

/** Sorts by the highest `amount_from`; at equal amounts, a rule with a currency is more specific. */
function moreSpecificFirst(a: Rule, b: Rule): number {
  const byAmount = compareDecimals(b.amount_from ?? '0', a.amount_from ?? '0')
  const byCurrency = Number(b.currency !== null) - Number(a.currency !== null)
  return byAmount || byCurrency || Number(b.amount_from !== null) - Number(a.amount_from !== null)
}
