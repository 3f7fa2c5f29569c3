/** What the process of an invitation finds in its row. */
import { readAttended, waitsForApproval } from '../approvals/look.ts'
import { type WaitingRow, joinApproval, waitingColumns } from '../approvals/requirements.ts'
import { expireInvitations } from './changes.ts'
import type { ApprovalId, InvitationId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { driven } from '../../domain/flows/flow.ts'
import { type InvitationStatus, invitationFlow } from '../../domain/flows/invitation.ts'
import { INVITATION_DAYS } from '../../domain/invitations/invitation.ts'
import { type Found, type ProcessRef, sayState } from '../../domain/process.ts'
import { type Tx, sql } from '../sql.ts'

type Row = WaitingRow & {
  readonly status: InvitationStatus
  readonly sent_at: string
  readonly expires_at: string
  readonly approval_id: ApprovalId | null
}

/** Where an invitation stands; its approval is attended, or it expires, if that is due. */
export async function findInvitationState(tx: Tx, { id }: ProcessRef): Promise<Found<InvitationStatus> | undefined> {
  await expireInvitations(tx, [id as InvitationId]) // the ref of an invitation's process
  const row = await readAttended(tx, { type: 'organization_invitation', id }, () => readRow(tx, id))
  if (!row) return undefined
  const { status, sent_at: since, expires_at: until } = row
  if (status === 'pending_approval') return { status, driven: true, ...(await waitsForApproval(tx, row)) }
  const isDriven = driven(invitationFlow, status)
  return {
    status,
    driven: isDriven,
    due_now: false,
    look_at: isDriven ? until : null,
    says: isDriven
      ? `Waits for an answer to the mail since ${minuteOf(since)}, until ${minuteOf(until)}.`
      : sayState('invitation', status),
    waits_for: 'Expiry of the invitation',
  }
}

async function readRow(tx: Tx, id: string): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`
    select i.status, i.expires_at - make_interval(days => ${INVITATION_DAYS}) as sent_at, i.expires_at,
      i.approval_request_id as approval_id, ${waitingColumns()}
    from invitations i ${joinApproval(sql`i.approval_request_id`)} where i.id = ${id}`
  return row
}
