/** Everything said to Postgres about organizations. */
import postgres from 'postgres'
import { type Claim, takeClaim } from './claim.ts'
import { record } from './events.ts'
import type { Person } from './model/actor.ts'
import { refuse } from './model/errors.ts'
import type { OrganizationId, UserId } from './model/ids.ts'
import { type NewOrganization, type Organization, isReserved } from './model/organization.ts'
import type { Page, PageRequest } from './model/page.ts'
import { type Role, permissionsOf } from './model/permissions.ts'
import { ORGANIZATION_LIMIT_DEFAULT } from './model/person.ts'
import { paged, refuseCursor } from './page.ts'
import { type Fragment, type Reader, type Tx, first, inOrganization, sql } from './sql.ts'

const UNIQUE_VIOLATION = '23505'

type OrganizationRow = Omit<Organization, 'logo' | 'permissions'>

/** The organizations that a person is in, newest first; banned and deleted ones are left out. */
export async function listOrganizations(person: UserId, { limit, cursor }: PageRequest): Promise<Page<Organization>> {
  const after = cursor
    ? sql`where (inserted_at, id) < ((select c.inserted_at from organizations_of(${person}) c where c.id = ${cursor}),
        ${cursor}::uuid)`
    : sql``
  const rows = await sql<OrganizationRow[]>`
    select ${profile(sql``)}, is_primary, role from organization_profiles_of(${person}) ${after}
    order by inserted_at desc, id desc limit ${limit + 1}`
  if (rows.length === 0 && cursor && !(await isIn(person, cursor))) refuseCursor()
  const page = paged([...rows], limit)
  return { ...page, data: page.data.map(toOrganization) }
}

async function isIn(person: UserId, organization: string): Promise<boolean> {
  const found = await sql`select id from organizations_of(${person}) where id = ${organization}`
  return found.length === 1
}

/** One organization as a member sees it; refuses `not_found`. */
export async function findOrganization(reader: Reader, caller: UserId): Promise<Organization> {
  const row = await first(
    reader<OrganizationRow>(sql`
      select ${profile(sql`o.`)}, o.id is not distinct from p.primary_organization_id as is_primary, m.role
      from organizations o
      join members m on m.organization_id = o.id and m.user_id = ${caller}
      join people p on p.id = m.user_id
      where o.id = ${reader.organizationId} and o.status not in ('banned', 'deleted')`),
  )
  return row ? toOrganization(row) : refuse('not_found')
}

const profile = (of: Fragment): Fragment => sql`
  ${of}id, ${of}name, ${of}card_name, ${of}company_address, ${of}contact_email, ${of}country_code, ${of}invoice_name,
  ${of}invoice_notes, ${of}referral_code, ${of}tax_id, ${of}svc_id, ${of}registered_entity`

const toOrganization = (row: OrganizationRow): Organization => ({
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
  logo: { url: '' },
  permissions: [...permissionsOf(row.role)],
  registered_entity: row.registered_entity,
  role: row.role,
})

/**
 * Makes an organization with the person as its owner, and as their primary one where they have none. False when the
 * claim was taken by another request. Refuses `organization_limit_reached`, also to requests that come at once.
 */
export function createOrganization(
  owner: Person,
  claim: Claim,
  wanted: NewOrganization,
  requestId: string,
): Promise<boolean> {
  // A claim's id is the id of the row that it makes.
  const id = claim.id as OrganizationId
  return inOrganization(
    owner,
    id,
    async (tx) => {
      if (claim.keyed && !(await takeClaim(tx, claim))) return false
      await checkLimit(tx, owner.userId)
      await Promise.all([
        insertOrganization(tx, wanted, owner.userId),
        tx`insert into members (organization_id, user_id, role) values (${id}, ${owner.userId}, ${'owner' satisfies Role})`,
        tx`update people set primary_organization_id = ${id}
          where id = ${owner.userId} and primary_organization_id is null`,
        record(tx, {
          stream: 'organizations',
          subjectId: id,
          type: 'organization.created',
          cause: `request:${requestId}`,
          payload: { name: wanted.name },
        }),
      ])
      return true
    },
    requestId,
  )
}

/** Counts what the person owns under a lock on their row, so that two requests cannot both take the last place. */
async function checkLimit(tx: Tx, person: UserId): Promise<void> {
  const [row] = await tx<{ organization_limit: number | null }[]>`
    select organization_limit from people where id = ${person} for update`
  // a statement of its own: one that waited for the lock would still count as of its start
  const [owned] = await tx<{ count: string }[]>`
    select count(*) as count from organizations_of(${person}) where role = 'owner'`
  const limit = row?.organization_limit ?? ORGANIZATION_LIMIT_DEFAULT
  if (Number(owned?.count) >= limit) refuse('organization_limit_reached', { organization_limit: limit })
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
 * Gives the organization its service ID; the same one again changes nothing. Refuses `handle_taken` where it is another
 * organization's or reserved, and `invalid_state` where the organization has one: payers know it, and a released one
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
  await record(tx, {
    stream: 'organizations',
    subjectId: tx.organizationId,
    type: 'organization.handle_claimed',
    cause: `handle:${handle}`,
    payload: { svc_id: handle },
  })
}

/** Whom a service ID means; refuses `not_found`. */
export async function handleOwner(handle: string): Promise<{ svc_id: string; display_name: string }> {
  const owner = await first(sql<{ name: string }[]>`select name from resolve_handle(${handle})`)
  return owner ? { svc_id: handle, display_name: owner.name } : refuse('not_found')
}
