/** Payments on a date: what a request names, what an answer says, and the rules between them. */
import * as v from 'valibot'
import { type Refusal, refuse } from '../errors.ts'
import type { PaymentState } from './flow.ts'
import { type Money, fromMinor, toMinor } from '../money/money.ts'
import { day } from '../pagination.ts'
import { model, timestamp, describe } from '../text.ts'
import { type PaidIn, ROLLS, type Roll, rollDay } from './business-days.ts'

/** Hours of the time zone at which a payment is tried on its day. */
export const TRY_HOURS = [6, 10, 14, 16] as const

/** `status_detail` of an approved payment that waits for its day. */
export const SCHEDULED_DETAIL = 'scheduled'

const SCHEDULE_STATES = ['waiting', 'executing', 'done'] as const
type ScheduleState = (typeof SCHEDULE_STATES)[number]

/** Members of a request that name the day of a payment. */
export const ScheduleEntries = {
  execute_on: v.optional(v.nullable(day)),
  roll: v.optional(v.picklist(ROLLS)),
}

/** Schedule as answers have it. `execute_on` is the day that counts; `until` the instant before which it may end. */
export const Schedule = model('PaymentSchedule', {
  execute_on: describe(day, 'Day that counts: the business day to which the requested one was moved.'),
  requested_on: describe(day, 'Day that was asked for.'),
  state: describe(
    v.picklist(SCHEDULE_STATES),
    'waiting until the day begins, executing until the payment is on its way or has ended, then done.',
  ),
  until: describe(timestamp, 'Instant at which the day begins: before it the payment can be unscheduled.'),
})
export type Schedule = v.InferOutput<typeof Schedule>

/** Day that a person asks for. A due date that is today or past is paid without a day. */
export type AskedDay = { readonly day: string; readonly roll: Roll; readonly isDueDate: boolean }

/** Reads the day that a body asks for; null if it names none. Refuses `invalid_schedule` for a roll without a day. */
export function readDay(body: {
  readonly execute_on?: string | null | undefined
  readonly roll?: Roll | undefined
}): AskedDay | null {
  if (body.execute_on) return { day: body.execute_on, roll: body.roll ?? 'following', isDueDate: false }
  if (body.roll) refuse('invalid_schedule', { reason: 'roll_without_day' })
  return null
}

/**
 * Chooses the day that counts; null for a payment without one, because the day is today or would be before. Refuses
 * `invalid_schedule` for a day of the past, and for one after `latest`.
 */
export function chooseDay(
  { day: asked, roll, isDueDate }: AskedDay,
  { today, latest }: { readonly today: string; readonly latest: string },
  payments: readonly PaidIn[],
): string | null {
  if (asked < today && !isDueDate) refuse('invalid_schedule', { reason: 'in_the_past', earliest: today })
  if (asked <= today) return null
  if (asked > latest) refuse('invalid_schedule', { reason: 'too_far', latest })
  const rolled = rollDay(asked, roll, payments)
  return rolled <= today ? null : rolled
}

/** Computes what a payment may cost on its day: what was approved, and the tolerance on top, in whole minor units. */
export function maxDeducting(approved: Money, tolerancePercent: number): Money {
  const minor = toMinor(approved)
  const hundredths = BigInt(Math.round(tolerancePercent * 100))
  return fromMinor(minor + (minor * hundredths) / 10_000n, approved.currency)
}

/** Tells how far a schedule is: waiting until its day begins, executing until the payment is on its way or has ended. */
export function scheduleStateOf(state: PaymentState, hasBegun: boolean): ScheduleState {
  if (state === 'awaiting_approval') return 'waiting'
  if (state !== 'scheduled') return 'done'
  return hasBegun ? 'executing' : 'waiting'
}

/** Refusals that may pass within the day. */
const PASSING: ReadonlySet<string> = new Set([
  'insufficient_funds',
  'organization_unavailable',
  'ledger_unbalanced',
  'market_closed',
  'account_cooling_off',
  'service_unavailable',
  'onboarding_incomplete',
  'payee_held',
])

/** Tells if a payment is tried again at the next hour of its day; any other refusal fails it at once. */
export const isPassing = ({ type, details }: Refusal): boolean =>
  PASSING.has(type) || (type === 'contact_not_approved' && details?.['status'] === 'pending_approval')
