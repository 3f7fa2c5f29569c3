/** Mails about an invoice or a credit note, one row for each address; each noun says what they say, and logs them. */
import { sendMessage } from '../messages/messages.ts'
import { type CreditNoteId, type InvoiceId, newId } from '../../domain/ids.ts'
import type { InvoiceDocument } from '../../domain/invoice-documents/document.ts'
import type { MailContent } from '../../domain/messages/mail.ts'
import type { AttachedFile } from '../../domain/messages/message.ts'
import { unlink } from '../../domain/text.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'

/** Retry of a failed mail. */
const PAUSE_HOURS = 12
const TRIES_MAX = 6

/** Thing that mails are about. */
export type About = { readonly invoice_id: InvoiceId } | { readonly credit_note_id: CreditNoteId }

const isAbout = (about: About): Fragment =>
  'invoice_id' in about ? sql`invoice_id = ${about.invoice_id}` : sql`credit_note_id = ${about.credit_note_id}`

/** Selects the PDF `f` as an attachment. */
export const attachmentColumn = (f: Fragment): Fragment => sql`
  json_build_object('file_id', ${f}.id, 'stored_as', ${f}.stored_as, 'sha256', ${f}.sha256, 'byte_size', ${f}.byte_size,
    'filename', ${f}.filename, 'content_type', ${f}.content_type) as attachment`

export type Content = {
  readonly document: InvoiceDocument
  readonly attachment: AttachedFile
  readonly mail: MailContent
}
type SentMail = { readonly messageId: string; readonly status: 'delivered' | 'queued' }

async function send(tx: Tx, { document, attachment, mail }: Content, recipient: string): Promise<SentMail> {
  const { seller } = document
  const { id: messageId, status } = await sendMessage(tx, {
    recipient,
    channel: 'email',
    mail,
    attachment,
    sender: { name: unlink(seller.name), reply_to: seller.contact_email },
  })
  return { messageId, status: status === 'mailbox' ? 'delivered' : 'queued' }
}

export type MailKind = 'invoice' | 'credit_note' | 'reminder' | 'resend'
type NewMail = {
  readonly kind: MailKind
  /** Days after the due date, of a reminder. */
  readonly day: number | null
  /** Person who requests it; null for the service itself. */
  readonly by: string | null
}

/** Sends a mail to each address, and writes their rows. The caller has counted them. */
export async function sendMails(
  tx: Tx,
  about: About,
  { kind, day, by }: NewMail,
  { to, content }: { readonly to: readonly string[]; readonly content: Content },
): Promise<void> {
  for (const recipient of to) {
    const { messageId, status } = await send(tx, content, recipient)
    const row = { id: newId(), organization_id: tx.organizationId, kind, reminder_day: day, recipient, status }
    await tx`insert into invoice_mails ${sql({ ...row, ...about, message_id: messageId, created_by: by })}`
  }
}

export type FailedMail = {
  readonly id: string
  readonly recipient: string
  readonly kind: MailKind
  readonly reminder_day: number | null
}

/** Reads the failed mails whose pause is over. */
export const readFailedMails = (tx: Tx, about: About): Promise<FailedMail[]> => tx<FailedMail[]>`
  select id, recipient, kind, reminder_day from invoice_mails
  where ${isAbout(about)} and status = 'failed' and try_at <= business_now()`

/** Sends a failed mail again. */
export async function resendMail(tx: Tx, { id, recipient }: FailedMail, content: Content): Promise<void> {
  const { messageId, status } = await send(tx, content, recipient)
  await tx`
    update invoice_mails set status = ${status}, message_id = ${messageId}, tries = tries + 1, try_at = null,
      logged = false, updated_at = business_now()
    where id = ${id}`
}

export type EndedMail = {
  readonly id: string
  readonly kind: MailKind
  readonly message_id: string
  readonly status: 'delivered' | 'failed'
  readonly tries: number
}

/** Takes the unlogged ends of the latest tries, and schedules the retry of failed ones. */
export const takeEndedMails = (tx: Tx, about: About): Promise<EndedMail[]> => tx<EndedMail[]>`
  update invoice_mails set logged = true, try_at = case when status = 'failed' and tries < ${TRIES_MAX}
      then business_now() + make_interval(hours => ${PAUSE_HOURS}) end
  where ${isAbout(about)} and status <> 'queued' and not logged
  returning id, kind, message_id, status, tries`
