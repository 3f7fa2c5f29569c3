/** View of an onboarding: what its run decides by. */
import type { OnboardingId } from '../../domain/ids.ts'
import { isDriven } from '../../domain/flow.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type OnboardingStatus, onboardingFlow } from '../../domain/onboarding/flow.ts'
import { type ReviewStatus, SERVICE, type Verdict, verdictOf } from '../../domain/onboarding/review.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { config } from '../../platform/config.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'
import type { ScreeningState } from '../../domain/screening/screening.ts'
import { screeningStateOf } from '../screening/screenings.ts'
import { waitsForKey } from './papers.ts'
import { REVIEWERS } from './reviewers.ts'

type ReviewRow = {
  readonly reviewer: string
  readonly status: ReviewStatus
  readonly ask_at: string | null
  readonly due: boolean
}

type Row = {
  readonly status: OnboardingStatus
  readonly has_plain_papers: boolean
  readonly reviews: readonly ReviewRow[]
  readonly screening: ScreeningState | null
  readonly look_again_at: string
  readonly remind_at: string | null
  readonly remind_due: boolean
  readonly review_at: string | null
  readonly review_due: boolean
  readonly purge_at: string | null
  readonly purge_due: boolean
}

type Facts = {
  /** Papers of it are not encrypted yet. */
  readonly papers_due: boolean
  /** Connection whose provider is to be told, or asked, now. */
  readonly partner: ConnectionName | null
  /** Verdict of all reviews together; null while they go on. */
  readonly verdict: Verdict | null
  readonly reminder_due: boolean
  /** A verified one: its time has come, or a connection was added that has not reviewed it. */
  readonly review_due: 'time' | 'connection' | null
  readonly purge_due: boolean
}

/** Builds the time at which what is kept of an organization that is gone is deleted. */
const purgeAt = (o: Fragment): Fragment => sql`${o}.ended_at + make_interval(years => ${config.kybRetentionYears})`

export async function viewOnboarding(
  reader: Reader,
  id: OnboardingId,
): Promise<(Standing<OnboardingStatus> & Facts) | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select o.status,
      exists (select from onboarding_documents d join files f on f.id = d.id where d.organization_id = o.organization_id
        and ${waitsForKey(sql`d`, sql`f`)}) as has_plain_papers,
      coalesce((select json_agg(json_build_object('reviewer', r.reviewer, 'status', r.status, 'ask_at', r.ask_at,
          'due', coalesce(r.ask_at <= business_now(), true)) order by r.reviewer)
        from onboarding_reviews r where r.organization_id = o.organization_id), '[]') as reviews,
      ${screeningStateOf(sql`o.id`)} as screening, business_now() + interval '5 minutes' as look_again_at,
      o.remind_at, coalesce(o.remind_at <= business_now(), false) as remind_due,
      o.review_at, coalesce(o.review_at <= business_now(), false) as review_due,
      ${purgeAt(sql`o`)} as purge_at, coalesce(${purgeAt(sql`o`)} <= business_now(), false) as purge_due
    from onboardings o where o.id = ${id}`)
  if (!row) return undefined
  const { status } = row
  if (!isDriven(onboardingFlow, status)) return { at_rest: true, status, says: sayState('onboarding', status) }
  const facts = factsOf(row)
  return {
    at_rest: false,
    status,
    ...facts,
    step_due: isStepDue(status, facts),
    look_at: lookAt(row),
    says: sayOf(row),
  }
}

function factsOf({ status, has_plain_papers: hasPlain, ...row }: Row): Facts {
  const reviews = row.reviews.filter(({ reviewer }) => REVIEWERS.includes(reviewer))
  const asked = reviews.find(
    (one) => one.reviewer !== SERVICE && one.due && (one.status === 'waiting' || one.status === 'in_review'),
  )
  const isNew = REVIEWERS.some((name) => !row.reviews.some(({ reviewer }) => reviewer === name))
  return {
    papers_due: hasPlain,
    partner: status === 'in_review' ? (asked?.reviewer ?? null) : null,
    verdict:
      status === 'in_review'
        ? verdictOf(
            reviews.map((one) => one.status),
            row.screening,
          )
        : null,
    reminder_due: row.remind_due && (status === 'needs_more' || status === 'review_due'),
    review_due: status !== 'verified' ? null : row.review_due ? 'time' : isNew ? 'connection' : null,
    purge_due: row.purge_due,
  }
}

const isStepDue = (status: OnboardingStatus, facts: Facts): boolean =>
  facts.purge_due ||
  status === 'submitted' ||
  facts.partner !== null ||
  facts.verdict !== null ||
  facts.reminder_due ||
  facts.review_due !== null

/** Chooses the earliest time that may change something without a change of the row. */
function lookAt({ status, reviews, remind_at, review_at, purge_at, ...row }: Row): string | null {
  const asks = status === 'in_review' ? reviews.flatMap(({ ask_at: at }) => at ?? []) : []
  const reminder = status === 'needs_more' || status === 'review_due' ? remind_at : null
  // its end wakes the run, but for one that commits in this very moment
  const screens = status === 'in_review' && (row.screening === 'waiting' || row.screening === 'held')
  const times = [
    ...asks,
    screens ? row.look_again_at : null,
    reminder,
    status === 'verified' ? review_at : null,
    purge_at,
  ].filter((at) => at !== null)
  return times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}

function sayOf({ status, reviews, review_at: reviewAt, screening }: Row): string {
  if (status === 'verified' && reviewAt)
    return `The organization is verified, and reviewed again at ${minuteOf(reviewAt)}.`
  if (status !== 'in_review') return sayState('onboarding', status)
  if (screening === 'held') return 'A name may be on a list of sanctions: two operators decide.'
  if (screening === 'waiting') return 'Waits for the screening of names.'
  const waits = reviews.filter((one) => one.status === 'waiting' || one.status === 'in_review')
  const names = waits.map(({ reviewer }) => (reviewer === SERVICE ? 'operators' : reviewer))
  return `Waits for the review by ${names.join(', ')}.`
}
