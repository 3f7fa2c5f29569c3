/** Steps of the run of an invoice, and wakes of many invoices; activities/write-invoice.ts writes the documents. */
import { inSeconds } from '../../db/processes/asking.ts'
import { record } from '../events.ts'
import { isDriven } from '../../domain/flow.ts'
import { type InvoiceState, invoiceFlow } from '../../domain/invoices/flow.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import { invoiceEvents } from '../../domain/invoices/events.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import type { Reason } from '../../db/processes/views.ts'
import type { EndedMail } from '../invoice-delivery/mailing.ts'
import { deliverySteps } from '../invoice-delivery/steps.ts'
import { countIfRoom, customerEmails, readContents, sendInvoiceMails } from './mails.ts'
import { remindersLeft } from './view.ts'

const steps = deliverySteps<InvoiceId, InvoiceState>({
  table: 'invoices',
  aboutOf: (id) => ({ invoice_id: id }),
  sendFirst: (tx, id, to) => sendInvoiceMails(tx, id, { kind: 'invoice', to }),
  readContents,
  recordEnd,
  // a reminder of an invoice that is paid
  giveUpFailed: async (tx, id, status) => {
    const givenUp = await tx`
      update invoice_mails set try_at = null
      where invoice_id = ${id} and kind = 'reminder' and try_at is not null and not ${isDriven(invoiceFlow, status)}`
    return givenUp.count
  },
})
export const { mail: mailInvoice, log: logInvoiceMails, resend: resendInvoiceMails } = steps

/** Reminds the customer of an open invoice once the limits have room; of several missed reminders sends the latest. */
export async function remindCustomer(tx: Tx, id: InvoiceId): Promise<Reason> {
  // the lock waits for a payment that is being recorded: no reminder follows it
  if (!(await steps.lockWritten(tx, id))) return
  const [due] = await tx<{ day: number | null }[]>`
    select max(r.day) as day from invoices i join organizations o on o.id = i.organization_id
    cross join lateral (${remindersLeft(sql`i`, sql`o`)}) r
    where i.id = ${id} and r.at <= business_now() and coalesce(i.reminder_waits_until <= business_now(), true)`
  if (!due || due.day === null) return
  const to = await customerEmails(tx, id)
  const over = await countIfRoom(tx, to)
  if (over) {
    await tx`update invoices set reminder_waits_until = ${inSeconds(over.secondsLeft)} where id = ${id}`
    return 'reminder waits'
  }
  await tx`update invoices set reminded_day = ${due.day}, reminder_waits_until = null where id = ${id}`
  await sendInvoiceMails(tx, id, { kind: 'reminder', day: due.day, to })
  await steps.logEnded(tx, id)
  return 'reminded'
}

async function recordEnd(tx: Tx, id: InvoiceId, mail: EndedMail): Promise<void> {
  const { id: mailId, kind, message_id: messageId, status, tries } = mail
  if (kind === 'credit_note') throw new Error('a mail about an invoice brings no credit note')
  await record(tx, invoiceEvents[status === 'delivered' ? 'mail_delivered' : 'mail_failed'], {
    subjectId: id,
    cause: `message:${messageId}`,
    payload: { mail_id: mailId, kind, tries },
  })
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
