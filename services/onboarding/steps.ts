/** Steps of an onboarding at our own tables. */
import type { FileId, OnboardingId } from '../../domain/ids.ts'
import { onboardingMoves } from '../../domain/onboarding/events.ts'
import { type OnboardingStatus, onboardingFlow } from '../../domain/onboarding/flow.ts'
import { type ReviewStatus, type Verdict, type WantedField, verdictOf } from '../../domain/onboarding/review.ts'
import { config } from '../../platform/config.ts'
import { type Tx, first, sql } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { inSeconds } from '../../db/processes/asking.ts'
import type { Reason } from '../../db/processes/views.ts'
import { transition } from '../../db/processes/transition.ts'
import { newCause } from '../events.ts'
import { wakeRequested } from '../accounts/receiving-accounts.ts'
import { release } from '../files/files.ts'
import type { ScreeningState } from '../../domain/screening/screening.ts'
import { screeningStateOf } from '../screening/screenings.ts'
import { noteOpenFields } from './known.ts'
import { requireReview } from './locks.ts'
import { mailOutcome, mailReminder } from './mails.ts'
import { REVIEWERS } from './reviewers.ts'
import { beginReviews } from './reviews.ts'
import { openSubmission } from './submission.ts'

type LockedOnboarding = {
  readonly status: OnboardingStatus
  readonly round: number
  readonly submitted: Buffer | null
}

const lock = (tx: Tx, id: OnboardingId): Promise<LockedOnboarding | undefined> =>
  first(
    tx<LockedOnboarding[]>`
      select status, round, submitted from onboardings where id = ${id} for no key update`,
  )

const DAY_SECONDS = 86_400
/** Days from a state that asks for something to its reminders. */
const REMINDER_DAYS = [3, 10] as const

/**
 * Begins the reviews of a submission, or the review by a connection that was added later. Payments go on meanwhile where
 * the organization is verified.
 */
export async function beginReview(tx: Tx, id: OnboardingId): Promise<void> {
  const found = await lock(tx, id)
  if (found?.status !== 'submitted' && found?.status !== 'verified') return
  const { status, round } = found
  await beginReviews(tx, round)
  await transition(tx, onboardingMoves, id, {
    events: ['begin'],
    cause: status === 'submitted' ? `onboarding:${id}:${round}` : newCause(),
    set: sql`since = business_now(),
      due_at = case when status = 'verified' then business_now() + make_interval(days => ${config.kybReviewDays}) else due_at end`,
  })
}

type ReviewRow = { readonly reviewer: string; readonly status: ReviewStatus; readonly asks: readonly WantedField[] }

/** Ends the review as soon as the reviewers have come to a verdict. A repeat changes nothing. */
export async function settleReview(tx: Tx, id: OnboardingId): Promise<void> {
  const found = await lock(tx, id)
  if (found?.status !== 'in_review') return
  const reviews = await tx<ReviewRow[]>`
    select reviewer, status, asks from onboarding_reviews
    where organization_id = ${tx.organizationId} and reviewer = any (${[...REVIEWERS]}) order by reviewer`
  const [row] = await tx<
    { screening: ScreeningState | null }[]
  >`select ${screeningStateOf(sql`${id}::uuid`)} as screening`
  const verdict = verdictOf(
    reviews.map(({ status }) => status),
    row?.screening ?? null,
  )
  if (!verdict) return
  await SETTLED[verdict](tx, id, found, reviews)
  await noteOpenFields(tx)
  await mailOutcome(tx, verdict)
}

type Settle = (tx: Tx, id: OnboardingId, found: LockedOnboarding, reviews: readonly ReviewRow[]) => Promise<void>
const causeOf = (id: OnboardingId, { round }: LockedOnboarding, verdict: Verdict) =>
  `onboarding:${id}:${round}:${verdict}`

