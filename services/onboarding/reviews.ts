/** Reviews of submissions: what each reviewer has decided. */
import type { OnboardingId } from '../../domain/ids.ts'
import { onboardingEvents } from '../../domain/onboarding/events.ts'
import type { ReviewStatus, WantedField } from '../../domain/onboarding/review.ts'
import { onboardingFlow } from '../../domain/onboarding/flow.ts'
import { config } from '../../platform/config.ts'
import { type Tx, first, sql } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { inSeconds } from '../../db/processes/asking.ts'
import { newCause, record } from '../events.ts'
import { REVIEWERS } from './reviewers.ts'

export type Opinion = { readonly status: ReviewStatus; readonly asks: readonly WantedField[] }

/** Restarts the reviews for a new round. A verdict of a reviewer who is asked no more stays. */
export async function restartReviews(tx: Tx, round: number): Promise<void> {
  await tx`
    update onboarding_reviews set status = 'waiting', asks = '[]', tries = 0, ask_at = null, round = ${round},
      updated_at = business_now()
    where organization_id = ${tx.organizationId} and (status <> 'verified' or reviewer = any (${[...REVIEWERS]}))`
}

/** Adds the reviews of a round that there are not yet. */
export async function beginReviews(tx: Tx, round: number): Promise<void> {
  await tx`
    insert into onboarding_reviews (organization_id, reviewer, round)
    select ${tx.organizationId}, r.reviewer, ${round} from unnest(${[...REVIEWERS]}::text[]) r (reviewer)
    on conflict (organization_id, reviewer) do nothing`
}

type ReviewerOpinion = {
  readonly onboardingId: OnboardingId
  readonly reviewer: string
  readonly round: number
  readonly opinion: Opinion
  /** When the provider is asked again while it has not decided. */
  readonly againSeconds?: number
}

/** Records the opinion of a reviewer on a round; one on an earlier round changes nothing. Answers whether it did. */
export async function recordOpinion(tx: Tx, opined: ReviewerOpinion): Promise<boolean> {
  const { onboardingId, reviewer, round, opinion, againSeconds = null } = opined
  const { status, asks } = opinion
  const found = await first(
    tx<{ was: ReviewStatus }[]>`
      update onboarding_reviews set status = ${status}, asks = ${sql.json([...asks])}, tries = tries + 1,
        ask_at = ${againSeconds === null ? null : inSeconds(againSeconds)},
        verified_at = case when ${status} = 'verified' then business_now() else verified_at end,
        updated_at = case when status = ${status} then updated_at else business_now() end
      where organization_id = ${tx.organizationId} and reviewer = ${reviewer} and round = ${round}
        and status in ('waiting', 'in_review')
      returning old.status as was`,
  )
  if (!found) return false
  const isDecided = status !== 'in_review' && status !== 'waiting'
  if (isDecided)
    await record(tx, onboardingEvents.reviewed, {
      subjectId: onboardingId,
      cause: newCause(),
      payload: { reviewer, status, fields: asks.map(({ field }) => field) },
    })
  wake(tx, onboardingFlow, { ids: [onboardingId], why: 'reviewed' })
  return true
}

/** Schedules the next question after a silence of the provider, with a growing pause. */
export async function noteUnanswered(
  tx: Tx,
  { onboardingId, reviewer, round }: Omit<ReviewerOpinion, 'opinion'>,
): Promise<void> {
  await tx`
    update onboarding_reviews set tries = tries + 1,
      ask_at = business_now() + make_interval(secs => least(3600, ${config.partnerPollSeconds} * power(2, least(tries, 7))))
    where organization_id = ${tx.organizationId} and reviewer = ${reviewer} and round = ${round}
      and status in ('waiting', 'in_review')`
  wake(tx, onboardingFlow, { ids: [onboardingId], why: 'asked' })
}
