/** Devices: each sign-in belongs to one. A removed device that signs in again is a new one. */
import type { Origin, Person } from '../../domain/actor.ts'
import { type Device, deviceNameOf } from '../../domain/people/device.ts'
import { refuse } from '../../domain/errors.ts'
import type { DeviceId, UserId } from '../../domain/ids.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { SESSION_DAYS_MAX, SESSION_IDLE_MINUTES } from '../../domain/sign-in/sign-in.ts'
import { quotedInMail } from '../../domain/text.ts'
import { notify } from '../messages/account-notices.ts'
import { pageOfPerson } from '../pagination.ts'
import { by, recordSecurityEvent } from './security-log.ts'
import { type Transaction, type Fragment, sql } from '../sql.ts'

/**
 * Finds the person's device with that id and notes that it was seen now, or creates one if the id is null, not theirs
 * or removed. A new device is written into their log, and mailed to them unless it is their first.
 */
export async function recordDevice(
  tx: Transaction,
  userId: UserId,
  deviceId: DeviceId | null,
  origin: Origin | null,
): Promise<DeviceId> {
  const name = deviceNameOf(origin?.userAgent ?? null)
  const device = (await upsert(tx, userId, deviceId, name)) ?? (await upsert(tx, userId, null, name))
  if (!device) throw new Error('the device was not written')
  if (device.fresh) await announce(tx, userId, device.id, name, origin)
  return device.id
}

async function upsert(tx: Transaction, userId: UserId, deviceId: DeviceId | null, name: string | null) {
  const [device] = await tx<{ id: DeviceId; fresh: boolean }[]>`
    insert into devices (id, user_id, name) values (coalesce(${deviceId}::uuid, uuidv7()), ${userId}, ${name})
    on conflict (id) do update set last_seen_at = business_now()
      where devices.user_id = excluded.user_id and devices.removed_at is null
    returning id, xmax = 0 as fresh`
  return device
}

async function announce(
  tx: Transaction,
  userId: UserId,
  deviceId: DeviceId,
  name: string | null,
  origin: Origin | null,
): Promise<void> {
  await recordSecurityEvent(tx, { type: 'device.added', userId, deviceId, origin, details: { name } })
  const others = await tx`select from devices where user_id = ${userId} and id <> ${deviceId} limit 1`
  if (others.length === 0) return
  await notify(tx, userId, {
    subject: 'A sign-in from a new device',
    body: `Your account was signed in to from a new device: ${name === null ? 'an unknown program' : quotedInMail(name)}, from the network address ${origin?.address ?? 'unknown'}.`,
  })
}

const deviceColumns = ({ deviceId }: Person): Fragment => sql`
  id, name, id = ${deviceId} as this_device, inserted_at, last_seen_at,
  (select max(t.expires_at) from trust_tokens t where t.device_id = devices.id and t.expires_at > business_now())
    as trusted_until,
  (select count(*)::int from sessions s where s.device_id = devices.id and ${liveSession('s')}) as sessions`

/** The person's devices, newest first. */
export const listDevices = (person: Person, page: PageRequest): Promise<Page<Device>> =>
  pageOfPerson<Device>(
    person.userId,
    'devices',
    page,
    sql`select ${deviceColumns(person)} from devices where removed_at is null`,
  )

/** Condition: the session is alive; `of` is the name of its table in the statement. */
export const liveSession = (of: string): Fragment => sql`${sql(of)}.ended_at is null
  and ${sql(of)}.last_used_at > business_now() - make_interval(mins => ${SESSION_IDLE_MINUTES})
  and ${sql(of)}.signed_in_at > business_now() - make_interval(days => ${SESSION_DAYS_MAX})`

/** Renames a device; refuses `not_found`. */
export async function renameDevice(person: Person, id: DeviceId, name: string): Promise<Device> {
  const [renamed] = await sql<Device[]>`
    update devices set name = ${name} where id = ${id} and user_id = ${person.userId} and removed_at is null
    returning ${deviceColumns(person)}`
  return renamed ?? refuse('not_found')
}

/**
 * Removes a device with its sessions, and no longer trusts it. The caller has locked the person. Refuses `not_found`.
 */
export async function endDevice(tx: Transaction, person: Person, id: DeviceId, origin: Origin): Promise<void> {
  const removed = await tx`
    update devices set removed_at = business_now()
    where id = ${id} and user_id = ${person.userId} and removed_at is null returning id`
  if (removed.length === 0) refuse('not_found')
  await tx`update sessions set ended_at = business_now() where device_id = ${id} and ended_at is null`
  await tx`delete from trust_tokens where device_id = ${id}`
  await recordSecurityEvent(tx, { ...by(person, origin), type: 'device.removed', details: { device: id } })
}
