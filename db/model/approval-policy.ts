/** Approval policies: an organization's rules, and which of them applies to what is asked for. */
import * as v from 'valibot'
import { ACTION_TYPES, type ActionType } from './approval.ts'
import type { Policy } from './consensus.ts'
import { id } from './ids.ts'
import { Money } from './money.ts'
import { amountFilter } from './page.ts'
import { ROLES } from './permissions.ts'
import { nullableText, timestamp, uuid } from './text.ts'

const RULES_MAX = 100
const STEPS_MAX = 5
const REQUIRED_MAX = 5
const NAMED_MAX = 50
const EXPIRY_HOURS_MAX = 24 * 365

/** The actions that an amount comes with: only their rules can depend on one. */
const MONEY_ACTIONS: readonly ActionType[] = ['withdrawal', 'billing_invoice', 'payment_batch']

/** Whether no two of them are the same. */
const distinct = (values: string[]): boolean => new Set(values).size === values.length

const Step = v.pipe(
  v.object({
    required: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(REQUIRED_MAX)),
    roles: v.optional(
      v.pipe(
        v.array(v.picklist(ROLES)),
        v.maxLength(ROLES.length),
        v.check((list) => distinct(list), 'duplicate'),
      ),
      [],
    ),
    user_ids: v.optional(
      v.pipe(
        v.array(id<'user'>()),
        v.maxLength(NAMED_MAX),
        v.check((list) => distinct(list), 'duplicate'),
      ),
      [],
    ),
  }),
  v.check(({ roles, user_ids: people }) => roles.length + people.length > 0, 'names_nobody'),
)

const Rule = v.pipe(
  v.object({
    action_type: v.picklist(ACTION_TYPES),
    currency: v.optional(v.nullable(v.pipe(v.string(), v.regex(/^[A-Z]{3,16}$/, 'must be a currency'))), null),
    amount_from: v.optional(v.nullable(amountFilter), null),
    steps: v.pipe(v.array(Step), v.minLength(1), v.maxLength(STEPS_MAX)),
    self_approval: v.boolean(),
    expires_after_hours: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(EXPIRY_HOURS_MAX)),
  }),
  v.check(
    (rule) => MONEY_ACTIONS.includes(rule.action_type) || (rule.currency === null && rule.amount_from === null),
    'without_amount',
  ),
)
/** A rule: what it applies to, who approves in which order, whether the requester may, and for how long it waits. */
export type Rule = v.InferOutput<typeof Rule>

const scopeOf = ({ action_type: action, currency, amount_from: from }: Rule): string =>
  [action, currency ?? '', from === null ? '' : canonicalDecimal(from)].join('|')

/** Body of PUT …/approval-policy: all rules at once; no two of them for the same. */
export const PolicyRules = v.object({
  rules: v.pipe(
    v.array(Rule),
    v.maxLength(RULES_MAX),
    v.check((rules) => distinct(rules.map(scopeOf)), 'duplicate'),
  ),
})

const AnswerStep = v.object({ required: v.number(), roles: v.array(v.picklist(ROLES)), user_ids: v.array(uuid) })
const AnswerRule = v.object({
  action_type: v.picklist(ACTION_TYPES),
  currency: nullableText,
  amount_from: nullableText,
  steps: v.array(AnswerStep),
  self_approval: v.boolean(),
  expires_after_hours: v.number(),
})

/** The policy as it is answered; without an `updated_at` it is the one that every organization begins with. */
export const ApprovalPolicy = v.object({
  rules: v.array(AnswerRule),
  version: v.number(),
  updated_at: v.nullable(timestamp),
  updated_by: v.nullable(uuid),
})
export type ApprovalPolicy = v.InferOutput<typeof ApprovalPolicy>

/** Body of POST …/approval-policy/evaluate. */
export const Evaluation = v.object({ action_type: v.picklist(ACTION_TYPES), amount: v.optional(v.nullable(Money)) })

/** Who would have to approve; no rule and no steps where nobody would. */
export const Evaluated = v.object({
  rule: v.nullable(AnswerRule),
  steps: v.array(v.object({ required: v.number(), approvers: v.array(v.object({ id: uuid, name: nullableText })) })),
})
export type Evaluated = v.InferOutput<typeof Evaluated>

const DEFAULT: Omit<Rule, 'action_type'> = {
  currency: null,
  amount_from: null,
  steps: [{ required: 1, roles: ['owner', 'admin'], user_ids: [] }],
  self_approval: true,
  expires_after_hours: 30 * 24,
}

/** What applies where no rule of the organization does: money waits for one approver, everything else for nobody. */
export const DEFAULT_RULES: readonly Rule[] = [
  { action_type: 'withdrawal', ...DEFAULT },
  { action_type: 'payment_batch', ...DEFAULT },
]

/** What is asked for; without an amount only rules without one apply. */
export type Asked = { readonly action_type: ActionType; readonly amount?: { amount: string; currency: string } | null }

/**
 * The rule that applies: of those that match, the one with the highest `amount_from`, and of two alike the one that names
 * the currency; the default where none matches, and null where nobody has to approve.
 */
export function ruleFor(rules: readonly Rule[], asked: Asked): Rule | null {
  const best = rules.filter((rule) => matches(rule, asked)).sort(moreSpecificFirst)[0]
  return best ?? DEFAULT_RULES.find((rule) => rule.action_type === asked.action_type) ?? null
}

function matches(rule: Rule, { action_type: action, amount: money }: Asked): boolean {
  if (rule.action_type !== action) return false
  if (rule.currency !== null && rule.currency !== money?.currency) return false
  return rule.amount_from === null || (money != null && compareDecimals(money.amount, rule.amount_from) >= 0)
}

function moreSpecificFirst(a: Rule, b: Rule): number {
  const byAmount = compareDecimals(b.amount_from ?? '0', a.amount_from ?? '0')
  if (byAmount !== 0) return byAmount
  const [currencies, amounts] = [
    (rule: Rule) => Number(rule.currency !== null),
    (rule: Rule) => Number(rule.amount_from !== null),
  ]
  return currencies(b) - currencies(a) || amounts(b) - amounts(a)
}

/** Compares plain decimals of any length exactly. */
function compareDecimals(a: string, b: string): number {
  const [x, y] = [a.split('.'), b.split('.')]
  const [wholeX = '', wholeY = ''] = [x[0], y[0]]
  if (wholeX.length !== wholeY.length) return wholeX.length - wholeY.length
  const length = Math.max(x[1]?.length ?? 0, y[1]?.length ?? 0)
  const [left, right] = [wholeX + (x[1] ?? '').padEnd(length, '0'), wholeY + (y[1] ?? '').padEnd(length, '0')]
  return left === right ? 0 : left < right ? -1 : 1
}

/** `10.50` and `10.5` are one amount. */
const canonicalDecimal = (decimal: string): string => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)

/** What an approval keeps of the rule that applied. */
export const policyOf = ({ steps, self_approval, expires_after_hours }: Rule): Policy => ({
  steps,
  self_approval,
  expires_after_hours,
})
