/** An invoice is mailed once more, because somebody asks for it. */
import { refuse } from '../../domain/errors.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import { RESENT_MAX, type Resending } from '../../domain/invoices/invoice.ts'
import type { Tx } from '../sql.ts'
import { type Editor, lockInvoice } from './drafts.ts'
import { countInvoiceMails, customerEmails, sendInvoiceMails } from './mails.ts'

/**
 * Mails an invoice that was sent to whom it says, or to its customer. Refuses `not_found`, `forbidden`, `invalid_state`
 * before it is sent and while its PDF is being written, `rate_limited` after five times within an hour or if no mail
 * may go to these addresses today, and `invalid_request` if there is no address.
 */
export async function resendInvoice(tx: Tx, editor: Editor, id: InvoiceId, { emails }: Resending): Promise<void> {
  const { status, number } = await lockInvoice(tx, editor, id, 'billing_invoices.resend')
  if (number === null) refuse('invalid_state', { current: status, allowed: ['submit'] })
  const [found] = await tx<{ written: boolean; sent: number; seconds: number | null }[]>`
    select pdf_file_id is not null as written, recent.sent, recent.seconds
    from invoices cross join lateral (
      select count(*)::int as sent, ceil(extract(epoch from min(e.occurred_at) + interval '1 hour' - business_now()))::int
          as seconds
      from events e where e.organization_id = ${tx.organizationId} and e.subject_id = ${id}
        and e.type = 'invoice.resent' and e.occurred_at > business_now() - interval '1 hour') recent
    where id = ${id}`
  if (!found?.written) refuse('invalid_state', { current: status, allowed: [], reason: 'documents_pending' })
  if (found.sent >= RESENT_MAX) refuse('rate_limited', { retry_after_seconds: found.seconds ?? 1 })
  const to = emails ?? (await customerEmails(tx, id))
  if (to.length === 0) {
    const message = 'must be given: the customer has none'
    refuse('invalid_request', { errors: [{ path: 'emails', code: 'required', message }] })
  }
  await countInvoiceMails(tx, to)
  await sendInvoiceMails(tx, id, { kind: 'resend', to, by: editor })
}
