/** Users of SCIM: found, and listed by filters. */
import { refuse } from '../../domain/errors.ts'
import type { ScimUserId, UserId } from '../../domain/ids.ts'
import type { Permission, Role } from '../../domain/permissions.ts'
import { refuseScim } from '../../domain/scim/errors.ts'
import type { Comparison } from '../../domain/scim/filter.ts'
import type { Reference, UserResource } from '../../domain/scim/resources.ts'
import type { ScimRole } from '../../domain/scim/role.ts'
import type { UserAttributes } from '../../domain/scim/user.ts'
import { type Fragment, type Reader, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { type Matches, type Slice, isId, selectBounded, together } from './lists.ts'

export type StoredAttributes = Pick<UserAttributes, 'displayName' | 'name' | 'emails'>

/** User with the membership that they have now. */
export type UserRow = {
  readonly id: ScimUserId
  readonly user_id: UserId | null
  readonly address: string
  readonly user_name: string
  readonly external_id: string | null
  readonly attributes: StoredAttributes
  readonly active: boolean
  readonly awaits_sign_in: boolean
  readonly granted_role: ScimRole | null
  readonly granted_removed: readonly Permission[]
  /** Role of the membership; null without one. */
  readonly role: Role | null
  readonly removed: readonly Permission[] | null
  readonly inserted_at: string
  readonly updated_at: string
}

/** A person who was removed by hand is not active, whatever the provider said last. */
const selectUsers = ({ organizationId }: Pick<Tx, 'organizationId'>): Fragment => sql`
  select u.id, u.user_id, u.address, u.user_name, u.external_id, u.attributes,
    u.active and (u.user_id is null or m.user_id is not null) as active, u.awaits_sign_in, u.granted_role,
    u.granted_removed, m.role, m.permissions_removed as removed, u.inserted_at, u.updated_at
  from scim_users u
  left join members m on m.organization_id = u.organization_id and m.user_id = u.user_id
  where u.organization_id = ${organizationId}`

const groupsOf = (u: Fragment): Fragment => sql`
  coalesce((select jsonb_agg(jsonb_build_object('value', g.id, 'display', g.display_name) order by g.inserted_at, g.id)
    from scim_group_members gm join scim_groups g on g.id = gm.group_id where gm.scim_user_id = ${u}.id), '[]')`

type ListedRow = UserRow & { readonly groups: readonly Reference[] }

export const attributesOf = (row: UserRow): UserAttributes => ({
  userName: row.user_name,
  externalId: row.external_id,
  active: row.active,
  ...row.attributes,
})

const toResource = (row: ListedRow): UserResource => ({
  id: row.id,
  inserted_at: row.inserted_at,
  updated_at: row.updated_at,
  attributes: attributesOf(row),
  groups: row.groups,
})

/** Reads a user; refuses `not_found`. */
export async function findUser(reader: Reader, id: ScimUserId): Promise<UserResource> {
  const [row] = await reader<ListedRow>(sql`
    select found.*, ${groupsOf(sql`found`)} as groups from (${selectUsers(reader)} and u.id = ${id}) found`)
  return row ? toResource(row) : refuse('not_found')
}

/**
 * Locks a user, and reads them; refuses `not_found`. A member who has the address by now is theirs. The caller has locked
 * the memberships.
 */
export async function lockUser(tx: Tx, id: ScimUserId): Promise<UserRow> {
  const locked = () =>
    within(tx)<UserRow>(sql`
      ${selectUsers(tx)} and u.id = ${id} for update of u`)
  const [row] = await locked()
  if (!row) refuse('not_found')
  if (row.user_id !== null || !(await adopt(tx, id))) return row
  const [adopted] = await locked()
  return adopted ?? refuse('not_found')
}

/** Names the member who has the address of a user, and whom no other user names; tells if there is one. */
export async function adopt(tx: Tx, id: ScimUserId): Promise<boolean> {
  const adopted = await tx`
    update scim_users u set user_id = m.user_id, awaits_sign_in = false
    from people p join members m on m.user_id = p.id
    where u.id = ${id} and u.user_id is null and p.email = u.address and m.organization_id = u.organization_id
      and not exists (select from scim_users o where o.organization_id = u.organization_id and o.user_id = m.user_id)
    returning u.id`
  return adopted.length > 0
}

/** Reads users by their ids, those that are there. The caller has locked the memberships. */
export const findUsers = (tx: Tx, ids: readonly string[]): Promise<UserRow[]> =>
  within(tx)<UserRow>(sql`
    ${selectUsers(tx)} and u.id = any (${[...ids]}::uuid[]) order by u.id`)

/** Lists users in the order in which they came; their groups bound a page. */
export async function listUsers(
  reader: Reader,
  filter: readonly Comparison[],
  slice: Slice,
): Promise<Matches<UserResource>> {
  const conditions = together(filter.map((one) => conditionOf(sql`u`, sql`m`, one)))
  const [counted] = await reader<{ total: number }>(sql`
    select count(*)::integer as total from scim_users u
    left join members m on m.organization_id = u.organization_id and m.user_id = u.user_id
    where u.organization_id = ${reader.organizationId} ${conditions}`)
  const total = counted?.total ?? 0
  if (slice.most === 0) return { total, found: [] }
  const page = sql`
    ${selectUsers(reader)} ${conditions} order by u.inserted_at, u.id offset ${slice.from} limit ${slice.most}`
  const rows = await reader<ListedRow>(sql`
    select listed.*, listed.list as groups from (${selectBounded(page, groupsOf)}) listed order by listed.place`)
  return { total, found: rows.map(toResource) }
}

function conditionOf(u: Fragment, m: Fragment, { path, within: chosen, value }: Comparison): Fragment {
  if (path === 'active' && typeof value === 'boolean')
    return sql`and (${u}.active and (${u}.user_id is null or ${m}.user_id is not null)) = ${value}`
  if (typeof value !== 'string') return sql`and false`
  switch (path) {
    case 'username':
      return sql`and lower(${u}.user_name) = lower(${value})`
    case 'externalid':
      return sql`and ${u}.external_id = ${value}`
    case 'id':
      return sql`and ${isId(sql`${u}.id`, value)}`
    case 'displayname':
      return sql`and lower(${u}.attributes ->> 'displayName') = lower(${value})`
    case 'name.familyname':
      return sql`and lower(${u}.attributes -> 'name' ->> 'familyName') = lower(${value})`
    case 'name.givenname':
      return sql`and lower(${u}.attributes -> 'name' ->> 'givenName') = lower(${value})`
    case 'emails':
    case 'emails.value':
      return hasEmail(u, value, chosen)
    default:
      return refuseScim(
        'invalidFilter',
        'Users are found by id, userName, externalId, displayName, name, active or emails.',
      )
  }
}

function hasEmail(u: Fragment, value: string, chosen: Comparison['within']): Fragment {
  if (chosen && (chosen.path !== 'type' || typeof chosen.value !== 'string'))
    return refuseScim('invalidFilter', 'Mail addresses are chosen by their type.')
  const type = chosen ? sql`and lower(e ->> 'type') = lower(${String(chosen.value)})` : sql``
  return sql`and exists (
    select from jsonb_array_elements(${u}.attributes -> 'emails') e where lower(e ->> 'value') = lower(${value}) ${type})`
}
