/** Reads of onboardings: what members see of their organization's, and of their own part. */
import type { KybStatus, Onboarding } from '../../domain/onboarding/onboarding.ts'
import type { OnboardingDocument } from '../../domain/onboarding/document.ts'
import type { OnboardingPerson } from '../../domain/onboarding/person.ts'
import type { Review } from '../../domain/onboarding/review.ts'
import type { OnboardingPersonId, UserId } from '../../domain/ids.ts'
import { aboutPerson, listRequirements, openFields } from '../../domain/onboarding/requirements.ts'
import { can, type Standing } from '../../domain/permissions.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { type DocumentRow, type NamedPerson, findNamed, readFacts, readOnboarding } from './known.ts'

type Viewer = Standing & { readonly userId: UserId }

/** Reads the onboarding as the viewer may see it: whole, or the part about themselves. */
export async function findOnboarding(reader: Reader, { userId, ...standing }: Viewer): Promise<Onboarding> {
  const row = await readOnboarding(reader)
  const facts = await readFacts(reader, row)
  const { people, documents } = facts
  const requirements = listRequirements(facts, row?.due_at ?? null)
  const isWhole = can(standing, 'onboarding.view_requirements')
  const own = people.filter(({ user_id }) => user_id === userId)
  const ownIds: ReadonlySet<string> = new Set(own.map(({ id }) => id))
  const shownPeople = isWhole ? people : own
  const shownDocuments = isWhole ? documents : documents.filter((one) => one.person_id && ownIds.has(one.person_id))
  return {
    status: row?.status ?? 'draft',
    since: row?.since ?? null,
    submitted_at: row?.submitted_at ?? null,
    verified_at: row?.verified_at ?? null,
    due_at: row?.due_at ?? null,
    review_at: row?.review_at ?? null,
    requirements: isWhole ? requirements : aboutPerson(requirements, ownIds),
    entity: isWhole ? facts.entity : null,
    people: shownPeople.map(toPerson),
    documents: shownDocuments.map(toDocument),
    reviews: isWhole && row ? await readReviews(reader) : [],
  }
}

const readReviews = (reader: Reader): Promise<Review[]> =>
  reader<Review>(sql`
    select r.reviewer, r.status, r.updated_at as since from onboarding_reviews r
    where r.organization_id = ${reader.organizationId} order by r.reviewer`)

const toPerson = ({ facts, ...row }: NamedPerson): OnboardingPerson => ({
  ...row,
  ...facts,
  is_member: row.user_id !== null,
})

const toDocument = ({
  id,
  kind,
  person_id,
  file_name,
  byte_size,
  content_type,
  ...row
}: DocumentRow): OnboardingDocument => ({
  id,
  kind,
  person_id,
  file_name,
  byte_size: Number(byte_size),
  content_type,
  status: row.sealed ? 'sealed' : row.there ? 'uploaded' : 'awaiting_upload',
  sha256: row.sha256,
  inserted_at: row.inserted_at,
})

/** Finds a person of the entity. Refuses `not_found`. */
export const findPerson = async (reader: Reader, id: OnboardingPersonId): Promise<OnboardingPerson> =>
  toPerson(await findNamed(reader, id))

/** Reads how far the verification is; `needed` lists what is open while more is asked for. */
export async function findKybStatus(reader: Reader): Promise<KybStatus> {
  const row = await readOnboarding(reader)
  if (!row) return { status: 'draft', since: null, due_at: null, needed: [] }
  const { status, since, due_at } = row
  const asks = status === 'needs_more' || status === 'draft' || status === 'review_due'
  const needed = asks ? openFields(listRequirements(await readFacts(reader, row), due_at)) : []
  return { status, since, due_at, needed }
}
