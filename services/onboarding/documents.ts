/** Papers of an onboarding: slots, files, and their removal. */
import { refuse } from '../../domain/errors.ts'
import type { FileId, OnboardingPersonId } from '../../domain/ids.ts'
import { DOCUMENTS_MAX, type DocumentKind, type NewOnboardingDocument } from '../../domain/onboarding/document.ts'
import type { Person } from '../../domain/people/actor.ts'
import { can, type Standing } from '../../domain/permissions.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { openSlot, release } from '../files/files.ts'
import { lockForChange, noteChange } from './locks.ts'

/**
 * Opens a slot for a paper. A person adds their own identity alone. Refuses `invalid_state`, `not_found` for a person who
 * is not named, and `unprocessable_entity` beyond 60 papers.
 */
export async function addDocument(tx: Tx, caller: Person, id: FileId, given: NewOnboardingDocument): Promise<void> {
  const row = await lockForChange(tx)
  const { kind, person_id: personId = null, filename, byte_size: byteSize, content_type: contentType } = given
  await requireMayAdd(tx, caller, personId)
  await requireRoom(tx)
  await openSlot(tx, { id, purpose: 'onboarding', ownerId: tx.organizationId, filename, byteSize, contentType })
  await tx`
    insert into onboarding_documents (id, organization_id, kind, person_id, added_by)
    values (${id}, ${tx.organizationId}, ${kind}, ${personId}, ${caller.userId})`
  const changed = [pathOf(kind, personId)]
  await noteChange(tx, row, { changed, touched: changed, identifying: [] })
}

const pathOf = (kind: DocumentKind, person: OnboardingPersonId | null): string =>
  `documents.${kind}${person ? `.${person}` : ''}`

async function requireRoom(tx: Tx): Promise<void> {
  const [found] = await tx<{ count: number }[]>`
    select count(*)::int as count from onboarding_documents
    where organization_id = ${tx.organizationId} and removed_at is null`
  if ((found?.count ?? 0) >= DOCUMENTS_MAX)
    refuse('unprocessable_entity', { reason: 'too_many_documents', most: DOCUMENTS_MAX })
}

/** Refuses `not_found` for a person who is not named, and for the part of another person. */
async function requireMayAdd(tx: Tx, { userId }: Person, personId: OnboardingPersonId | null): Promise<void> {
  const [found] = await tx<(Standing & { is_own: boolean | null })[]>`
    select m.role, m.permissions_removed as removed, (select p.user_id is not distinct from ${userId} from onboarding_people p where p.id = ${personId}
      and p.organization_id = m.organization_id and p.removed_at is null) as is_own
    from members m where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`
  if (!found || (personId !== null && found.is_own === null)) refuse('not_found')
  if (can(found, 'organization.update') || found.is_own === true) return
  if (personId === null) refuse('forbidden', { permission: 'organization.update' })
  refuse('not_found')
}

/** Removes a paper. One that a review has seen is kept until the end of its time, and shown no more. */
export async function removeDocument(tx: Tx, caller: Person, id: FileId): Promise<void> {
  const row = await lockForChange(tx)
  const [paper] = await tx<{ kind: DocumentKind; person_id: OnboardingPersonId | null }[]>`
    select kind, person_id from onboarding_documents
    where id = ${id} and organization_id = ${tx.organizationId} and removed_at is null for update`
  if (!paper) refuse('not_found')
  await requireMayAdd(tx, caller, paper.person_id)
  await dropDocument(tx, id)
  await noteChange(tx, row, { changed: [pathOf(paper.kind, paper.person_id)], touched: [], identifying: [] })
}

export async function dropDocument(tx: Tx, id: FileId): Promise<void> {
  const [sealed] = await tx<{ is_sealed: boolean }[]>`
    update onboarding_documents set removed_at = business_now() where id = ${id} returning sealed_key is not null as is_sealed`
  if (sealed?.is_sealed === false) await release(tx, id)
}
