/** What happens to an invitation that is open: sent again, deleted, expired. */
import { randomUUID } from 'node:crypto'
import { type Cancellation, type WaitingApproval, cancelApprovals } from '../approvals/requests.ts'
import { newCause, record } from '../events.ts'
import { mailInvitations } from './mails.ts'
import type { Person } from '../../domain/actor.ts'
import type { Target } from '../../domain/approvals/approval.ts'
import type { ApprovalStatus } from '../../domain/flows/undriven/approval.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalId, InvitationId, UserId } from '../../domain/ids.ts'
import { type InvitationStatus, invitationFlow } from '../../domain/flows/invitation.ts'
import { invitationEvents, invitationMoves } from '../../domain/invitations/events.ts'
import { INVITATION_DAYS } from '../../domain/invitations/invitation.ts'
import type { Role } from '../../domain/permissions.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import type { Tx } from '../sql.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import { transition } from '../transition.ts'
import { wake } from '../wakes.ts'

type Locked = { status: InvitationStatus; overdue: boolean; email: string; role: Role }

/** Locks the invitation; refuses `not_found` for one that was declined or deleted. */
async function lockInvitation(tx: Tx, id: InvitationId): Promise<Locked> {
  const [row] = await tx<Locked[]>`
    select status, expires_at <= business_now() as overdue, email, role from invitations where id = ${id} for update`
  if (!row || row.status === 'declined' || row.status === 'deleted') refuse('not_found')
  return row
}

const isExpired = ({ status, overdue }: Locked): boolean => status === 'expired' || (status === 'pending' && overdue)

/**
 * Mails a pending invitation again, with another token and seven more days; the token before is dead. Refuses
 * `invitation_expired`, `invalid_state` for one that waits for approval or was accepted, `not_found` for one that is
 * gone, and `rate_limited`.
 */
export async function resendInvitation(tx: Tx, sender: Person, id: InvitationId): Promise<void> {
  await requirePermissionLocked(tx, sender, 'invitations.resend')
  const invitation = await lockInvitation(tx, id)
  const { status, email, role } = invitation
  if (isExpired(invitation)) refuse('invitation_expired')
  if (status !== 'pending') refuseState(status)
  const token = newToken()
  await tx`
    update invitations set token_hash = ${tokenHash(token)}, updated_at = business_now(),
      expires_at = business_now() + make_interval(days => ${INVITATION_DAYS})
    where id = ${id}`
  await record(tx, invitationEvents.resent, { subjectId: id, cause: newCause() })
  wake(tx, invitationFlow, { ids: [id], why: 'resent' })
  await mailInvitations(tx, sender.userId, [{ email, role, token }])
}

/**
 * Takes an invitation back; an approval that it waits for is cancelled with it. Refuses `not_found` for one that is
 * gone or has expired, and `invalid_state` for one that was accepted.
 */
export async function deleteInvitation(tx: Tx, caller: Person, id: InvitationId): Promise<void> {
  await requirePermissionLocked(tx, caller, 'invitations.delete')
  // the approval first, as in every decision
  const [approval] = await tx<{ id: ApprovalId; status: ApprovalStatus }[]>`
    select a.id, a.status from approvals a
    where a.id = (select i.approval_request_id from invitations i where i.id = ${id}) for update`
  const invitation = await lockInvitation(tx, id)
  if (isExpired(invitation)) refuse('not_found')
  if (invitation.status === 'accepted') refuseState(invitation.status)
  const target: Target = { type: 'organization_invitation', id }
  const waiting = approval?.status === 'pending' ? [{ id: approval.id, target }] : []
  await deleteLocked(tx, [id], waiting, { why: 'invitation deleted', by: caller })
}

/**
 * Takes back what is open of what a person has invited, with the approvals that it waits for: what they may not give
 * any more, nobody gets from them. The caller holds `lockMemberships(tx, 'change')`.
 */
export async function deleteInvitationsOf(tx: Tx, inviter: UserId, by: Person): Promise<void> {
  const waiting = await tx<WaitingApproval[]>`
    select id, jsonb_build_object('type', target_type, 'id', target_id) as target from approvals
    where organization_id = ${tx.organizationId} and status = 'pending' and target_type = 'organization_invitation'
      and requester_id = ${inviter}
    order by id for update`
  const open = await tx<{ id: InvitationId }[]>`
    select id from invitations
    where organization_id = ${tx.organizationId} and invited_by = ${inviter} and status in ('pending_approval', 'pending')
    order by id for update`
  if (open.length === 0) return
  const ids = open.map(({ id }) => id)
  await deleteLocked(tx, ids, waiting, { why: 'inviter may not invite any more', by })
}

/** Deletes locked invitations, and cancels the locked approvals that they wait for. */
async function deleteLocked(
  tx: Tx,
  ids: readonly InvitationId[],
  waiting: readonly WaitingApproval[],
  { why, by }: Cancellation,
): Promise<void> {
  const decision = await cancelApprovals(tx, waiting, { why, by })
  await transition(tx, invitationMoves, ids, {
    events: ['delete'],
    cause: (id) => decision(id) || `decision:${randomUUID()}`,
    payload: { reason: why },
  })
}

/** `allowed` are the operations that are possible instead. */
function refuseState(current: InvitationStatus): never {
  refuse('invalid_state', { current, allowed: current === 'pending_approval' ? ['delete'] : [] })
}

/** Ends invitations whose approvals ended without being given. */
export const refuseInvitations = (tx: Tx, ids: readonly string[], cause: (id: string) => string): Promise<void> =>
  transition(tx, invitationMoves, ids, { events: ['refuse'], cause })

/** Expires those of the invitations whose time is over by business time. A repeat changes nothing. */
export async function expireInvitations(tx: Tx, ids: readonly InvitationId[]): Promise<void> {
  // what was accepted or sent again meanwhile is not among them once it is locked
  const due = await tx<{ id: InvitationId }[]>`
    select id from invitations where id = any (${[...ids]}) and status = 'pending' and expires_at <= business_now()
    order by id for update`
  if (due.length === 0) return
  const dueIds = due.map(({ id }) => id)
  await transition(tx, invitationMoves, dueIds, { events: ['expire'], cause: (id) => `expiry:${id}` })
}
