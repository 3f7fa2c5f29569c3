/** Facts about an organization: its entity, people and papers, and the wishes of reviews. */
import type { KnownDocument, OnboardingFacts, Ask } from '../../domain/onboarding/requirements.ts'
import { listRequirements, openFields } from '../../domain/onboarding/requirements.ts'
import type { LegalEntity } from '../../domain/onboarding/entity.ts'
import type { OnboardingStatus } from '../../domain/onboarding/flow.ts'
import type { PersonFacts, PersonRole } from '../../domain/onboarding/person.ts'
import type { FileId, OnboardingId, OnboardingPersonId, UserId } from '../../domain/ids.ts'
import { refuse } from '../../domain/errors.ts'
import { decryptForRow, encryptForRow, unreadableRefusal } from '../../platform/encryption.ts'
import { type Fragment, type Reader, type Tx, first, sql, within } from '../../db/postgres/sql.ts'

export type OnboardingRow = {
  readonly id: OnboardingId
  readonly status: OnboardingStatus
  readonly since: string
  readonly entity: Buffer | null
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
      select o.id, o.status, o.since, o.entity, o.touched, o.submitted_at, o.verified_at, o.due_at, o.review_at
      from onboardings o where o.organization_id = ${reader.organizationId} and o.status <> 'purged'`),
  )

type PersonRow = {
  readonly id: OnboardingPersonId
  readonly roles: PersonRole[]
  readonly user_id: UserId | null
  readonly sealed: Buffer
  readonly inserted_at: string
}

/** Person of the entity, with the facts that are sealed. */
export type NamedPerson = Omit<PersonRow, 'sealed'> & { readonly facts: PersonFacts }

/** Facts as they were sealed, earlier ones without the number. */
type SealedFacts = Omit<PersonFacts, 'identity_number'> & Partial<Pick<PersonFacts, 'identity_number'>>

const openPerson = ({ sealed, ...row }: PersonRow): NamedPerson => ({
  ...row,
  facts: { identity_number: null, ...(open(row.id, sealed) as SealedFacts) },
})

/** Selects the people of an organization that are named now. */
const selectPeople = ({ organizationId }: Pick<Reader, 'organizationId'>): Fragment => sql`
  select p.id, p.roles, p.user_id, p.sealed, p.inserted_at from onboarding_people p
  where p.organization_id = ${organizationId} and p.removed_at is null`

const readPeople = async (reader: Reader): Promise<NamedPerson[]> =>
  (await reader<PersonRow>(sql`${selectPeople(reader)} order by p.inserted_at, p.id`)).map(openPerson)

/** Finds a person of the entity. Refuses `not_found`. */
export async function findNamed(reader: Reader, id: OnboardingPersonId): Promise<NamedPerson> {
  const row = await first(reader<PersonRow>(sql`${selectPeople(reader)} and p.id = ${id}`))
  return row ? openPerson(row) : refuse('not_found')
}

/** Locks a person of the entity. Refuses `not_found`. */
export async function lockNamed(tx: Tx, id: OnboardingPersonId): Promise<NamedPerson> {
  const row = await first(tx<PersonRow[]>`${selectPeople(tx)} and p.id = ${id} for update`)
  return row ? openPerson(row) : refuse('not_found')
}

export type DocumentRow = KnownDocument & {
  readonly id: FileId
  readonly person_id: OnboardingPersonId | null
  readonly file_name: string
  readonly byte_size: string
  readonly content_type: string
  readonly sha256: string | null
  readonly sealed: boolean
  /** Object of its file in storage; null before it is there. */
  readonly object: string | null
  readonly inserted_at: string
}

/** Lists the papers, but those whose file was lost, or had not come when its slot was over. */
export const readDocuments = (reader: Reader): Promise<DocumentRow[]> =>
  reader<DocumentRow>(sql`
    select d.id, d.kind, d.person_id, f.filename as file_name, f.byte_size, f.content_type,
      coalesce(d.sha256, f.sha256) as sha256, d.sealed_key is not null as sealed, f.stored_as as object,
      d.inserted_at,
      d.sealed_key is not null or f.stored_as is not null as there
    from onboarding_documents d join files f on f.id = d.id
    where d.organization_id = ${reader.organizationId} and d.removed_at is null and d.lost_at is null
      and (d.sealed_key is not null or f.removed_at is null)
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

/** Facts as their rows have them. */
type KnownRows = Omit<OnboardingFacts, 'people' | 'documents'> & {
  readonly people: readonly NamedPerson[]
  readonly documents: readonly DocumentRow[]
}

/** Reads the facts about an organization, one statement after the other. `row` is its onboarding. */
export async function readFacts(reader: Reader, row: OnboardingRow | undefined): Promise<KnownRows> {
  const people = await readPeople(reader)
  const documents = await readDocuments(reader)
  const asks = row ? await readAsks(reader) : []
  return { entity: row ? openEntity(row) : null, people, documents, asks, touched: row?.touched ?? [] }
}

/** Stores which requirements are open: payments are refused with them, and no statement there opens anything. */
export async function noteOpenFields(tx: Tx): Promise<void> {
  const reader = within(tx)
  const facts = await readFacts(reader, await readOnboarding(reader))
  const fields = openFields(listRequirements(facts, null))
  await tx`update onboardings set open_fields = ${fields} where organization_id = ${tx.organizationId}`
}
