/** Books at the stand-in of Xero, and the rate limit of each. */
import type { Page } from '../../domain/pagination.ts'
import type {
  SandboxItem,
  SandboxItemsQuery,
  SandboxItemType,
  SandboxTenant,
  SandboxTenantsQuery,
} from '../../domain/sandbox/accounting.ts'
import { toPage } from '../../db/postgres/pagination.ts'
import { refuseCursor } from '../../domain/pagination.ts'
import { type Transaction, first, sql, transaction } from '../../db/postgres/sql.ts'

export const [MINUTE_LIMIT, DAY_LIMIT] = [60, 5000]
const KEY_MINUTES = 6

export type CallCount = {
  /** Limit that refuses the call; null if none does. */
  readonly problem: 'minute' | 'day' | null
  readonly minuteLeft: number
  readonly dayLeft: number
  readonly retrySeconds: number
}

/** Counts a call. A fixed window begins with the first call after the last window. */
export async function countCall(tenantId: string): Promise<CallCount> {
  const counted = await first(sql<CallCount[]>`
    with known as (
      select id, business_now() as moment,
        case when minute_started_at > business_now() - interval '1 minute' then minute_started_at
          else business_now() end as minute_at,
        case when minute_started_at > business_now() - interval '1 minute' then minute_calls else 0 end as minute_calls,
        case when day_started_at > business_now() - interval '1 day' then day_started_at else business_now() end as day_at,
        case when day_started_at > business_now() - interval '1 day' then day_calls else 0 end as day_calls
      from sandbox_accounting_tenants where id = ${tenantId} for update),
    judged as (
      select k.*, case when day_calls >= ${DAY_LIMIT} then 'day' when minute_calls >= ${MINUTE_LIMIT} then 'minute' end
        as problem from known k)
    update sandbox_accounting_tenants t set
      minute_started_at = j.minute_at, minute_calls = j.minute_calls + (j.problem is null)::integer,
      day_started_at = j.day_at, day_calls = j.day_calls + (j.problem is null)::integer,
      calls = t.calls + (j.problem is null)::integer,
      limited_calls = t.limited_calls + (j.problem is not null)::integer
    from judged j where t.id = j.id
    returning j.problem, ${MINUTE_LIMIT}::integer - t.minute_calls as "minuteLeft",
      ${DAY_LIMIT}::integer - t.day_calls as "dayLeft",
      greatest(1, ceil(extract(epoch from
        case j.problem when 'day' then j.day_at + interval '1 day' else j.minute_at + interval '1 minute' end
        - j.moment)))::integer as "retrySeconds"`)
  if (!counted) throw new Error('there are no such books')
  return counted
}

export type Body = Readonly<Record<string, unknown>>

export type Books = {
  readonly tenantId: string
  readonly list: (type: SandboxItemType) => Promise<Body[]>
  readonly insert: (type: SandboxItemType, id: string, body: Body) => Promise<void>
  readonly replace: (id: string, body: Body) => Promise<void>
}

export type BooksAnswer = { readonly status: number; readonly body: unknown }
export type KeyedRequest = { readonly key: string; readonly requestHash: string }

/**
 * Works in the books of a tenant, one call at a time. A known key replays the first outcome, or `other` for another
 * request. A throw is not recorded.
 */
export const inBooks = (
  tenantId: string,
  keyed: KeyedRequest | null,
  work: (books: Books) => Promise<BooksAnswer>,
): Promise<BooksAnswer | 'other'> =>
  transaction(async (tx) => {
    await tx`select from sandbox_accounting_tenants where id = ${tenantId} for update`
    if (keyed === null) return work(booksOf(tx, tenantId))
    await tx`
      delete from sandbox_accounting_answers
      where tenant_id = ${tenantId} and made_at < business_now() - make_interval(mins => ${KEY_MINUTES})`
    const known = await first(tx<(BooksAnswer & { request_hash: string })[]>`
      select status, body, request_hash from sandbox_accounting_answers
      where tenant_id = ${tenantId} and key = ${keyed.key}`)
    if (known) {
      return known.request_hash === keyed.requestHash ? { status: known.status, body: known.body } : ('other' as const)
    }
    const answered = await work(booksOf(tx, tenantId))
    await tx`
      insert into sandbox_accounting_answers (tenant_id, key, request_hash, status, body)
      values (${tenantId}, ${keyed.key}, ${keyed.requestHash}, ${answered.status}, ${sql.json(answered.body as never)})`
    return answered
  })

const booksOf = (tx: Transaction, tenantId: string): Books => ({
  tenantId,
  async list(type) {
    const rows = await tx<{ body: Body }[]>`
      select body from sandbox_accounting_items where tenant_id = ${tenantId} and type = ${type} order by seq`
    return rows.map(({ body }) => body)
  },
  async insert(type, id, body) {
    await tx`
      insert into sandbox_accounting_items (tenant_id, id, type, body)
      values (${tenantId}, ${id}, ${type}, ${sql.json(body as never)})`
  },
  async replace(id, body) {
    await tx`
      update sandbox_accounting_items set body = ${sql.json(body as never)}, updated_at = business_now()
      where tenant_id = ${tenantId} and id = ${id}`
  },
})

export async function listTenants({ limit, cursor }: SandboxTenantsQuery): Promise<Page<SandboxTenant>> {
  const after = cursor === undefined ? null : await seqOfTenant(cursor)
  if (after === undefined) refuseCursor()
  const rows = await sql<SandboxTenant[]>`
    select t.id, t.name, t.base_currency, t.calls::integer, t.limited_calls::integer, t.made_at as created_at,
      coalesce((select jsonb_object_agg(n.type, n.count) from (
        select type, count(*)::integer as count from sandbox_accounting_items i where i.tenant_id = t.id group by type) n),
        '{}') as items
    from sandbox_accounting_tenants t
    where ${after}::bigint is null or t.seq < ${after}
    order by t.seq desc limit ${limit + 1}`
  return toPage([...rows], limit)
}

/** Lists items in a tenant's books, newest first; undefined for an unknown tenant. */
export async function listItems(tenantId: string, query: SandboxItemsQuery): Promise<Page<SandboxItem> | undefined> {
  if ((await seqOfTenant(tenantId)) === undefined) return undefined
  const [type, cursor] = [query.type ?? null, query.cursor ?? null]
  const after =
    cursor === null
      ? { seq: null }
      : await first(sql<{ seq: string }[]>`
          select seq from sandbox_accounting_items where tenant_id = ${tenantId} and id = ${cursor}`)
  if (!after) refuseCursor()
  const rows = await sql<SandboxItem[]>`
    select id, type, body, made_at as created_at, updated_at from sandbox_accounting_items
    where tenant_id = ${tenantId} and (${type}::text is null or type = ${type})
      and (${after.seq}::bigint is null or seq < ${after.seq})
    order by seq desc limit ${query.limit + 1}`
  return toPage([...rows], query.limit)
}

const seqOfTenant = async (id: string): Promise<string | undefined> =>
  (await first(sql<{ seq: string }[]>`select seq from sandbox_accounting_tenants where id = ${id}`))?.seq
