/** Findings about all books, for files that share a service with others. */
import { owner } from '../database.ts'
import type { Finding } from '../../../domain/audit/audit.ts'
import { checkService } from '../../../services/audit/findings.ts'

/** Lists findings about an organization and all books; others are of rows that other files write past their runs. */
export async function findingsAbout(organizationId: string): Promise<Finding[]> {
  const found = await checkService()
  const subjects = found.map(({ subject }) => subject)
  const others = await owner<{ id: string }[]>`
    select id from (
      select id::text, organization_id from payments union all
      select id::text, organization_id from approvals union all
      select decision_id::text, organization_id from approval_decisions union all
      select id::text, organization_id from payment_destinations union all
      select id::text, id from organizations) t
    where id = any (${subjects}) and organization_id <> ${organizationId}`
  return found.filter(({ subject }) => !others.some(({ id }) => id === subject))
}
