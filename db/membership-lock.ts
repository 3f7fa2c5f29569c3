/** Members of an organization and their roles, locked during a decision. */
import { lockMemberships } from './locks.ts'
import type { Person } from '../domain/actor.ts'
import type { Reviewer } from '../domain/approvals/requirements.ts'
import { refuse } from '../domain/errors.ts'
import { isGone } from '../domain/flows/undriven/organization.ts'
import { type Permission, type Role, can } from '../domain/permissions.ts'
import { type Reader, type Tx, sql } from './sql.ts'

/**
 * Locks the memberships of the organization until the transaction ends. Refuses `not_found` if the caller is no member
 * any more, and `forbidden` if they hold none of the permissions now, or not the only role that may.
 */
export async function requirePermissionLocked(
  tx: Tx,
  { userId }: Person,
  permissions: Permission | readonly Permission[],
  only?: Role,
): Promise<void> {
  const locked = lockMemberships(tx, 'keep')
  const members = tx<{ role: Role; status: string }[]>`
    select m.role, o.status from members m join organizations o on o.id = m.organization_id
    where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`.execute()
  const [, [found]] = await Promise.all([locked, members]) // pipelined: each command begins with these two
  if (!found || isGone(found.status)) refuse('not_found')
  if (only && found.role !== only) refuse('forbidden', { role: only })
  const [permission, ...others] = [permissions].flat()
  if (permission && ![permission, ...others].some((one) => can(found.role, one))) refuse('forbidden', { permission })
}

/** Lists the members with their roles, by id. */
export const membersWithRoles = (reader: Reader): Promise<Reviewer[]> =>
  reader<Reviewer>(sql`
    select user_id as "userId", role from members where organization_id = ${reader.organizationId} order by user_id`)
