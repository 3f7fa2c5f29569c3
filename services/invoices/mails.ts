import { record } from '../events.ts'
import type { EndingFollower } from '../messages/messages.ts'
import { refuse } from '../../domain/errors.ts'
import type { EventType } from '../../domain/event-type.ts'
import { creditNoteFlow } from '../../domain/invoices/credit-note-flow.ts'
import { invoiceFlow } from '../../domain/invoices/flow.ts'
import type { CreditNoteId, InvoiceId, OrganizationId } from '../../domain/ids.ts'
import type { InvoiceDocument } from '../../domain/invoice-documents/document.ts'
import { type Debt, dueAmount } from '../../domain/invoices/due.ts'
import { invoiceEvents } from '../../domain/invoices/events.ts'
import { RESENT_MAX } from '../../domain/invoices/invoice.ts'
import { type Occasion, mailAbout } from '../../domain/invoices/mail-texts.ts'
import type { AttachedFile } from '../../domain/messages/message.ts'
import type { RateCount } from '../../domain/rate-limit.ts'
import { countCustomerMails, refuseOver } from '../rate-limits.ts'
import { type Tx, first, sql, within } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import type { Editor } from './locked.ts'
import { pageUrl } from '../invoice-delivery/documents.ts'
import {
  type Content,
  type FailedMail,
  type MailKind,
  attachmentColumn,
  sendMails,
} from '../invoice-delivery/mailing.ts'

/** Age in days up to which an organization may mail only few customers a day. */
const NEW_DAYS = 7

type InvoiceMail = Debt & { readonly document: InvoiceDocument; readonly attachment: AttachedFile }

/** Reads the content of a mail about an invoice whose PDF is written. */
async function findMailed(tx: Tx, id: InvoiceId): Promise<InvoiceMail> {
  const row = await first(
    within(tx)<InvoiceMail & { readonly page_token: string | null }>(sql`
      select i.status as state, i.currency, i.total, i.accepted_amount, i.allocated, i.credited, i.document,
        encode(i.page_token_sealed, 'hex') as page_token,
        ${attachmentColumn(sql`f`)}
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

/** Refuses `rate_limited` for what was resent five times within an hour. */
export async function requireRoomToResend(tx: Tx, subjectId: string, { type }: Pick<EventType, 'type'>): Promise<void> {
  const [recent] = await tx<{ sent: number; seconds: number | null }[]>`
    select count(*)::int as sent,
      ceil(extract(epoch from min(e.occurred_at) + interval '1 hour' - business_now()))::int as seconds
    from events e where e.organization_id = ${tx.organizationId} and e.subject_id = ${subjectId}
      and e.type = ${type} and e.occurred_at > business_now() - interval '1 hour'`
  if (recent && recent.sent >= RESENT_MAX) refuse('rate_limited', { retry_after_seconds: recent.seconds ?? 1 })
}

/** Counts mails to these addresses, by default the customer's. Refuses `invalid_request` if there is none. */
export async function countRecipients(tx: Tx, id: InvoiceId, emails?: readonly string[]): Promise<readonly string[]> {
  const to = emails ?? (await customerEmails(tx, id))
  if (to.length === 0) {
    const message = 'must be given: the customer has none'
    refuse('invalid_request', { errors: [{ path: 'emails', code: 'required', message }] })
  }
  await countInvoiceMails(tx, to)
  return to
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

type Kind = Exclude<MailKind, 'credit_note'>
type NewMails = {
  readonly kind: Kind
  /** Days after the due date, of a reminder. */
  readonly day?: number
  readonly to: readonly string[]
  /** Person who requests it; absent for the service itself. */
  readonly by?: Editor
}

/** Sends a mail about a written invoice to each address. The caller has counted them. */
export async function sendInvoiceMails(tx: Tx, id: InvoiceId, { kind, day, to, by }: NewMails): Promise<void> {
  if (to.length === 0) return
  const content = contentOf(await findMailed(tx, id), { kind, reminder_day: day ?? null })
  const mail = { kind, day: day ?? null, by: by?.person.userId ?? null }
  await sendMails(tx, { invoice_id: id }, mail, { to, content })
  wake(tx, invoiceFlow, { ids: [id], why: 'mailed' }) // also if all are in the mailbox already: that has to be logged
  const event = { subjectId: id, cause: by?.cause ?? `mail:${id}:${kind}:${day ?? ''}` }
  const mails = to.length
  if (kind === 'reminder') await record(tx, invoiceEvents.reminded, { ...event, payload: { mails, day: day ?? null } })
  else await record(tx, invoiceEvents[kind === 'resend' ? 'resent' : 'mailed'], { ...event, payload: { mails } })
}

function contentOf(
  mailed: InvoiceMail,
  { kind, reminder_day: day }: Pick<FailedMail, 'kind' | 'reminder_day'>,
): Content {
  const { document, attachment } = mailed
  const occasion = occasionOf(kind, day)
  const amount = occasion === 'sent' ? document.total : dueAmount(mailed)
  return { document, attachment, mail: mailAbout(document, occasion, amount) }
}

function occasionOf(kind: MailKind, day: number | null): Occasion {
  if (kind !== 'reminder') return 'sent'
  return (day ?? 0) > 0 ? 'late' : 'soon'
}

/** Reads what mails about a written invoice say now. */
export async function readContents(tx: Tx, id: InvoiceId): Promise<(mail: FailedMail) => Content> {
  const mailed = await findMailed(tx, id)
  return (mail) => contentOf(mailed, mail)
}

type Mail = {
  readonly invoice_id: InvoiceId | null
  readonly credit_note_id: CreditNoteId | null
  readonly organization_id: OrganizationId
}

/** Records the end of a mail about an invoice or credit note, if the message is one; the run of that logs it. */
export const noteInvoiceMail: EndingFollower = async (tx, messageId, ending) => {
  const [mail] = await tx<Mail[]>`
    select invoice_id, credit_note_id, organization_id from end_invoice_mail(${messageId}, ${ending})`
  if (!mail) return
  const { invoice_id: invoiceId, credit_note_id: creditNoteId, organization_id: organizationId } = mail
  const why = `mail_${ending}`
  if (invoiceId) wake(tx, invoiceFlow, { ids: [invoiceId], why, organizationId })
  if (creditNoteId) wake(tx, creditNoteFlow, { ids: [creditNoteId], why, organizationId })
}
