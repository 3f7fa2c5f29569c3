/** Answers to an invitation by its token: accept, decline, sign up. */
import { type Person, requireOwnSession } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { InvitationStatus } from '../../domain/invitations/flow.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { InvitationId, OrganizationId, UserId } from '../../domain/ids.ts'
import { maySend } from '../../domain/invitations/approval-action.ts'
import { invitationMoves } from '../../domain/invitations/events.ts'
import type { OwnInvitation } from '../../domain/invitations/invitation.ts'
import { memberEvents } from '../../domain/organizations/events.ts'
import { type Permission, type Standing, presetOf } from '../../domain/permissions.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { record } from '../events.ts'
import { lockMemberships } from '../../db/postgres/locks.ts'
import { addMember } from '../organizations/organizations.ts'
import { requireAuthenticator } from '../organizations/settings.ts'
import { lockPerson } from '../people/people.ts'
import { type Fragment, type Speaker, type Transaction, type Tx, speakFor, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { mailInviter } from './invitations.ts'

export type InvitationRow = Omit<OwnInvitation, 'status' | 'id' | 'preset'> & {
  id: InvitationId
  status: InvitationStatus
  overdue: boolean
  organization_status: string
  organization_name: string
  /** Standing of the inviter now; null if they left. */
  inviter: Standing | null
  accepted_by: UserId | null
  permissions_removed: Permission[]
}

/** Makes the transaction speak for the organization that a token leads into; refuses `token_invalid`. */
async function speakForInviter(plain: Transaction, token: string, speaker: Omit<Speaker, 'organizationId'>) {
  const [found] = await plain<{ organization_id: OrganizationId }[]>`
    select organization_id from find_invitation(${tokenHash(token)})`
  if (!found) refuse('token_invalid')
  return speakFor(plain, { organizationId: found.organization_id, ...speaker })
}

const selectInvitations = (where: { readonly token: string } | { readonly email: string }): Fragment => sql`
  select i.id, i.organization_id, i.email, i.role, i.status, i.accepted_at, i.accepted_by, i.approval_request_id,
    i.expires_at, i.inserted_at, i.expires_at <= business_now() as overdue, o.status as organization_status,
    o.name as organization_name, i.permissions_removed,
    case when m.role is not null then
      json_build_object('role', m.role, 'removed', m.permissions_removed) end as inviter, exists (select from people p where p.email = i.email) as user_exists
  from invitations i join organizations o on o.id = i.organization_id
  left join members m on m.organization_id = i.organization_id and m.user_id = i.invited_by
  where ${
    'token' in where
      ? sql`i.token_hash = ${tokenHash(where.token)}`
      : sql`i.email = ${where.email} and i.status = 'pending' and i.expires_at > business_now()`
  }`

const selectHeld = (token: string): Fragment => selectInvitations({ token })

const isBacked = ({ inviter, role, permissions_removed: removed }: InvitationRow): boolean =>
  maySend(inviter, { role, removed })

/** Throws `token_invalid` unless it is open or expired, and its inviter could still send it. */
function requireOpen(held: InvitationRow | undefined): asserts held is InvitationRow {
  if (!held || isGone(held.organization_status)) refuse('token_invalid')
  if (held.status !== 'pending' && held.status !== 'expired') refuse('token_invalid')
  if (!isBacked(held)) refuse('token_invalid')
}

/** Refuses `forbidden` unless the person has the invited address, and `invitation_expired`. */
async function requireInvitee(tx: Tx, held: InvitationRow, userId: UserId): Promise<void> {
  // the address of an account is always a confirmed one
  const [own] = await tx`select from people where id = ${userId} and email = ${held.email}`
  if (!own) refuse('forbidden', { reason: 'other_address' })
  requireUnexpired(held)
}

function requireUnexpired({ status, overdue }: InvitationRow): void {
  if (status === 'expired' || overdue) refuse('invitation_expired')
}

type AnswerCommand = {
  readonly tx: Transaction
  readonly person: Person
  readonly body: { readonly token: string }
  readonly requestId: string
}

/** Makes the caller a member, once: with the same token again, while they are one, it answers the same. */
export async function acceptInvitation({ tx: plain, person, body, requestId }: AnswerCommand): Promise<OwnInvitation> {
  requireOwnSession(person)
  const { userId } = person
  const { token } = body
  const tx = await speakForInviter(plain, token, { actor: person, correlationId: requestId })
  await lockMemberships(tx, 'change')
  await lockPerson(tx, userId)
  const [held] = await tx<InvitationRow[]>`${selectHeld(token)} for update of i`
  const [member] = await tx`
    select from members where organization_id = ${tx.organizationId} and user_id = ${userId}`
  if (held?.status === 'accepted' && held.accepted_by === userId && member) return toAccepted(held)
  requireOpen(held)
  await requireInvitee(tx, held, userId)
  if (member) refuse('already_member')
  await requireAuthenticator(tx, userId)
  return admit(tx, held, userId)
}

/** Locks the open invitation to this address, for a provider that vouches for it; undefined if there is none. */
export async function lockInvitationTo(tx: Tx, email: string): Promise<InvitationRow | undefined> {
  const [held] = await tx<InvitationRow[]>`
    ${selectInvitations({ email })} and i.organization_id = ${tx.organizationId} for update of i`
  return held && !isGone(held.organization_status) && isBacked(held) ? held : undefined
}

/** Makes the person a member by a locked invitation. */
export async function admit(tx: Tx, held: InvitationRow, userId: UserId): Promise<OwnInvitation> {
  const cause = `invitation:${held.id}`
  const set = sql`accepted_by = ${userId}, accepted_at = business_now()`
  await transition(tx, invitationMoves, held.id, { events: ['accept'], cause, set })
  const { role, permissions_removed: removed } = held
  await addMember(tx, userId, { role, removed })
  const preset = presetOf(removed)
  const payload = { role, invitation_id: held.id, ...(preset && { preset }) }
  await record(tx, memberEvents.joined, { subjectId: userId, cause, payload })
  await mailInviter(tx, held.id, 'accepted')
  const [accepted] = await tx<{ accepted_at: string }[]>`select accepted_at from invitations where id = ${held.id}`
  return toAccepted({ ...held, ...accepted })
}

/** Declines for good, and answers which invitation. */
export async function declineInvitation({ tx: plain, person, body, requestId }: AnswerCommand): Promise<InvitationId> {
  requireOwnSession(person)
  const tx = await speakForInviter(plain, body.token, { actor: person, correlationId: requestId })
  const [held] = await tx<InvitationRow[]>`${selectHeld(body.token)} for update of i`
  requireOpen(held)
  await requireInvitee(tx, held, person.userId)
  await transition(tx, invitationMoves, held.id, { events: ['decline'], cause: `invitation:${held.id}` })
  await mailInviter(tx, held.id, 'declined')
  return held.id
}

/** Leaves out what members planned for the invited person, who sees the rest. */
function toAccepted(held: InvitationRow): OwnInvitation {
  const {
    overdue: _,
    organization_status: _status,
    organization_name: _name,
    inviter: _inviter,
    accepted_by: _by,
    permissions_removed: removed,
    ...shown
  } = held
  return { ...shown, preset: presetOf(removed), status: 'accepted' }
}

/** Finds the address and the organization of an invitation; refuses as accepting does. */
export async function findInvited(plain: Transaction, token: string): Promise<{ email: string; name: string }> {
  const tx = await speakForInviter(plain, token, { actor: { kind: 'system' }, correlationId: null })
  const [held] = await tx<InvitationRow[]>`${selectHeld(token)}`
  requireOpen(held)
  requireUnexpired(held)
  return { email: held.email, name: held.organization_name }
}

/** Locks the invitation of this address, whose token proves the mailbox; refuses as accepting does. */
export async function requireInvited(plain: Transaction, token: string, email: string): Promise<void> {
  const tx = await speakForInviter(plain, token, { actor: { kind: 'system' }, correlationId: null })
  const [held] = await tx<InvitationRow[]>`${selectHeld(token)} for share of i`
  requireOpen(held)
  if (held.email !== email) refuse('token_invalid')
  requireUnexpired(held)
}
