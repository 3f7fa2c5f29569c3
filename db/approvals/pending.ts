/** Pending approvals: what they wait for, how many there are, and the newest of them, without reading the others. */
import type { Viewer } from '../../domain/approvals/viewer.ts'
import { type ApprovalRequirements, whyNotApprover } from '../../domain/approvals/requirements.ts'
import type { UserId } from '../../domain/ids.ts'
import { type Fragment, type Reader, first, sql } from '../sql.ts'

/** A requirement that pending approvals share. */
export type PendingGroup = { readonly id: string; readonly wait: ApprovalRequirements }

/** A condition of `approvals`: not expired, although the expiry may not have been recorded yet. */
export const unexpired = (): Fragment => sql`and approvals.expires_at > (select business_now())`

/** A condition of `approvals` with their wait `w`: those that the viewer may see. */
export const visible = ({ userId, role, ownOnly }: Viewer): Fragment =>
  ownOnly
    ? sql`and (approvals.requester_id = ${userId} or ${role} = any (w.named_roles)
        or ${userId} = any (w.named_user_ids))`
    : sql``

/**
 * A condition of `approvals`. Their organization is not named beside it: what shares a requirement is of one, and an
 * index of the organization would find all that waits in it.
 */
const pendingAt = (wait: Fragment): Fragment => sql`approvals.status = 'pending' and approvals.wait_id = ${wait}`

/** Sorts as the index of a requirement does. */
const newestFirst = (): Fragment => sql`order by approvals.inserted_at desc, approvals.id desc`

/** Reads all that approvals of the organization wait for which have not expired: one of each is looked at. */
export const pendingGroups = (reader: Reader): Promise<PendingGroup[]> =>
  reader<PendingGroup>(sql`
    select w.id, w.wait from approval_waits w
    where w.organization_id = ${reader.organizationId}
      and (select true from approvals where ${pendingAt(sql`w.id`)} ${unexpired()} ${newestFirst()} limit 1)`)

/** Tells if the viewer could approve something now that waits for one of these. */
export const isActionable = (groups: readonly PendingGroup[], viewer: Viewer): boolean =>
  groups.some(({ wait }) => whyNotApprover(wait, viewer) === null)

/** How many pending approvals the viewer sees, and how many of them wait for one of `waits`. */
export type PendingCounts = { readonly total: number; readonly awaited: number }

/** Counts exactly, in one pass over an index: a hundred thousand take about ten milliseconds. */
export async function countVisible(
  reader: Reader,
  viewer: Viewer,
  { waits = [], conditions = sql`` }: { waits?: readonly string[]; conditions?: Fragment } = {},
): Promise<PendingCounts> {
  const counts = await first(
    reader<PendingCounts>(sql`
      select count(*)::integer as total,
        (count(*) filter (where visible.wait_id = any (${[...waits]}::uuid[])))::integer as awaited
      from (${visibleWaits(reader, viewer, conditions)}) visible`),
  )
  return counts ?? { total: 0, awaited: 0 }
}

/** Selects the requirement of each pending approval that the viewer sees. */
function visibleWaits(reader: Reader, viewer: Viewer, conditions: Fragment): Fragment {
  const pending = sql`
    select approvals.wait_id from approvals
    where approvals.organization_id = ${reader.organizationId} and approvals.status = 'pending' ${conditions}`
  if (!viewer.ownOnly) return pending
  const { own = null, waits } = sourcesOf(reader, viewer)
  return sql`
    ${pending} and approvals.requester_id = ${own}
      and not exists (select from (${waits}) named (id) where named.id = approvals.wait_id)
    union all
    select of_wait.wait_id from (${waits}) named (id) cross join lateral (
      select approvals.wait_id from approvals where ${pendingAt(sql`named.id`)} ${conditions} offset 0) of_wait`
}

/** `own`: what this person asked for. `waits`: what waits for one of these, a query for ids of waits. */
export type Sources = { readonly own?: UserId | undefined; readonly waits: Fragment }

/**
 * Selects the ids of the newest `limit` pending approvals of these sources, in no order. It reads that many of
 * each wait, because a hundred thousand newer ones may wait for something else. Conditions name the table `approvals`.
 */
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

/** Names what a viewer with a limited view sees: their own requests, and those that wait for their role or them. */
export const sourcesOf = (reader: Reader, { userId, role }: Viewer): Sources => ({
  own: userId,
  waits: sql`select id from approval_waits where organization_id = ${reader.organizationId}
    and (${role} = any (named_roles) or ${userId} = any (named_user_ids))`,
})
