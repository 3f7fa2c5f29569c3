/** Roles that groups of a provider give: listed and set by owners. */
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { ScimGroupId, ScimUserId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { scimGroupEvents } from '../../domain/scim/events.ts'
import type { ScimGroup, ScimGroupRole } from '../../domain/scim/role.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql, within } from '../../db/postgres/sql.ts'
import type { EndWithRole } from '../approvals/target.ts'
import { newCause, record } from '../events.ts'
import { lockForProvider } from '../organizations/managed.ts'
import { useStepUp } from '../step-up-use.ts'
import { lockGroup } from './groups.ts'
import { grantStandings } from './standing.ts'

const selectGroups = (): Fragment => sql`
  select id, organization_id, display_name, role, preset, inserted_at,
    (select count(*)::integer from scim_group_members gm where gm.group_id = scim_groups.id) as members
  from scim_groups where true`

/** Lists the groups of the provider, newest first, with the role that each gives. */
export const listGroupRoles = (reader: Reader, page: PageRequest): Promise<Page<ScimGroup>> =>
  pageOf<ScimGroup>(reader, 'scim_groups', page, selectGroups())

/** Reads a group with the role that it gives; refuses `not_found`. */
export async function findGroupRole(reader: Reader, id: ScimGroupId): Promise<ScimGroup> {
  const found = await first(
    reader<ScimGroup>(sql`${selectGroups()} and id = ${id} and organization_id = ${reader.organizationId}`),
  )
  return found ?? refuse('not_found')
}

type Mapping = {
  readonly tx: Tx
  readonly person: Person
  readonly stepUpId: string | null
  readonly params: { readonly scim_group_id: ScimGroupId }
  readonly body: ScimGroupRole
}

/** Sets the role that a group gives, uses up the step-up, and changes its members. */
export async function setGroupRole(
  { tx, person, stepUpId, params, body }: Mapping,
  endWithRole: EndWithRole,
): Promise<ScimGroup> {
  const id = params.scim_group_id
  const organization = await lockForProvider(tx)
  await requireOwner(tx, person)
  const before = await lockGroup(tx, id)
  const { role, preset } = body
  if (before.role === role && before.preset === preset) return findGroupRole(within(tx), id)
  await useStepUp(tx, person, stepUpId)
  await tx`update scim_groups set role = ${role}, preset = ${preset}, updated_at = business_now() where id = ${id}`
  await record(tx, scimGroupEvents.role_changed, { subjectId: id, cause: newCause(), payload: { role, preset } })
  const members = await tx<{ id: ScimUserId }[]>`
    select scim_user_id as id from scim_group_members where group_id = ${id}`
  await grantStandings(tx, { ids: members.map((one) => one.id), groupId: id, organization, endWithRole })
  return findGroupRole(within(tx), id)
}

/** Refuses `forbidden` to one who is no owner any more. */
async function requireOwner(tx: Tx, { userId }: Person): Promise<void> {
  const [own] = await tx<{ role: string }[]>`
    select role from members where organization_id = ${tx.organizationId} and user_id = ${userId}`
  if (!own) refuse('not_found')
  if (own.role !== 'owner') refuse('forbidden', { role: 'owner' })
}
