/** Delegates of people: made, listed, ended, and their secrets changed into restricted sessions. */
import type { Origin, Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { DelegateId, DeviceId, OrganizationId, UserId } from '../../domain/ids.ts'
import { type Page, type PageRequest, refuseCursor } from '../../domain/pagination.ts'
import type { AllowList } from '../../domain/organizations/allow-list.ts'
import type { Audience } from '../../domain/people/audience.ts'
import {
  DELEGATES_MAX,
  DELEGATE_SECRET_PREFIX,
  DELEGATE_SESSION_HOURS,
  type Delegate,
  type DelegateEnd,
  type DelegateToken,
  type DelegateWithSecret,
  type NewDelegate,
  abilityOf,
  isAllowedAddress,
} from '../../domain/people/delegate.ts'
import { SESSION_TOKEN_PREFIX } from '../../domain/sign-in/sign-in.ts'
import { quoteInMail } from '../../domain/text.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { notify } from '../messages/account-notices.ts'
import { pageOf, toPage } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Transaction, type Tx, speakFor, sql, values } from '../../db/postgres/sql.ts'
import { useStepUp } from '../step-up-use.ts'
import { requireAllowedNetwork } from './allowed-networks.ts'
import { lockPerson } from './people.ts'
import { type Command, by, recordSecurityEvent } from './security-log.ts'

export const columns = (): Fragment => sql`
  id, organization_id, user_id, name, kind, access, allowed_addresses, expires_at, last_used_at, last_used_address,
  rotated_at, case when ended_at is null and previous_secret_expires_at > business_now() then previous_secret_expires_at end
    as previous_secret_expires_at, ended_at, end_reason, inserted_at`

const isLive = (): Fragment => sql`ended_at is null and expires_at > business_now()`

/** Lists the delegates of a person, newest first, in what their session sees. */
export async function listDelegates(person: Person, { limit, cursor }: PageRequest): Promise<Page<Delegate>> {
  const { userId, company = null } = person
  const rows = await sql<Delegate[]>`
    select ${columns()} from delegates_of(${userId}) d
    where (${company}::uuid is null or d.organization_id = ${company}) and (${cursor ?? null}::uuid is null
      or (d.inserted_at, d.id) < (select c.inserted_at, c.id from delegates_of(${userId}) c where c.id = ${cursor ?? null}))
    order by d.inserted_at desc, d.id desc limit ${limit + 1}`
  if (rows.length === 0 && cursor) {
    const known = await sql`select from delegates_of(${userId}) c where c.id = ${cursor}`
    if (known.length === 0) refuseCursor()
  }
  return toPage(rows, limit)
}

/** Finds the delegate that asks; refuses `not_found` for a person. */
export async function findOwnDelegate({ userId, delegate }: Person): Promise<Delegate> {
  if (!delegate) refuse('not_found')
  const [found] = await sql<Delegate[]>`select ${columns()} from delegates_of(${userId}) d where d.id = ${delegate.id}`
  return found ?? refuse('not_found')
}

export const listDelegatesOfOrganization = (reader: Reader, page: PageRequest): Promise<Page<Delegate>> =>
  pageOf<Delegate>(reader, 'delegates', page, sql`select ${columns()} from delegates where true`)

type Creation = Command<{ readonly tx: Tx; readonly stepUpId: string | null; readonly body: NewDelegate }>

/** Makes a delegate and uses up the step-up; only this answer holds the secret. */
export async function createDelegate(command: Creation): Promise<DelegateWithSecret> {
  const { tx, person, stepUpId, body, origin } = command
  await lockPerson(tx, person.userId)
  const live = await tx`
    select from delegates where user_id = ${person.userId} and organization_id = ${tx.organizationId} and ${isLive()}`
  if (live.length >= DELEGATES_MAX) refuse('delegate_limit_reached', { limit: DELEGATES_MAX })
  await useStepUp(tx, person, stepUpId)
  const secret = DELEGATE_SECRET_PREFIX + newToken()
  const [device] = await tx<{ id: DeviceId }[]>`
    insert into devices (user_id, name) values (${person.userId}, ${body.name}) returning id`
  const [made] = await tx<Delegate[]>`
    insert into delegates ${values({
      user_id: person.userId,
      organization_id: tx.organizationId,
      device_id: device?.id ?? null,
      name: body.name,
      kind: body.kind,
      access: body.access,
      secret_hash: tokenHash(secret),
      allowed_addresses: body.allowed_addresses,
      expires_at: sql`business_now() + make_interval(days => ${body.expires_in_days})`,
    })}
    returning ${columns()}`
  if (!made) throw new Error('the delegate was not written')
  const details = { delegate: made.id, name: made.name, kind: made.kind, access: made.access }
  await recordSecurityEvent(tx, { type: 'delegate.added', ...by(person, origin), details })
  const [organization] = await tx<{ name: string }[]>`select name from organizations where id = ${tx.organizationId}`
  await notify(tx, person.userId, {
    subject: 'A delegate of yours was made',
    body: `${quoteInMail(made.name)} may now ${abilityOf(made.access)} in your name in the organization ${quoteInMail(organization?.name ?? '')}, until it expires or you end it.`,
  })
  return { ...made, secret }
}

