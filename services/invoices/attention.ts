import { type Kind, actionFor, itemAction, itemSubject } from '../attention-kind.ts'
import type { Viewer } from '../../domain/approvals/requirements.ts'
import { type Permission, can } from '../../domain/permissions.ts'
import { quoteName, uuid } from '../../domain/text.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'

const InvoiceSubject = itemSubject('invoice', { invoice_id: uuid })

const visibleTo = (i: Fragment, { role, removed, userId }: Viewer): Fragment =>
  can({ role, removed }, 'billing_invoices.list_all') ? sql`` : sql`and ${i}.created_by = ${userId}`

type InvoiceFacts = { readonly number: string; readonly due_date: string }

function invoiceKind<Name extends 'overdue_invoice' | 'undelivered_invoice'>(what: {
  readonly kind: Name
  readonly permission: Permission
  /** Condition on the invoice `i`, and the instant since when it holds. */
  readonly which: (organizationId: string) => Fragment
  readonly since: () => Fragment
  readonly title: string
  readonly says: (facts: InvoiceFacts) => string
}) {
  const { kind, permission, which, since, title, says } = what
  const Action = itemAction(kind, { invoice_id: uuid })
  const standing = actionFor(permission)
  const made: Kind<InvoiceFacts, typeof Action, typeof InvoiceSubject> = {
    kind,
    audience: 'organization',
    action: Action,
    subjects: [InvoiceSubject],
    items: (reader, viewer) => sql`
      select i.id as obligation_id, ${since()} as raised_at, null::timestamptz as due_at, i.number,
        i.due_date::text as due_date
      from invoices i where i.organization_id = ${reader.organizationId} ${visibleTo(sql`i`, viewer)} and ${which(reader.organizationId)}`,
    raisedAt: (reader, id, viewer) => sql`
      (select ${since()} from invoices i
        where i.id = ${id} and i.organization_id = ${reader.organizationId} and i.number is not null ${visibleTo(sql`i`, viewer)})`,
    standing,
    describe: (reader, { id, facts }, viewer) => ({
      title,
      summary: says(facts),
      ...standing(viewer),
      href: `/organizations/${reader.organizationId}/invoices/${id}`,
      action: { kind, invoice_id: id },
      subject: { type: 'invoice', invoice_id: id },
    }),
  }
  return made
}

/** Invoices that were sent, are not accepted or paid, and are past the due date. */
export const overdueInvoice = invoiceKind({
  kind: 'overdue_invoice',
  permission: 'billing_invoices.update',
  which: () => sql`i.status = 'sent' and i.due_date < (select business_now()::date)`,
  since: () => sql`greatest(i.sent_at, (i.due_date + 1)::timestamp at time zone 'UTC')`,
  title: 'Ask for a payment that is late',
  says: ({ number, due_date: due }) => `The invoice ${quoteName(number)} was due on ${due}, and is not paid.`,
})

const UNDELIVERED_DAYS = 3

/** Builds a condition: the mail `m` brings the invoice `i`. */
const bringing = (m: Fragment, i: Fragment): Fragment =>
  sql`${m}.invoice_id = ${i}.id and ${m}.kind in ('invoice', 'resend')`
const firstMailAt = (i: Fragment): Fragment =>
  sql`(select min(m.inserted_at) from invoice_mails m where ${bringing(sql`m`, i)})`

/** Invoices first mailed three days ago or more, without a mail that reached the customer. */
export const undeliveredInvoice = invoiceKind({
  kind: 'undelivered_invoice',
  permission: 'billing_invoices.resend',
  // ids first: failed mails are few, and have an index
  which: (organizationId) => sql`is_open_invoice(i.status) and i.id = any (array(
      select o.invoice_id from invoice_mails o where o.organization_id = ${organizationId} and o.status <> 'delivered'))
    and not exists (select from invoice_mails m where ${bringing(sql`m`, sql`i`)} and m.status = 'delivered')
    and ${firstMailAt(sql`i`)} <= business_now() - make_interval(days => ${UNDELIVERED_DAYS})`,
  since: () => sql`${firstMailAt(sql`i`)} + make_interval(days => ${UNDELIVERED_DAYS})`,
  title: 'Bring an invoice to its customer',
  says: ({ number }) => `No mail with the invoice ${quoteName(number)} has reached its customer. Check the address.`,
})
