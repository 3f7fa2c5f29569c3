/** The import of a batch's file: read, judged row by row, and put into the place of the rows that were there. */
import { buffer } from 'node:stream/consumers'
import { findImport, noteProgress, rejectFile, replaceRows, type StagedFile } from '../../../db/batches/import.ts'
import { stagedText } from '../../../db/batches/staging.ts'
import { get } from '../../../db/files/storage.ts'
import { log } from '../../../db/log.ts'
import type { BatchId, OrganizationId } from '../../../db/model/ids.ts'
import type { ProcessRef } from '../../../db/model/process.ts'
import { organizationOf } from '../../../db/processes.ts'
import { UnreadableFile, readRows } from './csv.ts'

/** After so many rows who watches is told. */
const PROGRESS_ROWS = 5000

/**
 * Imports the file that a batch waits for; does nothing if an earlier try has done it. One that cannot be read ends the
 * import as well. Until all rows are there, none is: a try that breaks off leaves nothing.
 */
export async function importBatch(ref: ProcessRef): Promise<void> {
  const organizationId = organizationOf(ref)
  const batchId = ref.id as BatchId // the run is of a batch
  const file = await findImport(organizationId, batchId)
  if (!file) return
  const bytes = await buffer(await get(file.key)) // 5 MB at most; storage is not read while a transaction is open
  try {
    await replaceRows(organizationId, batchId, file, await readFile(organizationId, batchId, bytes))
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    log.info({ payment_batch_id: batchId, code: error.fault.code }, 'the file of a batch cannot be read')
    await rejectFile(organizationId, batchId, file, error.fault)
  }
}

async function readFile(organizationId: OrganizationId, batchId: BatchId, bytes: Buffer): Promise<StagedFile> {
  const staged: Buffer[] = []
  let columns: StagedFile['columns'] = []
  let [read, told] = [0, 0]
  for await (const part of readRows(bytes)) {
    columns = part.columns
    staged.push(stagedText(organizationId, part))
    read += part.rows.length
    if (read - told < PROGRESS_ROWS) continue
    told = read
    await noteProgress(organizationId, batchId, read)
  }
  return { columns, rows: staged }
}
