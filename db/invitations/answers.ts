/** What whoever holds an invitation's token does with it: accept, decline, sign up. */
import { mailInviter } from './mails.ts'
import { record } from '../events.ts'
import type { Person } from '../../domain/actor.ts'
import { mayAskFor } from '../../domain/approvals/action.ts'
import { refuse } from '../../domain/errors.ts'
import type { InvitationId, OrganizationId, UserId } from '../../domain/ids.ts'
import type { InvitationStatus } from '../../domain/flows/invitation.ts'
import { invitationMoves } from '../../domain/invitations/events.ts'
import type { OwnInvitation } from '../../domain/invitations/invitation.ts'
import { organizationInvitation } from '../../domain/invitations/approval-action.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import { memberEvents } from '../../domain/organizations/events.ts'
import type { Role } from '../../domain/permissions.ts'
import { addMember } from '../organizations/members.ts'
import { requireAuthenticator } from '../organizations/settings.ts'
import { lockPerson } from '../people/people.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { type Fragment, type Tx, first, inOrganization, sql } from '../sql.ts'
import { lockMemberships } from '../locks.ts'
import { transition } from '../transition.ts'

type Held = Omit<OwnInvitation, 'status' | 'id'> & {
  id: InvitationId
  status: InvitationStatus
  overdue: boolean
  organization_status: string
  /** What who invited is now; null if they left. */
  inviter_role: Role | null
  accepted_by: UserId | null
}

/** The organization that a token leads into; refuses `token_invalid` for one that was never mailed. */
async function organizationOf(token: string): Promise<OrganizationId> {
  const found = await first(sql<{ organization_id: OrganizationId }[]>`
    select organization_id from find_invitation(${tokenHash(token)})`)
  return found?.organization_id ?? refuse('token_invalid')
}

const selectHeld = (token: string): Fragment => sql`
  select i.id, i.organization_id, i.email, i.role, i.status, i.accepted_at, i.accepted_by, i.approval_request_id,
    i.expires_at, i.inserted_at, i.expires_at <= business_now() as overdue, o.status as organization_status,
    m.role as inviter_role, exists (select from people p where p.email = i.email) as user_exists
  from invitations i join organizations o on o.id = i.organization_id
  left join members m on m.organization_id = i.organization_id and m.user_id = i.invited_by
  where i.token_hash = ${tokenHash(token)}`

/**
 * Refuses `token_invalid` unless the invitation is open or has expired, in an organization that is there, by somebody
 * who may still invite.
 */
function guardHeld(held: Held | undefined): asserts held is Held {
  if (!held || isGone(held.organization_status)) refuse('token_invalid')
  if (held.status !== 'pending' && held.status !== 'expired') refuse('token_invalid')
  if (!mayAskFor(organizationInvitation, held.inviter_role)) refuse('token_invalid')
}

/** Refuses `forbidden` to whoever is not the invited address, and `invitation_expired`. */
async function guardAnswer(tx: Tx, held: Held, userId: UserId): Promise<void> {
  // the address of an account is always a confirmed one
  const [own] = await tx`select from people where id = ${userId} and email = ${held.email}`
  if (!own) refuse('forbidden', { reason: 'other_address' })
  refuseExpired(held)
}

function refuseExpired({ status, overdue }: Held): void {
  if (status === 'expired' || overdue) refuse('invitation_expired')
}

/**
 * Makes the caller a member, once: with the same token again, while they are one, it answers the same. Refuses
 * `token_invalid` for a wrong, used or dead token, also if the organization is no more or who invited may not invite
 * any more; `forbidden` unless the caller's address is the invited one, and without the authenticator that the
 * organization requires; `invitation_expired`, and `already_member`.
 */
export async function acceptInvitation(person: Person, token: string, requestId: string): Promise<OwnInvitation> {
  const { userId } = person
  return inOrganization(
    person,
    await organizationOf(token),
    async (tx) => {
      await lockMemberships(tx, 'change')
      await lockPerson(tx, userId)
      const [held] = await tx<Held[]>`${selectHeld(token)} for update of i`
      const [member] = await tx`
        select from members where organization_id = ${tx.organizationId} and user_id = ${userId}`
      if (held?.status === 'accepted' && held.accepted_by === userId && member) return toAccepted(held)
      guardHeld(held)
      await guardAnswer(tx, held, userId)
      if (member) refuse('already_member')
      await requireAuthenticator(tx, userId)
      return admit(tx, held, userId)
    },
    { correlationId: requestId },
  )
}

async function admit(tx: Tx, held: Held, userId: UserId): Promise<OwnInvitation> {
  const cause = `invitation:${held.id}`
  await transition(tx, invitationMoves, held.id, {
    events: ['accept'],
    cause,
    set: sql`accepted_by = ${userId}, accepted_at = business_now()`,
  })
  await Promise.all([
    addMember(tx, userId, held.role),
    record(tx, memberEvents.joined, {
      subjectId: userId,
      cause,
      payload: { role: held.role, invitation_id: held.id },
    }),
  ])
  await mailInviter(tx, held.id, 'accepted')
  const [accepted] = await tx<{ accepted_at: string }[]>`select accepted_at from invitations where id = ${held.id}`
  return toAccepted({ ...held, ...accepted })
}

/** Declines for good, and answers which invitation. Refuses as accepting does, but for `already_member`. */
export async function declineInvitation(person: Person, token: string, requestId: string): Promise<InvitationId> {
  return inOrganization(
    person,
    await organizationOf(token),
    async (tx) => {
      const [held] = await tx<Held[]>`${selectHeld(token)} for update of i`
      guardHeld(held)
      await guardAnswer(tx, held, person.userId)
      await transition(tx, invitationMoves, held.id, { events: ['decline'], cause: `invitation:${held.id}` })
      await mailInviter(tx, held.id, 'declined')
      return held.id
    },
    { correlationId: requestId },
  )
}

/** As whoever was invited sees it: nothing of what others planned for them. */
const toAccepted = (held: Held): OwnInvitation => ({
  id: held.id,
  organization_id: held.organization_id,
  email: held.email,
  role: held.role,
  status: 'accepted',
  accepted_at: held.accepted_at,
  approval_request_id: held.approval_request_id,
  expires_at: held.expires_at,
  inserted_at: held.inserted_at,
  user_exists: held.user_exists,
})

/**
 * Runs `work` while the token invites this address: it proves the mailbox as a mail that confirms it would. Refuses
 * `token_invalid`, also for another address, and `invitation_expired`.
 */
export async function whileInvited<Result>(
  token: string,
  email: string,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inOrganization({ kind: 'system' }, await organizationOf(token), async (tx) => {
    const [held] = await tx<Held[]>`${selectHeld(token)} for share of i`
    guardHeld(held)
    if (held.email !== email) refuse('token_invalid')
    refuseExpired(held)
    return work(tx)
  })
}
