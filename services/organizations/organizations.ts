/** Organizations: created, found, changed; their service IDs and logos. */
import { requireTimeZone } from './time-zones.ts'
import type { Person } from '../../domain/people/actor.ts'
import { applyChange } from '../../domain/changes.ts'
import { refuse } from '../../domain/errors.ts'
import type { LogoId, UserId } from '../../domain/ids.ts'
import { organizationEvents } from '../../domain/organizations/events.ts'
import {
  type NewOrganization,
  type Organization,
  type OrganizationChanges,
  isReserved,
} from '../../domain/organizations/organization.ts'
import { type Page, type PageRequest, refuseCursor } from '../../domain/pagination.ts'
import { ORGANIZATION_LIMIT_DEFAULT } from '../../domain/people/person.ts'
import { can, grants, isRemoved, type Permission, PERMISSIONS, ROLES, type Standing } from '../../domain/permissions.ts'
import { config } from '../../platform/config.ts'
import { newCause, record } from '../events.ts'
import { refusingIndexOf } from '../../db/postgres/driver.ts'
import { toPage } from '../../db/postgres/pagination.ts'
import { preferOrganization } from '../people/people.ts'
import { type Fragment, type Reader, type Tx, first, sql, within } from '../../db/postgres/sql.ts'

type OrganizationRow = Omit<Organization, 'logo' | 'permissions'> & {
  logo_id: LogoId | null
  reviews: boolean
  removed: Permission[]
}

/** Roles that review only if a policy, or something that waits, names them. */
const NAMED_ONLY = ROLES.filter((role) => !grants(role, 'approvals.review'))

/** The organizations of a person, as `o`. */
const selectOrganizations = (person: UserId): Fragment => sql`
  select o.id, o.name, o.card_name, o.company_address, o.contact_email, o.country_code, o.invoice_name,
    o.invoice_notes, o.referral_code, o.tax_id, o.svc_id, o.registered_entity, o.is_primary, o.role, o.removed, o.time_zone,
    l.id as logo_id,
    case when o.role = any (${NAMED_ONLY}) then o.id in (select r.organization_id from reviewing_in(${person}) r)
      else true end as reviews
  from organizations_of(${person}) o left join logos_of(${person}) l on l.organization_id = o.id`

/** Builds the condition on organizations `o`: the session of the person sees them. */
const isSeen = (o: Fragment, { userId, company, breaksGlass }: Person): Fragment =>
  company
    ? sql`${o}.id = ${company}`
    : sql`(not signs_in_by_provider(${o}.id, ${userId}) or (${o}.role = 'owner' and ${breaksGlass ?? false}))`

/** Lists the organizations that the person sees, newest first. The cursor may name one that is banned, deleted or left. */
export async function listOrganizations(caller: Person, { limit, cursor }: PageRequest): Promise<Page<Organization>> {
  const person = caller.userId
  const position = sql`select organization_position(${person}, ${cursor ?? null}) as position`
  const after = cursor ? sql`and (o.inserted_at, o.id) < ((${position}), ${cursor}::uuid)` : sql``
  const rows = await sql<OrganizationRow[]>`
    ${selectOrganizations(person)} where ${isSeen(sql`o`, caller)} ${after} order by o.inserted_at desc, o.id desc limit ${limit + 1}`
  if (rows.length === 0 && cursor) {
    const known = await first(sql<{ position: string | null }[]>`${position}`)
    if (!known?.position) refuseCursor()
  }
  const page = toPage([...rows], limit)
  return { ...page, data: page.data.map(toOrganization) }
}

/** Throws `forbidden` unless the person has the permission in one of their organizations. */
export async function requirePermissionAnywhere({ userId }: Person, permission: Permission): Promise<void> {
  const rows = await sql<Standing[]>`select o.role, o.removed from organizations_of(${userId}) o`
  if (!rows.some((one) => can(one, permission))) refuse('forbidden', { permission })
}

export async function findOrganization(reader: Reader, caller: UserId): Promise<Organization> {
  const [row] = await reader<OrganizationRow>(sql`
    ${selectOrganizations(caller)} where o.id = ${reader.organizationId}`)
  return row ? toOrganization(row) : refuse('not_found')
}

const toOrganization = ({ logo_id: logo, reviews, removed, ...row }: OrganizationRow): Organization => ({
  ...row,
  logo: { url: logo ? `${config.publicUrl}/api/v1/logos/${logo}` : '' },
  permissions: PERMISSIONS.filter((key) =>
    key === 'approvals.review' && reviews ? !isRemoved({ removed }, key) : can({ role: row.role, removed }, key),
  ),
})

