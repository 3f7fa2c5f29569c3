/** Invoice under its lock, as commands change it. */
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { type InvoiceState, invoiceFlow } from '../../domain/invoices/flow.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import type { StoredAttachment } from '../../domain/invoice-documents/attachment.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { type WrittenInvoice, detailColumns } from './columns.ts'
import type { OwnOnly } from './invoices.ts'

/** Person who changes an invoice, limited to their `own` ones or not; `cause` is the same for each try. */
export type Editor = { readonly person: Person; readonly own: OwnOnly; readonly cause: string }

export type LockedInvoice = Omit<WrittenInvoice, 'attachments'> & {
  readonly attachments: readonly StoredAttachment[]
  readonly id: InvoiceId
  readonly status: InvoiceState
  readonly number: string | null
  readonly total: string
  readonly accepted_amount: string | null
  readonly allocated: string
  readonly credited: string
  /** Discount in percent that a person accepted. */
  readonly early_percentage: string | null
  readonly finalized_at: string | null
  readonly inserted_at: string
}

/** Locks an invoice. Refuses `not_found`, with `own` also if another person wrote it. */
export async function lockInvoice(tx: Tx, id: InvoiceId, own?: OwnOnly): Promise<LockedInvoice> {
  const [row] = await tx<LockedInvoice[]>`
    select id, status, number, billing_contact_id, currency, issue_date, delivery_date, due_date, line_items, comments,
      internal_description, internal_reference_number, buyer_reference, profile, total, accepted_amount, allocated,
      credited, case when accepted_amount < total then early_percentage end as early_percentage, finalized_at, inserted_at, ${detailColumns(sql`invoices`)}
    from invoices
    where id = ${id} and deleted_at is null ${own ? sql`and created_by = ${own}` : sql``} for no key update`
  return row ?? refuse('not_found')
}

export function requireState({ status }: LockedInvoice, ...states: readonly InvoiceState[]): void {
  if (states.includes(status)) return
  refuse('invalid_state', { current: status, allowed: eventsFrom(invoiceFlow, status) })
}
