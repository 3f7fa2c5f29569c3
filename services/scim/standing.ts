/** Standing of members by their groups: changed when the role that groups give changes, and never for an owner. */
import { refuse } from '../../domain/errors.ts'
import type { ScimGroupId, ScimUserId } from '../../domain/ids.ts'
import { PERMISSIONS, type Permission, type Role } from '../../domain/permissions.ts'
import { scimGroupEvents } from '../../domain/scim/events.ts'
import { type GrantedStanding, type GroupRole, strongestOf } from '../../domain/scim/role.ts'
import type { EndWithRole } from '../approvals/target.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { newCause, record } from '../events.ts'
import { changeManagedStanding, isSameStanding } from '../organizations/managed.ts'
import { findUnmet, reportLoss } from './approvers.ts'
import { type UserRow, findUsers } from './users.ts'

/** Members whose standing one request changes at most: decisions wait for it. */
const STANDINGS_AT_ONCE = 300

/** Reads the roles that the groups of users give. */
async function readRoles(tx: Tx, ids: readonly ScimUserId[]): Promise<ReadonlyMap<ScimUserId, readonly GroupRole[]>> {
  const rows = await tx<({ id: ScimUserId } & GroupRole)[]>`
    select distinct gm.scim_user_id as id, g.role, g.preset
    from scim_group_members gm join scim_groups g on g.id = gm.group_id
    where gm.scim_user_id = any (${[...ids]}::uuid[]) and g.role is not null`
  const byUser = new Map<ScimUserId, GroupRole[]>()
  for (const { id, role, preset } of rows) byUser.set(id, [...(byUser.get(id) ?? []), { role, preset }])
  return byUser
}

/**
 * Derives what a person may do. Whom no group gives a role any more is a member, from whom stays taken what was: to leave
 * a group gives nobody anything. Null: groups never gave one, and a member who was adopted keeps theirs.
 */
function standingBy(groups: readonly GroupRole[], user: UserRow): GrantedStanding | null {
  const strongest = strongestOf(groups)
  const { granted_role: before, granted_removed: taken, removed } = user
  if (strongest || before === null) return strongest
  return { role: 'member', removed: before === 'member' ? taken : (removed ?? taken) }
}

/** Standing with which a person begins, and what of it their groups give. */
type Beginning = { readonly standing: GrantedStanding; readonly granted: GrantedStanding }

/**
 * Derives the standing with which a person begins. What was taken from an earlier membership stays taken, and its role is
 * not exceeded: without a group for good, and with groups until these give something else.
 */
export async function standingToBegin(tx: Tx, user: UserRow): Promise<Beginning> {
  const roles = await readRoles(tx, [user.id])
  const strongest = strongestOf(roles.get(user.id) ?? [])
  if (strongest && !isGranted(user, strongest)) return { standing: strongest, granted: strongest }
  const [former] = await tx<{ role: Role; removed: Permission[] }[]>`
    select role, permissions_removed as removed from former_members
    where organization_id = ${tx.organizationId} and user_id = ${user.user_id}`
  const taken = new Set([...user.granted_removed, ...(former?.removed ?? [])])
  const role = strongest?.role === 'admin' && former?.role !== 'member' ? 'admin' : 'member'
  const standing = { role, removed: PERMISSIONS.filter((one) => taken.has(one)) } as const
  return { standing, granted: strongest ?? standing }
}

type Grant = {
  readonly ids: readonly ScimUserId[]
  /** Group whose change may change standings. */
  readonly groupId: ScimGroupId
  readonly organization: string
  readonly endWithRole: EndWithRole
}

/**
 * Gives members what their groups say now, where that has changed; what an owner changed by hand stays until then.
 * Refuses `payload_too_large` if it would change too many at once. The caller has locked the memberships.
 */
export async function grantStandings(tx: Tx, { ids, groupId, organization, endWithRole }: Grant): Promise<void> {
  if (ids.length === 0) return
  const [users, roles] = [await findUsers(tx, ids), await readRoles(tx, ids)]
  const changes = users.flatMap((user) => {
    const standing = standingBy(roles.get(user.id) ?? [], user)
    return standing && !isGranted(user, standing) ? [{ user, standing }] : []
  })
  const moves = changes.flatMap(({ user, standing }) => {
    const { user_id: userId, role, removed } = user
    if (!userId || !role || role === 'owner') return []
    const member = { userId, role, removed: removed ?? [] }
    return isSameStanding(member, standing) ? [] : [{ member, standing }]
  })
  if (moves.length > STANDINGS_AT_ONCE) refuse('payload_too_large', { max_members: STANDINGS_AT_ONCE })
  await noteGrants(
    tx,
    changes.filter(({ user }) => user.role !== null), // others are given what groups say when they begin
  )
  if (moves.length === 0) return
  const before = await findUnmet(tx)
  for (const move of moves) await changeManagedStanding(tx, { ...move, organization, endWithRole })
  await reportLoss(tx, { before, organization }, (payload) =>
    record(tx, scimGroupEvents.approvers_lost, { subjectId: groupId, cause: newCause(), payload }),
  )
}

const isGranted = ({ granted_role: role, granted_removed: removed }: UserRow, standing: GrantedStanding): boolean =>
  role !== null && isSameStanding({ role, removed }, standing)

type NewGrant = { readonly user: UserRow; readonly standing: GrantedStanding }

/** Stores what groups gave last. */
export async function noteGrants(tx: Tx, grants: readonly NewGrant[]): Promise<void> {
  if (grants.length === 0) return
  const ids = grants.map(({ user }) => user.id)
  const roles = grants.map(({ standing }) => standing.role)
  const removed = grants.map(({ standing }) => JSON.stringify(standing.removed satisfies readonly Permission[]))
  await tx`
    update scim_users u set granted_role = g.role,
      granted_removed = array(select jsonb_array_elements_text(g.removed::jsonb))
    from unnest(${ids}::uuid[], ${roles}::text[], ${removed}::text[]) g (id, role, removed) where u.id = g.id`
}
