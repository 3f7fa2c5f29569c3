/** Commands of onboardings: what members say of their organization, and submit. */
import { canonicalJson } from '../../domain/canonical.ts'
import { applyChange } from '../../domain/changes.ts'
import { refuse } from '../../domain/errors.ts'
import type { FileId, OnboardingPersonId } from '../../domain/ids.ts'
import {
  type LegalEntity,
  type NewLegalEntity,
  listFilledFields,
  identityChanges,
  toLegalEntity,
} from '../../domain/onboarding/entity.ts'
import {
  type NewOnboardingPerson,
  type OnboardingPersonChanges,
  OWN_FIELDS,
  PEOPLE_MAX,
  type PersonFacts,
} from '../../domain/onboarding/person.ts'
import type { Person } from '../../domain/people/actor.ts'
import { can, type Standing } from '../../domain/permissions.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { dropDocument } from './documents.ts'
import { type NamedPerson, lockNamed, openEntity, seal } from './known.ts'
import { lockForChange, noteChange } from './locks.ts'

/** Replaces the legal entity. Refuses `invalid_state`. */
export async function putEntity(tx: Tx, given: NewLegalEntity): Promise<void> {
  const row = await lockForChange(tx)
  const before = openEntity(row)
  const after = toLegalEntity(given)
  const touched = listFilledFields(after)
  const changed = listChanges(before, after)
  if (changed.length > 0)
    await tx`update onboardings set entity = ${seal(row.id, { entity: after })} where id = ${row.id}`
  await noteChange(tx, row, { changed, touched, identifying: before ? identityChanges(before, after) : [] })
}

const listChanges = (before: LegalEntity | null, after: LegalEntity): string[] =>
  Object.entries(after).flatMap(([field, value]) =>
    canonicalJson(value) === canonicalJson(before?.[field as keyof LegalEntity] ?? null) ? [] : [`entity.${field}`],
  )

/** Adds a person. Refuses `invalid_state`, also beyond 25, and `not_found` for a member who is none. */
export async function addPerson(tx: Tx, id: OnboardingPersonId, given: NewOnboardingPerson): Promise<void> {
  const row = await lockForChange(tx)
  const { roles, user_id: userId = null } = given
  await requireRoom(tx)
  if (userId) await requireMember(tx, userId)
  const facts = factsOf(given)
  await tx`
    insert into onboarding_people (id, organization_id, roles, user_id, sealed)
    values (${id}, ${tx.organizationId}, ${roles}, ${userId}, ${seal(id, facts)})`
  const named = roles.map((role) => `people.${role}`)
  await noteChange(tx, row, { changed: named, touched: [...named, ...listFilled(id, facts)], identifying: named })
}

const factsOf = (given: NewOnboardingPerson): PersonFacts => ({
  name: given.name ?? null,
  born_on: given.born_on ?? null,
  nationality: given.nationality ?? null,
  address: given.address ?? null,
  identity_number: given.identity_number ?? null,
  share: given.share ?? null,
})

const listFilled = (id: string, facts: PersonFacts): string[] =>
  Object.entries(facts).flatMap(([field, value]) => (value === null ? [] : [`people.${id}.${field}`]))

async function requireRoom(tx: Tx): Promise<void> {
  const [found] = await tx<{ count: number }[]>`
    select count(*)::int as count from onboarding_people
    where organization_id = ${tx.organizationId} and removed_at is null`
  if ((found?.count ?? 0) >= PEOPLE_MAX) refuse('unprocessable_entity', { reason: 'too_many_people', most: PEOPLE_MAX })
}

/** Refuses `not_found` for no member, and `unprocessable_entity` for one who is named. */
async function requireMember(tx: Tx, userId: string, but: OnboardingPersonId | null = null): Promise<void> {
  const [found] = await tx<{ named: boolean }[]>`
    select exists (select from onboarding_people p where p.organization_id = ${tx.organizationId}
      and p.user_id = ${userId} and p.removed_at is null and p.id is distinct from ${but}) as named
    from members m where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`
  if (!found) refuse('not_found', { user_id: userId })
  if (found.named) refuse('unprocessable_entity', { reason: 'named_already', user_id: userId })
}

/**
 * Changes a person. One who may not update the organization changes their own facts alone.
 * Refuses `not_found`, `forbidden` and `invalid_state`.
 */
export async function changePerson(
  tx: Tx,
  caller: Person,
  id: OnboardingPersonId,
  changes: OnboardingPersonChanges,
): Promise<void> {
  const row = await lockForChange(tx)
  const person = await lockNamed(tx, id)
  await requireMayChange(tx, caller, person, Object.keys(changes))
  const { roles = person.roles, user_id: userId = person.user_id, ...rest } = changes
  if (userId && userId !== person.user_id) await requireMember(tx, userId, id)
  const { after, changed } = applyChange<PersonFacts>(person.facts, rest)
  const isMoved = canonicalJson(roles) !== canonicalJson(person.roles)
  const fields = [...changed, ...(isMoved ? ['roles'] : []), ...(userId === person.user_id ? [] : ['user_id'])]
  if (fields.length > 0)
    await tx`
      update onboarding_people set roles = ${roles}, user_id = ${userId}, sealed = ${seal(id, after)},
        updated_at = business_now() where id = ${id}`
  const pathsOf = (names: readonly string[]) => names.map((name) => `people.${id}.${name}`)
  await noteChange(tx, row, {
    changed: pathsOf(fields),
    touched: [...listFilled(id, after), ...roles.map((role) => `people.${role}`)],
    identifying: pathsOf(fields.filter((field) => field !== 'user_id')),
  })
}

/** Refuses `not_found` for another's part, and `forbidden` for what is not theirs to say. */
async function requireMayChange(
  tx: Tx,
  { userId }: Person,
  person: NamedPerson,
  fields: readonly string[],
): Promise<void> {
  const [member] = await tx<Standing[]>`
    select role, permissions_removed as removed from members where organization_id = ${tx.organizationId} and user_id = ${userId}`
  if (member && can(member, 'organization.update')) return
  if (person.user_id !== userId) refuse('not_found')
  if (fields.some((field) => !OWN_FIELDS.has(field))) refuse('forbidden', { permission: 'organization.update' })
}

/** Removes a person with their papers; what a review has seen is kept, and shown no more. Refuses as lockForChange(). */
export async function removePerson(tx: Tx, id: OnboardingPersonId): Promise<void> {
  const row = await lockForChange(tx)
  const person = await lockNamed(tx, id)
  const papers = await tx<{ id: FileId }[]>`
    select id from onboarding_documents where person_id = ${id} and removed_at is null order by id`
  for (const paper of papers) await dropDocument(tx, paper.id)
  await tx`update onboarding_people set removed_at = business_now() where id = ${id}`
  const named = person.roles.map((role) => `people.${role}`)
  await noteChange(tx, row, { changed: named, touched: [], identifying: named })
}
