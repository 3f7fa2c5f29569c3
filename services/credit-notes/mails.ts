import { record } from '../events.ts'
import type { Editor } from '../invoices/locked.ts'
import { pageUrl } from '../invoice-delivery/documents.ts'
import { type Content, type EndedMail, attachmentColumn, sendMails } from '../invoice-delivery/mailing.ts'
import { creditNoteEvents } from '../../domain/credit-notes/events.ts'
import { mailAboutCreditNote } from '../../domain/credit-notes/mail-texts.ts'
import { creditNoteFlow } from '../../domain/invoices/credit-note-flow.ts'
import type { CreditNoteId } from '../../domain/ids.ts'
import { type Tx, first, sql, within } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'

type NoteMail = Pick<Content, 'document' | 'attachment'> & {
  readonly invoice_id: string
  readonly page_token: string | null
}

/** Writes the mail about a credit note whose PDF is written. */
export async function contentOf(tx: Tx, id: CreditNoteId): Promise<Content> {
  const row = await first(
    within(tx)<NoteMail>(sql`
      select n.invoice_id, n.document, encode(i.page_token_sealed, 'hex') as page_token, ${attachmentColumn(sql`f`)}
      from credit_notes n join invoices i on i.id = n.invoice_id join files f on f.id = n.pdf_file_id
      where n.id = ${id}`),
  )
  if (!row) throw new Error(`the credit note ${id} is not written`)
  const { invoice_id: invoiceId, page_token: token, attachment } = row
  const document = { ...row.document, page_url: pageUrl(invoiceId, token) }
  return { document, attachment, mail: mailAboutCreditNote(document) }
}

type NewMails = {
  readonly kind: 'credit_note' | 'resend'
  readonly to: readonly string[]
  /** Person who requests it; absent for the service itself. */
  readonly by?: Editor
}

/** Sends a mail about a written credit note to each address. The caller has counted them. */
export async function sendCreditNoteMails(tx: Tx, id: CreditNoteId, { kind, to, by }: NewMails): Promise<void> {
  if (to.length === 0) return
  const mail = { kind, day: null, by: by?.person.userId ?? null }
  await sendMails(tx, { credit_note_id: id }, mail, { to, content: await contentOf(tx, id) })
  wake(tx, creditNoteFlow, { ids: [id], why: 'mailed' }) // also if all are in the mailbox already: that has to be logged
  const event = { subjectId: id, cause: by?.cause ?? `mail:${id}`, payload: { mails: to.length } }
  await record(tx, creditNoteEvents[kind === 'resend' ? 'resent' : 'mailed'], event)
}

/** Records the end of a mail in the log of its credit note. */
export async function recordEnd(tx: Tx, id: CreditNoteId, mail: EndedMail): Promise<void> {
  const { id: mailId, kind, message_id: messageId, status, tries } = mail
  await record(tx, creditNoteEvents[status === 'delivered' ? 'mail_delivered' : 'mail_failed'], {
    subjectId: id,
    cause: `message:${messageId}`,
    payload: { mail_id: mailId, kind: kind === 'resend' ? kind : 'credit_note', tries },
  })
}
