/** Steps of the run of an invoice, and wakes of many invoices; activities/invoices/ writes the documents. */
import { inSeconds } from '../../db/processes/asking.ts'
import { record } from '../events.ts'
import { isDriven } from '../../domain/flow.ts'
import { type InvoiceState, invoiceFlow } from '../../domain/invoices/flow.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import { invoiceEvents } from '../../domain/invoices/events.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { readFailedMails, takeEndedMails } from '../invoice-delivery/mailing.ts'
import { countIfRoom, customerEmails, resendFailedMails, sendInvoiceMails } from './mails.ts'
import { remindersLeft } from './view.ts'

/** Mails an invoice once, to the addresses that its customer had when it was sent. */
export async function mailInvoice(tx: Tx, id: InvoiceId): Promise<void> {
  const invoice = await lockWritten(tx, id)
  if (!invoice || invoice.mailed) return
  await tx`update invoices set mailed_at = business_now() where id = ${id}`
  await sendInvoiceMails(tx, id, { kind: 'invoice', to: invoice.mail_to })
  await logEnded(tx, id)
  wake(tx, invoiceFlow, { ids: [id], why: 'mailed' })
}

/** Logs the ends of mails, and schedules the retry of failed ones. */
export async function logInvoiceMails(tx: Tx, id: InvoiceId): Promise<void> {
  if (!(await lockWritten(tx, id)) || !(await logEnded(tx, id))) return
  wake(tx, invoiceFlow, { ids: [id], why: 'mails logged' })
}

/** Sends failed mails again whose pause is over; gives up a reminder of an invoice that is paid. */
export async function resendInvoiceMails(tx: Tx, id: InvoiceId): Promise<void> {
  const invoice = await lockWritten(tx, id)
  if (!invoice) return
  const isOpen = isDriven(invoiceFlow, invoice.status)
  const givenUp = await tx`
    update invoice_mails set try_at = null
    where invoice_id = ${id} and kind = 'reminder' and try_at is not null and not ${isOpen}`
  const due = await readFailedMails(tx, { invoice_id: id })
  if (givenUp.count + due.length === 0) return
  await resendFailedMails(tx, id, due)
  await logEnded(tx, id)
  wake(tx, invoiceFlow, { ids: [id], why: 'mailed again' })
}

/** Reminds the customer of an open invoice once the limits have room; of several missed reminders sends the latest. */
export async function remindCustomer(tx: Tx, id: InvoiceId): Promise<void> {
  // the lock waits for a payment that is being recorded: no reminder follows it
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

/** Locks a written invoice; undefined if there is none, or its organization is banned or deleted. */
async function lockWritten(tx: Tx, id: InvoiceId): Promise<Written | undefined> {
  const [row] = await tx<(Written & { readonly organization_status: string })[]>`
    select i.status, i.mailed_at is not null as mailed, i.mail_to, o.status as organization_status
    from invoices i join organizations o on o.id = i.organization_id
    where i.id = ${id} and i.pdf_file_id is not null for no key update of i`
  return row && !isGone(row.organization_status) ? row : undefined
}

/** Logs the ends of the latest tries of mails; false if there is nothing to log. */
async function logEnded(tx: Tx, id: InvoiceId): Promise<boolean> {
  const ended = await takeEndedMails(tx, { invoice_id: id })
  for (const { id: mailId, kind, message_id: messageId, status, tries } of ended) {
    if (kind === 'credit_note') throw new Error('a mail about an invoice brings no credit note')
    await record(tx, invoiceEvents[status === 'delivered' ? 'mail_delivered' : 'mail_failed'], {
      subjectId: id,
      cause: `message:${messageId}`,
      payload: { mail_id: mailId, kind, tries },
    })
  }
  return ended.length > 0
}

/** Wakes open invoices, whose reminders follow changed settings. The sweep signals their runs. */
export const wakeOpenInvoices = (tx: Tx): Promise<unknown> =>
  wakeInvoices(tx, 'reminders changed', sql`is_open_invoice(i.status)`)

/** Wakes invoices that a ban has halted before all was written, mailed or reminded of. */
export const wakeHaltedInvoices = (tx: Tx): Promise<unknown> =>
  wakeInvoices(
    tx,
    'organization unbanned',
    sql`i.number is not null and (i.status <> 'paid' or i.mailed_at is null or exists (
      select from invoice_mails m where m.invoice_id = i.id and (not m.logged or m.try_at is not null)))`,
  )

const wakeInvoices = (tx: Tx, why: string, which: Fragment): Promise<unknown> => tx`
  select from wake((
    select jsonb_agg(jsonb_build_object('id', i.id, 'workflow', ${invoiceFlow.workflow}::text,
      'organization_id', i.organization_id, 'why', ${why}::text))
    from invoices i where i.organization_id = ${tx.organizationId} and ${which}))`
