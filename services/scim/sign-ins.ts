/** Sign-ins of people whom a provider manages: by its word they become members, and are linked. */
import type { ScimUserId, UserId } from '../../domain/ids.ts'
import type { Role } from '../../domain/permissions.ts'
import { type Tx, within, sql } from '../../db/postgres/sql.ts'
import { beginManagedMembership } from '../organizations/managed.ts'
import { noteGrants, standingToBegin } from './standing.ts'
import { adopt, lockUser } from './users.ts'

/** Person whom a provider manages, by their address. */
type ManagedPerson = {
  readonly id: ScimUserId
  readonly user_id: UserId | null
  /** The next sign-in that asserts the address links it; of others the provider's word links nothing. */
  readonly isAwaited: boolean
}

/** Locks what the provider said of an address; undefined if it manages none such. The memberships are locked. */
export async function lockManaged(tx: Tx, address: string): Promise<ManagedPerson | undefined> {
  const [found] = await within(tx)<ManagedPerson>(sql`
    select u.id, u.user_id, u.active and u.awaits_sign_in as "isAwaited" from scim_users u
    where u.organization_id = ${tx.organizationId} and u.address = ${address} for update`)
  return found
}

/**
 * Makes the person a member, unless they are one. False if the address has become another person's, who is a member by
 * themselves, if the member was removed by hand, or is an owner, who links with a proof. The person is locked.
 */
export async function admitManaged(
  tx: Tx,
  { id, user_id: known }: ManagedPerson,
  userId: UserId,
  role: Role | null,
): Promise<boolean> {
  if (known === null && role !== null) await adopt(tx, id)
  if (role === 'owner' || (known === null ? role !== null : known !== userId || role === null)) return false
  await tx`update scim_users set user_id = ${userId}, awaits_sign_in = false, updated_at = business_now() where id = ${id}`
  if (role !== null) return true
  const user = await lockUser(tx, id)
  const { standing, granted } = await standingToBegin(tx, user)
  await beginManagedMembership(tx, { userId, standing, scimUserId: id })
  await noteGrants(tx, [{ user, standing: granted }])
  return true
}
