/** Pending approvals: their requirements, their exact count, and the newest, without reading the others. */
import type { ApprovalRequirements, Reviewer, Viewer } from '../../domain/approvals/requirements.ts'
import type { Capacity } from '../../domain/permissions.ts'
import type { UserId } from '../../domain/ids.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'

export type PendingGroup = { readonly id: string; readonly wait: ApprovalRequirements }

/** Builds a condition of `approvals`: not expired, by time, since the expiry is recorded later. */
export const isUnexpired = (): Fragment => sql`and approvals.expires_at > (select business_now())`

/** Builds a condition of `approvals` with their wait `w`: visible to the viewer. */
export const visible = (w: Fragment, viewer: Viewer): Fragment =>
  viewer.ownOnly
    ? sql`and (approvals.requester_id = ${viewer.userId} or ${isReviewed(w, viewer, sql`approvals`)})`
    : sql``

/**
 * Builds a condition of an approval with its wait `w`: a step names the person. A substitute sees by their principals
 * what is pending, and later what they decided.
 */
export function isReviewed(w: Fragment, reviewer: Reviewer, approval: Fragment): Fragment {
  const { userId, role, principals } = reviewer
  const own = sql`${role} = any (${w}.named_roles) or ${userId} = any (${w}.named_user_ids)`
  const acting = principals?.length ? sql`or (${approval}.status = 'pending' and ${isNamed(principals)})` : sql``
  return sql`(${own} ${acting} or ${approval}.id in (
    select d.approval_id from approval_decisions d where d.user_id = ${userId} and d.on_behalf_of is not null))`
}

/** Builds a condition of requirements: a step names one of these capacities. */
const isNamed = (capacities: readonly Capacity[]): Fragment => sql`
  (named_roles && ${[...new Set(capacities.map(({ role }) => role))]}::text[]
    or named_user_ids && ${capacities.map(({ userId }) => userId)}::uuid[])`

/** Builds a condition of `approvals`. With the organization in it, Postgres would read all that is pending there. */
const pendingAt = (wait: Fragment): Fragment => sql`approvals.status = 'pending' and approvals.wait_id = ${wait}`

const newestFirst = (): Fragment => sql`order by approvals.inserted_at desc, approvals.id desc`

/** Reads the requirements of unexpired pending approvals, by one approval of each. */
export const pendingGroups = (reader: Reader): Promise<PendingGroup[]> =>
  reader<PendingGroup>(sql`
    select w.id, w.wait from approval_waits w
    where w.organization_id = ${reader.organizationId}
      and (select true from approvals where ${pendingAt(sql`w.id`)} ${isUnexpired()} ${newestFirst()} limit 1)`)

/** Counts the visible approvals, and those that wait for one of `waits`: exact, 100,000 in some 10 ms by an index. */
export async function countVisible(
  reader: Reader,
  viewer: Viewer,
  { waits = [], conditions = sql`` }: { waits?: readonly string[]; conditions?: Fragment } = {},
): Promise<{ readonly total: number; readonly awaited: number }> {
  // `in (select unnest())` hashes the ids; `= any()` of a parameter compares row by row: 10 ms of 100,000, not 6
  const [counts] = await reader<{ total: number; awaited: number }>(sql`
    select count(*)::integer as total,
      (count(*) filter (where visible.wait_id in (select unnest(${[...waits]}::uuid[]))))::integer as awaited
    from (${visibleWaits(reader, viewer, conditions)}) visible`)
  return counts ?? { total: 0, awaited: 0 }
}

function visibleWaits(reader: Reader, viewer: Viewer, conditions: Fragment): Fragment {
  const pending = sql`
    select approvals.wait_id from approvals
    where approvals.organization_id = ${reader.organizationId} and approvals.status = 'pending' ${conditions}`
  if (!viewer.ownOnly) return pending
  const { own, waits } = sourcesOf(reader, viewer)
  return sql`
    ${pending} and approvals.requester_id = ${own ?? null}
      and not exists (select from (${waits}) named (id) where named.id = approvals.wait_id)
    union all
    select of_wait.wait_id from (${waits}) named (id) cross join lateral (
      select approvals.wait_id from approvals where ${pendingAt(sql`named.id`)} ${conditions} offset 0) of_wait`
}

/** Sources of a list. `own`: the requester. `waits`: a query for ids of requirements. */
type Sources = { readonly own?: UserId | undefined; readonly waits: Fragment }

/** Selects the ids of the newest pending approvals of these sources: up to `limit` of each, then of all. */
export function newestPending(
  reader: Reader,
  { own, waits }: Sources,
  { conditions, limit }: { conditions: Fragment; limit: number },
): Fragment {
  const most = sql.unsafe(String(limit))
  const newest = (where: Fragment): Fragment => sql`
    select approvals.id, approvals.inserted_at from approvals where ${where} ${conditions} ${newestFirst()} limit ${most}`
  const ofWaits = sql`
    select of_wait.id, of_wait.inserted_at from (${waits}) named (id)
    cross join lateral (${newest(pendingAt(sql`named.id`))}) of_wait`
  const asked = sql`approvals.organization_id = ${reader.organizationId} and approvals.status = 'pending'
    and approvals.requester_id = ${own ?? null}`
  const all = own ? sql`(${newest(asked)}) union ${ofWaits}` : ofWaits
  return sql`select id from (${all}) found order by inserted_at desc, id desc limit ${most}`
}

/** Builds the sources of a limited view: the viewer's requests, and those that wait for one of their capacities. */
export const sourcesOf = (reader: Reader, { userId, role, principals }: Viewer): Sources => ({
  own: userId,
  waits: sql`select id from approval_waits where organization_id = ${reader.organizationId}
    and ${isNamed([{ userId, role }, ...(principals ?? [])])}`,
})
