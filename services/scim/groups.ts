/** Groups of SCIM: found, listed, changed by a provider, and given roles by owners. */
import { refuse } from '../../domain/errors.ts'
import type { ScimGroupId, ScimTokenId, ScimUserId } from '../../domain/ids.ts'
import type { Preset } from '../../domain/permissions.ts'
import { refuseScim } from '../../domain/scim/errors.ts'
import { scimGroupEvents } from '../../domain/scim/events.ts'
import type { Comparison } from '../../domain/scim/filter.ts'
import type { GroupAttributes, GroupChange, MembersChange } from '../../domain/scim/group.ts'
import type { GroupResource } from '../../domain/scim/resources.ts'
import type { ScimRole } from '../../domain/scim/role.ts'
import { type Fragment, type Reader, type Tx, sql, within } from '../../db/postgres/sql.ts'
import type { EndWithRole } from '../approvals/target.ts'
import { newCause, record } from '../events.ts'
import { lockForProvider } from '../organizations/managed.ts'
import { type Matches, type Slice, isId, selectBounded, together } from './lists.ts'
import { grantStandings } from './standing.ts'

export const GROUPS_MAX = 1000
const GROUP_MEMBERS_MAX = 10_000

type GroupRow = GroupAttributes & {
  readonly id: ScimGroupId
  readonly role: ScimRole | null
  readonly preset: Preset | null
  readonly inserted_at: string
  readonly updated_at: string
}
type PlainRow = Omit<GroupRow, 'role' | 'preset'>
type ListedRow = PlainRow & { readonly members: readonly string[] }

const columns = (g: Fragment): Fragment => sql`
  ${g}.id, ${g}.display_name as "displayName", ${g}.external_id as "externalId", ${g}.inserted_at, ${g}.updated_at`

const memberIds = (g: Fragment): Fragment => sql`
  coalesce((select jsonb_agg(gm.scim_user_id order by gm.scim_user_id)
    from scim_group_members gm where gm.group_id = ${g}.id), '[]')`

/** Reads a group, with its members if they are wanted; refuses `not_found`. */
export async function findGroup(reader: Reader, id: ScimGroupId, isWanted: boolean): Promise<GroupResource> {
  const [row] = await reader<PlainRow & { members: readonly string[] | null }>(sql`
    select ${columns(sql`g`)}, ${isWanted ? memberIds(sql`g`) : sql`null::jsonb`} as members from scim_groups g
    where g.organization_id = ${reader.organizationId} and g.id = ${id}`)
  return row ? { ...row, members: row.members ?? undefined } : refuse('not_found')
}

/** Lists groups in the order in which they came, with their members if they are wanted; these bound a page. */
export async function listGroups(
  reader: Reader,
  filter: readonly Comparison[],
  { from, most, isWanted }: Slice & { readonly isWanted: boolean },
): Promise<Matches<GroupResource>> {
  const conditions = together(filter.map((one) => conditionOf(sql`g`, one)))
  const of = sql`from scim_groups g where g.organization_id = ${reader.organizationId} ${conditions}`
  const [counted] = await reader<{ total: number }>(sql`select count(*)::integer as total ${of}`)
  const total = counted?.total ?? 0
  if (most === 0) return { total, found: [] }
  const page = sql`select ${columns(sql`g`)} ${of} order by g.inserted_at, g.id offset ${from} limit ${most}`
  if (!isWanted) return { total, found: await reader<PlainRow>(page) }
  const found = await reader<ListedRow>(sql`
    select g.id, g."displayName", g."externalId", g.inserted_at, g.updated_at, g.list as members
    from (${selectBounded(page, memberIds)}) g order by g.place`)
  return { total, found }
}

function conditionOf(g: Fragment, { path, within: chosen, value }: Comparison): Fragment {
  if (chosen || typeof value !== 'string') return sql`and false`
  switch (path) {
    case 'displayname':
      return sql`and lower(${g}.display_name) = lower(${value})`
    case 'externalid':
      return sql`and ${g}.external_id = ${value}`
    case 'id':
      return sql`and ${isId(sql`${g}.id`, value)}`
    case 'members':
    case 'members.value':
      return sql`and exists (
        select from scim_group_members gm where gm.group_id = ${g}.id and ${isId(sql`gm.scim_user_id`, value)})`
    default:
      return refuseScim('invalidFilter', 'Groups are found by id, displayName, externalId or members.')
  }
}

/** Context of a command of a provider about a group. */
export type GroupCommand = {
  readonly tx: Tx
  readonly tokenId: ScimTokenId
  readonly id: ScimGroupId
  readonly endWithRole: EndWithRole
}

/** Makes a group with its members; it gives no role until an owner says so. Refuses `uniqueness` for a name that another one has. */
export async function createGroup(command: GroupCommand, { members, ...words }: GroupChange): Promise<void> {
  const { tx, id, tokenId } = command
  await lockForProvider(tx)
  const [counted] = await tx<{ groups: number }[]>`
    select count(*)::integer as groups from scim_groups where organization_id = ${tx.organizationId}`
  if ((counted?.groups ?? 0) >= GROUPS_MAX) refuseScim('tooMany', `An organization has at most ${GROUPS_MAX} groups.`)
  await requireFree(tx, id, words)
  await tx`
    insert into scim_groups (id, organization_id, display_name, external_id)
    values (${id}, ${tx.organizationId}, ${words.displayName}, ${words.externalId})`
  const moved = await moveMembers(tx, id, members)
  const payload = { token_id: tokenId, display_name: words.displayName, added: moved.added.length, removed: 0 }
  await record(tx, scimGroupEvents.created, { subjectId: id, cause: newCause(), payload })
}

