/** Log of requests to the API, as their organization reads it. */
import { refuse } from '../../domain/errors.ts'
import { type Page, refuseCursor } from '../../domain/pagination.ts'
import { type LoggedRequest, REQUEST_DAYS, type RequestFilters, SCANNED_MAX } from '../../domain/requests/request.ts'
import { timeRange } from '../../db/postgres/filters.ts'
import { toPage } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

/**
 * Lists the requests that fit the filters, newest first. A page looks through SCANNED_MAX of them at most: it may have
 * fewer than its limit, and the next page goes on behind what it has looked through.
 */
export async function listRequests(reader: Reader, filters: RequestFilters): Promise<Page<LoggedRequest>> {
  const { limit, cursor } = filters
  const conditions = conditionsOf(sql`r`, filters)
  const rows = await reader<LoggedRequest>(sql`
    select ${columns(sql`r`)} from (${scan(reader, filters)} limit ${sql.unsafe(String(SCANNED_MAX))}) r
    ${conditions.length > 0 ? sql`where true ${conditions}` : sql``}
    order by r.inserted_at desc, r.id desc limit ${limit + 1}`)
  if (rows.length === 0 && cursor) await requireKnown(reader, cursor)
  const page = toPage(rows, limit)
  if (page.has_more || conditions.length === 0) return page
  const last = await first(
    reader<{ id: string }>(sql`${scan(reader, filters)} offset ${sql.unsafe(String(SCANNED_MAX - 1))} limit 1`),
  )
  return last ? { ...page, has_more: true, next_cursor: last.id } : page
}

/**
 * Finds the request with this id. Of several, one that was refused comes first, then the newest. Refuses `not_found`.
 */
export async function findRequest(reader: Reader, requestId: string): Promise<LoggedRequest> {
  const rows = await reader<LoggedRequest>(sql`
    select ${columns(sql`r`)} from (
      ${scan(reader, { request_id: requestId })} limit ${sql.unsafe(String(SCANNED_MAX))}) r
    order by r.status >= 400 desc, r.inserted_at desc, r.id desc limit 1`)
  return rows[0] ?? refuse('not_found')
}

type Scan = Pick<RequestFilters, 'cursor' | 'from' | 'to' | 'request_id' | 'status' | 'status_class' | 'error_type'>

/** Selects what a page looks through, newest first: each condition here is of an index. */
function scan({ organizationId }: Reader, filters: Scan): Fragment {
  const { cursor, request_id: requestId } = filters
  return sql`
    select q.* from requests q
    where q.organization_id = ${organizationId}
      and q.inserted_at >= business_now() - make_interval(days => ${REQUEST_DAYS})
      ${timeRange(sql`q.inserted_at`, filters)}
      ${requestId ? sql`and q.request_id = ${requestId}` : sql``}
      ${takesErrorsAlone(filters) ? sql`and q.status >= 400` : sql``}
      ${
        cursor
          ? sql`and (q.inserted_at, q.id) < ((select c.inserted_at from requests c
              where c.id = ${cursor} and c.organization_id = ${organizationId}), ${cursor}::uuid)`
          : sql``
      }
    order by q.inserted_at desc, q.id desc`
}

const takesErrorsAlone = ({ status = 0, status_class: of = '2xx', error_type: type }: Scan): boolean =>
  status >= 400 || ['4xx', '5xx', 'errors'].includes(of) || type !== undefined

/** Lists the conditions of the filters that no index has. */
function conditionsOf(r: Fragment, filters: RequestFilters): Fragment[] {
  const { status, status_class: of, error_type: type, operation } = filters
  const { api_key_id: key, delegate_id: delegate, user_id: user } = filters
  const from = of && of !== 'errors' ? Number(of[0]) * 100 : undefined
  return [
    ...(status === undefined ? [] : [sql`and ${r}.status = ${status}`]),
    ...(from === undefined ? [] : [sql`and ${r}.status between ${from} and ${from + 99}`]),
    ...(type === undefined ? [] : [sql`and ${r}.error_type = ${type}`]),
    ...(operation === undefined ? [] : [sql`and ${r}.operation = ${operation}`]),
    ...(key === undefined ? [] : [sql`and coalesce(${r}.api_key_id, ${r}.scim_token_id) = ${key}`]),
    ...(delegate === undefined ? [] : [sql`and ${r}.delegate_id = ${delegate}`]),
    ...(user === undefined ? [] : [sql`and ${r}.user_id = ${user}`]),
  ]
}

const columns = (r: Fragment): Fragment => sql`
  ${r}.id, ${r}.request_id, ${r}.inserted_at as received_at,
  case when coalesce(${r}.api_key_id, ${r}.scim_token_id) is not null then 'api_key' when ${r}.delegate_id is not null then 'delegate'
    else 'session' end as credential_kind,
  coalesce(${r}.api_key_id, ${r}.delegate_id, ${r}.scim_token_id) as credential_id,
  coalesce((select k.name from api_keys k where k.id = ${r}.api_key_id),
    (select d.name from delegates d where d.id = ${r}.delegate_id),
    (select t.name from scim_tokens t where t.id = ${r}.scim_token_id)) as credential_name,
  ${r}.user_id, ${r}.operation, ${r}.method, ${r}.path, ${r}.status, ${r}.error_type, ${r}.milliseconds, ${r}.user_agent`

async function requireKnown(reader: Reader, cursor: string): Promise<void> {
  const known = await reader(sql`
    select r.id from requests r where r.id = ${cursor} and r.organization_id = ${reader.organizationId}`)
  if (known.length === 0) refuseCursor()
}
