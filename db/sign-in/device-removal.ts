/** A removed device opens nothing any more. */
import type { Origin, Person } from '../../domain/actor.ts'
import type { DeviceId } from '../../domain/ids.ts'
import { endDevice } from '../people/devices.ts'
import { lockPerson } from '../people/people.ts'
import { transaction } from '../sql.ts'
import { revokeApprovalCredentialOf } from '../step-up/approval-devices.ts'

/**
 * Removes a device with what is bound to it: sessions, sign-ins under way, trust, login and approval credentials.
 * Refuses `not_found`.
 */
export async function removeDevice(person: Person, id: DeviceId, origin: Origin): Promise<void> {
  await transaction(async (tx) => {
    await lockPerson(tx, person.userId)
    await endDevice(tx, person, id, origin)
    await tx`
      update sign_in_challenges set used_at = business_now()
      where user_id = ${person.userId} and device_id = ${id} and used_at is null`
    await tx`delete from login_credentials where device_id = ${id}`
    await revokeApprovalCredentialOf(tx, id)
  })
}
