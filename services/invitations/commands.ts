/** Commands of invitations: create, resend, delete. */
import { randomUUID } from 'node:crypto'
import { v5 } from 'uuid'
import type { Person } from '../../domain/people/actor.ts'
import type { Target } from '../../domain/approvals/approval.ts'
import { refuse } from '../../domain/errors.ts'
import { maySend } from '../../domain/invitations/approval-action.ts'
import { type InvitationStatus, invitationFlow } from '../../domain/invitations/flow.ts'
import type { ApprovalStatus } from '../../domain/approvals/flow.ts'
import { type ApprovalId, type InvitationId, type NewId, type UserId, newId } from '../../domain/ids.ts'
import { invitationEvents, invitationMoves } from '../../domain/invitations/events.ts'
import { INVITATION_DAYS, type Invitation, type NewInvitation, eachOnce } from '../../domain/invitations/invitation.ts'
import {
  PRESETS,
  type Permission,
  type Role,
  type Standing,
  lackingToGive,
  presetOf,
} from '../../domain/permissions.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { policyFor } from '../approvals/policies.ts'
import {
  type Cancellation,
  type WaitingApproval,
  cancelApprovals,
  expireRequest,
  requestApproval,
} from '../approvals/requests.ts'
import { newCause, record, recordAll } from '../events.ts'
import { type Tx, sql, within } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { type InvitationMail, findInvitation, mailInvitations } from './invitations.ts'
import { expireInvitations } from './steps.ts'

/** Derives the ids of the invitations of one call from the id of its claim. */
export const invitationIds = (claimId: NewId, count: number): InvitationId[] =>
  Array.from({ length: count }, (_, index) => v5(String(index), claimId) as InvitationId) // new ids

type Row = NewInvitation & { readonly id: InvitationId; readonly approvalId: ApprovalId | null }

type Create = {
  readonly tx: Tx
  readonly person: Person
  readonly claim: { readonly id: NewId }
  readonly body: { readonly invitations: readonly NewInvitation[] }
}

/** Refuses `forbidden`: a role that grants more than the inviter has, and its preset does not take it. */
async function requireMayGive(tx: Tx, inviter: UserId, invitations: readonly NewInvitation[]): Promise<void> {
  const [standing] = await tx<Standing[]>`
    select role, permissions_removed as removed from members
    where organization_id = ${tx.organizationId} and user_id = ${inviter}`
  const lacking = invitations
    .map(({ role, preset }) => standing && lackingToGive(standing, { role, removed: removalsOf(preset) }))
    .find((permission) => permission !== undefined)
  if (lacking) refuse('forbidden', { permission: lacking })
}

/** Lists what a preset takes. */
const removalsOf = (preset: NewInvitation['preset']): readonly Permission[] => (preset ? PRESETS[preset] : [])

/** Makes all of the invitations, or none. They wait for approval if the policy asks for it, else their mails go out. */
export async function createInvitations({ tx, person, claim, body }: Create): Promise<void> {
  const { userId: inviter } = person
  const emails = body.invitations.map(({ email }) => email)
  await requireMayGive(tx, inviter, body.invitations)
  await endOverdue(tx, emails)
  await requireFree(tx, emails)
  const policy = await policyFor(tx, { action_type: 'organization_invitation' })
  const each = eachOnce(body.invitations)
  const ids = invitationIds(claim.id, each.length)
  const rows = each.map((invited, index): Row => ({
    ...invited,
    id: ids[index] as InvitationId, // as many as there are rows
    approvalId: policy && newId(),
  }))
  const created = rows.map((row) => {
    const { id, role, card_approved, card_limit, preset, approvalId: approval_request_id } = row
    const limit = preset && { preset }
    // never the address, which could not be erased there
    return { id, cause: causeOf(tx, row), payload: { role, card_approved, card_limit, ...limit, approval_request_id } }
  })
  await recordAll(tx, invitationEvents.created, created)
  for (const row of rows) {
    const { id, approvalId, email, role, card_approved, card_limit, preset } = row
    if (!policy || !approvalId) break
    await requestApproval(tx, {
      id: approvalId,
      target_type: 'organization_invitation',
      target_id: id,
      requester_id: inviter,
      policy,
      subject: { target_id: id, email, role, card_approved, card_limit, ...(preset && { preset }) }, // the step-up of approvers is bound to it
      content: { kind: 'invitation', email, role, preset },
      cause: causeOf(tx, row),
    })
  }
  const mails = policy
    ? []
    : rows.map(({ email, role, preset }): InvitationMail => ({ email, role, preset, token: newToken() }))
  const taken = await insertInvitations(tx, inviter, rows, mails)
  if (taken) await refuseTakenSince(tx, emails, taken)
  const status = policy ? 'pending_approval' : 'pending'
  wake(tx, invitationFlow, { ids: rows.map(({ id }) => id), why: 'created', status })
  if (mails.length > 0) await mailInvitations(tx, inviter, mails)
}