export async function createOrganization(tx: Tx, owner: UserId, wanted: NewOrganization): Promise<Organization> {
  const { organizationId: id, correlationId: requestId } = tx
  const { time_zone: zone, ...profile } = wanted
  await requireRoomToOwn(tx, owner)
  if (zone) await requireTimeZone(tx, zone)
  await tx`insert into organizations ${tx({ ...profile, ...(zone && { time_zone: zone }), id, created_by: owner })}`
  await addMember(tx, owner, { role: 'owner' })
  const payload = { name: wanted.name }
  await record(tx, organizationEvents.created, { subjectId: id, cause: `request:${requestId}`, payload })
  return findOrganization(within(tx), owner)
}

/** Adds a member; the organization becomes their primary one if they have none. */
export async function addMember(tx: Tx, userId: UserId, { role, removed }: Standing): Promise<void> {
  await tx`
    insert into members (organization_id, user_id, role, permissions_removed)
    values (${tx.organizationId}, ${userId}, ${role}, ${[...(removed ?? [])]}::text[])`
  await preferOrganization(tx, userId)
}

/** Locks the person; refuses `organization_limit_reached`, without the limit if there is a reason. */
export async function requireRoomToOwn(tx: Tx, person: UserId, reason?: 'owns_enough'): Promise<void> {
  const [row] = await tx<{ organization_limit: number | null }[]>`
    select organization_limit from people where id = ${person} for update`
  // a statement of its own: one that waited for the lock would still count as of its start
  const [owned] = await tx<{ count: string }[]>`
    select count(*) as count from organizations_of(${person}) where role = 'owner'`
  const limit = row?.organization_limit ?? ORGANIZATION_LIMIT_DEFAULT
  if (Number(owned?.count) < limit) return
  refuse('organization_limit_reached', reason ? { reason } : { organization_limit: limit })
}

/** Changes what is given of an organization: null clears. The event names the changed fields, and no values. */
export async function changeOrganization(tx: Tx, changes: OrganizationChanges): Promise<void> {
  const [before] = await tx<OrganizationChanges[]>`
    select name, card_name, company_address, contact_email, country_code, invoice_name, invoice_notes, tax_id,
      registered_entity
    from organizations where id = ${tx.organizationId} for no key update`
  if (!before) refuse('not_found')
  const { after, changed } = applyChange({ ...before }, changes)
  if (changed.length === 0) return
  await tx`update organizations set ${tx(after)}, updated_at = business_now() where id = ${tx.organizationId}`
  await record(tx, organizationEvents.updated, {
    subjectId: tx.organizationId,
    cause: newCause(),
    payload: { changed },
  })
}

/** Gives the organization its service ID, for good: a released one would mislead payers. */
export async function claimHandle(tx: Tx, handle: string): Promise<void> {
  const [organization] = await tx<{ svc_id: string | null }[]>`
    select svc_id from organizations where id = ${tx.organizationId} for update`
  if (!organization) refuse('not_found')
  if (organization.svc_id === handle) return
  if (organization.svc_id !== null) refuse('invalid_state', { current: organization.svc_id, allowed: [] })
  if (isReserved(handle)) refuse('handle_taken', { svc_id: handle })
  await tx`update organizations set svc_id = ${handle} where id = ${tx.organizationId}`.catch((error: unknown) => {
    // the unique index decides between claims that come at once
    if (refusingIndexOf(error) !== undefined) refuse('handle_taken', { svc_id: handle })
    throw error
  })
  const payload = { svc_id: handle }
  await record(tx, organizationEvents.handle_claimed, {
    subjectId: tx.organizationId,
    cause: `handle:${handle}`,
    payload,
  })
}

export async function handleOwner(handle: string): Promise<{ svc_id: string; display_name: string }> {
  const owner = await first(sql<{ name: string }[]>`select name from resolve_handle(${handle})`)
  return owner ? { svc_id: handle, display_name: owner.name } : refuse('not_found')
}

/** Sets a picture of `squarePicture()` as the logo, in place of the one before. */
export async function replaceLogo(tx: Tx, image: Uint8Array): Promise<void> {
  await tx`
    insert into logos (organization_id, image) values (${tx.organizationId}, ${image})
    on conflict (organization_id) do update
    set id = excluded.id, image = excluded.image, inserted_at = excluded.inserted_at`
  await record(tx, organizationEvents.logo_changed, { subjectId: tx.organizationId, cause: newCause() })
}

export async function removeLogo(tx: Tx): Promise<void> {
  const removed = await tx`delete from logos where organization_id = ${tx.organizationId} returning id`
  if (removed.length === 0) return
  await record(tx, organizationEvents.logo_removed, { subjectId: tx.organizationId, cause: newCause() })
}

/** Reads the bytes of a logo, a webp; refuses `not_found`, also after a ban. An id always names the same picture. */
export async function findLogo(id: LogoId): Promise<Uint8Array<ArrayBuffer>> {
  const logo = await first(sql<{ image: Uint8Array<ArrayBuffer> | null }[]>`select logo_image(${id}) as image`)
  return logo?.image ?? refuse('not_found')
}
