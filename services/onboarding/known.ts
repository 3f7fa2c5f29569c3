/** Facts about an organization: its entity, people and papers, and the wishes of reviews. */
import type { KnownDocument, KnownPerson, OnboardingFacts, Ask } from '../../domain/onboarding/requirements.ts'
import { listRequirements, openFields } from '../../domain/onboarding/requirements.ts'
import type { LegalEntity } from '../../domain/onboarding/entity.ts'
import type { OnboardingStatus } from '../../domain/onboarding/flow.ts'
import type { PersonFacts, PersonRole } from '../../domain/onboarding/person.ts'
import type { FileId, OnboardingId, OnboardingPersonId, UserId } from '../../domain/ids.ts'
import { decryptForRow, encryptForRow, unreadableRefusal } from '../../platform/encryption.ts'
import { type Reader, type Tx, first, sql, within } from '../../db/postgres/sql.ts'

export type OnboardingRow = {
  readonly id: OnboardingId
  readonly status: OnboardingStatus
  readonly since: string
  readonly entity: Buffer | null
  readonly round: number
  readonly touched: readonly string[]
  readonly submitted_at: string | null
  readonly verified_at: string | null
  readonly due_at: string | null
  readonly review_at: string | null
}

/** Reads the onboarding of the reader's organization; undefined before it has begun. */
export const readOnboarding = (reader: Reader): Promise<OnboardingRow | undefined> =>
  first(
    reader<OnboardingRow>(sql`
      select o.id, o.status, o.since, o.entity, o.round, o.touched, o.submitted_at, o.verified_at, o.due_at, o.review_at
      from onboardings o where o.organization_id = ${reader.organizationId} and o.status <> 'purged'`),
  )

export type PersonRow = {
  readonly id: OnboardingPersonId
  readonly roles: PersonRole[]
  readonly user_id: UserId | null
  readonly sealed: Buffer
  readonly inserted_at: string
}

export const readPeople = (reader: Reader): Promise<PersonRow[]> =>
  reader<PersonRow>(sql`
    select p.id, p.roles, p.user_id, p.sealed, p.inserted_at from onboarding_people p
    where p.organization_id = ${reader.organizationId} and p.removed_at is null order by p.inserted_at, p.id`)

export type DocumentRow = KnownDocument & {
  readonly id: FileId
  readonly person_id: OnboardingPersonId | null
  readonly file_name: string
  readonly byte_size: string
  readonly content_type: string
  readonly sha256: string | null
  readonly sealed: boolean
  readonly inserted_at: string
}

/** Lists the papers; one whose file never came is not listed once its slot is over. */
export const readDocuments = (reader: Reader): Promise<DocumentRow[]> =>
  reader<DocumentRow>(sql`
    select d.id, d.kind, d.person_id, f.filename as file_name, f.byte_size, f.content_type,
      coalesce(d.sha256, f.sha256) as sha256, d.sealed_key is not null as sealed, d.inserted_at,
      d.sealed_key is not null or f.stored_as is not null as there
    from onboarding_documents d join files f on f.id = d.id
    where d.organization_id = ${reader.organizationId} and d.removed_at is null and (d.sealed_key is not null or f.removed_at is null)
    order by d.inserted_at, d.id`)

/** Reads what reviews have asked for, and is not submitted again yet. */
async function readAsks(reader: Reader): Promise<Ask[]> {
  const rows = await reader<{ reviewer: string; asks: Omit<Ask, 'from'>[] }>(sql`
    select r.reviewer, r.asks from onboarding_reviews r
    where r.organization_id = ${reader.organizationId} and r.status = 'needs_more' order by r.reviewer`)
  return rows.flatMap(({ reviewer, asks }) => asks.map((ask) => ({ ...ask, from: reviewer })))
}

/** Opens sealed facts; refuses `service_unavailable` while their key is missing. */
export function open(id: string, sealed: Buffer): unknown {
  try {
    return decryptForRow(id, sealed)
  } catch {
    throw unreadableRefusal('sealed_unreadable')
  }
}

export const seal = (id: string, facts: object): Buffer => encryptForRow(id, facts)

export const openEntity = ({ id, entity }: Pick<OnboardingRow, 'id' | 'entity'>): LegalEntity | null =>
  entity && (open(id, entity) as { entity: LegalEntity }).entity // sealed as such

const toKnownPerson = ({ id, roles, sealed }: PersonRow): KnownPerson => ({
  id,
  roles,
  facts: open(id, sealed) as PersonFacts,
})

export type Standing = {
  readonly row: OnboardingRow | undefined
  readonly people: readonly PersonRow[]
  readonly documents: readonly DocumentRow[]
  readonly known: OnboardingFacts
}

/** Reads all that is known, one statement after the other. */
export async function readKnown(reader: Reader): Promise<Standing> {
  const row = await readOnboarding(reader)
  const people = await readPeople(reader)
  const documents = await readDocuments(reader)
  const asks = row ? await readAsks(reader) : []
  const known = {
    entity: row ? openEntity(row) : null,
    people: people.map(toKnownPerson),
    documents,
    asks,
    touched: row?.touched ?? [],
  }
  return { row, people, documents, known }
}

/** Stores which requirements are open: payments are refused with them, and no statement there opens anything. */
export async function noteOpenFields(tx: Tx): Promise<readonly string[]> {
  const { known } = await readKnown(within(tx))
  const fields = openFields(listRequirements(known, null))
  await tx`update onboardings set open_fields = ${fields} where organization_id = ${tx.organizationId}`
  return fields
}
