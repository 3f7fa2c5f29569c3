/** Rehearsal of a policy: what other rules would have asked for the requests of a span. */
import * as v from 'valibot'
import type { ActionType } from '../approvals/approval.ts'
import { actionOf, sumsOf } from '../approvals/approval.ts'
import { highestRuleFor, routedRules, ruleFor } from '../approvals/matching.ts'
import { type AppliedRule, PolicyRules, type Rule, barPeople, policyOf } from '../approvals/policy.ts'
import { type ApprovalRequirements, type Policy, type Reviewer } from '../approvals/requirements.ts'
import { findCapacities, initialRequirements, isSatisfiable } from '../approvals/requirements.ts'
import type { RequestFacts } from '../approvals/routing.ts'
import { canonicalJson } from '../canonical.ts'
import { DAY_MS } from '../instants.ts'
import { endsWithin, moment } from '../pagination.ts'
import type { UserId } from '../ids.ts'
import { type DailyRates, type Sums, hardOnes, limitsOn, measure, mergeRules, softOnes } from './limits.ts'
import { type Money, addTo } from '../money/money.ts'
import type { Per, Period } from '../period.ts'
import { AnswerMoney, describe, integer, model, nullableText, object, timestamp, uuid } from '../text.ts'

export const REHEARSAL_DAYS_MAX = 366
const EXAMPLES_MAX = 100

/** Body of POST …/approval-policy/rehearse. */
export const NewRehearsal = v.pipe(
  object({
    rules: describe(PolicyRules.entries.rules, 'Rules to rehearse.'),
    from: describe(moment, 'Instant of the first requests.'),
    to: describe(moment, 'Instant before which the last ones were made: at most 366 days after `from`.'),
  }),
  endsWithin('to', REHEARSAL_DAYS_MAX),
  v.title('NewPolicyRehearsal'),
)
export type NewRehearsal = v.InferOutput<typeof NewRehearsal>

/** Outcomes of a request, beside what was asked for it then. */
export const OUTCOMES = ['unchanged', 'stricter', 'weaker', 'other', 'no_approval', 'unmeetable', 'refused'] as const
type Outcome = (typeof OUTCOMES)[number]

const Steps = v.array(
  model('PolicyRehearsalStep', { required: integer, roles: v.array(v.string()), user_ids: v.array(uuid) }),
)

export const Rehearsal = model('PolicyRehearsal', {
  requests: describe(integer, 'Number of requests in the span.'),
  outcomes: describe(
    v.array(
      model('PolicyRehearsalOutcome', {
        outcome: describe(
          v.picklist(OUTCOMES),
          '`stricter` and `weaker` by the number of approvals, then by self-approval; `other`: the same number of other ' +
            'people; `unmeetable`: the members of today could not approve it; `refused`: over a hard limit, or of a bill ' +
            'without the coding that a rule requires.',
        ),
        requests: describe(integer, 'Number of requests with this outcome.'),
      }),
    ),
    'Numbers of requests by what would have changed.',
  ),
  rules: describe(
    v.array(
      model('PolicyRehearsalRule', {
        rule: describe(integer, 'Index among the rules.'),
        requests: describe(integer, 'Number of requests for which it asked for steps.'),
      }),
    ),
    'Numbers of requests by rule.',
  ),
  people: describe(
    v.array(
      model('PolicyRehearsalPerson', {
        id: uuid,
        name: nullableText,
        could_approve: describe(integer, 'Number of requests that the member could have approved.'),
        needed: describe(integer, 'Number of requests that could not have been approved without the member.'),
        amounts: describe(v.array(AnswerMoney), 'Sums of what the member could have approved, by currency.'),
      }),
    ),
    'Members of today, and what they could have approved.',
  ),
  examples: describe(
    v.array(
      model('PolicyRehearsalExample', {
        approval_id: uuid,
        requested_at: describe(timestamp, 'Instant of the request.'),
        summary: nullableText,
        outcome: describe(v.picklist(OUTCOMES), 'Outcome of the request under the new rules, against how it ended.'),
        before: describe(Steps, 'Steps that were asked for.'),
        after: describe(Steps, 'Steps that would have been asked for.'),
      }),
    ),
    'First hundred requests with another outcome than `unchanged`, the oldest first.',
  ),
})
export type Rehearsal = v.InferOutput<typeof Rehearsal>

