/** What the process of a payment contact finds in its row. */
import { readAttended, waitsForApproval } from '../approvals/look.ts'
import { type WaitingRow, joinApproval, waitingColumns } from '../approvals/requirements.ts'
import { type ContactStatus, contactFlow } from '../../domain/flows/contact.ts'
import { driven } from '../../domain/flows/flow.ts'
import type { ApprovalId } from '../../domain/ids.ts'
import { type Found, type ProcessRef, sayState } from '../../domain/process.ts'
import { type Tx, sql } from '../sql.ts'

type Row = WaitingRow & { readonly status: ContactStatus; readonly approval_id: ApprovalId | null }

/** Where a contact stands; its approvers are reminded, or its approval expires, if that is due. */
export async function findContactState(tx: Tx, { id }: ProcessRef): Promise<Found<ContactStatus> | undefined> {
  const row = await readAttended(tx, { type: 'payment_contact', id }, () => readRow(tx, id))
  if (!row) return undefined
  const { status } = row
  if (driven(contactFlow, status)) return { status, driven: true, ...(await waitsForApproval(tx, row)) }
  return { status, driven: false, due_now: false, look_at: null, says: sayState('contact', status), waits_for: '' }
}

async function readRow(tx: Tx, id: string): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`
    select c.status, c.approval_request_id as approval_id, ${waitingColumns()}
    from payment_contacts c ${joinApproval(sql`c.approval_request_id`)} where c.id = ${id}`
  return row
}