const SETTLED: Readonly<Record<Verdict, Settle>> = {
  ask: (tx, id, found, reviews) =>
    transition(tx, onboardingMoves, id, {
      events: ['ask'],
      cause: causeOf(id, found, 'ask'),
      payload: { fields: [...new Set(reviews.flatMap(({ asks }) => asks.map(({ field }) => field)))] },
      set: sql`since = business_now(), touched = '{}', reminded = 0, remind_at = ${inSeconds(REMINDER_DAYS[0] * DAY_SECONDS)}`,
    }),
  verify: async (tx, id, found) => {
    if (!found.submitted) throw new Error('what is verified was submitted')
    const { entity } = openSubmission(id, found.submitted)
    await transition(tx, onboardingMoves, id, {
      events: ['verify'],
      cause: newCause(), // another connection may verify the same round later
      set: sql`since = business_now(), verified_at = business_now(), verified_name = ${entity.legal_name},
        verified_address = ${entity.address && sql.json(entity.address)}, due_at = null, remind_at = null,
        review_at = business_now() + make_interval(months => ${config.kybReviewMonths})`,
    })
    await wakeRequested(tx)
  },
  reject: (tx, id, found) =>
    transition(tx, onboardingMoves, id, {
      events: ['reject'],
      cause: causeOf(id, found, 'reject'),
      set: sql`since = business_now(), due_at = null, remind_at = null`,
    }),
}

/** Mails those who may submit it, at most twice for each state that asks for something. */
export async function remindOnboarding(tx: Tx, id: OnboardingId): Promise<Reason> {
  const found = await first(
    tx<{ status: OnboardingStatus; reminded: number; due_at: string | null }[]>`
      select status, reminded, due_at from onboardings where id = ${id} and remind_at <= business_now()
        and status in ('needs_more', 'review_due') for no key update`,
  )
  if (!found) return undefined
  const next = REMINDER_DAYS[found.reminded + 1]
  await tx`
    update onboardings set reminded = reminded + 1,
      remind_at = ${next === undefined ? null : inSeconds((next - REMINDER_DAYS[0]) * DAY_SECONDS)} where id = ${id}`
  await mailReminder(tx, found)
  return 'reminded'
}

/** Makes a verified organization due for a review whose time has come. */
export async function requirePeriodicReview(tx: Tx, id: OnboardingId): Promise<void> {
  const due = await tx`
    select id from onboardings where id = ${id} and status = 'verified' and review_at <= business_now() for no key update`
  if (due.length > 0) await requireReview(tx, 'periodic', [])
}

/** Ends the onboarding of an organization that is deleted: a draft goes now, all else when its time is over. */
export async function endOnboarding(tx: Tx): Promise<void> {
  const found = await first(
    tx<{ id: OnboardingId; status: OnboardingStatus }[]>`
      update onboardings set ended_at = coalesce(ended_at, business_now())
      where organization_id = ${tx.organizationId} and status <> 'purged' returning id, status`,
  )
  if (found?.status === 'draft') await purge(tx, found.id)
  else if (found) wake(tx, onboardingFlow, { ids: [found.id], why: 'ended' })
}

/** Deletes what is kept of an organization that is gone for as long as it has to be kept. */
export async function purgeOnboarding(tx: Tx, id: OnboardingId): Promise<void> {
  const due = await tx`
    select id from onboardings where id = ${id} and status <> 'purged'
      and ended_at + make_interval(years => ${config.kybRetentionYears}) <= business_now() for no key update`
  if (due.length > 0) await purge(tx, id)
}

async function purge(tx: Tx, id: OnboardingId): Promise<void> {
  const papers = await tx<{ id: FileId }[]>`
    delete from onboarding_documents where organization_id = ${tx.organizationId} returning id`
  for (const paper of papers) await release(tx, paper.id)
  await tx`delete from onboarding_people where organization_id = ${tx.organizationId}`
  await tx`delete from onboarding_verdicts where organization_id = ${tx.organizationId}`
  await tx`update onboarding_reviews set asks = '[]' where organization_id = ${tx.organizationId}`
  await transition(tx, onboardingMoves, id, {
    events: ['purge'],
    cause: `onboarding:${id}:purge`,
    set: sql`entity = null, submitted = null, verified_name = null, verified_address = null, since = business_now()`,
  })
}
