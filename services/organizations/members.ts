/** Members of an organization: listed, given roles and less than a role, removed. There is always an owner. */
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { UserId } from '../../domain/ids.ts'
import { memberEvents, ownershipEvents } from '../../domain/organizations/events.ts'
import type { Member, MemberChange, MemberFilters } from '../../domain/organizations/member.ts'
import { type Page, refuseCursor } from '../../domain/pagination.ts'
import {
  PERMISSIONS,
  PRESETS,
  type Permission,
  type Role,
  type Standing,
  can,
  effectiveOf,
  presetOf,
} from '../../domain/permissions.ts'
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
import { reportMadeBy } from './makers.ts'
import { requireRoomToOwn } from './organizations.ts'

type MemberRow = Omit<Member, 'preset' | 'permissions'>

const toMember = (row: MemberRow): Member => ({
  ...row,
  preset: presetOf(row.permissions_removed),
  permissions: effectiveOf({ role: row.role, removed: row.permissions_removed }),
})

const selectMember = (viewer: Standing): Fragment => sql`
  select m.user_id as id, p.email, ${fullName(sql`p`)} as name, m.role, m.permissions_removed, m.joined_at,
    exists (select from scim_users u where u.organization_id = m.organization_id and u.user_id = m.user_id)
      as managed_by_scim,
    ${can(viewer, 'members.manage') ? sql`a.user_id is not null` : sql`null::boolean`} as totp_enabled
  from members m
  join people p on p.id = m.user_id
  left join authenticators a on a.user_id = m.user_id`

