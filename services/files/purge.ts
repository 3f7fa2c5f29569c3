/** Purge of slots, unused files, and leftovers of broken requests. */
import type { FileId, OrganizationId } from '../../domain/ids.ts'
import { asSystem, sql } from '../../db/postgres/sql.ts'
import { keyOf, removeAll, removeParts } from '../../platform/storage/storage.ts'

const BATCH = 100

type PurgeRow = {
  readonly id: FileId
  readonly organization_id: OrganizationId
  readonly stored_as: string | null
  readonly removed: boolean
}

/**
 * Purges every file that is due, and answers how many. A file in use keeps its object; all other objects go. Stops with
 * `StorageAway`; the next purge goes on.
 */
export async function purgeFiles(): Promise<number> {
  await removeParts()
  for (let purged = 0; ;) {
    const due = await sql<PurgeRow[]>`select * from files_to_purge(${BATCH})`
    for (const file of due) await purgeFile(file)
    purged += due.length
    if (due.length < BATCH) return purged
  }
}

async function purgeFile({ id, organization_id: organizationId, stored_as: object, removed }: PurgeRow): Promise<void> {
  await removeAll(id, !removed && object ? keyOf(id, object) : null)
  await asSystem(organizationId, async (tx) => {
    if (removed) await tx`delete from files where id = ${id} and removed_at is not null`
    else await tx`update files set purge_at = null where id = ${id} and used_at is not null`
  })
}
