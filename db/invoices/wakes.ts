/** Wakes of many invoices of an organization at once, by one statement; the sweep signals their runs. */
import { invoiceFlow } from '../../domain/flows/invoice.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'

/** Wakes open invoices: customers are reminded by the settings as they are from now on. */
export const wakeOpenInvoices = (tx: Tx): Promise<unknown> =>
  wakeInvoices(tx, 'reminders changed', sql`is_open_invoice(i.status)`)

/** Wakes invoices that were halted by a ban: what was left to be written, mailed or reminded of. */
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
