/** External ids and metadata of rows: written, changed, looked up, and refused if an id is taken. */
import { canonicalJson } from '../domain/canonical.ts'
import { refuse } from '../domain/errors.ts'
import {
  EXTERNAL_TABLES,
  type ExternalChange,
  type EXTERNAL_MEMBERS,
  type Metadata,
  mergeMetadata,
} from '../domain/external.ts'
import type { Permission } from '../domain/permissions.ts'
import { refusingIndexOf } from '../db/postgres/driver.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../db/postgres/sql.ts'

type ExternalMember = (typeof EXTERNAL_MEMBERS)[number]

/** Selects the members of an answer from a row `t`. */
export const externalColumns = (t: Fragment): Fragment => sql`${t}.external_id, ${t}.metadata`

/** Selects them as members of a JSON object. */
export const externalMembers = (t: Fragment): Fragment =>
  sql`'external_id', ${t}.external_id, 'metadata', ${t}.metadata`

/** Makes the columns of a new row. */
export const toExternalRow = ({ external_id: id, metadata }: ExternalChange) => ({
  external_id: id ?? null,
  metadata: sql.json({ ...mergeMetadata({}, metadata) }),
})

/** Filters of a list: an external id, and the ids that a request with an Idempotency-Key may have made. */
export type ExternalSearch = { readonly external_id?: string | undefined; readonly ids?: readonly string[] | undefined }

/** Builds the condition of the filters on rows `t`; each is a look by index. */
export const isExternal = (t: Fragment, { external_id: id, ids }: ExternalSearch): Fragment => sql`
  ${id === undefined ? sql`` : sql`and ${t}.external_id = ${id}`}
  ${ids === undefined ? sql`` : sql`and ${t}.id = any (${[...ids]}::uuid[])`}`

/** Splits the members of a body that are external from its own. */
export function splitExternal<Body extends ExternalChange>({ external_id, metadata, ...own }: Body) {
  const external: ExternalChange = { external_id, metadata }
  return { external, own }
}

/** Tells if a body changes nothing but external id and metadata, which change in any state. */
export const isExternalAlone = ({
  external,
  own,
}: {
  readonly external: ExternalChange
  readonly own: object
}): boolean =>
  Object.values(external).some((value) => value !== undefined) &&
  Object.values(own).every((value) => value === undefined)

/** Outcome of a change: the members that differ now, and what its event says. */
export type ExternalOutcome = {
  readonly changed: ExternalMember[]
  readonly logged: { readonly external_id?: string | null }
}

/**
 * Changes external id and metadata of a row in any state: absent leaves, null clears, metadata is merged by key. Sends
 * nothing if both are absent. Refuses `not_found`, and `invalid_request` for too many keys. The caller has checked that the
 * person may change the row, and records the event.
 */
export async function changeExternal(
  tx: Tx,
  table: keyof typeof EXTERNAL_TABLES,
  id: string,
  change: ExternalChange,
): Promise<ExternalOutcome> {
  if (change.external_id === undefined && change.metadata === undefined) return { changed: [], logged: {} }
  const t = sql(table)
  const [before] = await tx<{ external_id: string | null; metadata: Metadata }[]>`
    select external_id, metadata from ${t} where id = ${id} for no key update`
  if (!before) refuse('not_found')
  const { external_id: externalId = before.external_id } = change
  const metadata = mergeMetadata(before.metadata, change.metadata)
  const isRenamed = externalId !== before.external_id
  const isNoted = canonicalJson(metadata) !== canonicalJson(before.metadata)
  if (!isRenamed && !isNoted) return { changed: [], logged: {} }
  const dated = table === 'payment_destinations' ? sql`` : sql`, updated_at = business_now()`
  await tx`
    update ${t} set external_id = ${externalId}, metadata = ${sql.json({ ...metadata })} ${dated} where id = ${id}`
  const changed = [...(isRenamed ? (['external_id'] as const) : []), ...(isNoted ? (['metadata'] as const) : [])]
  return { changed, logged: isRenamed ? { external_id: externalId } : {} }
}

const SUFFIX = '_external_id'

/** Names the table whose unique index refused an external id; undefined for another error. */
export function tableOfTaken(error: unknown): string | undefined {
  const index = refusingIndexOf(error)
  const table = index?.endsWith(SUFFIX) ? index.slice(0, -SUFFIX.length) : ''
  return Object.hasOwn(EXTERNAL_TABLES, table) ? table : undefined
}

/** Lists the external ids in a body, also those of the parts in its lists. */
function externalIdsIn(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(externalIdsIn)
  if (typeof body !== 'object' || body === null) return []
  const { external_id: id } = body as { readonly external_id?: unknown }
  const lists = Object.values(body).filter(Array.isArray)
  return [...(typeof id === 'string' ? [id] : []), ...lists.flatMap(externalIdsIn)]
}

type Asker = { readonly userId: string | undefined; readonly can: (permission: Permission) => boolean }

/** Refuses `external_id_taken` with the id of the holder; null for callers who do not see it. */
export async function refuseTaken(reader: Reader, table: string, body: unknown, asker: Asker): Promise<never> {
  const { noun, sees, isDeletable } = EXTERNAL_TABLES[table] ?? refuse('external_id_taken')
  const holder = await first(
    reader<{ id: string; external_id: string; created_by: string | null }>(sql`
      select id, external_id, created_by from ${sql(table)}
      where organization_id = ${reader.organizationId} and external_id = any (${externalIdsIn(body)}::text[])
        ${isDeletable ? sql`and deleted_at is null` : sql``} limit 1`),
  )
  const isSeen = holder && (asker.can(sees) || holder.created_by === asker.userId)
  refuse('external_id_taken', { noun, external_id: holder?.external_id ?? null, id: isSeen ? holder.id : null })
}