/** Ends what is over of the invitations of these addresses, before their runs do. */
async function endOverdue(tx: Tx, emails: readonly string[]): Promise<void> {
  const overdue = await tx<{ id: InvitationId; approval_id: ApprovalId | null }[]>`
    select i.id, a.id as approval_id from invitations i left join approvals a
      on a.id = i.approval_request_id and i.status = 'pending_approval'
    where i.organization_id = ${tx.organizationId} and i.email = any (${[...emails]})
      and i.status in ('pending_approval', 'pending') and coalesce(a.expires_at, i.expires_at) <= business_now()
    order by a.id, i.id`
  for (const { id, approval_id: approvalId } of overdue) {
    const expired = approvalId && (await expireRequest(tx, id))
    if (expired) await refuseInvitations(tx, [id], () => expired.cause)
  }
  const ids = overdue.map(({ id }) => id)
  await expireInvitations(tx, ids)
}

/** Refuses the first address that is a member's, or has an open invitation. */
async function requireFree(tx: Tx, emails: readonly string[]): Promise<void> {
  const taken = await tx<{ email: string; id: string | null; open: OpenStatus | 'managed' | null }[]>`
    select p.email, null::uuid as id, null as open from members m join people p on p.id = m.user_id
    where m.organization_id = ${tx.organizationId} and p.email = any (${[...emails]})
    union all
    select u.address, null, 'managed' from scim_users u
    where u.organization_id = ${tx.organizationId} and u.address = any (${[...emails]})
      and (not u.active or u.user_id is null) -- one who was removed by hand is invited again
    union all
    select i.email, i.id, i.status from invitations i
    where i.organization_id = ${tx.organizationId} and i.email = any (${[...emails]})
      and i.status in ('pending_approval', 'pending')`
  for (const [index, email] of emails.entries()) {
    const found = taken.find((row) => row.email === email)
    if (found?.open === 'managed') refuse('already_member', { reason: 'managed_by_provider', index, email })
    if (found?.open) refuseOpen({ index, email, id: found.id, current: found.open })
    if (found) refuse('already_member', { index, email })
  }
}

type OpenStatus = 'pending' | 'pending_approval'
type OpenInvitation = { index: number; email: string; id: string | null; current: OpenStatus }

/** Refuses; `allowed` are the operations that are possible with the invitation that is there. */
function refuseOpen({ index, email, id, current }: OpenInvitation): never {
  const allowed = current === 'pending' ? ['resend', 'delete'] : ['delete']
  refuse('invalid_state', { reason: 'already_invited', index, email, invitation_id: id, current, allowed })
}

const causeOf = (tx: Tx, { id }: Row): string => `request:${tx.correlationId ?? id}:${id}`

/** Inserts in the order of addresses, which avoids deadlocks; answers an address that another call has taken. */
async function insertInvitations(
  tx: Tx,
  inviter: UserId,
  rows: readonly Row[],
  mails: readonly InvitationMail[],
): Promise<string | undefined> {
  const written = rows.map(({ approvalId, preset, ...row }, index) => {
    const mail = mails[index]
    return {
      ...row,
      removed: removalsOf(preset),
      approval_id: approvalId,
      token_hash: mail ? tokenHash(mail.token).toString('hex') : null,
    }
  })
  const inserted = await tx<{ email: string }[]>`
    insert into invitations (id, organization_id, email, role, status, card_approved, card_limit, token_hash,
      approval_request_id, invited_by, permissions_removed, expires_at)
    select r.id, ${tx.organizationId}, r.email, r.role,
      case when r.approval_id is null then 'pending' else 'pending_approval' end, r.card_approved, r.card_limit,
      decode(r.token_hash, 'hex'), r.approval_id, ${inviter}, r.removed,
      coalesce(a.expires_at, business_now() + make_interval(days => ${INVITATION_DAYS}))
    from jsonb_to_recordset(${sql.json(written)}) r (id uuid, email text, role text, card_approved boolean,
      card_limit numeric, token_hash text, approval_id uuid, removed text[])
    left join approvals a on a.id = r.approval_id
    order by r.email
    on conflict (organization_id, email) where status in ('pending_approval', 'pending') do nothing
    returning email`
  return rows.find((row) => !inserted.some(({ email }) => email === row.email))?.email
}

