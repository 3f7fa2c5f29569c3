/** Finding of a database that was restored to an earlier state, until an operator accepts it. */
import { refuse } from '../../domain/errors.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { asSystem, first, sql } from '../../db/postgres/sql.ts'

const KIND = 'database'
const CHECK = 'database_behind'

/** Tells if the database was found behind, and no operator has accepted that. */
export const isBehind = async (): Promise<boolean> =>
  (await first(sql`select from service_findings where kind = ${KIND} and resolved_at is null limit 1`)) !== undefined

/** A loss that others know of: `subject` names it as `event:<id>` or `payment:<id>`. */
export type Lost = { readonly organizationId: OrganizationId | null; readonly subject: string }

/** Records once what the database lacks, for the operator and its organizations. */
export async function noteBehind(lost: readonly Lost[]): Promise<void> {
  for (const { organizationId, subject } of lost) {
    if (!organizationId) continue
    await asSystem(
      organizationId,
      (tx) => tx`
        insert into audit_findings (organization_id, kind, check_name, subject)
        select o.id, ${KIND}, ${CHECK}, ${subject} from organizations o
        where o.id = ${organizationId} and not exists (select from audit_findings f
          where f.organization_id = o.id and f.kind = ${KIND} and f.subject = ${subject})
        on conflict do nothing`,
    )
  }
  await sql`
    insert into service_findings (kind, check_name, subject)
    select ${KIND}, ${CHECK}, l.subject from unnest(${lost.map(({ subject }) => subject)}::text[]) l (subject)
    where not exists (select from service_findings f where f.kind = ${KIND} and f.subject = l.subject)
    on conflict do nothing`
}

/**
 * Ends the warning: an operator has seen to what the database lacks. Answers how many organizations were warned.
 * Refuses `invalid_state` if the database is not behind.
 */
export async function acceptBehind(): Promise<number> {
  if (!(await isBehind())) refuse('invalid_state', { reason: 'not_behind' })
  const warned = await sql<{ id: OrganizationId }[]>`select id from organizations_with_findings(${KIND}, ${CHECK})`
  for (const { id } of warned) {
    await asSystem(
      id,
      (tx) => tx`
        update audit_findings set resolved_at = business_now()
        where organization_id = ${id} and kind = ${KIND} and resolved_at is null`,
    )
  }
  await sql`update service_findings set resolved_at = business_now() where kind = ${KIND} and resolved_at is null`
  return warned.length
}
