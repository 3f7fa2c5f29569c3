/** Attention: incoming money that may pay an open invoice. */
import * as v from 'valibot'
import { type Kind, type ViewerSeverity, itemAction, itemSubject } from '../attention-kind.ts'
import type { Viewer } from '../../domain/approvals/requirements.ts'
import { moneyOf } from '../../domain/money/money.ts'
import { can } from '../../domain/permissions.ts'
import { describe, quoteName, uuid } from '../../domain/text.ts'
import { sql } from '../../db/postgres/sql.ts'

const Subject = itemSubject('transaction', { transaction_id: uuid })
const Action = itemAction('allocate_deposit', {
  transaction_id: uuid,
  invoice_ids: describe(v.array(uuid), 'Ids of invoices that it may pay.'),
})

type Facts = {
  readonly amount: string
  readonly currency: string
  readonly payer: string | null
  readonly invoice_ids: string[]
}

const mayAllocate = (viewer: Viewer): boolean => can(viewer, 'billing_invoices.allocate')

const severityFor = (viewer: Viewer): ViewerSeverity => ({
  severity: 'action',
  actionable_by_viewer: mayAllocate(viewer),
})

export const allocateDeposit: Kind<Facts, typeof Action, typeof Subject> = {
  kind: 'allocate_deposit',
  audience: 'organization',
  action: Action,
  subjects: [Subject],
  items: (reader, viewer) => sql`
    select p.id as obligation_id, p.inserted_at as raised_at, null::timestamptz as due_at, t.amount::text as amount,
      t.currency, t.counterparty as payer, open.ids as invoice_ids
    from incoming_payments p join transactions t on t.id = p.id
    cross join lateral (
      select array_agg(i.id order by array_position(p.candidates, i.id)) as ids from invoices i
      where i.id = any (p.candidates) and is_open_invoice(i.status)) open
    where p.organization_id = ${reader.organizationId} and p.status = 'proposed' and ${mayAllocate(viewer)}
      and open.ids is not null and t.amount > (select coalesce(sum(a.amount), 0) from invoice_allocations a
        where a.transaction_id = p.id and a.taken_back_at is null)`,
  raisedAt: (reader, id, viewer) => sql`
    (select p.inserted_at from incoming_payments p
      where p.id = ${id} and p.organization_id = ${reader.organizationId} and p.candidates <> '{}'
        and ${mayAllocate(viewer)})`,
  standing: severityFor,
  describe: (reader, { id, facts }, viewer) => {
    const { amount, currency } = moneyOf(facts.amount, facts.currency)
    const payer = facts.payer === null ? '' : ` from ${quoteName(facts.payer)}`
    return {
      title: 'Say which invoice was paid',
      summary: `${amount} ${currency}${payer} may pay an invoice that is open.`,
      ...severityFor(viewer),
      href: `/organizations/${reader.organizationId}/transactions/${id}`,
      action: { kind: 'allocate_deposit', transaction_id: id, invoice_ids: facts.invoice_ids },
      subject: { type: 'transaction', transaction_id: id },
    }
  },
}
