/** Limits that add up: what they ask for a request of money out, and how they stand. */
import type { ActionType } from '../../domain/approvals/approval.ts'
import type { Rule, AppliedRule } from '../../domain/approvals/policy.ts'
import { routedRules, ruleFor } from '../../domain/approvals/matching.ts'
import type { RequestFacts } from '../../domain/approvals/routing.ts'
import { type Blocker, refuseFirst } from '../../domain/errors.ts'
import { type Measurement, hardOnes, limitsOn, measure, mergeRules, softOnes } from '../../domain/limits/limits.ts'
import type { BatchId, PaymentId, UserId } from '../../domain/ids.ts'
import type { Money } from '../../domain/money/money.ts'
import { rulesOf } from '../approvals/policies.ts'
import { type Reader, type Tx, within } from '../../db/postgres/sql.ts'
import { type CountScope, count, countLocked } from './sums.ts'

type Request = CountScope & {
  readonly action: ActionType
  /** Rules in force. */
  readonly rules: readonly Rule[]
  /** Rules whose conditions it meets. */
  readonly routed?: readonly Rule[]
}

/**
 * Adds the steps of other rules to the one of the amount: of conditions that are met, and of reached limits. Until the
 * transaction ends, no other request of the organization is counted: 50 at once find the same rules as one of their
 * total. Without limits it sends nothing. An earlier statement has called `lock_limits()` before it locked rows, but for
 * a batch. Refuses `limit_exceeded`.
 */
export async function applyLimits(tx: Tx, rule: Rule, request: Request): Promise<AppliedRule> {
  const limits = limitsOn(request.rules, request.action)
  if (limits.length === 0) return mergeRules(rule, [], request.routed)
  const measured = measure(limits, request.asked, await countLocked(tx, limits, request))
  refuseFirst(limitBlockers(measured))
  return mergeRules(rule, softOnes(measured), request.routed)
}

type PaymentRequest = Pick<Request, 'rules' | 'contactId'> & {
  readonly deducting: Money
  readonly facts: RequestFacts
}

/** Picks the rule of a payment by its amount, conditions and limits. Refuses `limit_exceeded`. */
export async function ruleOfPayment(
  tx: Tx,
  requester: UserId,
  { rules, deducting, contactId, facts }: PaymentRequest,
): Promise<AppliedRule> {
  const rule = ruleFor(rules, { action_type: 'withdrawal', amount: deducting })
  if (!rule) throw new Error('a payment always waits for approval')
  const asked = [deducting]
  const routed = routedRules(rules, 'withdrawal', asked, facts)
  return applyLimits(tx, rule, { rules, action: 'withdrawal', requester, asked, contactId, routed })
}

/** Measures all limits of a request without their lock: for answers, which promise nothing. */
export async function measureLimits(reader: Reader, request: Request): Promise<Measurement[]> {
  const limits = limitsOn(request.rules, request.action)
  return limits.length === 0 ? [] : measure(limits, request.asked, await count(reader, limits, request))
}

type ApprovedRequest = Omit<Request, 'rules'> & ({ readonly paymentId: PaymentId } | { readonly batchId: BatchId })

/**
 * Counts the hard limits for a request that was approved before and is carried out now. Its own request is not among
 * what was requested before. The caller has called `lock_limits()` before it locked a payment. Returns the refusal of
 * the first that is reached.
 */
export async function findReachedHardLimit(tx: Tx, request: ApprovedRequest): Promise<Blocker | undefined> {
  const limits = limitsOn(await rulesOf(within(tx)), request.action).filter(({ hard }) => hard)
  if (limits.length === 0) return undefined
  return limitBlockers(measure(limits, request.asked, await countLocked(tx, limits, request)))[0]
}

/** Refuses `limit_exceeded` for a request that findReachedHardLimit() finds. */
export async function requireWithinHardLimits(tx: Tx, request: ApprovedRequest): Promise<void> {
  const blocker = await findReachedHardLimit(tx, request)
  if (blocker) refuseFirst([blocker])
}

/** Lists the refusals by hard limits. */
export const limitBlockers = (measured: readonly Measurement[]): Blocker[] =>
  hardOnes(measured).map(({ period, per, limit, used, resets_at, rate_date, without_rate }) => ({
    type: 'limit_exceeded',
    details: {
      period,
      per,
      limit,
      used,
      resets_at,
      ...(rate_date && { rate_date }),
      ...(without_rate.length > 0 && { without_rate }),
    },
  }))