/** Ends a delegate of the person; refuses `not_found` for what is not theirs or has ended. */
export async function endDelegate({ tx, person }: Command, id: DelegateId): Promise<void> {
  const { userId, company } = person
  const order: EndOrder = { userId, ...(company && { organizationId: company }), id, reason: 'ended_by_person' }
  if ((await endDelegates(tx, order)) === 0) refuse('not_found')
}

/** Ends any delegate of the organization, for its owners. */
export async function endDelegateOfOrganization(tx: Tx, id: DelegateId): Promise<void> {
  const [found] = await tx<{ user_id: UserId }[]>`
    select user_id from delegates where id = ${id} and organization_id = ${tx.organizationId}`
  const ended = found ? await endDelegates(tx, { userId: found.user_id, id, reason: 'ended_by_owner' }) : 0
  if (ended === 0) refuse('not_found')
}

type EndOrder = {
  readonly userId: UserId
  readonly organizationId?: OrganizationId
  readonly id?: DelegateId
  readonly reason: DelegateEnd
}

/** Ends live delegates of a person with their sessions, and logs each; answers how many. */
export async function endDelegates(tx: Transaction, { userId, organizationId, id, reason }: EndOrder): Promise<number> {
  const ended = await tx`
    with over as (select * from end_delegates(${userId}, ${organizationId ?? null}, ${id ?? null}, ${reason})),
    gone as (
      update sessions s set ended_at = business_now() from over where s.delegate_id = over.id and s.ended_at is null)
    insert into security_events (user_id, type, details)
    select user_id, 'delegate.ended', jsonb_build_object('delegate', id, 'name', name, 'reason', ${reason}::text)
    from over returning id`
  return ended.length
}

/** Secret of a delegate: its own, which its person has, or a refresh token, which a client has. */
type SecretKind = 'own' | 'refresh_token'

/** Delegate for which a session is opened. */
export type Grantee = {
  readonly id: DelegateId
  readonly user_id: UserId
  readonly organization_id: OrganizationId
  readonly device_id: DeviceId
  readonly allowed_addresses: string[]
}

const kindOf = (secret: string): Fragment => sql`
  case when exists (select from authorization_of_secret(${tokenHash(secret)})) then 'refresh_token' else 'own' end`

/** Finds the kind of a secret; undefined unless it is one of a live delegate. */
export async function findSecretKind(secret: string): Promise<SecretKind | undefined> {
  const [found] = await sql<{ kind: SecretKind }[]>`
    select ${kindOf(secret)} as kind from delegate_of_secret(${tokenHash(secret)})`
  return found?.kind
}

type Secret = {
  readonly tx: Transaction
  readonly secret: string
  readonly audience: Audience
  readonly origin: Origin
}

/** Opens a restricted session for the own secret of a live delegate. Refuses `not_authenticated` for any other. */
export async function openDelegateSession({ tx, secret, audience, origin }: Secret): Promise<DelegateToken> {
  const [found] = await tx<(Grantee & { readonly kind: SecretKind })[]>`
    select d.*, ${kindOf(secret)} as kind from delegate_of_secret(${tokenHash(secret)}) d`
  if (found?.kind !== 'own') refuse('not_authenticated')
  const own = await speakFor(tx, { organizationId: found.organization_id, actor: SYSTEM, correlationId: null })
  const token = await openSessionOf(own, found, { audience, origin })
  // the successor is in use: the secret before it is not needed any more
  await own`
    update delegates set previous_secret_hash = null, previous_secret_expires_at = null
    where id = ${found.id} and secret_hash = ${tokenHash(secret)} and previous_secret_hash is not null`
  return token
}

export type Opening = { readonly audience: Audience; readonly origin: Origin }

/** Opens a restricted session of a delegate. Refuses `not_authenticated` after its end, or that of its device. */
export async function openSessionOf(tx: Tx, grantee: Grantee, { audience, origin }: Opening): Promise<DelegateToken> {
  const { address } = origin
  const { id, user_id: userId, device_id: deviceId, allowed_addresses: allowed } = grantee
  if (!isAllowedAddress(address, allowed)) refuse('delegate_address_not_allowed')
  const token = SESSION_TOKEN_PREFIX + newToken()
  // the row is locked, so that a session never outlives an end at this moment
  const [used] = await tx<{ allow_list: AllowList | null }[]>`
    update delegates set last_used_at = business_now(), last_used_address = ${address}
    where id = ${id} and ended_at is null
      and exists (select from devices where devices.id = device_id and removed_at is null)
    returning (select o.ip_allow_list from organizations o where o.id = organization_id) as allow_list`
  if (!used) refuse('not_authenticated')
  const { organizationId } = tx
  await requireAllowedNetwork('delegates', used.allow_list, { organizationId, origin, person: { userId, deviceId } })
  await tx`
    insert into sessions (token_hash, user_id, device_id, ip_address, delegate_id, audience)
    values (${tokenHash(token)}, ${userId}, ${deviceId}, ${address}, ${id}, ${audience})`
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: DELEGATE_SESSION_HOURS * 3600,
    organization_id: tx.organizationId,
  }
}

const SYSTEM = { kind: 'system' } as const
