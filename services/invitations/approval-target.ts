/** Approval target of an invitation: its mail goes out, or it ends. */
import { maySend } from '../../domain/invitations/approval-action.ts'
import { type InvitationStatus, invitationFlow } from '../../domain/invitations/flow.ts'
import type { InvitationId, UserId } from '../../domain/ids.ts'
import { invitationMoves } from '../../domain/invitations/events.ts'
import { INVITATION_DAYS } from '../../domain/invitations/invitation.ts'
import { type Permission, type Role, can, presetOf } from '../../domain/permissions.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import type { WaitingApproval } from '../approvals/requests.ts'
import type { ApprovalTarget, RoleChange } from '../approvals/target.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { deleteLocked, refuseInvitations } from './commands.ts'
import { mailInvitations } from './invitations.ts'

type State = {
  id: InvitationId
  status: InvitationStatus
  email: string
  role: Role
  permissions_removed: Permission[]
  invited_by: UserId
  /** The end of its time if it is approved now. */
  open_until: string
}

/**
 * Deletes those open invitations of a person that their standing does not allow. The caller has locked the memberships
 * for change.
 */
async function deleteInvitationsOf(tx: Tx, { userId: inviter, standing, by }: RoleChange): Promise<void> {
  const requested = await tx<WaitingApproval[]>`
    select id, jsonb_build_object('type', target_type, 'id', target_id) as target from approvals
    where organization_id = ${tx.organizationId} and status = 'pending' and target_type = 'organization_invitation'
      and requester_id = ${inviter}
    order by id for update`
  const open = await tx<{ id: InvitationId; role: Role; removed: Permission[] }[]>`
    select id, role, permissions_removed as removed from invitations
    where organization_id = ${tx.organizationId} and invited_by = ${inviter} and status in ('pending_approval', 'pending')
    order by id for update`
  const ids = open.filter((one) => !maySend(standing, one)).map(({ id }) => id)
  if (ids.length === 0) return
  const waiting = requested.filter(({ target }) => ids.some((id) => id === target.id))
  const why =
    standing && can(standing, 'invitations.create')
      ? 'inviter may not give this role any more'
      : 'inviter may not invite any more'
  await deleteLocked(tx, ids, waiting, { why, by })
}

export const invitationTarget: ApprovalTarget<State> = {
  type: 'organization_invitation',
  movesMoney: false,
  subject: {
    column: () => sql`(
      select json_build_object('id', i.id, 'email', i.email, 'role', i.role, 'status', i.status,
        'card_approved', i.card_approved, 'card_limit', i.card_limit, 'created_at', i.inserted_at,
        'expires_at', i.expires_at, 'preset', i.permissions_removed)
      from invitations i where i.id = approvals.target_id)`,
    // a preset is a set of removals, and is named here
    parse: (row) => ({ ...row, preset: presetOf((row as { preset: Permission[] }).preset) }),
  },
  state: ({ organizationId }, id) => sql`
    select id, status, email, role, permissions_removed, invited_by,
      business_now() + make_interval(days => ${INVITATION_DAYS}) as open_until
    from invitations where id = ${id} and organization_id = ${organizationId}`,
  blockers: () => [],
  async approve(
    tx,
    { id, email, role, permissions_removed: removed, invited_by: invitedBy, open_until: until },
    cause,
  ) {
    const token = newToken()
    await transition(tx, invitationMoves, id, {
      events: ['approve'],
      cause,
      set: sql`token_hash = ${tokenHash(token)}, expires_at = ${until}`,
    })
    await mailInvitations(tx, invitedBy, [{ email, role, token, preset: presetOf(removed) }])
    return { status: invitationFlow.events.approve.to, expires_at: until }
  },
  async cancel(tx, ids, _how, cause) {
    await refuseInvitations(tx, ids, cause)
    return () => ({ status: invitationFlow.events.refuse.to })
  },
  endRequestsOf: deleteInvitationsOf,
}
