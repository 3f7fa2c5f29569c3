/** Papers at rest: each is encrypted under a key of its own once it was submitted. */
import type { FileId, OrganizationId } from '../../domain/ids.ts'
import { openContent, sealContent } from '../../platform/envelope.ts'
import { keyOf, newKey, put, remove, onePiece } from '../../platform/storage/storage.ts'
import { type Fragment, type Reader, asSystem, first, readerOf, sql } from '../../db/postgres/sql.ts'
import { bytesOf, replaceObject } from '../files/files.ts'

type Paper = {
  readonly id: FileId
  readonly object: string
  readonly sha256: string
  readonly sealed_key: Buffer | null
}

/** Selects whether a paper `d`, of a file `f`, was submitted and is to be encrypted. One that was lost never is. */
export const waitsForKey = (d: Fragment, f: Fragment): Fragment => sql`
  (${d}.sealed_key is null and ${d}.lost_at is null and ${f}.used_at is not null and ${f}.stored_as is not null)`

/** Selects the papers of the reader's organization that are to be encrypted. */
const papers = (reader: Reader) =>
  reader<Paper>(sql`
    select d.id, f.stored_as as object, f.sha256, d.sealed_key from onboarding_documents d join files f on f.id = d.id
    where d.organization_id = ${reader.organizationId} and ${waitsForKey(sql`d`, sql`f`)} order by d.id`)

/**
 * Encrypts the papers that were submitted and are not yet; a repeat goes on. One that storage has lost is marked: the
 * review begins without it, and its reviewer asks for it again. Throws `StorageAway`.
 */
export async function sealPapers(organizationId: OrganizationId): Promise<void> {
  for (const paper of await papers(readerOf(organizationId))) await sealPaper(organizationId, paper)
}

async function sealPaper(organizationId: OrganizationId, { id, object, sha256 }: Paper): Promise<void> {
  const before = keyOf(id, object)
  const plain = await bytesOf({ key: before, sha256 })
  if (!plain) {
    await asSystem(organizationId, async (tx) => {
      await tx`update onboarding_documents set lost_at = business_now() where id = ${id} and sealed_key is null`
    })
    return
  }
  const { content, sealedKey } = sealContent(plain)
  const key = newKey(id)
  const stored = await put(key, onePiece(content))
  const done = await asSystem(organizationId, async (tx) => {
    const sealed = await tx`
      update onboarding_documents set sealed_key = ${sealedKey}, sha256 = ${sha256}
      where id = ${id} and sealed_key is null returning id`
    if (sealed.length === 0) return false
    await replaceObject(tx, key, stored)
    return true
  })
  await remove(done ? before : key).catch(() => {}) // the purge of this file finds it, too
}

/** Opens a paper; undefined if storage has lost it, or it is not the organization's. */
export async function openPaper(organizationId: OrganizationId, id: FileId): Promise<Buffer | undefined> {
  const reader = readerOf(organizationId)
  const paper = await first(
    reader<Paper>(sql`
      select d.id, f.stored_as as object, f.sha256, d.sealed_key from onboarding_documents d join files f on f.id = d.id
      where d.id = ${id} and d.organization_id = ${organizationId} and f.stored_as is not null`),
  )
  const bytes = paper && (await bytesOf({ key: keyOf(id, paper.object), sha256: paper.sha256 }))
  return bytes && paper?.sealed_key ? openContent({ content: bytes, sealedKey: paper.sealed_key }) : bytes
}
