/** Dimensions and their values: what is not named any more is archived, and never deleted. */
import type { Dimension, NewDimensions } from '../../domain/coding/dimension.ts'
import { dimensionEvents } from '../../domain/coding/events.ts'
import { newCause, record } from '../events.ts'
import { instantText } from '../../db/postgres/fragments.ts'
import { type Reader, type Tx, sql } from '../../db/postgres/sql.ts'
import { archiveOthers, lockOrganization } from './codes.ts'

/** Lists the dimensions with their values, by code. */
export const listDimensions = (reader: Reader): Promise<Dimension[]> =>
  reader<Dimension>(sql`
    select d.code, d.name, ${instantText(sql`d.archived_at`)} as archived_at, (
      select coalesce(json_agg(json_build_object('code', v.code, 'name', v.name,
        'archived_at', ${instantText(sql`v.archived_at`)}) order by v.code), '[]')
      from dimension_values v where v.organization_id = d.organization_id and v.dimension = d.code) as values
    from dimensions d where d.organization_id = ${reader.organizationId} order by d.code`)

/** Replaces the dimensions: what is not named is archived, archived ones that are named come back. */
export async function replaceDimensions(tx: Tx, { dimensions }: NewDimensions): Promise<void> {
  await lockOrganization(tx)
  const written = await tx<{ dimension: string }[]>`
    insert into dimensions as d (organization_id, code, name)
    select ${tx.organizationId}, n.code, n.name
    from jsonb_to_recordset(${tx.json(dimensions.map(({ code, name }) => ({ code, name })))}) n (code text, name text)
    on conflict (organization_id, code) do update
    set name = excluded.name, archived_at = null, updated_at = business_now()
    where d.name <> excluded.name or d.archived_at is not null returning code as dimension`
  const archived = (await archiveOthers(tx, 'dimensions', dimensions)).map((dimension) => ({ dimension }))
  const changed = [...written, ...archived, ...(await writeValues(tx, dimensions))]
  if (changed.length === 0) return
  const payload = { changed: [...new Set(changed.map(({ dimension }) => dimension))].toSorted() }
  await record(tx, dimensionEvents.changed, { subjectId: tx.organizationId, cause: newCause(), payload })
}

async function writeValues(tx: Tx, dimensions: NewDimensions['dimensions']): Promise<{ dimension: string }[]> {
  const given = dimensions.flatMap(({ code: dimension, values }) =>
    values.map(({ code, name }) => ({ dimension, code, name })),
  )
  const written = await tx<{ dimension: string }[]>`
    insert into dimension_values as v (organization_id, dimension, code, name)
    select ${tx.organizationId}, n.dimension, n.code, n.name
    from jsonb_to_recordset(${tx.json(given)}) n (dimension text, code text, name text)
    on conflict (organization_id, dimension, code) do update
    set name = excluded.name, archived_at = null, updated_at = business_now()
    where v.name <> excluded.name or v.archived_at is not null returning dimension`
  const archived = await tx<{ dimension: string }[]>`
    update dimension_values v set archived_at = business_now(), updated_at = business_now()
    where v.archived_at is null and v.dimension = any (${dimensions.map(({ code }) => code)}::text[]) and not exists (
      select from jsonb_to_recordset(${tx.json(given)}) n (dimension text, code text)
      where n.dimension = v.dimension and n.code = v.code)
    returning v.dimension`
  return [...written, ...archived]
}
