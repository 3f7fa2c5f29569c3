/** Who is in an organization: listed, given roles, removed. There is always an owner. */
import type { EndWithRole } from '../approvals/target.ts'
import { causesWhatFollows, newCause, record } from '../events.ts'
import { inOrder } from '../in-order.ts'
import type { Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { memberEvents, ownershipEvents } from '../../domain/organizations/events.ts'
import type { Member, MemberFilters } from '../../domain/organizations/member.ts'
import type { Page } from '../../domain/pagination.ts'
import { type Role, can } from '../../domain/permissions.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import { quotedInMail } from '../../domain/text.ts'
import { notify } from '../messages/account-notices.ts'
import { forgetPrimaryOrganization, lockPerson, preferOrganization } from '../people/people.ts'
import { checkOwnedLimit } from './organizations.ts'
import { paged, refuseCursor } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, sql } from '../sql.ts'
import { lockMemberships } from '../locks.ts'

const selectMember = (viewer: Role): Fragment => sql`
  select m.user_id as id, p.email, nullif(concat_ws(' ', p.first_name, p.last_name), '') as name, m.role, m.joined_at,
    ${can(viewer, 'members.manage') ? sql`a.user_id is not null` : sql`null::boolean`} as totp_enabled
  from members m
  join people p on p.id = m.user_id
  left join authenticators a on a.user_id = m.user_id`

/**
 * The members by the filters, who joined last first, as somebody with this role sees them. The cursor also resolves if
 * it names somebody who left.
 */
export async function listMembers(
  reader: Reader,
  viewer: Role,
  { role, q, limit, cursor }: MemberFilters,
): Promise<Page<Member>> {
  const organization = reader.organizationId
  const joined = sql`coalesce(
    (select c.joined_at from members c where c.organization_id = ${organization} and c.user_id = ${cursor ?? null}),
    (select c.joined_at from former_members c where c.organization_id = ${organization}
      and c.user_id = ${cursor ?? null}))`
  const rows = await reader<Member>(sql`
    ${selectMember(viewer)} where m.organization_id = ${organization}
    ${role ? sql`and m.role = ${role}` : sql``}
    ${q ? sql`and strpos(lower(concat_ws(' ', p.first_name, p.last_name) || E'\n' || p.email), lower(${q})) > 0` : sql``}
    ${cursor ? sql`and (m.joined_at, m.user_id) < (${joined}, ${cursor}::uuid)` : sql``}
    order by m.joined_at desc, m.user_id desc limit ${limit + 1}`)
  if (rows.length === 0 && cursor) {
    const [known] = await reader<{ joined: string | null }>(sql`select ${joined} as joined`)
    if (!known?.joined) refuseCursor()
  }
  return paged(rows, limit)
}

/** The member as the transaction left them, as somebody with this role sees them. */
async function findMember(tx: Tx, viewer: Role, userId: UserId): Promise<Member> {
  const [member] = await tx<Member[]>`
    ${selectMember(viewer)} where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`
  return member ?? refuse('not_found')
}

type ChangeContext = { name: string; status: string; caller: Role | null; target: Role | null; owners: string }
/** The roles as they are while the organization is locked. */
type Locked = { organization: string; caller: Role; target: Role; lastOwner: boolean }

/**
 * Locks the organization, so that its members change one by one, and reads roles in the next statement, which sees what
 * the wait let through. Refuses `not_found` if the caller is none of them any more, `forbidden` if they may not manage
 * members now, and `not_found` if the target is no member.
 */
async function lockMembers(tx: Tx, caller: Person, target: UserId, needed: 'manage' | 'own' | null): Promise<Locked> {
  const roleOf = (userId: UserId): Fragment => sql`
    (select m.role from members m where m.organization_id = o.id and m.user_id = ${userId})`
  const [, , [found]] = await inOrder(
    () => lockMemberships(tx, 'change'),
    () => tx`select from organizations where id = ${tx.organizationId} for no key update`,
    () => tx<ChangeContext[]>`
      select o.name, o.status, ${roleOf(caller.userId)} as caller, ${roleOf(target)} as target,
        (select count(*) from members m where m.organization_id = o.id and m.role = 'owner') as owners
      from organizations o where o.id = ${tx.organizationId}`,
  )
  if (!found?.caller || isGone(found.status)) refuse('not_found')
  if (needed === 'own' && found.caller !== 'owner') refuse('forbidden', { role: 'owner' })
  if (needed === 'manage' && !can(found.caller, 'members.manage')) refuse('forbidden', { permission: 'members.manage' })
  if (!found.target) refuse('not_found')
  const lastOwner = found.target === 'owner' && Number(found.owners) === 1
  return { organization: found.name, caller: found.caller, target: found.target, lastOwner }
}

/**
 * Gives a member a role, and answers the member; the role they have changes nothing. What the new role could not give
 * ends: their approvals of what still waits, and their open invitations. Only an owner makes or changes an owner:
 * `forbidden`. Refuses `last_owner`, and `organization_limit_reached` if the person owns as many organizations as they
 * may.
 */
