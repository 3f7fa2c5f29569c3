import { type WaitingRow, joinApproval, viewApproval, waitingColumns } from '../approvals/view.ts'
import type { AwaitingApproval } from '../../domain/approvals/view.ts'
import { type InvoiceState, invoiceFlow } from '../../domain/invoices/flow.ts'
import { underWay } from '../../domain/flow.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'
import { afterCredits } from '../invoice-delivery/documents.ts'
import {
  type Delivery,
  type DeliveryRow,
  deliveryColumns,
  isDelivered,
  joinMails,
  nextTryOf,
  sayRetry,
  sayUnwritten,
  viewDelivery,
} from '../invoice-delivery/view.ts'

type Row = WaitingRow &
  DeliveryRow & {
    readonly status: InvoiceState
    readonly number: string | null
    readonly due_date: string
    readonly organization_status: string
    readonly reminder_at: string | null
    readonly reminder_due: boolean
  }

type SentView = Standing<Exclude<InvoiceState, 'draft' | 'awaiting_approval'>> &
  Delivery & {
    readonly reminder_due: boolean
    /** True if its organization is banned or deleted: no documents, mails or reminders. */
    readonly halted: boolean
  }

const OPEN = underWay(invoiceFlow)

/** Reads the view of an invoice. The run of a paid one goes on until its documents are written and mailed. */
export async function viewInvoice(
  reader: Reader,
  id: InvoiceId,
): Promise<AwaitingApproval<'awaiting_approval'> | SentView | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select i.status, i.number, i.due_date, o.status as organization_status,
      ${deliveryColumns(sql`i`, sql`mails`)},
      coalesce(r.is_due and coalesce(i.reminder_waits_until <= business_now(), true), false) as reminder_due,
      case when r.is_due then coalesce(i.reminder_waits_until, business_now()) else r.next_at end as reminder_at,
      ${waitingColumns(sql`a`, sql`w`)}
    from invoices i join organizations o on o.id = i.organization_id
    ${joinMails(sql`m.invoice_id = i.id`, sql`(m.kind = 'reminder' and i.status <> all (${OPEN}))`)}
    cross join lateral (
      select bool_or(left_over.at <= business_now()) as is_due,
        min(left_over.at) filter (where left_over.at > business_now()) as next_at
      from (${remindersLeft(sql`i`, sql`o`)}) left_over) r
    ${joinApproval(sql`i.approval_request_id`)}
    where i.id = ${id}`)
  if (!row) return undefined
  const { status } = row
  if (status === 'awaiting_approval') return { status, ...(await viewApproval(reader, row)) }
  const isOpen = OPEN.includes(status)
  const halted = isGone(row.organization_status)
  const says = saysOf(row, halted)
  if (status === 'draft' || (!isOpen && (halted || isDelivered(row)))) return { at_rest: true, status, says }
  const { documents_written: isWritten, reminder_due } = row
  const { delivery, step_due: isDue } = viewDelivery(row)
  const step_due = !halted && (isDue || (isWritten && reminder_due))
  const look_at = halted ? null : lookAt(row)
  return { at_rest: false, status, says, step_due, look_at, halted, ...delivery, reminder_due }
}

function lookAt(row: Row): string | null {
  if (!row.documents_written) return nextTryOf(row)
  return [row.reminder_at, row.retry_at].filter((at) => at !== null).sort()[0] ?? null
}

function saysOf(row: Row, halted: boolean): string {
  const { status, number, due_date: dueDate, reminder_at: reminder } = row
  if (number === null || halted) return sayState('invoice', status)
  if (!row.documents_written) return sayUnwritten(number, row)
  const failed = sayRetry(row)
  if (!OPEN.includes(status)) return `${number} is ${status}.${failed}`
  const next = reminder === null ? 'no reminder is left' : `the customer is reminded at ${minuteOf(reminder)}`
  return `${number} is ${status}, and due on ${dueDate}. Waits for its payment; ${next}.${failed}`
}

/** Hour of reminders (UTC). */
const REMINDER_HOUR = 8

/**
 * Selects the unsent reminders of an open invoice, by the present settings: `day` after the due date, and `at`. It
 * leaves out reminders whose day was past when the invoice was sent, and a rest that is exactly a discount for early
 * payment.
 */
export const remindersLeft = (invoice: Fragment, organization: Fragment): Fragment => sql`
  select d.day, due.at from unnest(${organization}.invoice_reminder_days) d (day)
  cross join lateral (
    select (${invoice}.due_date + d.day + make_time(${REMINDER_HOUR}, 0, 0)) at time zone 'UTC' as at) due
  where ${invoice}.status = any (${OPEN}) and ${invoice}.due_date + d.day > ${invoice}.sent_at::date
    and d.day > coalesce(${invoice}.reminded_day, d.day - 1)
    and ${afterCredits(invoice)} > ${invoice}.allocated
    and 0 <> all (early_payables(${invoice}.total, ${invoice}.accepted_amount, ${invoice}.credited, ${invoice}.allocated,
      ${invoice}.payment_terms))`
