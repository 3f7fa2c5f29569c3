/** People. They belong to no organization; what they are in one is a membership. */
import type postgres from 'postgres'
import type { UserId } from './model/ids.ts'
import { type Me, ORGANIZATION_LIMIT_DEFAULT } from './model/person.ts'
import { first, sql } from './sql.ts'

export type NewPerson = {
  /** In lower case. */
  readonly email: string
  readonly passwordHash: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly organizationLimit?: number
}

/** Makes a person with a confirmed address; undefined when the address has a person already, also at the same moment. */
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
}

/** A person as they see themselves; throws when there is none, because a session always has one. */
export async function findMe(userId: UserId): Promise<Me> {
  const row = await first(sql<MeRow[]>`
    select p.id, p.email, p.email_id, p.first_name, p.last_name, p.address, p.country_of_residence, p.referral_code,
      p.organization_limit, a.user_id is not null as authenticator,
      coalesce(a.confirmed_at, p.inserted_at) as authenticator_since
    from people p left join authenticators a on a.user_id = p.id where p.id = ${userId}`)
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
    avatar: { url: '' },
    emails: [{ address: row.email, confirmed: true, id: row.email_id, primary: true }],
    phone_numbers: [],
    kyc_entity_id: null,
    organization_limit: row.organization_limit ?? ORGANIZATION_LIMIT_DEFAULT,
    referral_code: row.referral_code,
    totp: { enabled: row.authenticator, inserted_at: row.authenticator_since },
    user_filled_country_of_residence: row.country_of_residence,
  }
}
