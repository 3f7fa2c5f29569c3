/** When a customer is reminded of an invoice that is not paid. */
import { inSeconds } from '../asking.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import type { RateCount } from '../../domain/rate-limit.ts'
import { type Tx, sql } from '../sql.ts'
import { countIfRoom, customerEmails, mailInvoice } from './mails.ts'

/** On the day that a reminder is for, at this hour (UTC). */
const HOUR = 8

/**
 * Sends the reminder that is due, and answers when the next one is; null if there is none. Of several that were missed
 * only the latest is sent. One whose day was past when the invoice was sent is left out. The days are those of the
 * organization's settings as they are now. Nobody is reminded of nothing. One that cannot be mailed today waits.
 */
export async function remind(tx: Tx, id: InvoiceId): Promise<string | null> {
  const days = sql`
    from invoices i join organizations o on o.id = i.organization_id
    cross join lateral unnest(o.invoice_reminder_days) d (day)
    cross join lateral (select (i.due_date + d.day + make_time(${HOUR}, 0, 0)) at time zone 'UTC' as at) due
    where i.id = ${id} and i.due_date + d.day > i.sent_at::date and d.day > coalesce(i.reminded_day, d.day - 1)
      and coalesce(i.accepted_amount, i.total) > i.allocated`
  const [due] = await tx<{ day: number | null }[]>`select max(d.day) as day ${days} and due.at <= business_now()`
  if (due && due.day !== null) {
    // another look may do the same at this moment, or somebody pay: who comes second finds it done
    const open = await tx`
      select from invoices where id = ${id} and coalesce(reminded_day, ${due.day} - 1) < ${due.day}
        and status in ('sent', 'finalized') and coalesce(accepted_amount, total) > allocated for no key update`
    if (open.length > 0) {
      const to = await customerEmails(tx, id)
      const over = await countIfRoom(tx, to)
      if (over) return later(tx, over)
      await tx`update invoices set reminded_day = ${due.day} where id = ${id}`
      await mailInvoice(tx, id, { kind: 'reminder', day: due.day, to })
    }
  }
  const [next] = await tx<{ at: string | null }[]>`select min(due.at) as at ${days} and due.at > business_now()`
  return next?.at ?? null
}

/** Answers when a reminder is tried again for which there was no room today. */
async function later(tx: Tx, { secondsLeft }: RateCount): Promise<string> {
  const [row] = await tx<{ at: string }[]>`select ${inSeconds(secondsLeft)} as at`
  if (!row) throw new Error('a select without a table answers a row')
  return row.at
}