/** Request of the past, with what rules compare. */
export type PastRequest = {
  readonly id: string
  readonly action_type: ActionType
  readonly requested_at: string
  readonly requester_id: UserId
  readonly summary: string | null
  readonly policy: Policy
  /** Amounts that rules compare; none for what has no amount. */
  readonly amounts: readonly Money[]
  /** Amounts that count for limits: of a batch with its fees. */
  readonly asked: readonly Money[]
  readonly facts: RequestFacts
  /** True if it paid a bill that has lines without an account. */
  readonly lacks_coding: boolean
  /** Day in the time zone of the organization. */
  readonly day: string
  /** Account of the payee; null where a request has several, or none. */
  readonly payee: string | null
  /** False for what ended without payment: it counts for no limit of later requests. */
  readonly counts: boolean
}

type Member = Reviewer & { readonly name: string | null }
type Tally = {
  readonly able: readonly string[]
  readonly needed: readonly string[]
  requests: number
  readonly sums: Map<string, Money>
}

/** Rehearses rules request by request, in the order in which they were made. */
export class PolicyRehearsal {
  private readonly used = new Map<string, Map<string, Money>>()
  private readonly outcomes = new Map<Outcome, number>()
  private readonly byRule = new Map<Rule, number>()
  private readonly tallies = new Map<string, Tally>()
  private readonly examples: Rehearsal['examples'] = []
  private requests = 0
  /** Periods and what adds up over them, each once. */
  private readonly scopes: readonly { readonly period: Period; readonly per: Per }[]

  constructor(
    private readonly rules: readonly Rule[],
    private readonly people: readonly Member[],
    private readonly rates: DailyRates,
  ) {
    const scopes = rules.flatMap(({ period, per }) => (period && per ? [{ period, per }] : []))
    this.scopes = [...new Map(scopes.map((scope) => [`${scope.period} ${scope.per}`, scope])).values()]
  }

  /** Adds the next request; one before the span counts for limits alone. */
  add(request: PastRequest, isWithin: boolean): void {
    if (isWithin) this.judge(request)
    if (request.counts) this.count(request)
  }

  private judge(request: PastRequest): void {
    this.requests += 1
    const found = this.ruleOf(request)
    const outcome = found === 'refused' ? found : this.outcomeOf(request, found)
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
    if (outcome === 'unchanged' || this.examples.length >= EXAMPLES_MAX) return
    this.examples.push({
      approval_id: request.id,
      requested_at: request.requested_at,
      summary: request.summary,
      outcome,
      before: stepsOf(request.policy),
      after: found === 'refused' || !found ? [] : stepsOf(found),
    })
  }

  /** Finds the rule that would have applied; null if none, `refused` over a hard limit. */
  private ruleOf(request: PastRequest): AppliedRule | null | 'refused' {
    const { action_type: action, amounts, asked } = request
    const isOfMany = action === 'payment_batch'
    const own = isOfMany
      ? highestRuleFor(this.rules, action, amounts)
      : ruleFor(this.rules, { action_type: action, amount: amounts[0] ?? null })
    if (!own) return null
    const routed = routedRules(this.rules, action, amounts, request.facts)
    const limits = actionOf(action).paysOut ? limitsOn(this.rules, action) : []
    const measured = measure(limits, asked, {
      rates: this.rates,
      endOf: () => '',
      sumsOf: (period, per) => this.sumsOf(request, period, per),
    })
    if (hardOnes(measured).length > 0) return 'refused'
    const reached = softOnes(measured)
    const merged = mergeRules(own, reached, routed)
    if (merged.require && request.lacks_coding) return 'refused'
    for (const rule of [own, ...routed, ...reached.map((one) => one.rule)])
      this.byRule.set(rule, (this.byRule.get(rule) ?? 0) + 1)
    return merged
  }

