/** Reads of onboardings: what members see of their organization's, and of their own part. */
import type { KybStatus, Onboarding } from '../../domain/onboarding/onboarding.ts'
import type { OnboardingDocument } from '../../domain/onboarding/document.ts'
import type { OnboardingPerson, PersonFacts } from '../../domain/onboarding/person.ts'
import type { Review } from '../../domain/onboarding/review.ts'
import { refuse } from '../../domain/errors.ts'
import type { OnboardingPersonId, UserId } from '../../domain/ids.ts'
import { aboutPerson, listRequirements, openFields } from '../../domain/onboarding/requirements.ts'
import { type Role, can } from '../../domain/permissions.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { type DocumentRow, type PersonRow, open, readKnown, readOnboarding } from './known.ts'

type Viewer = { readonly userId: UserId; readonly role: Role }

/** Reads the onboarding as the viewer may see it: whole, or the part about themselves. */
export async function findOnboarding(reader: Reader, { userId, role }: Viewer): Promise<Onboarding> {
  const { row, people, documents, known } = await readKnown(reader)
  const requirements = listRequirements(known, row?.due_at ?? null)
  const isWhole = can(role, 'onboarding.view_requirements')
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
    entity: isWhole ? known.entity : null,
    people: shownPeople.map(toPerson),
    documents: shownDocuments.map(toDocument),
    reviews: isWhole && row ? await readReviews(reader) : [],
  }
}

const readReviews = (reader: Reader): Promise<Review[]> =>
  reader<Review>(sql`
    select r.reviewer, r.status, r.updated_at as since from onboarding_reviews r
    where r.organization_id = ${reader.organizationId} order by r.reviewer`)

function toPerson({ id, roles, user_id, sealed, inserted_at }: PersonRow): OnboardingPerson {
  const { name, born_on, nationality, address, share } = open(id, sealed) as PersonFacts
  return { id, roles, name, born_on, nationality, address, share, is_member: user_id !== null, user_id, inserted_at }
}

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
export async function findPerson(reader: Reader, id: OnboardingPersonId): Promise<OnboardingPerson> {
  const [row] = await reader<PersonRow>(sql`
    select p.id, p.roles, p.user_id, p.sealed, p.inserted_at from onboarding_people p
    where p.id = ${id} and p.organization_id = ${reader.organizationId} and p.removed_at is null`)
  return row ? toPerson(row) : refuse('not_found')
}

/** Reads how far the verification is; `needed` lists what is open while more is asked for. */
export async function findKybStatus(reader: Reader): Promise<KybStatus> {
  const row = await readOnboarding(reader)
  if (!row) return { status: 'draft', since: null, due_at: null, needed: [] }
  const { status, since, due_at } = row
  const asks = status === 'needs_more' || status === 'draft' || status === 'review_due'
  const needed = asks ? openFields(listRequirements((await readKnown(reader)).known, due_at)) : []
  return { status, since, due_at, needed }
}
