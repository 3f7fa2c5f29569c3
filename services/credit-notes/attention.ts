import { type Kind, actionFor, itemAction, itemSubject } from '../attention-kind.ts'
import type { Viewer } from '../../domain/approvals/requirements.ts'
import { can } from '../../domain/permissions.ts'
import { quoteName, uuid } from '../../domain/text.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'

const UNDELIVERED_DAYS = 3

const Action = itemAction('undelivered_credit_note', { credit_note_id: uuid })
const Subject = itemSubject('credit_note', { credit_note_id: uuid, invoice_id: uuid })
type Facts = { readonly number: string; readonly invoice_id: string }

const visibleTo = (n: Fragment, { role, removed, userId }: Viewer): Fragment =>
  can({ role, removed }, 'billing_invoices.list_all')
    ? sql``
    : sql`and exists (select from invoices i where i.id = ${n}.invoice_id and i.created_by = ${userId})`

const since = (n: Fragment): Fragment => sql`
  (select min(m.inserted_at) from invoice_mails m where m.credit_note_id = ${n}.id)
    + make_interval(days => ${UNDELIVERED_DAYS})`

const standing = actionFor('billing_invoices.resend')

/** Credit notes first mailed three days ago or more, without a mail that arrived. */
export const undeliveredCreditNote: Kind<Facts, typeof Action, typeof Subject> = {
  kind: 'undelivered_credit_note',
  audience: 'organization',
  action: Action,
  subjects: [Subject],
  // ids first: failed mails are few, and have an index
  items: ({ organizationId }, viewer) => sql`
    select n.id as obligation_id, ${since(sql`n`)} as raised_at, null::timestamptz as due_at, n.number, n.invoice_id
    from credit_notes n where n.organization_id = ${organizationId} ${visibleTo(sql`n`, viewer)}
      and n.id = any (array(select o.credit_note_id from invoice_mails o
        where o.organization_id = ${organizationId} and o.status <> 'delivered' and o.credit_note_id is not null))
      and not exists (select from invoice_mails m where m.credit_note_id = n.id and m.status = 'delivered')
      and ${since(sql`n`)} <= business_now()`,
  raisedAt: ({ organizationId }, id, viewer) => sql`
    (select ${since(sql`n`)} from credit_notes n
      where n.id = ${id} and n.organization_id = ${organizationId} and n.number is not null ${visibleTo(sql`n`, viewer)})`,
  standing,
  describe: (reader, { id, facts }, viewer) => ({
    title: 'Bring a credit note to its customer',
    summary: `No mail with the credit note ${quoteName(facts.number)} has reached its customer. Check the address.`,
    ...standing(viewer),
    href: `/organizations/${reader.organizationId}/credit-notes/${id}`,
    action: { kind: 'undelivered_credit_note', credit_note_id: id },
    subject: { type: 'credit_note', credit_note_id: id, invoice_id: facts.invoice_id },
  }),
}
