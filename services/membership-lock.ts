/** Members of an organization and their roles, locked during a decision. */
import { lockMemberships } from '../db/postgres/locks.ts'
import type { Person } from '../domain/people/actor.ts'
import type { Reviewer } from '../domain/approvals/requirements.ts'
import { refuse } from '../domain/errors.ts'
import { isGone } from '../domain/organizations/flow.ts'
import { DECIDING, type Permission, type Role, type Standing, can, mayDecide } from '../domain/permissions.ts'
import { type Fragment, type Reader, type Tx, sql } from '../db/postgres/sql.ts'

/**
 * Locks the memberships of the organization until the transaction ends. Refuses `not_found` if the caller is no member
 * any more, and `forbidden` if they hold none of the permissions now, may not decide, or have not the only role that may.
 */
export async function requirePermissionLocked(
  tx: Tx,
  { userId }: Person,
  permissions: Permission | readonly Permission[],
  { only, decides = false }: { readonly only?: Role | undefined; readonly decides?: boolean | undefined } = {},
): Promise<void> {
  const locked = lockMemberships(tx, 'keep')
  const members = tx<(Standing & { status: string })[]>`
    select m.role, m.permissions_removed as removed, o.status from members m join organizations o on o.id = m.organization_id
    where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`.execute()
  const [, [found]] = await Promise.all([locked, members]) // pipelined: each command begins with these two
  if (!found || isGone(found.status)) refuse('not_found')
  if (only && found.role !== only) refuse('forbidden', { role: only })
  if (decides && !mayDecide(found)) refuse('forbidden', { permission: DECIDING })
  const [permission, ...others] = [permissions].flat()
  if (permission && ![permission, ...others].some((one) => can(found, one))) refuse('forbidden', { permission })
}

/** Lists the members with their roles and principals, by id. */
export const membersWithRoles = (reader: Reader): Promise<Reviewer[]> =>
  reader<Reviewer>(sql`
    select m.user_id as "userId", m.role, m.permissions_removed as removed, acting.principals from members m ${joinPrincipals(sql`m`, reader)}
    where m.organization_id = ${reader.organizationId} order by m.user_id`)

/** Joins `acting.principals` to members `m`: whose substitutes they are now; null for most. */
export const joinPrincipals = (m: Fragment, reader: Reader): Fragment => sql`
  left join (
    select s.substitute_id, jsonb_agg(jsonb_build_object('userId', p.user_id, 'role', p.role,
        'removed', p.permissions_removed, 'substitutionId', s.id)
      order by s.inserted_at, s.id) as principals
    from substitutions s join members p on p.organization_id = s.organization_id and p.user_id = s.user_id
    where s.organization_id = ${reader.organizationId} and s.ended_at is null
      and s.starts_at <= (select business_now()) and s.ends_at > (select business_now())
    group by s.substitute_id) acting on acting.substitute_id = ${m}.user_id`
