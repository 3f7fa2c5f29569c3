import { record } from '../events.ts'
import { type EndingFollower, sendMessage } from '../messages/messages.ts'
import { invoiceFlow } from '../../domain/flows/invoice.ts'
import { type InvoiceId, type OrganizationId, newId } from '../../domain/ids.ts'
import type { InvoiceDocument } from '../../domain/invoices/document.ts'
import { type Owed, dueAmount } from '../../domain/invoices/due.ts'
import { invoiceEvents } from '../../domain/invoices/events.ts'
import { type Occasion, mailAbout } from '../../domain/invoices/mail-texts.ts'
import type { AttachedFile } from '../../domain/messages/message.ts'
import type { RateCount } from '../../domain/rate-limit.ts'
import { unlink } from '../../domain/text.ts'
import { countCustomerMails, refuseOver } from '../rate-limits.ts'
import { type Tx, first, sql, within } from '../sql.ts'
import { wake } from '../wakes.ts'
import type { Editor } from './commands.ts'
import { pageUrl } from './documents.ts'

/** Age in days up to which an organization may mail only few customers a day. */
const NEW_DAYS = 7

type Mailed = Owed & { readonly document: InvoiceDocument; readonly attachment: AttachedFile }

/** Reads the content of a mail about an invoice whose PDF is written. */
async function findMailed(tx: Tx, id: InvoiceId): Promise<Mailed> {
  const row = await first(
    within(tx)<Mailed & { readonly page_token: string | null }>(sql`
      select i.status as state, i.currency, i.total, i.accepted_amount, i.allocated, i.document,
        encode(i.page_token_sealed, 'hex') as page_token,
        json_build_object('file_id', f.id, 'stored_as', f.stored_as, 'sha256', f.sha256, 'byte_size', f.byte_size,
          'filename', f.filename, 'content_type', f.content_type) as attachment
      from invoices i join files f on f.id = i.pdf_file_id
      where i.id = ${id}`),
  )
  if (!row) throw new Error(`the invoice ${id} is not written`)
  const { page_token: token, document, ...rest } = row
  return { ...rest, document: { ...document, page_url: pageUrl(id, token) } }
}

/** Reads the present addresses of an invoice's customer. */
export async function customerEmails(tx: Tx, id: InvoiceId): Promise<readonly string[]> {
  const [row] = await tx<{ emails: string[] }[]>`
    select coalesce(c.emails, '{}') as emails
    from invoices i join billing_contacts c on c.id = i.billing_contact_id where i.id = ${id}`
  return row?.emails ?? []
}

/** Counts mails that a person requests. Refuses `rate_limited` beyond a daily limit. */
export async function countInvoiceMails(tx: Tx, addresses: readonly string[]): Promise<void> {
  const over = await countIfRoom(tx, addresses)
  if (over) refuseOver(over)
}

/** Counts mails to customers, or answers the rate limit that has no room for them. */
export async function countIfRoom(tx: Tx, addresses: readonly string[]): Promise<RateCount | undefined> {
  if (addresses.length === 0) return undefined
  const { organizationId } = tx
  const [row] = await tx<{ is_new: boolean }[]>`
    select inserted_at > business_now() - make_interval(days => ${NEW_DAYS}) as is_new from organizations
    where id = ${organizationId}`
  return countCustomerMails(tx, { organizationId, isNew: row?.is_new ?? true }, addresses)
}

export type MailKind = 'invoice' | 'reminder' | 'resend'
type NewMails = {
  readonly kind: MailKind
  /** Days after the due date, of a reminder. */
  readonly day?: number
  readonly to: readonly string[]
  /** Person who requests it; absent for the service itself. */
  readonly by?: Editor
}

/** Sends a mail about a written invoice to each address. The caller has counted them. */
export async function sendInvoiceMails(tx: Tx, id: InvoiceId, { kind, day, to, by }: NewMails): Promise<void> {
  if (to.length === 0) return
  const mailed = await findMailed(tx, id)
  const occasion = occasionOf(kind, day)
  for (const recipient of to) {
    const { messageId, status } = await send(tx, mailed, recipient, occasion)
    await tx`
      insert into invoice_mails (id, organization_id, invoice_id, kind, reminder_day, recipient, status, message_id,
        created_by)
      values (${newId()}, ${tx.organizationId}, ${id}, ${kind}, ${day ?? null}, ${recipient}, ${status}, ${messageId},
        ${by?.person.userId ?? null})`
  }
  wake(tx, invoiceFlow, { ids: [id], why: 'mailed' }) // also if all are in the mailbox already: that has to be logged
  const event = { subjectId: id, cause: by?.cause ?? `mail:${id}:${kind}:${day ?? ''}` }
  const mails = to.length
  if (kind === 'reminder') await record(tx, invoiceEvents.reminded, { ...event, payload: { mails, day: day ?? null } })
  else await record(tx, invoiceEvents[kind === 'resend' ? 'resent' : 'mailed'], { ...event, payload: { mails } })
}

function occasionOf(kind: MailKind, day: number | null | undefined): Occasion {
  if (kind !== 'reminder') return 'sent'
  return (day ?? 0) > 0 ? 'late' : 'soon'
}

async function send(tx: Tx, mailed: Mailed, recipient: string, occasion: Occasion) {
  const { document, attachment } = mailed
  const { seller } = document
  const { id: messageId, status } = await sendMessage(tx, {
    recipient,
    channel: 'email',
    mail: mailAbout(document, occasion, occasion === 'sent' ? document.total : dueAmount(mailed)),
    attachment,
    sender: { name: unlink(seller.name), reply_to: seller.contact_email },
  })
  return { messageId, status: status === 'mailbox' ? 'delivered' : 'queued' }
}

export type FailedMail = {
  readonly id: string
  readonly recipient: string
  readonly kind: MailKind
  readonly reminder_day: number | null
}

export async function resendFailedMails(tx: Tx, id: InvoiceId, failed: readonly FailedMail[]): Promise<void> {
  if (failed.length === 0) return
  const mailed = await findMailed(tx, id)
  for (const { id: mailId, recipient, kind, reminder_day: day } of failed) {
    const { messageId, status } = await send(tx, mailed, recipient, occasionOf(kind, day))
    await tx`
      update invoice_mails set status = ${status}, message_id = ${messageId}, tries = tries + 1, try_at = null,
        logged = false, updated_at = business_now()
      where id = ${mailId}`
  }
}

/** Records the end of a mail about an invoice, if the message is one; the invoice's run logs it. */
export const noteInvoiceMail: EndingFollower = async (tx, messageId, ending) => {
  const [mail] = await tx<{ invoice_id: InvoiceId; organization_id: OrganizationId }[]>`
    select invoice_id, organization_id from end_invoice_mail(${messageId}, ${ending})`
  if (!mail) return
  const { invoice_id: id, organization_id: organizationId } = mail
  wake(tx, invoiceFlow, { ids: [id], why: `mail_${ending}`, organizationId })
}
