/** Delegates of people: made, listed, ended, and their secrets changed into restricted sessions. */
import type { Origin, Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { DelegateId, DeviceId, OrganizationId, UserId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import {
  DELEGATES_MAX,
  DELEGATE_SECRET_PREFIX,
  DELEGATE_SESSION_HOURS,
  type Delegate,
  type DelegateEnd,
  type DelegateToken,
  type DelegateWithSecret,
  type NewDelegate,
  isAllowedAddress,
} from '../../domain/people/delegate.ts'
import { SESSION_TOKEN_PREFIX } from '../../domain/sign-in/sign-in.ts'
import { quoteInMail } from '../../domain/text.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { notify } from '../messages/account-notices.ts'
import { pageOf, pageOfPerson } from '../pagination.ts'
import { type Fragment, type Reader, type Transaction, type Tx, sql } from '../sql.ts'
import { useStepUp } from '../step-up-use.ts'
import { lockPerson } from './people.ts'
import { type Command, by, recordSecurityEvent } from './security-log.ts'

const columns = (): Fragment => sql`
  id, organization_id, user_id, name, kind, access, allowed_addresses, expires_at, last_used_at, last_used_address,
  ended_at, end_reason, inserted_at`

const isLive = (): Fragment => sql`ended_at is null and expires_at > business_now()`

export const listDelegates = (userId: UserId, page: PageRequest): Promise<Page<Delegate>> =>
  pageOfPerson<Delegate>(userId, 'delegates', page, sql`select ${columns()} from delegates where true`)

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
    insert into delegates (user_id, organization_id, device_id, name, kind, access, secret_hash, allowed_addresses,
      expires_at)
    values (${person.userId}, ${tx.organizationId}, ${device?.id ?? null}, ${body.name}, ${body.kind}, ${body.access},
      ${tokenHash(secret)}, ${body.allowed_addresses}, business_now() + make_interval(days => ${body.expires_in_days}))
    returning ${columns()}`
  if (!made) throw new Error('the delegate was not written')
  const details = { delegate: made.id, name: made.name, kind: made.kind, access: made.access }
  await recordSecurityEvent(tx, { type: 'delegate.added', ...by(person, origin), details })
  await notify(tx, person.userId, {
    subject: 'A delegate of yours was made',
    body: `${quoteInMail(made.name)} may now read in your name in one organization, until it expires or you end it.`,
  })
  return { ...made, secret }
}

/** Ends a delegate of the person; refuses `not_found` for what is not theirs or has ended. */
export async function endDelegate({ tx, person }: Command, id: DelegateId): Promise<void> {
  const ended = await endDelegates(tx, sql`id = ${id} and user_id = ${person.userId}`, 'ended_by_person')
  if (ended === 0) refuse('not_found')
}

/** Ends any delegate of the organization, for its owners. */
export async function endDelegateOfOrganization(tx: Tx, id: DelegateId): Promise<void> {
  const own = sql`id = ${id} and organization_id = ${tx.organizationId}`
  if ((await endDelegates(tx, own, 'ended_by_owner')) === 0) refuse('not_found')
}

/** Ends delegates that fit and their sessions, and logs each; answers how many. */
export async function endDelegates(tx: Transaction, condition: Fragment, reason: DelegateEnd): Promise<number> {
  const ended = await tx`
    with over as (
      update delegates set ended_at = business_now(), end_reason = ${reason}
      where ${condition} and ended_at is null returning id, user_id, name),
    gone as (
      update sessions s set ended_at = business_now() from over where s.delegate_id = over.id and s.ended_at is null)
    insert into security_events (user_id, type, details)
    select user_id, 'delegate.ended', jsonb_build_object('delegate', id, 'name', name, 'reason', ${reason}::text)
    from over returning id`
  return ended.length
}

type Secret = { readonly tx: Transaction; readonly secret: string; readonly origin: Origin }

type Granted = {
  readonly id: DelegateId
  readonly user_id: UserId
  readonly device_id: DeviceId
  readonly allowed_addresses: string[]
}

/** Opens a restricted session for the secret of a live delegate; refuses `not_authenticated` for any other. */
export async function openDelegateSession({ tx, secret, origin }: Secret): Promise<DelegateToken> {
  const [found] = await tx<Granted[]>`
    select id, user_id, device_id, allowed_addresses from delegates
    where secret_hash = ${tokenHash(secret)} and ${isLive()}
      and exists (select from locate('organization', organization_id, user_id))
    for no key update`
  if (!found) refuse('not_authenticated')
  if (!isAllowedAddress(origin.address, found.allowed_addresses)) refuse('delegate_address_not_allowed')
  const token = SESSION_TOKEN_PREFIX + newToken()
  await tx`
    insert into sessions (token_hash, user_id, device_id, ip_address, delegate_id)
    values (${tokenHash(token)}, ${found.user_id}, ${found.device_id}, ${origin.address}, ${found.id})`
  await tx`
    update delegates set last_used_at = business_now(), last_used_address = ${origin.address} where id = ${found.id}`
  return { access_token: token, token_type: 'Bearer', expires_in: DELEGATE_SESSION_HOURS * 3600 }
}

export const delegatesOf = ({ userId }: Pick<Person, 'userId'>, organizationId?: OrganizationId): Fragment =>
  sql`user_id = ${userId} ${organizationId ? sql`and organization_id = ${organizationId}` : sql``}`
