/** Approval policies: an organization's rules, and the one that applies to a request. */
import * as v from 'valibot'
import { ACTION_TYPES, actionOf } from './approval.ts'
import { type Policy, type Reviewer, isSatisfiable, initialRequirements } from './requirements.ts'
import { LimitStanding, type ReachedLimit, limitMembers } from '../period.ts'
import { isCurrency } from '../money/currencies.ts'
import { canonicalJson } from '../canonical.ts'
import { distinct } from '../distinct.ts'
import { AnsweredConditions, Conditions, ORIGINS } from './routing.ts'
import { newLabels } from '../coding/label.ts'
import { type UserId, id } from '../ids.ts'
import { Money } from '../money/money.ts'
import { amountFilter } from '../pagination.ts'
import { ROLES, can } from '../permissions.ts'
import { model, integer, nullableText, timestamp, uuid, describe } from '../text.ts'

const RULES_MAX = 100
const STEPS_MAX = 5
const REQUIRED_MAX = 5
const NAMED_MAX = 50
const EXPIRY_HOURS_MAX = 24 * 365

const roles = v.pipe(
  v.array(v.picklist(ROLES)),
  v.maxLength(ROLES.length),
  distinct((role) => role),
)
const people = v.pipe(
  v.array(id<'user'>()),
  v.maxLength(NAMED_MAX),
  distinct((userId) => userId),
)

const Step = v.pipe(
  v.object({
    required: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(REQUIRED_MAX)),
    roles: v.optional(roles, []),
    user_ids: v.optional(people, []),
  }),
  v.check((step) => step.roles.length + step.user_ids.length > 0, 'names_nobody'),
  v.title('NewApprovalStep'),
)

const Currency = v.pipe(
  v.string(),
  v.check((code) => isCurrency(code), 'unknown_currency'),
)

/** Fields of coding that a rule may require. */
const REQUIRED_FIELDS = ['account_code'] as const

const required = v.pipe(
  v.array(v.picklist(REQUIRED_FIELDS)),
  v.minLength(1),
  distinct((field) => field),
)
const REQUIRES = 'Coding that each line of a bill needs before its payment is asked for.'

const RuleFields = model('NewApprovalRuleFields', {
  action_type: v.picklist(ACTION_TYPES),
  currency: describe(v.optional(v.nullable(Currency), null), 'Currency that the rule is for; absent: every one.'),
  amount_from: describe(
    v.optional(v.nullable(amountFilter), null),
    'Compared as a number. Without a currency, any amount of a coin that is not pegged to one (BTC, ETH) reaches it.',
  ),
  ...limitMembers,
  steps: v.pipe(v.array(Step), v.maxLength(STEPS_MAX)),
  self_approval: v.boolean(),
  delegate_self_approval: v.optional(v.boolean()),
  expires_after_hours: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(EXPIRY_HOURS_MAX)),
  when: describe(
    v.optional(Conditions),
    'Conditions of a rule that adds its steps to those of the rule for the amount.',
  ),
  require: describe(v.optional(required), REQUIRES),
})
/** Rule: its scope, the steps in their order, self-approval by the requester, and its expiry. */
export type Rule = v.InferOutput<typeof RuleFields>

/** Rule that an approval copies, with what else asked for its steps. */
export type AppliedRule = Rule & {
  readonly limits?: readonly ReachedLimit[]
  /** True if rules with conditions added steps. */
  readonly isRouted?: boolean
}

/** Refuses the field at its own path if the action has no amount. */
const onlyWithAmount = (field: 'currency' | 'amount_from') =>
  v.forward(
    v.check<Rule, 'without_amount'>(
      (rule) => rule[field] === null || actionOf(rule.action_type).hasAmount,
      'without_amount',
    ),
    [field],
  )

/** Refuses a rule at the path of a member unless it passes. */
const only = (field: keyof Rule, code: string, passes: (rule: Rule) => boolean) =>
  v.forward(v.check<Rule, string>(passes, code), [field])

