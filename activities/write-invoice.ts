import { Context } from '@temporalio/activity'
import { creditNoteFlow } from '../domain/invoices/credit-note-flow.ts'
import { invoiceFlow } from '../domain/invoices/flow.ts'
import { type Key, StorageAway, newKey, put } from '../platform/storage/storage.ts'
import * as creditNotes from '../services/credit-notes/documents.ts'
import { readAttachments } from '../services/invoices/attachments.ts'
import { recordDocuments, retryDocuments } from '../services/invoice-delivery/delivery.ts'
import {
  type Format,
  type UnwrittenDocument,
  findUnwritten,
  reserveDocument,
} from '../services/invoice-delivery/documents.ts'
import { log } from '../platform/log.ts'
import type { CreditNoteId, InvoiceId, OrganizationId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { organizationOf } from '../db/processes/views.ts'
import { type Reader, asSystem, readerOf } from '../db/postgres/sql.ts'
import { inTurn } from './turn.ts'

/** Writes and stores the documents of an invoice in its organization's turn. One try reuses nothing of earlier ones. */
export const writeInvoiceDocuments = inTurn(
  // also of an invoice that was paid meanwhile
  { flow: invoiceFlow, queue: 'documents', states: ['sent', 'finalized', 'paid'] },
  writerOf('invoices', findUnwritten),
)

/** Writes and stores the documents of a credit note likewise. */
export const writeCreditNoteDocuments = inTurn(
  { flow: creditNoteFlow, queue: 'documents', states: ['sent'] },
  writerOf('credit_notes', creditNotes.findUnwritten),
)

function writerOf<Id extends InvoiceId | CreditNoteId>(
  table: 'invoices' | 'credit_notes',
  find: (reader: Reader, id: Id) => Promise<UnwrittenDocument<Id> | undefined>,
) {
  return async (ref: ProcessRef<Id>): Promise<void> => {
    const organizationId = organizationOf(ref)
    const { id } = ref
    const unwritten = await find(readerOf(organizationId), id)
    if (!unwritten) return
    try {
      const { writeDocuments } = await import('../documents/invoices/pdf.ts') // pdfkit takes long to load
      const { attachments = [] } = unwritten.document
      const bytes = await readAttachments(attachments)
      const files = attachments.map((one, index) => ({ ...one, bytes: bytes[index] ?? Buffer.alloc(0) }))
      const { pdf, xml } = await writeDocuments(unwritten.document, unwritten.logo, files)
      const stored = {
        pdf: await store(organizationId, unwritten, 'pdf', pdf),
        xml: xml && (await store(organizationId, unwritten, 'xml', xml)),
      }
      await asSystem(organizationId, (tx) => recordDocuments(tx, table, id, stored))
    } catch (error) {
      if (Context.current().cancellationSignal.aborted) throw error
      log.warn({ err: error, document_id: id }, 'an invoice or credit note was not written')
      const note = error instanceof StorageAway ? 'storage is away' : 'it cannot be written'
      await asSystem(organizationId, (tx) => retryDocuments(tx, table, id, note))
    }
  }
}

async function store(
  organizationId: OrganizationId,
  unwritten: UnwrittenDocument<string>,
  format: Format,
  bytes: Uint8Array,
) {
  const fileId = await asSystem(organizationId, (tx) => reserveDocument(tx, unwritten, format))
  const key: Key = newKey(fileId)
  async function* content() {
    yield bytes
  }
  return { ...(await put(key, content())), fileId, key }
}
