/** Steps of the run of an invoice; its documents are written by activities/invoices/. */
import { inSeconds } from '../asking.ts'
import { record } from '../events.ts'
import { driven } from '../../domain/flows/flow.ts'
import { type InvoiceState, invoiceFlow } from '../../domain/flows/invoice.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import { invoiceEvents } from '../../domain/invoices/events.ts'
import { type Tx, sql } from '../sql.ts'
import { wake } from '../wakes.ts'
import {
  type MailKind,
  type FailedMail,
  countIfRoom,
  customerEmails,
  resendFailedMails,
  sendInvoiceMails,
} from './mails.ts'
import { remindersLeft } from './view.ts'

/** A mail that failed is tried again after this pause, up to this number of tries. */
const PAUSE_HOURS = 12
const TRIES_MAX = 6

/** Mails an invoice once, to the addresses that its customer had when it was sent. */
export async function mailInvoice(tx: Tx, id: InvoiceId): Promise<void> {
  const invoice = await lockWritten(tx, id)
  if (!invoice || invoice.mailed) return
  await tx`update invoices set mailed_at = business_now() where id = ${id}`
  await sendInvoiceMails(tx, id, { kind: 'invoice', to: invoice.mail_to })
  await logEnded(tx, id)
  wake(tx, invoiceFlow, { ids: [id], why: 'mailed' })
}

/** Writes into the log how mails ended; one that failed is to be tried again after a pause. */
export async function logInvoiceMails(tx: Tx, id: InvoiceId): Promise<void> {
  if (!(await lockWritten(tx, id)) || !(await logEnded(tx, id))) return
  wake(tx, invoiceFlow, { ids: [id], why: 'mails logged' })
}

/** Sends mails again that failed, when their pause is over; a reminder of what is paid by then is given up. */
export async function resendInvoiceMails(tx: Tx, id: InvoiceId): Promise<void> {
  const invoice = await lockWritten(tx, id)
  if (!invoice) return
  const isOpen = driven(invoiceFlow, invoice.status)
  const givenUp = await tx`
    update invoice_mails set try_at = null
    where invoice_id = ${id} and kind = 'reminder' and try_at is not null and not ${isOpen}`
  const due = await tx<FailedMail[]>`
    select id, recipient, kind, reminder_day from invoice_mails
    where invoice_id = ${id} and status = 'failed' and try_at <= business_now()`
  if (givenUp.count + due.length === 0) return
  await resendFailedMails(tx, id, due)
  await logEnded(tx, id)
  wake(tx, invoiceFlow, { ids: [id], why: 'mailed again' })
}

/**
 * Reminds the customer of an open invoice: of several reminders that were missed only the latest is sent. Waits until
 * the limits of mails to customers have room for it.
 */
export async function remindCustomer(tx: Tx, id: InvoiceId): Promise<void> {
  // locked: a payment at this moment is waited for, and nobody is reminded afterwards
  if (!(await lockWritten(tx, id))) return
  const [due] = await tx<{ day: number | null }[]>`
    select max(r.day) as day from invoices i join organizations o on o.id = i.organization_id
    cross join lateral (${remindersLeft(sql`i`, sql`o`)}) r
    where i.id = ${id} and r.at <= business_now() and coalesce(i.reminder_waits_until <= business_now(), true)`
  if (!due || due.day === null) return
  const to = await customerEmails(tx, id)
  const over = await countIfRoom(tx, to)
  if (over) {
    await tx`update invoices set reminder_waits_until = ${inSeconds(over.secondsLeft)} where id = ${id}`
    return wake(tx, invoiceFlow, { ids: [id], why: 'reminder waits' })
  }
  await tx`update invoices set reminded_day = ${due.day}, reminder_waits_until = null where id = ${id}`
  await sendInvoiceMails(tx, id, { kind: 'reminder', day: due.day, to })
  await logEnded(tx, id)
  wake(tx, invoiceFlow, { ids: [id], why: 'reminded' })
}

type Written = { readonly status: InvoiceState; readonly mailed: boolean; readonly mail_to: readonly string[] }

/** Locks an invoice that was written; undefined if there is none, or its organization is banned or deleted. */
async function lockWritten(tx: Tx, id: InvoiceId): Promise<Written | undefined> {
  const [row] = await tx<(Written & { readonly organization_status: string })[]>`
    select i.status, i.mailed_at is not null as mailed, i.mail_to, o.status as organization_status
    from invoices i join organizations o on o.id = i.organization_id
    where i.id = ${id} and i.pdf_file_id is not null for no key update of i`
  return row && !isGone(row.organization_status) ? row : undefined
}

type Ended = {
  readonly id: string
  readonly kind: MailKind
  readonly message_id: string
  readonly status: 'delivered' | 'failed'
  readonly tries: number
}

/** Writes into the log how the latest tries of mails ended; false if it says so already. */
async function logEnded(tx: Tx, id: InvoiceId): Promise<boolean> {
  const ended = await tx<Ended[]>`
    update invoice_mails set logged = true, try_at = case when status = 'failed' and tries < ${TRIES_MAX}
        then business_now() + make_interval(hours => ${PAUSE_HOURS}) end
    where invoice_id = ${id} and status <> 'queued' and not logged
    returning id, kind, message_id, status, tries`
  for (const { id: mailId, kind, message_id: messageId, status, tries } of ended) {
    await record(tx, invoiceEvents[status === 'delivered' ? 'mail_delivered' : 'mail_failed'], {
      subjectId: id,
      cause: `message:${messageId}`,
      payload: { mail_id: mailId, kind, tries },
    })
  }
  return ended.length > 0
}