const Rule = v.pipe(
  RuleFields,
  onlyWithAmount('currency'),
  onlyWithAmount('amount_from'),
  only('per', 'beside_period', ({ period, per }) => period === undefined || per !== undefined),
  only('period', 'beside_per', ({ period, per }) => per === undefined || period !== undefined),
  only('period', 'not_money_out', ({ period, action_type }) => !period || actionOf(action_type).paysOut === true),
  only('amount_from', 'limit_without_amount', ({ period, amount_from: from }) => !period || from !== null),
  only('when', 'not_money_out', ({ when, action_type }) => !when || actionOf(action_type).paysOut === true),
  only('when', 'with_period', ({ when, period }) => !when || period === undefined),
  only('require', 'not_money_out', ({ require, action_type }) => !require || actionOf(action_type).paysOut === true),
  only('require', 'with_period', ({ require, period }) => !require || period === undefined),
  only('hard', 'only_with_period', ({ period, hard }) => hard === undefined || period !== undefined),
  only('steps', 'hard_with_steps', ({ hard, steps }) => hard !== true || steps.length === 0),
  // also said beside other faults
  v.forward(
    v.partialCheck([['hard'], ['steps']], ({ hard, steps }) => hard === true || steps.length > 0, 'min_length:1'),
    ['steps'],
  ),
  v.title('NewApprovalRule'),
)

/** Writes the scope of a rule as text: no amount and from zero are the same. */
const scopeOf = ({ action_type: action, currency, amount_from: from, period, per, when }: Rule): string =>
  [action, currency ?? '', canonicalDecimal(from ?? '0'), period ?? '', per ?? '', canonicalJson(when ?? null)].join(
    '|',
  )

/** All rules of a policy, without two of the same scope. */
const Rules = v.pipe(v.array(Rule), v.maxLength(RULES_MAX), distinct(scopeOf))

/** Body of PUT …/approval-policy: all rules at once. */
export const PolicyRules = model('NewApprovalPolicy', {
  rules: Rules,
  version: describe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    'Version that must be in force; absent: any.',
  ),
})
export type PolicyRules = v.InferOutput<typeof PolicyRules>

const AnswerStep = model('ApprovalRuleStep', {
  required: integer,
  roles: v.array(v.picklist(ROLES)),
  user_ids: v.array(uuid),
})
const AnswerRule = model('ApprovalRule', {
  action_type: v.picklist(ACTION_TYPES),
  currency: describe(nullableText, 'Currency that the rule is for; null: every one.'),
  amount_from: describe(nullableText, 'Amount from which the rule holds; null: any amount.'),
  ...limitMembers,
  steps: v.array(AnswerStep),
  self_approval: v.boolean(),
  delegate_self_approval: v.optional(v.boolean()),
  expires_after_hours: integer,
  when: describe(
    v.optional(AnsweredConditions),
    'Conditions of a rule that adds its steps to those of the rule for the amount.',
  ),
  require: describe(v.optional(v.array(v.picklist(REQUIRED_FIELDS))), REQUIRES),
})

/** Policy as an answer; without an `updated_at` it is the default of every organization. */
export const ApprovalPolicy = model('ApprovalPolicy', {
  rules: v.array(AnswerRule),
  defaults: describe(v.array(AnswerRule), 'Rules that hold where `rules` has none.'),
  version: describe(integer, 'Version of the policy; 0 before the first change.'),
  updated_at: v.nullable(timestamp),
  updated_by: describe(v.nullable(uuid), 'Id of the person who changed it last.'),
})
export type ApprovalPolicy = v.InferOutput<typeof ApprovalPolicy>

export const Evaluation = model('PolicyEvaluationRequest', {
  action_type: v.picklist(ACTION_TYPES),
  amount: describe(v.optional(v.nullable(Money)), 'Amount of the request; absent or null where it has none.'),
  payment_contact_id: describe(
    v.optional(v.nullable(id<'payment_contact'>())),
    'Contact to pay; limits of payees need it.',
  ),
  requested_by: describe(v.optional(v.nullable(id<'user'>())), 'Requester; absent or null: the caller.'),
  origin: describe(
    v.optional(v.nullable(v.picklist(ORIGINS))),
    'Way by which it is asked for; absent or null: this one.',
  ),
  labels: describe(v.optional(newLabels), 'Labels of the payment.'),
  bill_id: describe(v.optional(v.nullable(id<'bill'>())), 'Bill that is paid: its labels and accounts are compared.'),
  rules: describe(v.optional(v.nullable(Rules)), 'Rules to try; absent or null: those in force.'),
})
export type Evaluation = v.InferOutput<typeof Evaluation>

