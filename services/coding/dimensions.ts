/** Dimensions and their values: what is not named any more is archived, and never deleted. */
import { DIMENSIONS_MAX, type Dimension, type NewDimensions, VALUES_MAX } from '../../domain/coding/dimension.ts'
import { dimensionEvents } from '../../domain/coding/events.ts'
import { newCause, record } from '../events.ts'
import { instantText } from '../../db/postgres/fragments.ts'
import { type Reader, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { archiveOthers, lockOrganization, requireRoom } from './codes.ts'

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
  const written = await writeDimensions(tx, dimensions)
  const archived = (await archiveOthers(tx, 'dimensions', dimensions)).map((dimension) => ({ dimension }))
  const values = await writeValues(tx, dimensions)
  await recordChange(tx, [...written, ...archived, ...values, ...(await archiveValues(tx, dimensions))])
}

/** Adds tracking options to the dimension of the same code or name, or to a new one; others stay. */
export async function takeTracking(tx: Tx, options: readonly Option[]): Promise<void> {
  if (options.length === 0) return
  const known = await listDimensions(within(tx))
  const codeOf = codeIn(known)
  const byCode = new Map<string, NewDimensions['dimensions'][number]>()
  for (const { category, option } of options) {
    const code = codeOf(category)
    const dimension = known.find((one) => one.code === code)
    const one = byCode.get(code) ?? { code, name: dimension?.name ?? category, values: [] }
    byCode.set(code, one)
    const value = codeIn(dimension?.values ?? [])(option)
    const name = dimension?.values.find((its) => its.code === value)?.name ?? option
    if (one.values.every((other) => other.code !== value)) one.values.push({ code: value, name })
  }
  const taken = [...byCode.values()]
  await recordChange(tx, [...(await writeDimensions(tx, taken)), ...(await writeValues(tx, taken))])
}

type Option = { readonly category: string; readonly option: string }

/** Finds the code of a name among known ones: an equal code, else an equal name, else the name itself. */
const codeIn =
  (known: readonly { readonly code: string; readonly name: string }[]) =>
  (wanted: string): string => {
    const isEqual = (one: string) => one.toLowerCase() === wanted.toLowerCase()
    return (known.find(({ code }) => isEqual(code)) ?? known.find(({ name }) => isEqual(name)))?.code ?? wanted
  }

async function recordChange(tx: Tx, changed: readonly { readonly dimension: string }[]): Promise<void> {
  if (changed.length === 0) return
  await requireRoom(tx, 'dimensions', DIMENSIONS_MAX)
  await requireRoom(tx, 'dimension_values', VALUES_MAX)
  const payload = { changed: [...new Set(changed.map(({ dimension }) => dimension))].toSorted() }
  await record(tx, dimensionEvents.changed, { subjectId: tx.organizationId, cause: newCause(), payload })
}

type Dimensions = NewDimensions['dimensions']

const writeDimensions = (tx: Tx, dimensions: Dimensions) =>
  tx<{ dimension: string }[]>`
    insert into dimensions as d (organization_id, code, name)
    select ${tx.organizationId}, n.code, n.name
    from jsonb_to_recordset(${tx.json(dimensions.map(({ code, name }) => ({ code, name })))}) n (code text, name text)
    on conflict (organization_id, code) do update
    set name = excluded.name, archived_at = null, updated_at = business_now()
    where d.name <> excluded.name or d.archived_at is not null returning code as dimension`

const valuesIn = (dimensions: Dimensions) =>
  dimensions.flatMap(({ code: dimension, values }) => values.map(({ code, name }) => ({ dimension, code, name })))

const writeValues = (tx: Tx, dimensions: Dimensions) =>
  tx<{ dimension: string }[]>`
    insert into dimension_values as v (organization_id, dimension, code, name)
    select ${tx.organizationId}, n.dimension, n.code, n.name
    from jsonb_to_recordset(${tx.json(valuesIn(dimensions))}) n (dimension text, code text, name text)
    on conflict (organization_id, dimension, code) do update
    set name = excluded.name, archived_at = null, updated_at = business_now()
    where v.name <> excluded.name or v.archived_at is not null returning dimension`

const archiveValues = (tx: Tx, dimensions: Dimensions) =>
  tx<{ dimension: string }[]>`
    update dimension_values v set archived_at = business_now(), updated_at = business_now()
    where v.archived_at is null and v.dimension = any (${dimensions.map(({ code }) => code)}::text[]) and not exists (
      select from jsonb_to_recordset(${tx.json(valuesIn(dimensions))}) n (dimension text, code text)
      where n.dimension = v.dimension and n.code = v.code)
    returning v.dimension`
