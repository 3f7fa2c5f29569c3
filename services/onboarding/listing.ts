/** Onboardings as operators list and read them: whole, also what names people. */
import { refuse } from '../../domain/errors.ts'
import type { OnboardingId, OrganizationId, VerdictId } from '../../domain/ids.ts'
import type { OnboardingStatus } from '../../domain/onboarding/flow.ts'
import type { ReviewStatus, WantedField } from '../../domain/onboarding/review.ts'
import { first, readerOf, sql } from '../../db/postgres/sql.ts'
import { readDocuments, type DocumentRow } from './known.ts'
import { type Submission, openSubmission } from './submission.ts'

export type ListedOnboarding = {
  readonly organization_id: OrganizationId
  readonly name: string
  readonly status: OnboardingStatus
  readonly round: number
  readonly since: string
  /** Verdict that waits for a second operator. */
  readonly verdict_id: VerdictId | null
  readonly verdict: string | null
}

/** Lists the onboardings that wait for a verdict of operators, oldest first. */
export async function listOnboardings(most: number): Promise<ListedOnboarding[]> {
  return [...(await sql<ListedOnboarding[]>`select * from listed_onboardings(${most})`)]
}

export type ShownOnboarding = {
  readonly id: OnboardingId
  readonly status: OnboardingStatus
  readonly round: number
  readonly submission: Submission | null
  readonly documents: readonly DocumentRow[]
  readonly reviews: readonly {
    readonly reviewer: string
    readonly status: ReviewStatus
    readonly asks: readonly WantedField[]
  }[]
}

/** Reads what an organization has submitted. Refuses `not_found`. */
export async function showOnboarding(organizationId: OrganizationId): Promise<ShownOnboarding> {
  const reader = readerOf(organizationId)
  const row = await first(
    reader<Omit<ShownOnboarding, 'submission' | 'documents'> & { readonly submitted: Buffer | null }>(sql`
      select o.id, o.status, o.round, o.submitted,
        coalesce((select json_agg(json_build_object('reviewer', r.reviewer, 'status', r.status, 'asks', r.asks)
          order by r.reviewer) from onboarding_reviews r where r.organization_id = o.organization_id), '[]') as reviews
      from onboardings o where o.organization_id = ${organizationId}`),
  )
  if (!row) refuse('not_found')
  const { submitted, ...shown } = row
  return {
    ...shown,
    submission: submitted && openSubmission(row.id, submitted),
    documents: await readDocuments(reader),
  }
}
