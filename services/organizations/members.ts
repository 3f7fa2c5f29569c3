/** Members of an organization: listed, given roles, removed. There is always an owner. */
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { UserId } from '../../domain/ids.ts'
import { memberEvents, ownershipEvents } from '../../domain/organizations/events.ts'
import type { Member, MemberFilters } from '../../domain/organizations/member.ts'
import { type Page, refuseCursor } from '../../domain/pagination.ts'
import { type Role, can } from '../../domain/permissions.ts'
import { quoteInMail } from '../../domain/text.ts'
import type { EndWithRole } from '../approvals/target.ts'
import { causesWhatFollows, newCause, record } from '../events.ts'
import { withWords } from '../../db/postgres/filters.ts'
import { lockMemberships } from '../../db/postgres/locks.ts'
import { notify } from '../messages/account-notices.ts'
import { toPage } from '../../db/postgres/pagination.ts'
import { endDelegates } from '../people/delegates.ts'
import { endIdentityLinks } from '../people/identity-links.ts'
import { forgetPrimaryOrganization, lockPerson } from '../people/people.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Fragment, type Reader, type Tx, sql } from '../../db/postgres/sql.ts'
import { requireRoomToOwn } from './organizations.ts'

const selectMember = (viewer: Role): Fragment => sql`
  select m.user_id as id, p.email, ${fullName(sql`p`)} as name, m.role, m.joined_at,
    ${can(viewer, 'members.manage') ? sql`a.user_id is not null` : sql`null::boolean`} as totp_enabled
  from members m
  join people p on p.id = m.user_id
  left join authenticators a on a.user_id = m.user_id`

/** Lists members as a viewer of this role sees them, the last to join first. The cursor may name one who left. */
export async function listMembers(reader: Reader, viewer: Role, filters: MemberFilters): Promise<Page<Member>> {
  const { role, q, user_ids: ids, limit, cursor } = filters
  const organization = reader.organizationId
  const joined = sql`coalesce(
    (select c.joined_at from members c where c.organization_id = ${organization} and c.user_id = ${cursor ?? null}),
    (select c.joined_at from former_members c where c.organization_id = ${organization}
      and c.user_id = ${cursor ?? null}))`
  const rows = await reader<Member>(sql`
    ${selectMember(viewer)} where m.organization_id = ${organization}
    ${role ? sql`and m.role = ${role}` : sql``}
    ${ids ? sql`and m.user_id = any (${[...ids]}::uuid[])` : sql``}
    ${withWords(q, [sql`p.first_name`, sql`p.last_name`, sql`p.email`])}
    ${cursor ? sql`and (m.joined_at, m.user_id) < (${joined}, ${cursor}::uuid)` : sql``}
    order by m.joined_at desc, m.user_id desc limit ${limit + 1}`)
  if (rows.length === 0 && cursor) {
    const [known] = await reader<{ joined: string | null }>(sql`select ${joined} as joined`)
    if (!known?.joined) refuseCursor()
  }
  return toPage(rows, limit)
}

async function findMember(tx: Tx, viewer: Role, userId: UserId): Promise<Member> {
  const [member] = await tx<Member[]>`
    ${selectMember(viewer)} where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`
  return member ?? refuse('not_found')
}

type ChangeContext = { name: string; status: string; caller: Role | null; target: Role | null; owners: string }
/** The roles as they are while the organization is locked. */
type LockedMembers = { organization: string; caller: Role; target: Role; lastOwner: boolean }

/** Locks the organization and then reads roles; refuses `not_found` unless both are members, and `forbidden`. */
async function lockMembers(
  tx: Tx,
  caller: Person,
  target: UserId,
  needed: 'manage' | 'own' | null,
): Promise<LockedMembers> {
  const roleOf = (userId: UserId): Fragment => sql`
    (select m.role from members m where m.organization_id = o.id and m.user_id = ${userId})`
  await lockMemberships(tx, 'change')
  await tx`select from organizations where id = ${tx.organizationId} for no key update`
  const [found] = await tx<ChangeContext[]>`
    select o.name, o.status, ${roleOf(caller.userId)} as caller, ${roleOf(target)} as target,
      (select count(*) from members m where m.organization_id = o.id and m.role = 'owner') as owners
    from organizations o where o.id = ${tx.organizationId}`
  if (!found?.caller || isGone(found.status)) refuse('not_found')
  if (needed === 'own' && found.caller !== 'owner') refuse('forbidden', { role: 'owner' })
  if (needed === 'manage' && !can(found.caller, 'members.manage')) refuse('forbidden', { permission: 'members.manage' })
  if (!found.target) refuse('not_found')
  const lastOwner = found.target === 'owner' && Number(found.owners) === 1
  return { organization: found.name, caller: found.caller, target: found.target, lastOwner }
}

type Change = { readonly userId: UserId; readonly role: Role }