  private outcomeOf(request: PastRequest, rule: AppliedRule | null): Outcome {
    if (!rule) return 'no_approval'
    const { requester_id: requester, policy: before } = request
    const after = { ...policyOf(rule), barred: barPeople(rule, before.barred ?? []) }
    const isMet = this.tally(request, initialRequirements(after, requester))
    if (!isMet) return 'unmeetable'
    const difference = approvalsOf(after) - approvalsOf(before)
    if (difference !== 0) return difference > 0 ? 'stricter' : 'weaker'
    if (after.self_approval !== before.self_approval) return after.self_approval ? 'weaker' : 'stricter'
    return canonicalJson(stepsOf(after)) === canonicalJson(stepsOf(before)) ? 'unchanged' : 'other'
  }

  /** Notes who could approve such a request; those of equal requirements share the search. */
  private tally({ asked }: PastRequest, wait: ApprovalRequirements): boolean {
    const key = canonicalJson(wait)
    const tally = this.tallies.get(key) ?? this.search(wait)
    this.tallies.set(key, tally)
    tally.requests += 1
    for (const money of asked) addTo(tally.sums, money)
    return tally.able.length > 0
  }

  private search(wait: ApprovalRequirements): Tally {
    if (!isSatisfiable(wait, this.people)) return { able: [], needed: [], requests: 0, sums: new Map() }
    const able = this.people.filter((person) =>
      wait.steps.some((_, index) => findCapacities(wait, person, index).length > 0),
    )
    const needed = able.filter(
      (person) =>
        !isSatisfiable(
          wait,
          this.people.filter((other) => other !== person),
        ),
    )
    const idsOf = (people: readonly Member[]) => people.map(({ userId }) => userId)
    return { able: idsOf(able), needed: idsOf(needed), requests: 0, sums: new Map() }
  }

  private sumsOf(request: PastRequest, period: Period, per: Per): readonly Sums[] {
    const key = keyOf(request, period, per)
    return key === null ? [] : [{ before: [...(this.used.get(key)?.values() ?? [])], asked: request.asked }]
  }

  private count(request: PastRequest): void {
    for (const { period, per } of this.scopes) {
      const key = keyOf(request, period, per)
      if (key === null) continue
      const sums = this.used.get(key) ?? new Map<string, Money>()
      this.used.set(key, sums)
      for (const money of request.asked) addTo(sums, money)
    }
  }

  result(): Rehearsal {
    const tallies = [...this.tallies.values()]
    return {
      requests: this.requests,
      outcomes: OUTCOMES.map((outcome) => ({ outcome, requests: this.outcomes.get(outcome) ?? 0 })),
      rules: this.rules.map((rule, index) => ({ rule: index, requests: this.byRule.get(rule) ?? 0 })),
      people: this.people.map(({ userId: id, name }) => ({ id, name, ...sharesOf(tallies, id) })),
      examples: this.examples,
    }
  }
}

/** Sums the requests that a member could approve. */
function sharesOf(tallies: readonly Tally[], id: string) {
  const able = tallies.filter((tally) => tally.able.includes(id))
  const amounts = sumsOf(able.flatMap(({ sums }) => [...sums.values()]))
  const count = (some: readonly Tally[]) => some.reduce((sum, { requests }) => sum + requests, 0)
  return {
    could_approve: count(able),
    needed: count(able.filter(({ needed }) => needed.includes(id))),
    amounts: [...amounts.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
  }
}

const approvalsOf = ({ steps }: Pick<Policy, 'steps'>): number => steps.reduce((sum, { required }) => sum + required, 0)
const stepsOf = ({ steps }: Pick<Policy, 'steps'>) =>
  steps.map(({ required, roles, user_ids: ids }) => ({ required, roles: [...roles], user_ids: [...ids] }))

/** Names what adds up with a request: its period, and the person, payee or organization. */
function keyOf({ day, requester_id: requester, payee }: PastRequest, period: Period, per: Per): string | null {
  if (per === 'payee' && payee === null) return null
  const whose = { person: requester, payee: payee ?? '', organization: '' }[per]
  return `${period} ${beginOf(day, period)} ${per} ${whose}`
}

/** Finds the first day of a period: weeks begin on Monday. */
function beginOf(day: string, period: Period): string {
  if (period === 'day') return day
  if (period === 'month') return day.slice(0, 7)
  const date = new Date(`${day}T00:00:00Z`)
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS).toISOString().slice(0, 10)
}
