/** Documents of invoices and credit notes on their way to the customer: written, then mailed. */
import { config } from '../../platform/config.ts'
import { creditNoteEvents } from '../../domain/credit-notes/events.ts'
import { creditNoteFlow } from '../../domain/invoices/credit-note-flow.ts'
import { invoiceFlow } from '../../domain/invoices/flow.ts'
import type { CreditNoteId, InvoiceId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { invoiceEvents } from '../../domain/invoices/events.ts'
import { type AskRow, askAgain } from '../../db/processes/asking.ts'
import { record } from '../events.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { WAITS_FOR_TURN } from '../../db/processes/turns.ts'
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

export type Delivery = {
  /** True if its PDF, and its XML if it has one, are in storage. */
  readonly documents_written: boolean
  /** True if other documents of its organization are written first. */
  readonly waits_for_turn: boolean
  /** True if it was mailed once, or had no address to mail it to. */
  readonly mailed: boolean
  /** True if mails have ended that are not logged yet. */
  readonly mails_to_log: boolean
  /** True if a failed mail is due again, or to be given up: a reminder of a paid invoice. */
  readonly failed_mail_due: boolean
}

type Standing = Delivery & { readonly retry_at: string | null }

/** Tells if nothing is left to write, mail or log. */
export const isDelivered = (row: Standing): boolean =>
  row.documents_written && row.mailed && !row.mails_to_log && !row.failed_mail_due && row.retry_at === null

/** Says what an unwritten document waits for. */
export const sayUnwritten = (number: string, row: Delivery & Pick<AskRow, 'asks' | 'ask_note'>): string =>
  row.waits_for_turn ? WAITS_FOR_TURN : `Writes ${number} as PDF${row.asks > 0 ? `, again: ${row.ask_note}` : ''}.`

/** Says when a failed mail is sent again; nothing if none is. */
export const sayRetry = ({ retry_at: again }: Standing): string =>
  again === null ? '' : ` A mail has failed: it is sent again at ${minuteOf(again)}.`
