/** Records the documents of invoices and credit notes: written, or tried again. */
import { config } from '../../platform/config.ts'
import { creditNoteEvents } from '../../domain/credit-notes/events.ts'
import { creditNoteFlow } from '../../domain/invoices/credit-note-flow.ts'
import { invoiceFlow } from '../../domain/invoices/flow.ts'
import type { CreditNoteId, InvoiceId } from '../../domain/ids.ts'
import { invoiceEvents } from '../../domain/invoices/events.ts'
import { askAgain } from '../../db/processes/asking.ts'
import { record } from '../events.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { type Files, keepFiles } from './documents.ts'

const NOUNS = {
  invoices: { flow: invoiceFlow, written: invoiceEvents.written },
  credit_notes: { flow: creditNoteFlow, written: creditNoteEvents.written },
} as const
type Table = keyof typeof NOUNS

/** Records the stored documents as those of the row, unless another try was first. */
export async function recordDocuments(tx: Tx, table: Table, id: InvoiceId | CreditNoteId, files: Files): Promise<void> {
  const { pdf, xml } = files
  const written = await tx`
    update ${sql(table)} set pdf_file_id = ${pdf.fileId}, xml_file_id = ${xml?.fileId ?? null}, ask_at = null, asks = 0,
      ask_note = null, unclear_since = null
    where id = ${id} and pdf_file_id is null returning id`
  if (written.length === 0) return
  const payload = await keepFiles(tx, files)
  const { flow, written: event } = NOUNS[table]
  await record(tx, event, { subjectId: id, cause: `file:${pdf.fileId}`, payload })
  wake(tx, flow, { ids: [id], why: 'written' })
}

/** Schedules another try of the documents after a failed one, with backoff. */
export async function retryDocuments(tx: Tx, table: Table, id: InvoiceId | CreditNoteId, note: string): Promise<void> {
  await tx`${askAgain(table, config.partnerPollSeconds, note)} where id = ${id} and pdf_file_id is null`
  wake(tx, NOUNS[table].flow, { ids: [id], why: 'not written' })
}
