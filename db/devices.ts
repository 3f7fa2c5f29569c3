/** Devices: each sign-in belongs to one. */
import type postgres from 'postgres'
import type { DeviceId, UserId } from './model/ids.ts'

/** The person's device with that id, seen now; a new one where the id is null or not theirs. */
export async function recordDevice(
  tx: postgres.TransactionSql,
  userId: UserId,
  deviceId: DeviceId | null,
): Promise<DeviceId> {
  const [device] = await tx<{ id: DeviceId }[]>`
    insert into devices (id, user_id) values (coalesce(${deviceId}::uuid, uuidv7()), ${userId})
    on conflict (id) do update set last_seen_at = business_now() where devices.user_id = excluded.user_id
    returning id`
  if (!device) throw new Error('a device of somebody else')
  return device.id
}
