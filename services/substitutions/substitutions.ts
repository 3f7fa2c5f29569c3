/** Substitutions: read one by one, and listed. */
import { refuse } from '../../domain/errors.ts'
import type { Page } from '../../domain/pagination.ts'
import type { Substitution, SubstitutionFilters } from '../../domain/substitutions/substitution.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

const nameOf = (person: Fragment): Fragment => sql`
  (select ${fullName(sql`p`)} from people p where p.id = ${person})`

const selectSubstitution = (): Fragment => sql`
  select substitutions.id, organization_id, user_id, ${nameOf(sql`user_id`)} as user_name, substitute_id,
    ${nameOf(sql`substitute_id`)} as substitute_name, starts_at as from, ends_at as until, reason,
    case when is_in_force(substitutions) then 'active' when ended_at is null and starts_at > business_now() then 'planned'
      else 'ended' end as status,
    created_by, substitutions.inserted_at as created_at, ended_at, ended_by, end_reason
  from substitutions where true`

/** Reads a substitution of the reader's organization; refuses `not_found`. */
export async function findSubstitution(reader: Reader, id: string): Promise<Substitution> {
  const found = await first(
    reader<Substitution>(sql`
      ${selectSubstitution()} and substitutions.id = ${id} and organization_id = ${reader.organizationId}`),
  )
  return found ?? refuse('not_found')
}

/** Lists substitutions, also those that ended, newest first. */
export function listSubstitutions(reader: Reader, filters: SubstitutionFilters): Promise<Page<Substitution>> {
  const { active, user_id: userId, substitute_id: substituteId } = filters
  const inForce = active === undefined ? sql`` : sql`and is_in_force(substitutions) = ${active}`
  const ofPrincipal = userId ? sql`and user_id = ${userId}` : sql``
  const bySubstitute = substituteId ? sql`and substitute_id = ${substituteId}` : sql``
  return pageOf<Substitution>(
    reader,
    'substitutions',
    filters,
    sql`${selectSubstitution()} ${inForce} ${ofPrincipal} ${bySubstitute}`,
  )
}