/** Approvers of a request, and if the present members could meet all steps; no rule if it needs none. */
export const PolicyResult = model('PolicyEvaluation', {
  rule: describe(v.nullable(AnswerRule), 'Rule that applies; null if no approval is needed.'),
  routed: describe(
    v.array(
      model('RoutedRule', {
        rule: describe(integer, 'Index among all rules.'),
        conditions: describe(v.array(v.string()), 'Names of its conditions, which the request meets.'),
      }),
    ),
    'Rules with conditions that add their steps.',
  ),
  can_be_met: describe(v.boolean(), 'False if too few people could approve.'),
  uncoded_lines: describe(
    v.array(integer),
    'Lines of the bill that lack what the rule requires: asking for its payment would be refused.',
  ),
  steps: v.array(
    model('PolicyEvaluationStep', {
      required: integer,
      approvers: v.array(
        model('PolicyEvaluationApprover', {
          id: uuid,
          name: nullableText,
          on_behalf_of: describe(
            v.nullable(uuid),
            'Id of the member whose substitute the person is; null in their own role.',
          ),
        }),
      ),
    }),
  ),
  limits: describe(v.array(LimitStanding), 'Limits for such a request, as they stand.'),
  unmeetable: describe(
    v.nullable(
      model('UnmeetableStep', {
        rule: describe(integer, 'Index among all rules.'),
        step: describe(integer, 'Index of its first failing step.'),
      }),
    ),
    'First rule that too few members can meet.',
  ),
})
export type PolicyResult = v.InferOutput<typeof PolicyResult>

/** Rules of an organization without its own: one approver for each action that waits by default. */
export const DEFAULT_RULES: readonly Rule[] = ACTION_TYPES.filter((type) => actionOf(type).waitsByDefault).map(
  (type) => ({
    action_type: type,
    currency: null,
    amount_from: null,
    steps: [{ required: 1, roles: ['owner', 'admin'], user_ids: [] }],
    self_approval: true,
    expires_after_hours: 30 * 24,
  }),
)

/** Drops trailing zeros: `10.50` and `10.5` are one amount. */
const canonicalDecimal = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/\.0+$|(?<!0)0+$/, '') : decimal

/** Copies the part of a rule that an approval keeps. */
export const policyOf = ({ steps, self_approval, expires_after_hours, limits }: AppliedRule): Policy => ({
  steps,
  self_approval,
  expires_after_hours,
  ...(limits && { limits }),
})

/** Bars the people of delegates from their requests, unless the rule permits it. */
export const barPeople = (rule: Rule, people: readonly UserId[]): readonly UserId[] =>
  rule.delegate_self_approval ? [] : people

/** Finds the first rule that these people cannot meet, and its first failing step. */
export function findUnmeetable(
  rules: readonly Rule[],
  people: readonly Reviewer[],
): { readonly rule: number; readonly step: number } | null {
  for (const [index, rule] of rules.entries()) {
    if (isMeetable(rule, people)) continue
    const upTo = rule.steps.findIndex(
      (_, step) => !isMeetable({ ...rule, steps: rule.steps.slice(0, step + 1) }, people),
    )
    return { rule: index, step: upTo }
  }
  return null
}

/** Tells if one of these people may ask for it and have it approved. */
function isMeetable(rule: Rule, people: readonly Reviewer[]): boolean {
  const { permissions } = actionOf(rule.action_type)
  const requesters = people.filter((person) => permissions.some((permission) => can(person, permission)))
  const places = rule.steps.reduce((sum, { required }) => sum + required, 0)
  const policy = policyOf(rule)
  // with more requesters than places, one of them is no approver and may ask: no requester has to be excluded
  if (policy.self_approval || requesters.length > places) {
    const wait = initialRequirements({ ...policy, self_approval: true }, '' as UserId)
    return requesters.length > 0 && isSatisfiable(wait, people)
  }
  // ids of members
  return requesters.some(({ userId }) => isSatisfiable(initialRequirements(policy, userId as UserId), people))
}
