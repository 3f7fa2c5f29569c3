/** Organizations: created, found, changed. */
import postgres from 'postgres'
import { isReviewer } from '../approvals/policies.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { config } from '../../platform/config.ts'
import { newCause, record } from '../events.ts'
import type { Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { LogoId, UserId } from '../../domain/ids.ts'
import { organizationEvents } from '../../domain/organizations/events.ts'
import {
  type NewOrganization,
  type Organization,
  type OrganizationChanges,
  isReserved,
} from '../../domain/organizations/organization.ts'
import { preferOrganization } from '../people/people.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { PERMISSIONS, ROLES, type Role, can } from '../../domain/permissions.ts'
import { ORGANIZATION_LIMIT_DEFAULT } from '../../domain/people/person.ts'
import { paged, refuseCursor } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, first, inOrganization, sql } from '../sql.ts'

const UNIQUE_VIOLATION = '23505'

type OrganizationRow = Omit<Organization, 'logo' | 'permissions'> & { logo_id: LogoId | null }

/**
 * The organizations that a person is in, newest first; banned and deleted ones are left out. The cursor also resolves
 * if it names one of these, or one that the person has left.
 */
export async function listOrganizations(person: UserId, { limit, cursor }: PageRequest): Promise<Page<Organization>> {
  const position = sql`select organization_position(${person}, ${cursor ?? null}) as position`
  const after = cursor ? sql`where (o.inserted_at, o.id) < ((${position}), ${cursor}::uuid)` : sql``
  const rows = await sql<(OrganizationRow & { reviews: boolean })[]>`
    select ${profile()}, o.is_primary, o.role, l.id as logo_id,
      case when o.role = any (${NAMED_ONLY}) then o.id in (select r.organization_id from reviewing_in(${person}) r)
        else true end as reviews
    from organization_profiles_of(${person}) o left join logos_of(${person}) l on l.organization_id = o.id ${after}
    order by o.inserted_at desc, o.id desc limit ${limit + 1}`
  if (rows.length === 0 && cursor) {
    const known = await first(sql<{ position: string | null }[]>`${position}`)
    if (!known?.position) refuseCursor()
  }
  const page = paged([...rows], limit)
  return { ...page, data: page.data.map((row) => toOrganization(row, row.reviews)) }
}

/** One organization as a member sees it; refuses `not_found`. */
export async function findOrganization(reader: Reader, caller: UserId): Promise<Organization> {
  const row = await first(
    reader<OrganizationRow>(sql`
      select ${profile()}, o.id is not distinct from p.primary_organization_id as is_primary, m.role, l.id as logo_id
      from organizations o
      left join logos l on l.organization_id = o.id
      join members m on m.organization_id = o.id and m.user_id = ${caller}
      join people p on p.id = m.user_id
      where o.id = ${reader.organizationId} and o.status not in ('banned', 'deleted')`),
  )
  if (!row) refuse('not_found')
  return toOrganization(row, can(row.role, 'approvals.review') || (await isReviewer(reader, caller)))
}

const profile = (): Fragment => sql`
  o.id, o.name, o.card_name, o.company_address, o.contact_email, o.country_code, o.invoice_name, o.invoice_notes,
  o.referral_code, o.tax_id, o.svc_id, o.registered_entity`

/** Roles that review only if a policy, or something that waits, names them. */
const NAMED_ONLY = ROLES.filter((role) => !can(role, 'approvals.review'))

const toOrganization = (row: OrganizationRow, reviews: boolean): Organization => ({
  id: row.id,
  name: row.name,
  card_name: row.card_name,
  company_address: row.company_address,
  contact_email: row.contact_email,
  country_code: row.country_code,
  invoice_name: row.invoice_name,
  invoice_notes: row.invoice_notes,
  referral_code: row.referral_code,
  tax_id: row.tax_id,
  svc_id: row.svc_id,
  is_primary: row.is_primary,
  logo: { url: row.logo_id ? `${config.publicUrl}/api/v1/logos/${row.logo_id}` : '' },
  permissions: PERMISSIONS.filter((key) => can(row.role, key) || (key === 'approvals.review' && reviews)),
  registered_entity: row.registered_entity,
  role: row.role,
})

/**
 * Makes an organization with the person as its owner, and as their primary one if they have none. False when the
 * claim was taken by another request. Refuses `organization_limit_reached`, also to requests that come at once.
 */