/** Gives a member a role, and ends what it does not allow. Only an owner makes or changes an owner. */
export async function changeRole(tx: Tx, caller: Person, change: Change, endWithRole: EndWithRole): Promise<Member> {
  const { userId, role } = change
  const locked = await lockMembers(tx, caller, userId, 'manage')
  if (locked.caller !== 'owner' && (locked.target === 'owner' || role === 'owner'))
    refuse('forbidden', { role: 'owner' })
  if (locked.target === role) return findMember(tx, locked.caller, userId)
  if (locked.lastOwner) refuse('last_owner')
  if (role === 'owner') await requireRoomToOwn(tx, userId, 'owns_enough')
  const payload = { from: locked.target, to: role }
  await record(tx, memberEvents.role_changed, { subjectId: userId, cause: newCause(), payload })
  await causesWhatFollows(tx, userId) // what it ends is written after it
  await setRole(tx, userId, role)
  await endWithRole(tx, { userId, role, by: caller })
  await notify(tx, userId, {
    subject: 'Your role in an organization changed',
    organization: locked.organization,
    body: `In ${quoteInMail(locked.organization)} your role was ${locked.target} and is now ${role}.`,
  })
  return findMember(tx, locked.caller, userId)
}

/** Removes a member; of the caller themselves it is leaving. Only an owner removes an owner. */
export async function removeMember(tx: Tx, caller: Person, userId: UserId, endWithRole: EndWithRole): Promise<void> {
  if (userId === caller.userId) return leaveOrganization(tx, caller, endWithRole)
  const locked = await lockMembers(tx, caller, userId, 'manage')
  if (locked.caller !== 'owner' && locked.target === 'owner') refuse('forbidden', { role: 'owner' })
  await endMembership(tx, userId, { type: memberEvents.removed, locked, by: caller, endWithRole })
}

export async function leaveOrganization(tx: Tx, caller: Person, endWithRole: EndWithRole): Promise<void> {
  const locked = await lockMembers(tx, caller, caller.userId, null)
  await endMembership(tx, caller.userId, { type: memberEvents.left, locked, by: caller, endWithRole })
}

type MemberEnd = {
  readonly type: (typeof memberEvents)['removed' | 'left']
  readonly locked: LockedMembers
  readonly by: Person
  readonly endWithRole: EndWithRole
}

/** Ends a membership, with its open invitations and its approvals of what still waits. */
async function endMembership(tx: Tx, userId: UserId, { type, locked, by, endWithRole }: MemberEnd): Promise<void> {
  if (locked.lastOwner) refuse('last_owner')
  await record(tx, type, { subjectId: userId, cause: newCause(), payload: { role: locked.target } })
  await causesWhatFollows(tx, userId) // what it ends is written after it
  await lockPerson(tx, userId) // a choice of the primary organization at this moment comes before or after
  await tx`
    with gone as (
      delete from members where organization_id = ${tx.organizationId} and user_id = ${userId}
      returning organization_id, user_id, role, joined_at)
    insert into former_members (organization_id, user_id, role, joined_at)
    select organization_id, user_id, role, joined_at from gone
    on conflict (organization_id, user_id) do update
    set role = excluded.role, joined_at = excluded.joined_at, left_at = excluded.left_at`
  await forgetPrimaryOrganization(tx, userId)
  await endDelegates(tx, { userId, organizationId: tx.organizationId, reason: 'left' })
  await endIdentityLinks(tx, [userId], 'left')
  await endWithRole(tx, { userId, role: null, by })
  const left = type === memberEvents.left
  await notify(tx, userId, {
    subject: left ? 'You left an organization' : 'You were removed from an organization',
    organization: locked.organization,
    body: `You are no longer a member of ${quoteInMail(locked.organization)}.`,
  })
}

/** Makes another member an owner, who is answered, and the caller an admin. */
export async function transferOwnership(tx: Tx, caller: Person, userId: UserId, endWithRole: EndWithRole) {
  const { organization, target } = await lockMembers(tx, caller, userId, 'own')
  if (userId === caller.userId) refuse('invalid_state', { current: 'owner', allowed: [] })
  if (target !== 'owner') await requireRoomToOwn(tx, userId, 'owns_enough')
  const payload = { from_user_id: caller.userId, to_user_id: userId, role_before: target }
  await record(tx, ownershipEvents.transferred, { subjectId: tx.organizationId, cause: newCause(), payload })
  await causesWhatFollows(tx, tx.organizationId)
  await setRole(tx, userId, 'owner')
  await endWithRole(tx, { userId, role: 'owner', by: caller })
  await setRole(tx, caller.userId, 'admin')
  await endWithRole(tx, { userId: caller.userId, role: 'admin', by: caller })
  await notify(tx, userId, {
    subject: 'You own an organization',
    organization,
    body: `The ownership of ${quoteInMail(organization)} was transferred to you.`,
  })
  await notify(tx, caller.userId, {
    subject: 'You transferred the ownership of an organization',
    organization,
    body: `You transferred the ownership of ${quoteInMail(organization)} to another member, and are an admin of it now.`,
  })
  return findMember(tx, 'admin', userId)
}

async function setRole(tx: Tx, userId: UserId, role: Role): Promise<void> {
  await tx`update members set role = ${role} where organization_id = ${tx.organizationId} and user_id = ${userId}`
}