/** Refuses an address that another call has invited meanwhile. */
async function refuseTakenSince(tx: Tx, emails: readonly string[], email: string): Promise<never> {
  await requireFree(tx, emails)
  refuseOpen({ index: emails.indexOf(email), email, id: null, current: 'pending' }) // it was there, and has gone since
}

type LockedInvitation = { status: InvitationStatus; overdue: boolean; email: string; role: Role } & {
  removed: Permission[]
  inviter: Standing | null
}

/** Locks the invitation; refuses `not_found` for one that was declined or deleted. */
async function lockInvitation(tx: Tx, id: InvitationId): Promise<LockedInvitation> {
  const [row] = await tx<LockedInvitation[]>`
    select status, expires_at <= business_now() as overdue, email, role, permissions_removed as removed, (
      select json_build_object('role', m.role, 'removed', m.permissions_removed) from members m
      where m.organization_id = invitations.organization_id and m.user_id = invited_by) as inviter
    from invitations where id = ${id} for update`
  if (!row || row.status === 'declined' || row.status === 'deleted') refuse('not_found')
  return row
}

const isExpired = ({ status, overdue }: LockedInvitation): boolean =>
  status === 'expired' || (status === 'pending' && overdue)

/** Mails a pending invitation again, with another token and seven more days; the token before is dead. */
export async function resendInvitation(tx: Tx, sender: Person, id: InvitationId): Promise<Invitation> {
  const invitation = await lockInvitation(tx, id)
  const { status, email, role, removed } = invitation
  if (isExpired(invitation)) refuse('invitation_expired')
  if (status !== 'pending') refuseState(status)
  if (!maySend(invitation.inviter, invitation)) refuse('invalid_state', { current: status, allowed: ['delete'] })
  const token = newToken()
  await tx`
    update invitations set token_hash = ${tokenHash(token)}, updated_at = business_now(),
      expires_at = business_now() + make_interval(days => ${INVITATION_DAYS})
    where id = ${id}`
  await record(tx, invitationEvents.resent, { subjectId: id, cause: newCause() })
  wake(tx, invitationFlow, { ids: [id], why: 'resent' })
  await mailInvitations(tx, sender.userId, [{ email, role, token, preset: presetOf(removed) }])
  return findInvitation(within(tx), id)
}

/** Deletes an invitation that was not accepted, with the approval that it waits for. */
export async function deleteInvitation(tx: Tx, caller: Person, id: InvitationId): Promise<void> {
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

/** Deletes open invitations to an address that a provider manages. The caller has locked the memberships for change. */
export async function deleteInvitationsTo(tx: Tx, email: string, by: Person | null): Promise<void> {
  const waiting = await tx<WaitingApproval[]>`
    select a.id, jsonb_build_object('type', a.target_type, 'id', a.target_id) as target from approvals a
    where a.organization_id = ${tx.organizationId} and a.status = 'pending' and a.target_id in (
      select i.id from invitations i where i.organization_id = ${tx.organizationId} and i.email = ${email}
        and i.status = 'pending_approval')
    order by a.id for update`
  const open = await tx<{ id: InvitationId }[]>`
    select id from invitations
    where organization_id = ${tx.organizationId} and email = ${email} and status in ('pending_approval', 'pending')
    order by id for update`
  if (open.length === 0) return
  const ids = open.map(({ id }) => id)
  await deleteLocked(tx, ids, waiting, { why: 'address managed by the identity provider', by })
}

/** Deletes locked invitations, and cancels the locked approvals that they wait for. */
export async function deleteLocked(
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

/** Refuses; `allowed` are the operations that are possible instead. */
function refuseState(current: InvitationStatus): never {
  refuse('invalid_state', { current, allowed: current === 'pending_approval' ? ['delete'] : [] })
}

export const refuseInvitations = (tx: Tx, ids: readonly string[], cause: (id: string) => string): Promise<void> =>
  transition(tx, invitationMoves, ids, { events: ['refuse'], cause })
