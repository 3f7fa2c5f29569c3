/** Reviews of a submission: one by each reviewer, and what they come to together. */
import * as v from 'valibot'
import type { ScreeningState } from '../screening/screening.ts'
import { describe, model, text, timestamp } from '../text.ts'

/** Reviewer of all connections whose providers verify nobody: the operators of the service. */
export const SERVICE = 'service'

export const REVIEW_STATUSES = ['waiting', 'in_review', 'needs_more', 'verified', 'rejected'] as const
export type ReviewStatus = (typeof REVIEW_STATUSES)[number]

export const Review = model('OnboardingReview', {
  reviewer: describe(v.string(), '`service`, or the connection whose provider verifies.'),
  status: v.picklist(REVIEW_STATUSES),
  since: describe(timestamp, 'Instant of the status.'),
})
export type Review = v.InferOutput<typeof Review>

/** Field that a verdict asks for, by its path, with the reason. */
export const WantedField = v.object({
  field: v.pipe(
    v.string(),
    v.regex(/^(?:entity|people|documents)\.[a-z0-9_.-]{1,100}$/, 'must be a path such as documents.articles'),
  ),
  reason: text(1, 500),
})
export type WantedField = v.InferOutput<typeof WantedField>

export type Verdict = 'verify' | 'ask' | 'reject'

/**
 * Decides what the reviews come to: more is asked for as soon as one does; else all have to answer, and one that
 * verifies is enough, as capabilities say which. Null while they go on, or a name is screened. A confirmed match with a
 * list of sanctions rejects.
 */
export function verdictOf(statuses: readonly ReviewStatus[], screening: ScreeningState | null): Verdict | null {
  if (screening === 'confirmed') return 'reject'
  if (screening === 'waiting' || screening === 'held') return null
  if (statuses.includes('needs_more')) return 'ask'
  if (statuses.some((status) => status === 'waiting' || status === 'in_review')) return null
  return statuses.includes('verified') ? 'verify' : 'reject'
}

/** Standing of an organization at one reviewer, as payments ask for it. */
export type ReviewStanding = { readonly status: ReviewStatus; readonly was_verified: boolean }

/** Standing of an organization, as payments ask for it; `in_time`: its review may still go on. */
export type OnboardingStanding = {
  readonly status: string
  readonly in_time: boolean
  readonly open_fields: readonly string[]
  readonly reviews: Readonly<Record<string, ReviewStanding>>
}

/** Tells whether money may go by connections of a reviewer: it has verified, or is about to again in time. */
export function isVerifiedAt({ status, in_time: inTime, reviews }: OnboardingStanding, reviewer: string): boolean {
  const review = reviews[reviewer]
  if (!review?.was_verified || review.status === 'rejected') return false
  return (status === 'verified' && review.status === 'verified') || inTime
}

const SUBMITTED = new Set(['submitted', 'in_review', 'needs_more', 'verified', 'review_due'])

/** Tells whether an organization has submitted what it is, and was not rejected: enough within the service. */
export const isSubmitted = ({ status }: OnboardingStanding): boolean => SUBMITTED.has(status)
