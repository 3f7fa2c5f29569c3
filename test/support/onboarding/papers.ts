/** Objects of papers as storage has them. */
import { buffer } from 'node:stream/consumers'
import type { FileId } from '../../../domain/ids.ts'
import { get, keyOf } from '../../../platform/storage/storage.ts'
import { owner } from '../database.ts'

export async function getDisk(organizationId: string): Promise<Buffer[]> {
  const files = await owner<{ id: FileId; object: string }[]>`
    select d.id, f.stored_as as object from onboarding_documents d join files f on f.id = d.id
    where d.organization_id = ${organizationId}`
  return Promise.all(files.map(async ({ id, object }) => buffer(await get(keyOf(id, object)))))
}
