/** People. They belong to no organization; a membership gives them a role in one. */
import type postgres from 'postgres'
import { config } from '../../platform/config.ts'
import { refuse } from '../../domain/errors.ts'
import type { AvatarId, OrganizationId, UserId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import { type Me, type MeChanges, ORGANIZATION_LIMIT_DEFAULT } from '../../domain/people/person.ts'
import { type Transaction, first, sql, transaction } from '../sql.ts'

/**
 * Locks the person until the transaction ends. Every transaction that signs in, or changes a person's password,
 * factors, devices or credentials, takes this lock before any other: they run one by one, see each other's changes, and
 * never deadlock.
 */
export async function lockPerson(tx: Transaction, userId: UserId): Promise<void> {
  await tx`select from people where id = ${userId} for no key update`
}

/** Locks the person with this address, in any case, as lockPerson() does. Refuses `not_found`. */
export async function lockPersonWith(tx: Transaction, email: string): Promise<UserId> {
  const [person] = await tx<{ id: UserId }[]>`
    select id from people where email = ${email.trim().toLowerCase()} for no key update`
  return person?.id ?? refuse('not_found')
}

export type NewPerson = {
  /** In lower case. */
  readonly email: string
  readonly passwordHash: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly organizationLimit?: number
}

/**
 * Creates a person with a confirmed address; undefined if the address has a person already, also at the same moment.
 */
export async function createPerson(tx: postgres.TransactionSql, person: NewPerson): Promise<UserId | undefined> {
  const [created] = await tx<{ id: UserId }[]>`
    insert into people (email, password_hash, first_name, last_name, organization_limit)
    values (${person.email}, ${person.passwordHash}, ${person.firstName}, ${person.lastName},
      ${person.organizationLimit ?? null})
    on conflict (email) do nothing returning id`
  return created?.id
}

type MeRow = {
  id: UserId
  email: string
  email_id: string
  first_name: string | null
  last_name: string | null
  address: Me['address'] | null
  country_of_residence: string | null
  referral_code: string | null
  organization_limit: number | null
  authenticator: boolean
  authenticator_since: string
  avatar_id: AvatarId | null
  phone_numbers: Me['phone_numbers']
}

/** A person as they see themselves; throws if there is none, because every session has one. */
export async function findMe(userId: UserId): Promise<Me> {
  const row = await first(sql<MeRow[]>`
    select p.id, p.email, p.email_id, p.first_name, p.last_name, p.address, p.country_of_residence, p.referral_code,
      p.organization_limit, a.user_id is not null as authenticator,
      coalesce(a.confirmed_at, (select max(e.inserted_at) from security_events e
        where e.user_id = p.id and e.type in ('authenticator.removed', 'factors.reset')
          and e.details ->> 'authenticators' is distinct from '0'), p.inserted_at)
        as authenticator_since, picture.id as avatar_id,
      (select coalesce(jsonb_agg(jsonb_build_object('confirmed', n.confirmed_at is not null, 'e164', n.e164)
          order by n.inserted_at, n.e164), '[]') from phone_numbers n where n.user_id = p.id) as phone_numbers
    from people p
    left join authenticators a on a.user_id = p.id
    left join avatars picture on picture.user_id = p.id
    where p.id = ${userId}`)
  if (!row) throw new Error('a session without a person')
  return toMe(row)
}

const NO_ADDRESS: Me['address'] = {
  address_line1: '',
  address_line2: null,
  city: '',
  country_code: '',
  postal_code: null,
}

function toMe(row: MeRow): Me {
  const name = [row.first_name, row.last_name].filter((part) => part !== null).join(' ') || null
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    name,
    address: row.address ?? NO_ADDRESS,
    avatar: { url: row.avatar_id ? `${config.publicUrl}/api/v1/avatars/${row.avatar_id}` : '' },
    emails: [{ address: row.email, confirmed: true, id: row.email_id, primary: true }],
    phone_numbers: row.phone_numbers,
    kyc_entity_id: null,
    organization_limit: row.organization_limit ?? ORGANIZATION_LIMIT_DEFAULT,
    referral_code: row.referral_code,
    totp: { enabled: row.authenticator, inserted_at: row.authenticator_since },
    user_filled_country_of_residence: row.country_of_residence,
  }
}

/** Changes the given fields of a person: null clears, an address is replaced as a whole. */
export async function changeMe(userId: UserId, changes: MeChanges): Promise<void> {
  const { first_name, last_name, address, user_filled_country_of_residence: country_of_residence } = changes
  const given = {
    ...(first_name !== undefined && { first_name }),
    ...(last_name !== undefined && { last_name }),
    ...(address !== undefined && { address: address && sql.json(address) }),
    ...(country_of_residence !== undefined && { country_of_residence }),
  }
  if (Object.keys(given).length > 0) await sql`update people set ${sql(given)} where id = ${userId}`
}

/** Makes one of the person's organizations their primary one; refuses `not_found` for any other. */
export async function choosePrimaryOrganization(
  userId: UserId,
  organizationId: OrganizationId,
): Promise<{ id: OrganizationId; name: string; role: Role }> {
  return transaction(async (tx) => {
    await lockPerson(tx, userId) // a membership ends under the same lock
    const [chosen] = await tx<{ id: OrganizationId; name: string; role: Role }[]>`
      with chosen as (select id, name, role from organization_profiles_of(${userId}) where id = ${organizationId}),
        done as (update people set primary_organization_id = chosen.id from chosen where people.id = ${userId})
      select id, name, role from chosen`
    return chosen ?? refuse('not_found')
  })
}

/** Makes an organization the person's primary one, unless they have another. */
export async function preferOrganization(
  tx: Transaction,
  userId: UserId,
  organizationId: OrganizationId,
): Promise<void> {
  await tx`
    update people set primary_organization_id = ${organizationId}
    where id = ${userId} and primary_organization_id is null`
}

/** Leaves the person without a primary organization, if it was this one. */
export async function forgetPrimaryOrganization(
  tx: Transaction,
  userId: UserId,
  organizationId: OrganizationId,
): Promise<void> {
  await tx`
    update people set primary_organization_id = null
    where id = ${userId} and primary_organization_id = ${organizationId}`
}

/** Sets the person's password; with `from`, only while that hash is still theirs. Answers whether it was set. */
export async function setPasswordHash(tx: Transaction, userId: UserId, hash: string, from?: string): Promise<boolean> {
  const set = await tx`
    update people set password_hash = ${hash}
    where id = ${userId} ${from === undefined ? sql`` : sql`and password_hash = ${from}`} returning id`
  return set.length > 0
}
