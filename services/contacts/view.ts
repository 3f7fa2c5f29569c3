/** The view of a payment contact: what its run reads. */
import { type WaitingRow, joinApproval, viewApproval, waitingColumns } from '../approvals/view.ts'
import type { AwaitingApproval } from '../../domain/approvals/view.ts'
import type { ContactStatus } from '../../domain/contacts/flow.ts'
import type { ContactId } from '../../domain/ids.ts'
import { type AtRest, sayState } from '../../domain/process.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'

type Row = WaitingRow & { readonly status: ContactStatus }

export async function viewContact(
  reader: Reader,
  id: ContactId,
): Promise<AwaitingApproval<'pending_approval'> | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select c.status, ${waitingColumns(sql`a`, sql`w`)}
    from payment_contacts c ${joinApproval(sql`c.approval_request_id`)} where c.id = ${id}`)
  if (!row) return undefined
  const { status } = row
  if (status === 'pending_approval') return { status, ...(await viewApproval(reader, row)) }
  return { at_rest: true, status, says: sayState('contact', status) }
}
