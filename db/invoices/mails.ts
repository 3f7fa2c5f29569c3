/** Mails about an invoice: the first one, once more when somebody asks, again when one failed, and reminders. */
import { record } from '../events.ts'
import { sendMessage } from '../messages/messages.ts'
import { invoiceFlow } from '../../domain/flows/invoice.ts'
import { type InvoiceId, newId } from '../../domain/ids.ts'
import type { InvoiceDocument } from '../../domain/invoices/document.ts'
import { dueAmount } from '../../domain/invoices/due.ts'
import { invoiceEvents } from '../../domain/invoices/events.ts'
import { type Occasion, mailAbout } from '../../domain/invoices/mail-texts.ts'
import type { AttachedFile } from '../../domain/messages/message.ts'
import type { RateCount } from '../../domain/rate-limit.ts'
import { unlinked } from '../../domain/text.ts'
import { countCustomerMails, refuseOver } from '../rate-limits.ts'
import { type Tx, first, sql, within } from '../sql.ts'
import { wake } from '../wakes.ts'
import type { Editor } from './drafts.ts'
import { pageUrl } from './page-token.ts'

/** One that failed is tried again after so long, so often. */
const PAUSE_HOURS = 12
const TRIES_MAX = 6
/** An organization that is younger mails few customers a day. */
const NEW_DAYS = 7

/** An invoice as a mail tells of it. */
type Mailed = {
  readonly state: string
  readonly currency: string
  readonly total: string
  readonly accepted_amount: string | null
  readonly allocated: string
  readonly document: InvoiceDocument
  readonly attachment: AttachedFile
}

/** What is mailed of an invoice that was written. */
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
  // who revoked the page does not want it to be mailed
  return { ...rest, document: { ...document, page_url: pageUrl(id, token) } }
}

/** Reads the addresses of an invoice's customer as they are now. */
export async function customerEmails(tx: Tx, id: InvoiceId): Promise<readonly string[]> {
  const [row] = await tx<{ emails: string[] }[]>`
    select coalesce(c.emails, '{}') as emails
    from invoices i join billing_contacts c on c.id = i.billing_contact_id where i.id = ${id}`
  return row?.emails ?? []
}

/** Counts mails that a person asks for. Refuses `rate_limited` if they cannot all go out today. */
export async function countInvoiceMails(tx: Tx, addresses: readonly string[]): Promise<void> {
  const over = await countIfRoom(tx, addresses)
  if (over) refuseOver(over)
}

/** Counts mails to customers, or answers the limit that has no room for them today. */
export async function countIfRoom(tx: Tx, addresses: readonly string[]): Promise<RateCount | undefined> {
  if (addresses.length === 0) return undefined
  const { organizationId } = tx
  const [row] = await tx<{ is_new: boolean }[]>`
    select inserted_at > business_now() - make_interval(days => ${NEW_DAYS}) as is_new from organizations
    where id = ${organizationId}`
  return countCustomerMails(tx, { organizationId, isNew: row?.is_new ?? true }, addresses)
}

type Kind = 'invoice' | 'reminder' | 'resend'
export type NewMails = {
  readonly kind: Kind
  /** Of a reminder, in days after the due date. */
  readonly day?: number
  readonly to: readonly string[]
  /** Who asks for it; the service itself unless it is given. */
  readonly by?: Editor
}

/**
 * Mails an invoice that was written, one mail to each address, if the transaction commits: they are counted already.
 */
export async function mailInvoice(tx: Tx, id: InvoiceId, { kind, day, to, by }: NewMails): Promise<void> {
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
  if (to.length === 0) return
  wake(tx, invoiceFlow, { ids: [id], why: 'mailed' }) // also for what is in the mailbox already: the log is to say so
  const event = { subjectId: id, cause: by?.cause ?? `mail:${id}:${kind}:${day ?? ''}` }
  const mails = to.length
  if (kind === 'reminder') await record(tx, invoiceEvents.reminded, { ...event, payload: { mails, day: day ?? null } })
  else await record(tx, invoiceEvents[kind === 'resend' ? 'resent' : 'mailed'], { ...event, payload: { mails } })
}

function occasionOf(kind: Kind, day: number | null | undefined): Occasion {
  if (kind !== 'reminder') return 'sent'
  return (day ?? 0) > 0 ? 'late' : 'soon'
}

async function send(tx: Tx, mailed: Mailed, recipient: string, occasion: Occasion) {
  const { document, attachment } = mailed
  const { seller, page_url: url } = document
  const { id: messageId, status } = await sendMessage(tx, {
    recipient,
    channel: 'email',
    ...mailAbout(document, occasion, occasion === 'sent' ? document.total : dueAmount(mailed)),
    ...(url !== null && { url }),
    attachment,
    sender: { name: unlinked(seller.name), reply_to: seller.contact_email },
  })
  return { messageId, status: status === 'mailbox' ? 'delivered' : 'queued' }
}

type Outcome = {
  readonly id: string
  readonly kind: Kind
  readonly message_id: string
  readonly status: 'delivered' | 'failed'
  readonly tries: number
}

/**
 * Writes into the log what became of mails, and has those tried again that failed, when it is time; no reminder of what
 * is paid by then. Answers when the next one is.
 */
export async function attendMails(tx: Tx, id: InvoiceId, { isOpen }: { isOpen: boolean }): Promise<string | null> {
  const ended = await tx<Outcome[]>`
    update invoice_mails set logged = true, try_at = case when status = 'failed' and tries < ${TRIES_MAX}
        then business_now() + make_interval(hours => ${PAUSE_HOURS}) end
    where invoice_id = ${id} and status <> 'queued' and not logged
    returning id, kind, message_id, status, tries`
  if (ended.length > 0) wake(tx, invoiceFlow, { ids: [id], why: 'mails attended' })
  for (const { id: mailId, kind, message_id: messageId, status, tries } of ended) {
    await record(tx, invoiceEvents[status === 'delivered' ? 'mail_delivered' : 'mail_failed'], {
      subjectId: id,
      cause: `message:${messageId}`,
      payload: { mail_id: mailId, kind, tries },
    })
  }
  if (!isOpen) {
    await tx`update invoice_mails set try_at = null where invoice_id = ${id} and kind = 'reminder' and try_at is not null`
  }
  // locked: who pays at this moment is waited for, and nobody is reminded afterwards
  const again = await tx<Failed[]>`
    select m.id, m.recipient, m.kind, m.reminder_day from invoice_mails m join invoices i on i.id = m.invoice_id
    where m.invoice_id = ${id} and m.status = 'failed' and m.try_at <= business_now()
      and (m.kind <> 'reminder' or i.status in ('sent', 'finalized')) for no key update`
  if (again.length > 0) {
    const mailed = await findMailed(tx, id)
    for (const mail of again) await tryAgain(tx, mailed, mail)
  }
  const [next] = await tx<{ at: string | null }[]>`
    select min(try_at) as at from invoice_mails where invoice_id = ${id} and status = 'failed'`
  return next?.at ?? null
}

type Failed = {
  readonly id: string
  readonly recipient: string
  readonly kind: Kind
  readonly reminder_day: number | null
}

async function tryAgain(tx: Tx, mailed: Mailed, { id, recipient, kind, reminder_day: day }: Failed): Promise<void> {
  const { messageId, status } = await send(tx, mailed, recipient, occasionOf(kind, day))
  await tx`
    update invoice_mails set status = ${status}, message_id = ${messageId}, tries = tries + 1, try_at = null,
      logged = false, updated_at = business_now()
    where id = ${id}`
}
