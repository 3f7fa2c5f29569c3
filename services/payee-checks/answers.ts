/** Answers about payees of payments: what the bank says now, beside what approvers saw. */
import type { Blocker } from '../../domain/errors.ts'
import {
  type PayeeCheckMode,
  type PayeeResult,
  hasChanged,
  isWorse,
  payeeCheckBlockers,
} from '../../domain/payee-checks/payee-check.ts'
import type { PaymentState } from '../../domain/payments/flow.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'
import { answerSince } from './checks.ts'

/** Answer of the bank that an approval shows, and its latest one since then. */
export type PayeeAnswers = {
  readonly payee_approved: PayeeResult | null
  readonly payee_now: PayeeResult | null
  readonly payee_acknowledged: boolean
  readonly payee_check_mode: PayeeCheckMode
}

/** Selects the PayeeAnswers of a payment `p`; a bank that gave no answer has said nothing new. */
export const payeeStandingColumns = (p: Fragment): Fragment => sql`
  ${p}.payee_acknowledged, (select k.result from payee_checks k where k.id = ${p}.payee_check_id) as payee_approved,
  (select o.payee_check from organizations o where o.id = ${p}.organization_id) as payee_check_mode,
  (select n.result from (${answerSince(sql`${p}.payee_check_id`)}) n) as payee_now`

const answerOf = ({ payee_approved: result }: PayeeAnswers) =>
  ({ result: result ?? 'not_possible', name: null }) as const

/**
 * Lists what the bank says against paying this payee now, by the setting of now: to approvers any other answer than the
 * one that they see, and after the approval a worse one.
 */
export function payeeAnswerBlockers(payee: PayeeAnswers, differs: typeof isWorse | typeof hasChanged): Blocker[] {
  const { payee_approved: result, payee_now: now, payee_acknowledged: acknowledged, payee_check_mode: mode } = payee
  if (now && differs(answerOf(payee), { result: now, name: null })) {
    return [{ type: 'payee_mismatch', details: { result: now, reason: 'payee_check_changed' } }]
  }
  return payeeCheckBlockers({ result: now ?? result, mode, acknowledged })
}

/** When the bank is asked again about a payee; nothing once the payment's order has begun. */
export type PayeeDue = PayeeAnswers & {
  readonly payee_check_due_at: string | null
  readonly payee_check_over: boolean
}

export const payeeDueColumns = (p: Fragment): Fragment => sql`
  ${p}.payee_check_due_at, coalesce(${p}.payee_check_due_at <= business_now(), false) as payee_check_over,
  ${payeeStandingColumns(p)}`

/**
 * Tells if the bank is to be asked now: its answer is a day old, it has said something else meanwhile, or the setting of
 * now forbids what it said before a payment is ordered.
 */
export function isPayeeDue(status: PaymentState, payee: PayeeDue): boolean {
  const { payee_check_due_at: at, payee_check_over: isOver, payee_now: now } = payee
  if (at === null || (status !== 'awaiting_approval' && status !== 'submitted')) return false
  if (status === 'submitted') return isOver || payeeAnswerBlockers(payee, isWorse).length > 0
  return isOver || (now !== null && hasChanged(answerOf(payee), { result: now, name: null }))
}