/** Changes a group and its members; `change` derives the change from what it is. */
export async function changeGroup(
  command: GroupCommand,
  change: (before: GroupAttributes) => GroupChange,
): Promise<void> {
  const { tx, id, tokenId } = command
  const organization = await lockForProvider(tx)
  const before = await lockGroup(tx, id)
  const { members, ...words } = change({ displayName: before.displayName, externalId: before.externalId })
  const isRenamed = words.displayName !== before.displayName || words.externalId !== before.externalId
  if (isRenamed) await requireFree(tx, id, words)
  const moved = await moveMembers(tx, id, members)
  if (!isRenamed && moved.added.length + moved.removed.length === 0) return
  await tx`
    update scim_groups set display_name = ${words.displayName}, external_id = ${words.externalId},
      updated_at = business_now()
    where id = ${id}`
  const count = { added: moved.added.length, removed: moved.removed.length }
  const payload = { token_id: tokenId, display_name: words.displayName, ...count }
  await record(tx, scimGroupEvents.updated, { subjectId: id, cause: newCause(), payload })
  if (before.role) await grantTo({ ...command, organization }, moved)
}

/** Deletes a group; its members lose the role that it gave. */
export async function deleteGroup(command: GroupCommand): Promise<void> {
  const { tx, id, tokenId } = command
  const organization = await lockForProvider(tx)
  const { displayName: display_name, role } = await lockGroup(tx, id)
  const removed = await tx<{ id: ScimUserId }[]>`
    delete from scim_group_members where group_id = ${id} returning scim_user_id as id`
  await tx`delete from scim_groups where id = ${id}`
  const payload = { token_id: tokenId, display_name }
  await record(tx, scimGroupEvents.deleted, { subjectId: id, cause: newCause(), payload })
  if (role) await grantTo({ ...command, organization }, { added: [], removed: removed.map((one) => one.id) })
}

/** Locks a group; refuses `not_found`. The caller has locked the memberships. */
export async function lockGroup(tx: Tx, id: ScimGroupId): Promise<GroupRow> {
  const [row] = await within(tx)<GroupRow>(sql`
    select ${columns(sql`g`)}, g.role, g.preset from scim_groups g
    where g.organization_id = ${tx.organizationId} and g.id = ${id} for update`)
  return row ?? refuse('not_found')
}

async function requireFree(tx: Tx, id: ScimGroupId, { displayName }: GroupAttributes): Promise<void> {
  const taken = await tx`
    select from scim_groups where organization_id = ${tx.organizationId} and id <> ${id}
      and lower(display_name) = lower(${displayName})`
  if (taken.length > 0) refuseScim('uniqueness', 'A group with this displayName exists already.')
}

type MovedMembers = { readonly added: readonly ScimUserId[]; readonly removed: readonly ScimUserId[] }

/** Moves members in and out of a group, in two statements. Refuses `invalidValue` for an id that is no user's. */
async function moveMembers(tx: Tx, id: ScimGroupId, { from, added, removed }: MembersChange): Promise<MovedMembers> {
  const [into, outOf] = [[...added], [...removed]]
  const leaves =
    from === 'none' ? sql`scim_user_id <> all (${into}::uuid[])` : sql`scim_user_id = any (${outOf}::uuid[])`
  const gone = await tx<{ id: ScimUserId }[]>`
    delete from scim_group_members where group_id = ${id} and ${leaves} returning scim_user_id as id`
  const come = await tx<{ id: ScimUserId }[]>`
    insert into scim_group_members (organization_id, group_id, scim_user_id)
    select ${tx.organizationId}, ${id}, u.id from scim_users u
    where u.organization_id = ${tx.organizationId} and u.id = any (${into}::uuid[])
    on conflict do nothing returning scim_user_id as id`
  const [counted] = await tx<{ members: number; named: number }[]>`
    select count(*)::integer as members, (count(*) filter (where scim_user_id = any (${into}::uuid[])))::integer as named
    from scim_group_members where group_id = ${id}`
  const { named = 0, members = 0 } = counted ?? {}
  if (named !== into.length) refuseScim('invalidValue', 'A member is no user of this organization.')
  if (members > GROUP_MEMBERS_MAX) refuseScim('tooMany', `A group has at most ${GROUP_MEMBERS_MAX} members.`)
  return { added: come.map((one) => one.id), removed: gone.map((one) => one.id) }
}

type GrantCommand = Omit<GroupCommand, 'tokenId'> & { readonly organization: string }

const grantTo = (
  { tx, id, organization, endWithRole }: GrantCommand,
  { added, removed }: MovedMembers,
): Promise<void> => grantStandings(tx, { ids: [...added, ...removed], groupId: id, organization, endWithRole })
