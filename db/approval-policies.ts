/** Which rule of an organization's approval policy applies to what is asked for. */
import { type Asked, type Rule, policyOf, ruleFor } from './model/approval-policy.ts'
import type { Policy } from './model/consensus.ts'
import type { UserId } from './model/ids.ts'
import type { Role } from './model/permissions.ts'
import { type Reader, type Tx, first, sql, within } from './sql.ts'

/** The rules that the organization has set, in force now; none where it never set any. */
export async function rulesOf(reader: Reader): Promise<readonly Rule[]> {
  const row = await first(
    reader<{ rules: Rule[] }>(sql`
      select rules from approval_policies where organization_id = ${reader.organizationId}`),
  )
  return row?.rules ?? []
}

/** Whether a policy in force, or one that an approval waits at, names the person or their role: then they may review. */
export async function isReviewer(reader: Reader, userId: UserId, role: Role): Promise<boolean> {
  const organization = reader.organizationId
  const named = (table: string) => sql`(${role} = any (${sql(table)}.named_roles)
    or ${userId} = any (${sql(table)}.named_user_ids))`
  const row = await first(
    reader<{ named: boolean }>(sql`
      select exists (select from approval_policies p where p.organization_id = ${organization} and ${named('p')})
        or exists (select from approval_waits w where w.organization_id = ${organization} and ${named('w')}
          and exists (select from approvals a where a.wait_id = w.id and a.status = 'pending')) as named`),
  )
  return row?.named ?? false
}

/** What an approval copies of the rule that applies now, or null where nobody has to approve. */
export async function policyFor(tx: Tx, asked: Asked): Promise<Policy | null> {
  const rule = ruleFor(await rulesOf(within(tx)), asked)
  return rule && policyOf(rule)
}