/** Lists members as this viewer sees them, the last to join first. The cursor may name one who left. */
export async function listMembers(reader: Reader, viewer: Standing, filters: MemberFilters): Promise<Page<Member>> {
  const { role, q, user_ids: ids, limit, cursor } = filters
  const organization = reader.organizationId
  const joined = sql`coalesce(
    (select c.joined_at from members c where c.organization_id = ${organization} and c.user_id = ${cursor ?? null}),
    (select c.joined_at from former_members c where c.organization_id = ${organization}
      and c.user_id = ${cursor ?? null}))`
  const rows = await reader<MemberRow>(sql`
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
  const page = toPage(rows, limit)
  return { ...page, data: page.data.map(toMember) }
}

async function findMember(tx: Tx, viewer: Standing, userId: UserId): Promise<Member> {
  const [member] = await tx<MemberRow[]>`
    ${selectMember(viewer)} where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`
  return member ? toMember(member) : refuse('not_found')
}

type Whole = { readonly role: Role; readonly removed: readonly Permission[] }
type ChangeContext = { name: string; status: string; caller: Whole | null; target: Whole | null; owners: string }
/** Roles and what was taken from them, as they are while the organization is locked. */
type LockedMembers = { organization: string; caller: Whole; target: Whole; lastOwner: boolean }

/** Locks the organization and then reads roles; refuses `not_found` unless both are members, and `forbidden`. */
async function lockMembers(
  tx: Tx,
  caller: Person,
  target: UserId,
  needed: 'manage' | 'own' | null,
): Promise<LockedMembers> {
  const standingOf = (userId: UserId): Fragment => sql`
    (select jsonb_build_object('role', m.role, 'removed', m.permissions_removed) from members m where m.organization_id = o.id and m.user_id = ${userId})`
  await lockMemberships(tx, 'change')
  await tx`select from organizations where id = ${tx.organizationId} for no key update`
  const [found] = await tx<ChangeContext[]>`
    select o.name, o.status, ${standingOf(caller.userId)} as caller, ${standingOf(target)} as target,
      (select count(*) from members m where m.organization_id = o.id and m.role = 'owner') as owners
    from organizations o where o.id = ${tx.organizationId}`
  if (!found?.caller || isGone(found.status)) refuse('not_found')
  if (needed === 'own' && found.caller.role !== 'owner') refuse('forbidden', { role: 'owner' })
  if (needed === 'manage' && !can(found.caller, 'members.manage')) refuse('forbidden', { permission: 'members.manage' })
  if (!found.target) refuse('not_found')
  const lastOwner = found.target.role === 'owner' && Number(found.owners) === 1
  return { organization: found.name, caller: found.caller, target: found.target, lastOwner }
}

type Change = { readonly userId: UserId; readonly change: MemberChange }

/** Derives what a member is after a change. Refuses `unprocessable_entity` for an owner from whom something is taken. */
function standingAfter(before: Whole, change: MemberChange): Whole {
  const { role = before.role, permissions_removed: listed, preset } = change
  const named: readonly Permission[] = preset ? PRESETS[preset] : []
  const given = listed ?? (preset === undefined ? undefined : named)
  if (role === 'owner' && given?.length) refuse('unprocessable_entity', { reason: 'owner_is_whole' })
  const removed = role === 'owner' ? [] : (given ?? before.removed)
  return { role, removed: PERMISSIONS.filter((one) => removed.includes(one)) }
}

/** Refuses `forbidden`: to give what the caller lacks, or to change one's own permissions. */
function requireMayGive({ caller, target }: LockedMembers, after: Whole, isOwn: boolean): void {
  if (isOwn && !isSame(target.removed, after.removed)) refuse('forbidden', { reason: 'own_permissions' })
  const before = effectiveOf(target)
  const lacking = effectiveOf(after).find((one) => !before.includes(one) && !can(caller, one))
  if (lacking && !isOwn) refuse('forbidden', { permission: lacking })
}

const isSame = (some: readonly Permission[], others: readonly Permission[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one))

/**
 * Changes the role or the permissions of a member, and ends what they do not allow any more.
 * Only an owner makes or changes an owner.
 */
export async function changeMember(
  tx: Tx,
  caller: Person,
  { userId, change }: Change,
  endWithRole: EndWithRole,
): Promise<Member> {
  const locked = await lockMembers(tx, caller, userId, 'manage')
  const { target, organization } = locked
  if (locked.caller.role !== 'owner' && (target.role === 'owner' || change.role === 'owner'))
    refuse('forbidden', { role: 'owner' })
  const after = standingAfter(target, change)
  const { role, removed } = after
  const [isMoved, isReduced] = [role !== target.role, !isSame(removed, target.removed)]
  if (!isMoved && !isReduced) return findMember(tx, locked.caller, userId)
  if (locked.lastOwner) refuse('last_owner')
  requireMayGive(locked, after, userId === caller.userId)
  if (isMoved && role === 'owner') await requireRoomToOwn(tx, userId, 'owns_enough')
  const about = { subjectId: userId, cause: newCause() }
  if (isMoved) await record(tx, memberEvents.role_changed, { ...about, payload: { from: target.role, to: role } })
  if (isReduced) {
    const payload = { removed: [...removed], preset: presetOf(removed) }
    await record(tx, memberEvents.permissions_changed, { ...about, payload })
  }
  await causesWhatFollows(tx, userId) // what it ends is written after it
  await setStanding(tx, userId, after)
  await endWithRole(tx, { userId, standing: after, by: caller })
  await reportMadeBy(tx, { userId, before: target, after })
  await notify(tx, userId, {
    subject: `Your ${isMoved ? 'role' : 'permissions'} in an organization changed`,
    organization,
    body: isMoved
      ? `In ${quoteInMail(organization)} your role was ${target.role} and is now ${role}.`
      : `In ${quoteInMail(organization)} ${removed.length} permissions are taken from your role now.`,
  })
  return findMember(tx, locked.caller, userId)
}

/** Removes a member; of the caller themselves it is leaving. Only an owner removes an owner. */
export async function removeMember(tx: Tx, caller: Person, userId: UserId, endWithRole: EndWithRole): Promise<void> {
  if (userId === caller.userId) return leaveOrganization(tx, caller, endWithRole)
  const locked = await lockMembers(tx, caller, userId, 'manage')
  if (locked.caller.role !== 'owner' && locked.target.role === 'owner') refuse('forbidden', { role: 'owner' })
  await endMembership(tx, userId, { type: memberEvents.removed, locked, by: caller, endWithRole })
}

export async function leaveOrganization(tx: Tx, caller: Person, endWithRole: EndWithRole): Promise<void> {
  const locked = await lockMembers(tx, caller, caller.userId, null)
  await endMembership(tx, caller.userId, { type: memberEvents.left, locked, by: caller, endWithRole })
}

type MemberEnd = {
  readonly type: (typeof memberEvents)['removed' | 'left']
  readonly locked: { readonly organization: string; readonly target: Standing; readonly lastOwner: boolean }
  /** Null for a provider. */
  readonly by: Person | null
  readonly endWithRole: EndWithRole
}

/** Ends a membership, with its open invitations and its approvals of what still waits. */
export async function endMembership(
  tx: Tx,
  userId: UserId,
  { type, locked, by, endWithRole }: MemberEnd,
): Promise<void> {
  if (locked.lastOwner) refuse('last_owner')
  await record(tx, type, { subjectId: userId, cause: newCause(), payload: { role: locked.target.role } })
  await causesWhatFollows(tx, userId) // what it ends is written after it
  await lockPerson(tx, userId) // a choice of the primary organization at this moment comes before or after
  await endIdentityLinks(tx, [userId], 'left') // before the end: log streams hear of sessions of members alone
  await tx`
    with gone as (
      delete from members where organization_id = ${tx.organizationId} and user_id = ${userId}
      returning organization_id, user_id, role, permissions_removed, joined_at)
    insert into former_members (organization_id, user_id, role, permissions_removed, joined_at)
    select organization_id, user_id, role, permissions_removed, joined_at from gone
    on conflict (organization_id, user_id) do update
    set role = excluded.role, permissions_removed = excluded.permissions_removed, joined_at = excluded.joined_at,
      left_at = excluded.left_at`
  await forgetPrimaryOrganization(tx, userId)
  await endDelegates(tx, { userId, organizationId: tx.organizationId, reason: 'left' })
  await endWithRole(tx, { userId, standing: null, by })
  await reportMadeBy(tx, { userId, before: locked.target, after: null })
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
  if (target.role !== 'owner') await requireRoomToOwn(tx, userId, 'owns_enough')
  const payload = { from_user_id: caller.userId, to_user_id: userId, role_before: target.role }
  await record(tx, ownershipEvents.transferred, { subjectId: tx.organizationId, cause: newCause(), payload })
  await causesWhatFollows(tx, tx.organizationId)
  const [owner, admin] = [
    { role: 'owner', removed: [] },
    { role: 'admin', removed: [] },
  ] as const
  await setStanding(tx, userId, owner)
  await endWithRole(tx, { userId, standing: owner, by: caller })
  await setStanding(tx, caller.userId, admin)
  await endWithRole(tx, { userId: caller.userId, standing: admin, by: caller })
  await reportMadeBy(tx, { userId: caller.userId, before: owner, after: admin })
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
  return findMember(tx, admin, userId)
}

export async function setStanding(tx: Tx, userId: UserId, { role, removed }: Whole): Promise<void> {
  await tx`
    update members set role = ${role}, permissions_removed = ${[...removed]}::text[]
    where organization_id = ${tx.organizationId} and user_id = ${userId}`
}