export function createOrganization(
  owner: Person,
  claim: Claim,
  wanted: NewOrganization,
  requestId: string,
): Promise<boolean> {
  const { id } = claim
  return inOrganization(
    owner,
    id,
    async (tx) => {
      if (claim.keyed && !(await takeClaim(tx, claim))) return false
      await checkOwnedLimit(tx, owner.userId)
      await Promise.all([
        insertOrganization(tx, wanted, owner.userId),
        tx`insert into members (organization_id, user_id, role) values (${id}, ${owner.userId}, ${'owner' satisfies Role})`,
        preferOrganization(tx, owner.userId, id),
        record(tx, organizationEvents.created, {
          subjectId: id,
          cause: `request:${requestId}`,
          payload: { name: wanted.name },
        }),
      ])
      return true
    },
    { correlationId: requestId },
  )
}

/**
 * Refuses `organization_limit_reached` if the person owns as many organizations as they may: counted under a lock on
 * their row, so that two requests cannot both take the last place. With a reason, how many that is stays theirs to
 * know.
 */
export async function checkOwnedLimit(tx: Tx, person: UserId, reason?: 'owns_enough'): Promise<void> {
  const [row] = await tx<{ organization_limit: number | null }[]>`
    select organization_limit from people where id = ${person} for update`
  // a statement of its own: one that waited for the lock would still count as of its start
  const [owned] = await tx<{ count: string }[]>`
    select count(*) as count from organizations_of(${person}) where role = 'owner'`
  const limit = row?.organization_limit ?? ORGANIZATION_LIMIT_DEFAULT
  if (Number(owned?.count) < limit) return
  refuse('organization_limit_reached', reason ? { reason } : { organization_limit: limit })
}

async function insertOrganization(tx: Tx, wanted: NewOrganization, creator: UserId): Promise<void> {
  await tx`
    insert into organizations (id, name, card_name, company_address, contact_email, country_code, invoice_name,
      invoice_notes, referral_code, tax_id, registered_entity, created_by)
    values (${tx.organizationId}, ${wanted.name}, ${wanted.card_name ?? null}, ${wanted.company_address ?? null},
      ${wanted.contact_email ?? null}, ${wanted.country_code ?? null}, ${wanted.invoice_name ?? null},
      ${wanted.invoice_notes ?? null}, ${wanted.referral_code ?? null}, ${wanted.tax_id ?? null},
      ${wanted.registered_entity ?? null}, ${creator})`
}

/**
 * Changes what is given of an organization: null clears. The event names what is another than before, and no values.
 */
export async function changeOrganization(tx: Tx, changes: OrganizationChanges): Promise<void> {
  const [before] = await tx<Record<string, unknown>[]>`
    select name, card_name, company_address, contact_email, country_code, invoice_name, invoice_notes, tax_id,
      registered_entity
    from organizations where id = ${tx.organizationId} for no key update`
  if (!before) refuse('not_found')
  const given = Object.entries(changes).filter(([field, value]) => value !== undefined && value !== before[field])
  if (given.length === 0) return
  // Every field of the schema is a column of this name.
  await tx`
    update organizations set ${tx(Object.fromEntries(given))}, updated_at = business_now()
    where id = ${tx.organizationId}`
  await record(tx, organizationEvents.updated, {
    subjectId: tx.organizationId,
    cause: newCause(),
    payload: { changed: given.map(([field]) => field).toSorted() },
  })
}

/**
 * Gives the organization its service ID; the same one again changes nothing. Refuses `handle_taken` if it is another
 * organization's or reserved, and `invalid_state` if the organization has one: payers know it, and a released one
 * could be claimed by somebody else to receive what was meant for them.
 */
export async function claimHandle(tx: Tx, handle: string): Promise<void> {
  const [organization] = await tx<{ svc_id: string | null }[]>`
    select svc_id from organizations where id = ${tx.organizationId} for update`
  if (!organization) refuse('not_found')
  if (organization.svc_id === handle) return
  if (organization.svc_id !== null) refuse('invalid_state', { current: organization.svc_id, allowed: [] })
  if (isReserved(handle)) refuse('handle_taken', { svc_id: handle })
  await tx`update organizations set svc_id = ${handle} where id = ${tx.organizationId}`.catch((error: unknown) => {
    // The unique index decides between claims that come at once; its refusal is told here and nowhere else.
    if (error instanceof postgres.PostgresError && error.code === UNIQUE_VIOLATION)
      refuse('handle_taken', { svc_id: handle })
    throw error
  })
  await record(tx, organizationEvents.handle_claimed, {
    subjectId: tx.organizationId,
    cause: `handle:${handle}`,
    payload: { svc_id: handle },
  })
}

/** Whom a service ID means; refuses `not_found`. */
export async function handleOwner(handle: string): Promise<{ svc_id: string; display_name: string }> {
  const owner = await first(sql<{ name: string }[]>`select name from resolve_handle(${handle})`)
  return owner ? { svc_id: handle, display_name: owner.name } : refuse('not_found')
}
