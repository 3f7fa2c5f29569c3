/** Whom the service mails about an organization: the members who can do something about it. */
import { type Permission, type Role, ROLES, can } from '../../domain/permissions.ts'
import type { Tx } from '../sql.ts'

export type Manager = { readonly email: string; readonly organization: string }

/** The members of the organization who have a permission: their address, and the organization's name. */
export async function managersWith(tx: Tx, permission: Permission): Promise<Manager[]> {
  const managing: readonly Role[] = ROLES.filter((role) => can(role, permission))
  return tx<Manager[]>`
    select p.email, o.name as organization from members m join people p on p.id = m.user_id
    join organizations o on o.id = m.organization_id
    where m.organization_id = ${tx.organizationId} and m.role = any (${[...managing]}) order by p.id`
}
