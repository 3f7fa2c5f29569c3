/** The import of a batch's file: read, judged, and put in place of the former rows. */
import { findImport, noteProgress, rejectFile, replaceRows } from '../services/batches/import.ts'
import { bytesOf } from '../services/files/files.ts'
import { log } from '../platform/log.ts'
import { WORKBOOK_TYPE } from '../domain/batches/batch.ts'
import { type FileFault, type FileRows, UnreadableFile, fileFault } from '../domain/batches/columns.ts'
import type { BatchId, OrganizationId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { batchFlow } from '../domain/batches/flow.ts'
import { organizationOf } from '../db/processes/views.ts'
import { FileRefused, readParts } from '../documents/reading/process.ts'
import { inTurn } from './turn.ts'

const READING_MS_MAX = 240_000
/** Rows after which progress is recorded. */
const PROGRESS_ROWS = 5000

/** Imports the file that a batch waits for, in the turn of its organization. */
export const importBatch = inTurn<BatchId>({ flow: batchFlow, queue: 'heavy', states: ['importing'] }, importFile)

/** Imports the file, or records that it cannot be read. Does nothing if an earlier try has ended the import. */
async function importFile(ref: ProcessRef<BatchId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id: batchId } = ref
  const file = await findImport(organizationId, batchId)
  if (!file) return
  try {
    const bytes = await bytesOf(file) // 5 MB at most; storage is not read while a transaction is open
    if (!bytes) throw new UnreadableFile(fileFault('file_unreadable', null))
    const parts = readTable(bytes, file.contentType === WORKBOOK_TYPE)
    await replaceRows(organizationId, batchId, file, withProgress(organizationId, batchId, parts))
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    log.info({ payment_batch_id: batchId, code: error.fault.code }, 'the file of a batch cannot be read')
    await rejectFile(organizationId, batchId, file, error.fault)
  }
}

/** Reads every data row in the process that reads files. Throws UnreadableFile. */
async function* readTable(bytes: Uint8Array, isWorkbook: boolean): AsyncGenerator<FileRows> {
  try {
    yield* readParts('table', { bytes, isWorkbook }, { msMax: READING_MS_MAX })
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    const fault = error.details as FileFault | null // as the reader's process says
    throw new UnreadableFile(fault ?? fileFault('too_complex', null))
  }
}

/** Passes parts on and records progress in between. */
async function* withProgress(organizationId: OrganizationId, batchId: BatchId, parts: AsyncIterable<FileRows>) {
  let [read, noted] = [0, 0]
  for await (const part of parts) {
    yield part
    read += part.rows.length
    if (read - noted < PROGRESS_ROWS) continue
    noted = read
    await noteProgress(organizationId, batchId, read).catch((error: unknown) =>
      log.warn({ err: error, payment_batch_id: batchId }, 'progress could not be recorded'),
    )
  }
}
