/** People. They belong to no organization; a membership gives them a role in one. */
import type postgres from 'postgres'
import { refuse } from '../../domain/errors.ts'
import type { AvatarId, UserId } from '../../domain/ids.ts'
import {
  type Me,
  type MeChanges,
  ORGANIZATION_LIMIT_DEFAULT,
  type PrimaryOrganizationAnswer,
} from '../../domain/people/person.ts'
import { MAILBOX_HOURS } from '../../domain/sign-in/sign-in.ts'
import { config } from '../../platform/config.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Transaction, type Tx, first, sql } from '../../db/postgres/sql.ts'

/**
 * Locks the person until the transaction ends: the first lock of every sign-in and of every change of a password, a
 * factor, a device or a credential, so that they run one by one and never deadlock.
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
  readonly password_hash: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly organization_limit?: number
}

/** Creates a person with a confirmed address; undefined if the address has a person. */
export async function createPerson(tx: postgres.TransactionSql, person: NewPerson): Promise<UserId | undefined> {
  const [created] = await tx<{ id: UserId }[]>`
    insert into people ${tx(person)} on conflict (email) do nothing returning id`
  return created?.id
}

type MeRow = Omit<Me, 'address' | 'avatar' | 'emails' | 'kyc_entity_id' | 'totp'> & {
  address: Me['address'] | null
  email: string
  email_id: string
  authenticator: boolean
  authenticator_since: string
  avatar_id: AvatarId | null
}

const NO_ADDRESS = { address_line1: '', address_line2: null, city: '', country_code: '', postal_code: null }

/** Reads a person as they see themselves. */
export async function findMe(userId: UserId, tx: postgres.Sql | Transaction = sql): Promise<Me> {
  const [row] = await tx<MeRow[]>`
    select p.id, p.email, p.email_id, p.first_name, p.last_name,
      ${fullName(sql`p`)} as name, p.address, p.referral_code, p.notify,
      p.country_of_residence as user_filled_country_of_residence,
      coalesce(p.organization_limit, ${ORGANIZATION_LIMIT_DEFAULT}::int) as organization_limit,
      a.user_id is not null as authenticator,
      coalesce(a.confirmed_at, (select max(e.inserted_at) from security_events e
        where e.user_id = p.id and e.type in ('authenticator.removed', 'factors.reset')
          and e.details ->> 'authenticators' is distinct from '0'), p.inserted_at)
        as authenticator_since, picture.id as avatar_id,
      (select coalesce(jsonb_agg(jsonb_build_object('confirmed', n.confirmed_at is not null, 'e164', n.e164)
          order by n.inserted_at, n.e164), '[]') from phone_numbers n where n.user_id = p.id) as phone_numbers
    from people p
    left join authenticators a on a.user_id = p.id
    left join avatars picture on picture.user_id = p.id
    where p.id = ${userId}`
  if (!row) throw new Error('a session without a person')
  const { email, email_id, authenticator, authenticator_since, avatar_id, ...me } = row
  return {
    ...me,
    address: me.address ?? NO_ADDRESS,
    avatar: { url: avatar_id ? `${config.publicUrl}/api/v1/avatars/${avatar_id}` : '' },
    emails: [{ address: email, confirmed: true, id: email_id, primary: true }],
    kyc_entity_id: null,
    totp: { enabled: authenticator, inserted_at: authenticator_since },
  }
}

/** Changes the given fields of a person: null clears, an address is replaced as a whole. */
export async function changeMe(tx: Transaction, userId: UserId, changes: MeChanges): Promise<Me> {
  const { address, user_filled_country_of_residence: country_of_residence, ...names } = changes
  const columns = { ...names, country_of_residence, address: address && sql.json(address) }
  const given = Object.entries(columns).filter(([, value]) => value !== undefined)
  if (given.length > 0) await tx`update people set ${tx(Object.fromEntries(given))} where id = ${userId}`
  return findMe(userId, tx)
}

/** Makes the organization the person's primary one; refuses `not_found` if they are no member. */
export async function choosePrimaryOrganization(
  tx: Tx,
  userId: UserId,
): Promise<PrimaryOrganizationAnswer['organization']> {
  await lockPerson(tx, userId) // a membership ends under the same lock
  const [chosen] = await tx<PrimaryOrganizationAnswer['organization'][]>`
    with chosen as (select id, name, role from organizations_of(${userId}) where id = ${tx.organizationId}),
      done as (update people set primary_organization_id = chosen.id from chosen where people.id = ${userId})
    select id, name, role from chosen`
  return chosen ?? refuse('not_found')
}

/** Makes the organization the person's primary one, unless they have another. */
export async function preferOrganization(tx: Tx, userId: UserId): Promise<void> {
  await tx`
    update people set primary_organization_id = ${tx.organizationId}
    where id = ${userId} and primary_organization_id is null`
}

/** Leaves the person without a primary organization, if it was this one. */
export async function forgetPrimaryOrganization(tx: Tx, userId: UserId): Promise<void> {
  await tx`
    update people set primary_organization_id = null
    where id = ${userId} and primary_organization_id = ${tx.organizationId}`
}

/** Sets the person's password by a mailed token: for a day it proves no more than the mailbox. Returns until when. */
export async function resetPasswordHash(tx: Transaction, userId: UserId, hash: string): Promise<string> {
  const [set] = await tx<{ until: string }[]>`
    update people set password_hash = ${hash}, password_reset_at = business_now() where id = ${userId}
    returning password_reset_at + make_interval(hours => ${MAILBOX_HOURS}) as until`
  if (!set) throw new Error('a reset of nobody')
  return set.until
}

/** Sets the person's password; with `from`, only while that hash is still theirs. Answers whether it was set. */
export async function setPasswordHash(tx: Transaction, userId: UserId, hash: string, from?: string): Promise<boolean> {
  const set = await tx`
    update people set password_hash = ${hash}
    where id = ${userId} ${from === undefined ? sql`` : sql`and password_hash = ${from}`} returning id`
  return set.length > 0
}

/** Sets a picture of `squarePicture()` as the person's avatar, in place of the one before. */
export async function replaceAvatar(tx: Transaction, userId: UserId, image: Uint8Array): Promise<Me> {
  await tx`
    insert into avatars (user_id, image) values (${userId}, ${image})
    on conflict (user_id) do update
    set id = excluded.id, image = excluded.image, inserted_at = excluded.inserted_at`
  return findMe(userId, tx)
}

export async function removeAvatar(tx: Transaction, userId: UserId): Promise<Me> {
  await tx`delete from avatars where user_id = ${userId}`
  return findMe(userId, tx)
}

/** Reads the bytes of an avatar, a webp; refuses `not_found`. An id always names the same picture. */
export async function findAvatar(id: AvatarId): Promise<Uint8Array<ArrayBuffer>> {
  const avatar = await first(sql<{ image: Uint8Array<ArrayBuffer> }[]>`select image from avatars where id = ${id}`)
  return avatar?.image ?? refuse('not_found')
}