export async function changeRole(
  tx: Tx,
  caller: Person,
  { userId, role }: { readonly userId: UserId; readonly role: Role },
  endWithRole: EndWithRole,
): Promise<Member> {
  const locked = await lockMembers(tx, caller, userId, 'manage')
  if (locked.caller !== 'owner' && (locked.target === 'owner' || role === 'owner'))
    refuse('forbidden', { role: 'owner' })
  if (locked.target === role) return findMember(tx, locked.caller, userId)
  if (locked.lastOwner) refuse('last_owner')
  if (role === 'owner') await checkOwnedLimit(tx, userId, 'owns_enough')
  await record(tx, memberEvents.role_changed, {
    subjectId: userId,
    cause: newCause(),
    payload: { from: locked.target, to: role },
  })
  await causesWhatFollows(tx, userId) // what it ends is written after it
  await setRole(tx, userId, role)
  await endWithRole(tx, { userId, role, by: caller })
  await notify(tx, userId, {
    subject: 'Your role in an organization changed',
    body: `In ${quotedInMail(locked.organization)} your role was ${locked.target} and is now ${role}.`,
  })
  return findMember(tx, locked.caller, userId)
}

/**
 * Takes a member out; of the caller themselves it is leaving. Only an owner removes an owner: `forbidden`. Refuses
 * `last_owner`. They can join again. Payments and contacts that they asked for go on without them; their open
 * invitations are deleted, and their approvals of what still waits are void.
 */
export async function removeMember(tx: Tx, caller: Person, userId: UserId, endWithRole: EndWithRole): Promise<void> {
  if (userId === caller.userId) return leaveOrganization(tx, caller, endWithRole)
  const locked = await lockMembers(tx, caller, userId, 'manage')
  if (locked.caller !== 'owner' && locked.target === 'owner') refuse('forbidden', { role: 'owner' })
  if (locked.lastOwner) refuse('last_owner')
  await record(tx, memberEvents.removed, { subjectId: userId, cause: newCause(), payload: { role: locked.target } })
  await causesWhatFollows(tx, userId) // what it ends is written after it
  await takeOut(tx, userId)
  await endWithRole(tx, { userId, role: null, by: caller })
  await notify(tx, userId, {
    subject: 'You were removed from an organization',
    body: `You are no longer a member of ${quotedInMail(locked.organization)}.`,
  })
}

/** Ends the caller's own membership, which nobody else needs to allow; refuses `last_owner`. */
export async function leaveOrganization(tx: Tx, caller: Person, endWithRole: EndWithRole): Promise<void> {
  const locked = await lockMembers(tx, caller, caller.userId, null)
  if (locked.lastOwner) refuse('last_owner')
  await record(tx, memberEvents.left, { subjectId: caller.userId, cause: newCause(), payload: { role: locked.target } })
  await causesWhatFollows(tx, caller.userId) // what it ends is written after it
  await takeOut(tx, caller.userId)
  await endWithRole(tx, { userId: caller.userId, role: null, by: caller })
  await notify(tx, caller.userId, {
    subject: 'You left an organization',
    body: `You are no longer a member of ${quotedInMail(locked.organization)}.`,
  })
}

/**
 * Makes another member an owner, who is answered, and the caller an admin: who hands over keeps their work, and nothing
 * that is an owner's alone. Refuses `forbidden` to all but owners, `invalid_state` to oneself, and
 * `organization_limit_reached`.
 */
export async function transferOwnership(
  tx: Tx,
  caller: Person,
  userId: UserId,
  endWithRole: EndWithRole,
): Promise<Member> {
  const { organization, target } = await lockMembers(tx, caller, userId, 'own')
  if (userId === caller.userId) refuse('invalid_state', { current: 'owner', allowed: [] })
  if (target !== 'owner') await checkOwnedLimit(tx, userId, 'owns_enough')
  await record(tx, ownershipEvents.transferred, {
    subjectId: tx.organizationId,
    cause: newCause(),
    payload: { from_user_id: caller.userId, to_user_id: userId, role_before: target },
  })
  await causesWhatFollows(tx, tx.organizationId)
  await setRole(tx, userId, 'owner')
  await endWithRole(tx, { userId, role: 'owner', by: caller })
  await setRole(tx, caller.userId, 'admin')
  await endWithRole(tx, { userId: caller.userId, role: 'admin', by: caller })
  await notify(tx, userId, {
    subject: 'You own an organization',
    body: `The ownership of ${quotedInMail(organization)} was transferred to you.`,
  })
  await notify(tx, caller.userId, {
    subject: 'You transferred the ownership of an organization',
    body: `You transferred the ownership of ${quotedInMail(organization)} to another member, and are an admin of it now.`,
  })
  return findMember(tx, 'admin', userId)
}

async function setRole(tx: Tx, userId: UserId, role: Role): Promise<void> {
  await tx`update members set role = ${role} where organization_id = ${tx.organizationId} and user_id = ${userId}`
}

/** Makes somebody a member of the transaction's organization, which becomes their primary one if they have none. */
export async function addMember(tx: Tx, userId: UserId, role: Role): Promise<void> {
  await Promise.all([
    tx`insert into members (organization_id, user_id, role) values (${tx.organizationId}, ${userId}, ${role})`,
    preferOrganization(tx, userId, tx.organizationId),
  ])
}

/** Ends a membership. A decision that reads it at this moment is waited for, and none is recorded later. */
async function takeOut(tx: Tx, userId: UserId): Promise<void> {
  await lockPerson(tx, userId) // who chooses a primary organization at this moment comes before or after
  await tx`
    with gone as (
      delete from members where organization_id = ${tx.organizationId} and user_id = ${userId}
      returning organization_id, user_id, role, joined_at)
    insert into former_members (organization_id, user_id, role, joined_at)
    select organization_id, user_id, role, joined_at from gone
    on conflict (organization_id, user_id) do update
    set role = excluded.role, joined_at = excluded.joined_at, left_at = excluded.left_at`
  await forgetPrimaryOrganization(tx, userId, tx.organizationId)
}
