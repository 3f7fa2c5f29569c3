/** Writes the file of an export to storage, as fast as storage takes it. */
import { Context } from '@temporalio/activity'
import { log } from '../platform/log.ts'
import { beginTry, completeExport, noteFailedTry, noteProgress, type Try } from '../services/exports/steps.ts'
import { type ReportTry, withReport } from '../services/exports/report.ts'
import { withAuditPack } from '../services/audit-packs/pack.ts'
import { type Key, type StoredObject, StorageAway, newKey, put } from '../platform/storage/storage.ts'
import { type ReportFormat, Unwritable } from '../domain/exports/export.ts'
import type { Pages, Report, Row } from '../domain/exports/report.ts'
import type { ExportId, OrganizationId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { exportFlow } from '../domain/exports/flow.ts'
import { organizationOf } from '../db/processes/views.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { reportProgress } from './heartbeat.ts'
import { inTurn } from './turn.ts'
import { zipOf } from '../documents/audit-pack/zip.ts'
import { camt053Of, camt054Of } from '../documents/statements/camt.ts'
import { csvOf } from '../documents/statements/csv.ts'
import { mt940Of } from '../documents/statements/mt940.ts'
import { ofxOf } from '../documents/statements/ofx.ts'
import { xlsxOf } from '../documents/statements/xlsx.ts'

const FORMATS: Readonly<Record<ReportFormat, (report: Report) => AsyncIterable<Uint8Array>>> = {
  csv: csvOf,
  xlsx: xlsxOf,
  pdf: drawPdf,
  camt053: camt053Of,
  camt054: camt054Of,
  mt940: mt940Of,
  ofx: ofxOf,
}
const PROGRESS_EVERY_MS = 1000

/** Draws a PDF by a module that is loaded on demand: every start of a worker would take longer. */
async function* drawPdf(report: Report): AsyncGenerator<Uint8Array> {
  const { pdfOf } = await import('../documents/statements/pdf.ts')
  yield* pdfOf(report)
}

/** Writes the file of an export in the turn of its organization. */
export const writeExport = inTurn<ExportId>({ flow: exportFlow, queue: 'heavy', states: exportFlow.driven }, write)

/** Runs one try: a snapshot, its file in storage, and the outcome. Does nothing if no file is due any more. */
async function write(ref: ProcessRef<ExportId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const begun = await asSystem(organizationId, (tx) => beginTry(tx, id))
  if (!begun) return
  try {
    const key = newKey(begun.fileId)
    const written = isReport(begun)
      ? await writeReport(organizationId, begun, key)
      : await writePack(organizationId, begun, key)
    const { rows, ...stored } = written
    await asSystem(organizationId, (tx) => completeExport(tx, begun, { ...stored, key, rows }))
  } catch (error) {
    if (Context.current().cancellationSignal.aborted) throw error
    log.warn({ err: error, export_id: id, try: begun.number }, 'an export was not written')
    await asSystem(organizationId, (tx) => noteFailedTry(tx, begun, reasonOf(error)))
  }
}

type ExportFile = StoredObject & { readonly rows: number }

const isReport = (begun: Try): begun is Try & ReportTry => begun.type !== 'audit_pack' && begun.format !== 'zip'

/** Writes rows of the books, all of one snapshot. */
const writeReport = (organizationId: OrganizationId, begun: ReportTry, key: Key): Promise<ExportFile> =>
  withReport(organizationId, begun, async (report) => {
    const progress = progressOf(organizationId, begun)
    const content = FORMATS[begun.format](withProgress(progress, report))
    const file = await put(key, untilCancelled(content, Context.current().cancellationSignal))
    return { ...file, rows: progress.processed }
  })

/** Writes an audit pack, part by part. */
async function writePack(organizationId: OrganizationId, begun: Try, key: Key): Promise<ExportFile> {
  const { from, to, sample, userId } = begun
  if (!sample) throw new Error('an audit pack has a sample')
  const progress = progressOf(organizationId, begun)
  return withAuditPack(organizationId, { from, to, sample, userId }, progress, async (parts) => {
    const file = await put(key, untilCancelled(zipOf(parts), Context.current().cancellationSignal))
    return { ...file, rows: progress.processed }
  })
}

function reasonOf(error: unknown): Parameters<typeof noteFailedTry>[2] {
  if (error instanceof Unwritable) return { failure: error.failure, forGood: true }
  return { failure: error instanceof StorageAway ? 'storage_unavailable' : 'internal_error' }
}

/** Reports progress: to operators by heartbeats, to the creator each second. */
function progressOf(organizationId: OrganizationId, begun: Pick<Try, 'id' | 'number'>) {
  let notedAt = Date.now()
  const progress = {
    processed: 0,
    total: 0,
    async add(rows: number): Promise<void> {
      progress.processed += rows
      const { processed, total } = progress
      reportProgress({ rows_processed: processed, rows_total: total })
      if (Date.now() < notedAt + PROGRESS_EVERY_MS) return
      notedAt = Date.now()
      await asSystem(organizationId, (tx) => noteProgress(tx, begun, { processed, total })).catch((error: unknown) =>
        log.warn({ err: error }, 'progress could not be recorded'),
      )
    },
  }
  return progress
}

/** Counts the rows of a report while they are read. */
function withProgress(progress: ReturnType<typeof progressOf>, report: Report): Report {
  const { sections } = report
  async function* counted(pages: Pages): AsyncGenerator<readonly Row[]> {
    progress.total ||= (await Promise.all(sections.map(({ rows }) => rows()))).reduce((sum, rows) => sum + rows, 0)
    for await (const page of pages) {
      await progress.add(page.length)
      yield page
    }
  }
  return { ...report, sections: sections.map((section) => ({ ...section, pages: counted(section.pages) })) }
}

/** Throws as soon as the activity is cancelled. */
async function* untilCancelled(content: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    signal.throwIfAborted()
    yield piece
  }
}
