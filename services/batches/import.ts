/** The import of a batch's file, by one transaction. */
import { randomUUID } from 'node:crypto'
import { type StoredFile, claim, release } from '../files/files.ts'
import { batchMoves } from '../../domain/batches/events.ts'
import type { FileFault, FileRows } from '../../domain/batches/columns.ts'
import type { BatchId, FileId, OrganizationId } from '../../domain/ids.ts'
import { type Tx, asSystem, sql, waitForDisk } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { recount } from './batches.ts'
import { insertStaged, stage } from './staging.ts'

/** Makes the cause of an import; the same file may be imported again. */
const newCause = (): string => `import:${randomUUID()}`

/** Finds the file that a batch imports; undefined if an earlier try has ended the import. */
export const findImport = (organizationId: OrganizationId, batchId: BatchId): Promise<StoredFile | undefined> =>
  asSystem(organizationId, async (tx) => {
    const [row] = await tx<{ importing_file_id: FileId }[]>`
      select importing_file_id from payment_batches where id = ${batchId} and status = 'importing'`
    return row && claim(tx, { fileId: row.importing_file_id, purpose: 'payment_batch', ownerId: batchId })
  })

/** Records how many rows of the file are read. */
export const noteProgress = (organizationId: OrganizationId, batchId: BatchId, rows: number): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    await waitForDisk(tx, false) // nothing is lost that is not read again
    await tx`update payment_batches set rows_imported = ${rows} where id = ${batchId} and status = 'importing'`
  })

/**
 * Replaces all rows of a batch by judged ones and makes it a draft again; does nothing if another try has done so. Rows
 * are staged while the file is read; what that throws changes nothing.
 */
export const replaceRows = (
  organizationId: OrganizationId,
  batchId: BatchId,
  file: StoredFile,
  parts: AsyncIterable<FileRows>,
): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    const { columns, separator, emptyRows, emptyColumns } = await stage(tx, parts)
    const before = await lockImport(tx, batchId, file.id)
    if (!before) return
    await tx`delete from payment_batch_rows where payment_batch_id = ${batchId}`
    await insertStaged(tx, batchId)
    await recount(tx, batchId)
    if (before.file_id && before.file_id !== file.id) await release(tx, before.file_id)
    await transition(tx, batchMoves, batchId, {
      events: ['imported'],
      cause: newCause(),
      set: sql`
        file_id = ${file.id}, importing_file_id = null, columns = ${[...columns]}, separator = ${separator},
        rows_empty = ${emptyRows}, columns_empty = ${emptyColumns},
        payees_unasked = exists (select from payment_batch_rows r
          where r.payment_batch_id = ${batchId} and r.rail = 'fiat' and r.status = 'valid')`,
      payload: { file_id: file.id, sha256: file.sha256 },
    })
  })

/** Records why a file cannot be read; the batch keeps its rows. Does nothing if another try has ended the import. */
export const rejectFile = (
  organizationId: OrganizationId,
  batchId: BatchId,
  file: StoredFile,
  fault: FileFault,
): Promise<void> =>
  asSystem(organizationId, async (tx) => {
    const before = await lockImport(tx, batchId, file.id)
    if (!before) return
    if (before.file_id !== file.id) await release(tx, file.id)
    await transition(tx, batchMoves, batchId, {
      events: ['reject_file'],
      cause: newCause(),
      set: sql`importing_file_id = null, import_error = ${sql.json(fault)}`,
      payload: { file_id: file.id, line: fault.line, code: fault.code },
    })
  })

/** Locks a batch that imports this file; undefined if it does no more. */
async function lockImport(tx: Tx, batchId: BatchId, fileId: FileId): Promise<{ file_id: FileId | null } | undefined> {
  const [row] = await tx<{ file_id: FileId | null }[]>`
    select file_id from payment_batches
    where id = ${batchId} and status = 'importing' and importing_file_id = ${fileId} for no key update`
  return row
}
