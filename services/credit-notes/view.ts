import { type WaitingRow, joinApproval, viewApproval, waitingColumns } from '../approvals/view.ts'
import { type AskRow, askColumns } from '../../db/processes/asking.ts'
import type { AwaitingApproval } from '../../domain/approvals/view.ts'
import type { CreditNoteState } from '../../domain/invoices/credit-note-flow.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { CreditNoteId } from '../../domain/ids.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { type Delivery, isDelivered, sayRetry, sayUnwritten } from '../invoice-delivery/delivery.ts'
import { type TurnRow, turnColumns } from '../../db/processes/turns.ts'

type Row = WaitingRow &
  AskRow &
  TurnRow &
  Delivery & {
    readonly status: CreditNoteState
    readonly number: string | null
    readonly organization_status: string
    readonly retry_at: string | null
  }

type Sent = Standing<'sent'> &
  Delivery & {
    /** True if its documents are due to be written, in the turn of its organization. */
    readonly write_due: boolean
  }

/** Reads the view of a credit note. A sent one is at rest once its documents are written and mailed. */
export async function viewCreditNote(
  reader: Reader,
  id: CreditNoteId,
): Promise<AwaitingApproval<'awaiting_approval'> | Sent | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select n.status, n.number, o.status as organization_status, n.pdf_file_id is not null as documents_written,
      ${askColumns(sql`n`)}, ${turnColumns('documents', sql`n`, sql`n.pdf_file_id is null`)},
      n.mailed_at is not null as mailed, mails.mails_to_log, mails.failed_mail_due, mails.retry_at, ${waitingColumns()}
    from credit_notes n join organizations o on o.id = n.organization_id
    cross join lateral (
      select coalesce(bool_or(m.status <> 'queued' and not m.logged), false) as mails_to_log,
        coalesce(bool_or(m.status = 'failed' and m.try_at <= business_now()), false) as failed_mail_due,
        min(m.try_at) filter (where m.status = 'failed') as retry_at
      from invoice_mails m where m.credit_note_id = n.id) mails
    ${joinApproval(sql`n.approval_request_id`)}
    where n.id = ${id}`)
  if (!row) return undefined
  const { status } = row
  if (status === 'awaiting_approval') return { status, ...(await viewApproval(reader, row)) }
  const says = saysOf(row)
  if (status === 'draft' || isGone(row.organization_status) || isDelivered(row)) return { at_rest: true, status, says }
  const { documents_written, waits_for_turn, mailed, mails_to_log, failed_mail_due } = row
  const write_due = !documents_written && !waits_for_turn && row.due
  const step_due = documents_written ? !mailed || mails_to_log || failed_mail_due : write_due
  const delivery = { documents_written, waits_for_turn, write_due, mailed, mails_to_log, failed_mail_due }
  return { at_rest: false, status, says, step_due, look_at: lookAt(row), ...delivery }
}

function lookAt({ documents_written: isWritten, waits_for_turn: waits, turn_backstop, ask_at, retry_at }: Row) {
  if (isWritten) return retry_at
  return waits ? turn_backstop : ask_at
}

function saysOf({ status, organization_status, ...row }: Row): string {
  const { number } = row
  if (number === null || isGone(organization_status)) return sayState('credit note', status)
  return row.documents_written ? `${number} is sent.${sayRetry(row)}` : sayUnwritten(number, row)
}
