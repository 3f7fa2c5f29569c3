/** Submissions of onboardings: what a review looks at, as it was then. */
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import type { FileId, OnboardingId, OrganizationId } from '../../domain/ids.ts'
import type { LegalEntity } from '../../domain/onboarding/entity.ts'
import { onboardingMoves } from '../../domain/onboarding/events.ts'
import { type OnboardingStatus, onboardingFlow } from '../../domain/onboarding/flow.ts'
import { SIGNS_AT, typeByFirstBytes } from '../../domain/files/first-bytes.ts'
import type { DocumentKind } from '../../domain/onboarding/document.ts'
import type { PersonFacts, PersonRole } from '../../domain/onboarding/person.ts'
import { listRequirements, openFields } from '../../domain/onboarding/requirements.ts'
import type { ReviewStatus } from '../../domain/onboarding/review.ts'
import type { Person } from '../../domain/people/actor.ts'
import { type Reader, type Tx, first, readerOf, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { causesWhatFollows } from '../events.ts'
import { keyOf } from '../../platform/storage/storage.ts'
import { claim, firstBytesOf } from '../files/files.ts'
import { receiveUpload } from '../files/uploads.ts'
import type { AskedQuestion } from '../../domain/screening/screening.ts'
import { openScreenings } from '../screening/screenings.ts'
import { open, readDocuments, readFacts, readOnboarding, seal } from './known.ts'
import { restartReviews } from './reviews.ts'

/** Submission, sealed as a whole. */
export type Submission = {
  readonly entity: LegalEntity
  readonly people: readonly ({ readonly id: string; readonly roles: readonly PersonRole[] } & PersonFacts)[]
  readonly documents: readonly SubmittedPaper[]
}

export type SubmittedPaper = {
  readonly id: FileId
  readonly kind: DocumentKind
  readonly person_id: string | null
  readonly file_name: string
  readonly content_type: string
}

/**
 * Takes over papers that were sent to storage directly, before they are submitted. Refuses `invalid_file` for one that
 * does not begin as a file of its type.
 */
export async function receivePapers(organizationId: OrganizationId): Promise<void> {
  const reader = readerOf(organizationId)
  for (const { id, there } of await readDocuments(reader))
    if (!there) await receiveUpload(organizationId, { fileId: id, purpose: 'onboarding', ownerId: organizationId })
  for (const { id, object, sealed, content_type: type } of await readDocuments(reader)) {
    if (object === null || sealed) continue
    const begin = await firstBytesOf(keyOf(id, object), SIGNS_AT)
    if (begin && typeByFirstBytes(begin) !== type) refuse('invalid_file', { document_id: id })
  }
}

type Row = { readonly id: OnboardingId; readonly status: OnboardingStatus; readonly round: number }

/**
 * Submits what is known of the organization. Refuses `not_found` before anything is, `onboarding_incomplete` with the
 * fields that are open, and `invalid_state` while it is reviewed, or is verified.
 */
export async function submit(tx: Tx, { userId }: Person): Promise<void> {
  const [row] = await tx<Row[]>`
    select id, status, round from onboardings where organization_id = ${tx.organizationId} for no key update`
  if (!row || row.status === 'purged') refuse('not_found')
  if (!onboardingFlow.events.submit.from.some((status) => status === row.status))
    refuse('invalid_state', { current: row.status, allowed: eventsFrom(onboardingFlow, row.status) })
  const reader = within(tx)
  const facts = await readFacts(reader, await readOnboarding(reader))
  const { entity, people, documents } = facts
  const fields = openFields(listRequirements(facts, null))
  if (fields.length > 0 || !entity) refuse('onboarding_incomplete', { fields })
  const papers = documents.filter(({ there }) => there)
  for (const { id, sealed } of papers)
    if (!sealed) await claim(tx, { fileId: id, purpose: 'onboarding', ownerId: tx.organizationId })
  const submission: Submission = {
    entity,
    people: people.map(({ id, roles, facts: own }) => ({ id, roles, ...own })),
    documents: papers.map(({ id, kind, person_id, file_name, content_type }) => ({
      id,
      kind,
      person_id,
      file_name,
      content_type,
    })),
  }
  const round = row.round + 1
  await restartReviews(tx, round)
  await transition(tx, onboardingMoves, row.id, {
    events: ['submit'],
    cause: `onboarding:${row.id}:${round}`,
    payload: { round },
    set: sql`round = ${round}, submitted = ${seal(row.id, submission)}, submitted_by = ${userId},
      submitted_at = business_now(), open_fields = '{}', touched = '{}', since = business_now(),
      reminded = 0, remind_at = null`,
  })
  await causesWhatFollows(tx, row.id)
  await openScreenings(tx, { onboarding_id: row.id }, listQuestions(submission))
}

/** Lists the questions whether the entity, or one of its people, is on a list of sanctions. */
function listQuestions({ entity, people }: Submission): AskedQuestion[] {
  const country = entity.address?.country_code ?? null
  const names = [entity.legal_name, entity.trading_name].filter((name) => name !== null)
  return [
    ...names.map((name) => ({ kind: 'entity', name, of: 'entity', country, born: null }) as const),
    ...people.flatMap(({ name, nationality, born_on: born }) =>
      name === null ? [] : [{ kind: 'person', name, of: 'person', country: nationality, born } as const],
    ),
  ]
}

/** Opens a submission. */
export const openSubmission = (id: OnboardingId, sealed: Buffer): Submission => open(id, sealed) as Submission

export type SubmissionInReview = {
  readonly round: number
  readonly status: ReviewStatus
  readonly submission: Submission
}

/** Finds what a reviewer has to decide about; null if it has, or nothing was submitted since. */
export async function findReviewed(
  reader: Reader,
  id: OnboardingId,
  reviewer: string,
): Promise<SubmissionInReview | null> {
  const row = await first(
    reader<{ round: number; status: ReviewStatus; submitted: Buffer | null }>(sql`
      select r.round, r.status, o.submitted from onboardings o
      join onboarding_reviews r on r.organization_id = o.organization_id and r.reviewer = ${reviewer}
      where o.id = ${id} and o.status = 'in_review' and r.status in ('waiting', 'in_review')`),
  )
  if (!row?.submitted) return null
  const { submitted, ...reviewed } = row
  return { ...reviewed, submission: openSubmission(id, submitted) }
}
