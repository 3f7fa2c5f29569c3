import { type WaitingRow, joinApproval, viewApproval, waitingColumns } from '../approvals/view.ts'
import type { AwaitingApproval } from '../../domain/approvals/view.ts'
import type { CreditNoteState } from '../../domain/invoices/credit-note-flow.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { CreditNoteId } from '../../domain/ids.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
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
    readonly status: CreditNoteState
    readonly number: string | null
    readonly organization_status: string
  }

type SentView = Standing<'sent'> & Delivery

/** Reads the view of a credit note. A sent one is at rest once its documents are written and mailed. */
export async function viewCreditNote(
  reader: Reader,
  id: CreditNoteId,
): Promise<AwaitingApproval<'awaiting_approval'> | SentView | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select n.status, n.number, o.status as organization_status, ${deliveryColumns(sql`n`, sql`mails`)}, ${waitingColumns(sql`a`, sql`w`)}
    from credit_notes n join organizations o on o.id = n.organization_id
    ${joinMails(sql`m.credit_note_id = n.id`)} ${joinApproval(sql`n.approval_request_id`)}
    where n.id = ${id}`)
  if (!row) return undefined
  const { status } = row
  if (status === 'awaiting_approval') return { status, ...(await viewApproval(reader, row)) }
  const says = saysOf(row)
  if (status === 'draft' || isGone(row.organization_status) || isDelivered(row)) return { at_rest: true, status, says }
  const { delivery, step_due } = viewDelivery(row)
  const look_at = row.documents_written ? row.retry_at : nextTryOf(row)
  return { at_rest: false, status, says, step_due, look_at, ...delivery }
}

function saysOf({ status, organization_status, ...row }: Row): string {
  const { number } = row
  if (number === null || isGone(organization_status)) return sayState('credit note', status)
  return row.documents_written ? `${number} is sent.${sayRetry(row)}` : sayUnwritten(number, row)
}
