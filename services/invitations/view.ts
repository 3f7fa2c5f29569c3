/** View of an invitation: what its run reads. */
import { type WaitingRow, joinApproval, viewApproval, waitingColumns } from '../approvals/view.ts'
import type { AwaitingApproval } from '../../domain/approvals/view.ts'
import type { InvitationStatus } from '../../domain/invitations/flow.ts'
import type { InvitationId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { INVITATION_DAYS } from '../../domain/invitations/invitation.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'

type Row = WaitingRow & {
  readonly status: InvitationStatus
  readonly sent_at: string
  readonly expires_at: string
  readonly is_over: boolean
}

type AwaitingAnswer = Standing<'pending'> & { readonly expiry_due: boolean }

export async function viewInvitation(
  reader: Reader,
  id: InvitationId,
): Promise<AwaitingApproval<'pending_approval'> | AwaitingAnswer | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select i.status, i.expires_at - make_interval(days => ${INVITATION_DAYS}) as sent_at, i.expires_at,
      i.expires_at <= business_now() as is_over, ${waitingColumns(sql`a`, sql`w`)}
    from invitations i ${joinApproval(sql`i.approval_request_id`)} where i.id = ${id}`)
  if (!row) return undefined
  const { status, sent_at: since, expires_at: until, is_over: isOver } = row
  if (status === 'pending_approval') return { status, ...(await viewApproval(reader, row)) }
  if (status !== 'pending') return { at_rest: true, status, says: sayState('invitation', status) }
  const says = `Waits for an answer to the mail since ${minuteOf(since)}, until ${minuteOf(until)}.`
  return { at_rest: false, status, says, expiry_due: isOver, step_due: isOver, look_at: until }
}
