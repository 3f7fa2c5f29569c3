/** Verification of payee: the bank compares the name of an account's holder with the name that we pay. */
import * as v from 'valibot'
import type { Blocker } from '../errors.ts'
import { AnswerMoney, integer, model, nullableText, open, timestamp, uuid, describe, textsOf } from '../text.ts'

export const PAYEE_RESULTS = ['match', 'close_match', 'no_match', 'not_possible'] as const
export type PayeeResult = (typeof PAYEE_RESULTS)[number]

/** Reasons of `not_possible`: the first two and the last are our own, the others are the bank's. */
export const NOT_POSSIBLE_REASONS = [
  'unavailable',
  'too_slow',
  'not_supported',
  'unknown_account',
  'too_many_questions',
] as const
export type NotPossibleReason = (typeof NOT_POSSIBLE_REASONS)[number]

/** Answer of the bank: its own name of the holder for a close match, a reason where it cannot compare. */
export type PayeeAnswer = {
  readonly result: PayeeResult
  readonly name: string | null
  readonly reason: NotPossibleReason | null
}

const reason = open(v.picklist(NOT_POSSIBLE_REASONS), 'A reason that came later: show its name.')

/** Check as quotes and approvals show it. */
export const PayeeCheck = model('PayeeCheck', {
  result: describe(
    v.picklist(PAYEE_RESULTS),
    '`match`, `close_match` with the name, `no_match`, or `not_possible` with the reason.',
  ),
  name: describe(nullableText, 'Name that the bank knows, of a close match; else null.'),
  reason: describe(v.nullable(reason), 'Reason why the bank could not compare; else null.'),
  checked_at: timestamp,
})
export type PayeeCheck = v.InferOutput<typeof PayeeCheck>

/** Check as an approver sees it: with the name that was asked for, and the id of its record. */
export const PayeeCheckInSubject = model(
  'ApprovalPayeeCheck',
  {
    id: uuid,
    ...PayeeCheck.entries,
    holder: describe(v.string(), 'Name that the bank was asked about.'),
  },
  textsOf(PayeeCheck),
)

/** Rows of a batch with one result, and what they pay. */
export const PayeeCheckTotal = model('PaymentBatchPayeeCheckTotal', {
  result: describe(
    v.picklist(PAYEE_RESULTS),
    'What the bank says; `not_possible` also for rows that it was not asked about.',
  ),
  rows: describe(integer, 'Number of these rows.'),
  totals: describe(v.array(AnswerMoney), 'What these rows pay, by currency.'),
})
export type PayeeCheckTotal = v.InferOutput<typeof PayeeCheckTotal>

/** Setting of an organization: a `no_match` that is acknowledged is paid, or never. */
export const PAYEE_CHECK_MODES = ['warn', 'block'] as const
export type PayeeCheckMode = (typeof PAYEE_CHECK_MODES)[number]

/** Hours after which the bank is asked again. */
export const PAYEE_CHECK_HOURS = 24
/** Minutes after which a bank that gave no answer is asked again, while people decide. */
export const PAYEE_RETRY_MINUTES = 60
/** Longest wait for the bank. */
export const PAYEE_CHECK_MS = 3000

/** Status detail of a payment that another answer of the bank has ended. */
export const PAYEE_CHANGED_DETAIL = 'payee check changed'

/** Tells if people have to acknowledge the result. */
export const isMismatch = (result: PayeeResult | null): result is 'close_match' | 'no_match' =>
  result === 'close_match' || result === 'no_match'

type NameComparison = Pick<PayeeAnswer, 'result' | 'name'>

const RANK: Readonly<Record<PayeeResult, number>> = { match: 0, not_possible: 0, close_match: 1, no_match: 2 }

/** Tells if a later answer is worse than the approved one. A bank that gives no answer never is. */
export const isWorse = (before: NameComparison | null, now: NameComparison): boolean =>
  RANK[now.result] > RANK[before?.result ?? 'not_possible'] ||
  (now.result === 'close_match' && before?.result === 'close_match' && now.name !== before.name)

/** Tells if a later answer is another one: then what people see is no longer true. */
export const hasChanged = (before: NameComparison, now: NameComparison): boolean =>
  isWorse(before, now) ||
  (before.result !== now.result && now.result !== 'not_possible' && before.result !== 'not_possible')

type CheckQuestion = {
  readonly result: PayeeResult | null
  readonly mode: PayeeCheckMode
  readonly acknowledged: boolean
}

/** Lists what blocks paying a payee with this result. */
export function payeeCheckBlockers({ result, mode, acknowledged }: CheckQuestion): Blocker[] {
  if (!isMismatch(result)) return []
  const blocks = mode === 'block' && result === 'no_match'
  if (acknowledged && !blocks) return []
  return [{ type: 'payee_mismatch', details: { result, ...(blocks && { reason: 'payee_check_blocks' }) } }]
}
