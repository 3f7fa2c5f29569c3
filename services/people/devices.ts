/** Devices: each sign-in belongs to one. A trusted one needs no second factor; a removed one comes back as new. */
import type { Origin, Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { DeviceId, UserId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { DELEGATE_SESSION_HOURS } from '../../domain/people/delegate.ts'
import { type Device, type Session, deviceNameOf } from '../../domain/people/device.ts'
import { SESSION_DAYS_MAX, SESSION_IDLE_MINUTES, TRUST_DAYS } from '../../domain/sign-in/sign-in.ts'
import { quoteInMail } from '../../domain/text.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { notify } from '../messages/account-notices.ts'
import { pageOfPerson } from '../../db/postgres/pagination.ts'
import { type Fragment, type Transaction, sql } from '../../db/postgres/sql.ts'
import { type Command, by, recordSecurityEvent } from './security-log.ts'

export type SignedIn = { readonly userId: UserId; readonly deviceId: DeviceId | null; readonly origin: Origin | null }

/** Records a use of the device, or creates a new one; all but the first are mailed. */
export async function recordDevice(tx: Transaction, { userId, deviceId, origin }: SignedIn): Promise<DeviceId> {
  const name = deviceNameOf(origin?.userAgent ?? null)
  const [device] = await tx<{ id: DeviceId; fresh: boolean }[]>`
    insert into devices (id, user_id, name)
    select case when exists (select from devices d
        where d.id = asked.id and (d.user_id <> ${userId} or d.removed_at is not null))
      then uuidv7() else coalesce(asked.id, uuidv7()) end, ${userId}, ${name}
    from (select ${deviceId}::uuid as id) asked
    on conflict (id) do update set last_seen_at = business_now()
      where devices.user_id = excluded.user_id and devices.removed_at is null
    returning id, xmax = 0 as fresh`
  if (!device) throw new Error('the device was not written')
  if (!device.fresh) return device.id
  await recordSecurityEvent(tx, { type: 'device.added', userId, deviceId: device.id, origin, details: { name } })
  const others = await tx`select from devices where user_id = ${userId} and id <> ${device.id} limit 1`
  if (others.length > 0) {
    await notify(tx, userId, {
      subject: 'A sign-in from a new device',
      body: 'Your account was signed in to from a new device.',
      facts: [
        ['Device', name === null ? 'an unknown program' : quoteInMail(name)],
        ['Network address', origin?.address ?? 'unknown'],
      ],
    })
  }
  return device.id
}

/** Builds the condition on sessions `s`: they are seen in the session of the person, of a company its own alone. */
export const isOfCompany = (s: Fragment, { company }: Person): Fragment =>
  company ? sql`${s}.company_id = ${company}` : sql`true`

const deviceColumns = (person: Person): Fragment => sql`
  id, name, id = ${person.deviceId} as this_device, inserted_at, last_seen_at,
  (select max(t.expires_at) from trust_tokens t where t.device_id = devices.id and t.expires_at > business_now())
    as trusted_until,
  (select count(*)::int from sessions s where s.device_id = devices.id and ${isOfCompany(sql`s`, person)}
    and ${liveSession(sql`s`)}) as sessions`

export function listDevices(person: Person, page: PageRequest): Promise<Page<Device>> {
  const { userId, company } = person
  const seen = sql`and id in (select s.device_id from sessions s where s.user_id = ${userId} and ${isOfCompany(sql`s`, person)})`
  const select = sql`select ${deviceColumns(person)} from devices where removed_at is null ${company ? seen : sql``}`
  return pageOfPerson<Device>(userId, 'devices', page, select)
}

/** Builds the condition: the session is alive; `of` is the name of its table in the statement. */
export const liveSession = (of: Fragment): Fragment => sql`${of}.ended_at is null
  and ${of}.last_used_at > business_now() - make_interval(mins => ${SESSION_IDLE_MINUTES})
  and ${of}.signed_in_at > business_now() - ${longestSession(of)}`

/** Builds the longest time of a session from its sign-in: a delegate's is shorter. */
export const longestSession = (of: Fragment): Fragment => sql`
  case when ${of}.delegate_id is null then make_interval(days => ${SESSION_DAYS_MAX})
    else make_interval(hours => ${DELEGATE_SESSION_HOURS}) end`

export function listSessions(person: Person, page: PageRequest): Promise<Page<Session>> {
  const select = sql`
    select id, device_id, (select d.name from devices d where d.id = device_id) as device_name,
      id = ${person.sessionId} as this_session, ip_address, signed_in_at, last_used_at,
      least(last_used_at + make_interval(mins => ${SESSION_IDLE_MINUTES}),
        signed_in_at + ${longestSession(sql`sessions`)}) as expires_at
    from sessions where ${liveSession(sql`sessions`)} and ${isOfCompany(sql`sessions`, person)}`
  return pageOfPerson<Session>(person.userId, 'sessions', page, select)
}

export async function renameDevice(tx: Transaction, person: Person, id: DeviceId, name: string): Promise<Device> {
  const [renamed] = await tx<Device[]>`
    update devices set name = ${name} where id = ${id} and user_id = ${person.userId} and removed_at is null
    returning ${deviceColumns(person)}`
  return renamed ?? refuse('not_found')
}

/** Removes a device with its sessions and its trust; refuses `not_found`. The caller has locked the person. */
export async function endDevice({ tx, person, origin }: Command, id: DeviceId): Promise<void> {
  const removed = await tx`
    update devices set removed_at = business_now()
    where id = ${id} and user_id = ${person.userId} and removed_at is null returning id`
  if (removed.length === 0) refuse('not_found')
  await tx`update sessions set ended_at = business_now() where device_id = ${id} and ended_at is null`
  await tx`delete from trust_tokens where device_id = ${id}`
  await recordSecurityEvent(tx, { ...by(person, origin), type: 'device.removed', details: { device: id } })
}

/** Replaces the trust token of the device; a `renewed` one ends when the earlier one would have. */
export async function trustDevice(
  tx: Transaction,
  { userId, deviceId, renewed }: { userId: UserId; deviceId: DeviceId; renewed: boolean },
  origin: Origin,
): Promise<string> {
  const token = `tru_${newToken()}`
  const [earlier] = await tx<{ expires_at: string }[]>`
    delete from trust_tokens where device_id = ${deviceId} returning expires_at`
  const end = renewed && earlier ? earlier.expires_at : null
  await tx`
    insert into trust_tokens (token_hash, user_id, device_id, expires_at)
    values (${tokenHash(token)}, ${userId}, ${deviceId},
      coalesce(${end}::timestamptz, business_now() + make_interval(days => ${TRUST_DAYS})))`
  await recordSecurityEvent(tx, { type: 'device.trusted', userId, deviceId, origin })
  return token
}

/** Builds the condition: the token is valid, and of exactly this person and device. */
export const isTrusted = (userId: UserId, deviceId: DeviceId | null, token: string | null): Fragment => sql`
  exists (select from trust_tokens where token_hash = ${token === null ? null : tokenHash(token)}
    and user_id = ${userId} and device_id = ${deviceId} and expires_at > business_now())`

/** Voids all trust tokens of the person: the second factor is required on every device again. */
export async function revokeDeviceTrust(tx: Transaction, userId: UserId): Promise<void> {
  await tx`delete from trust_tokens where user_id = ${userId}`
}
