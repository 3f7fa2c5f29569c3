/** Pending approvals: what they wait for, how many there are, and the newest of them, without reading the others. */
import type { Viewer } from '../model/approvals/viewer.ts'
import { type ApprovalRequirements, whyNotApprover } from '../model/approvals/requirements.ts'
import type { UserId } from '../model/ids.ts'
import { type Fragment, type Reader, first, sql } from '../sql.ts'

/** A requirement that pending approvals share; `live` if one of them has not expired. */
export type PendingGroup = { readonly id: string; readonly wait: ApprovalRequirements; readonly live: boolean }

/** A condition of `approvals`: not expired, although the expiry may not have been recorded yet. */
export const unexpired = (): Fragment => sql`and approvals.expires_at > (select business_now())`

const pendingOf = ({ organizationId }: Reader): Fragment => sql`
  approvals.organization_id = ${organizationId} and approvals.status = 'pending'`

/** Reads all that pending approvals of the organization wait for: from one to the next, whatever shares it. */
export function pendingGroups(reader: Reader): Promise<PendingGroup[]> {
  const next = (beyond: Fragment): Fragment => sql`
    (select approvals.wait_id from approvals where ${pendingOf(reader)} ${beyond} order by approvals.wait_id limit 1)`
  return reader<PendingGroup>(sql`
    with recursive waited (id) as (
      ${next(sql``)}
      union all
      select ${next(sql`and approvals.wait_id > waited.id`)} from waited where waited.id is not null)
    select waited.id, w.wait, exists (select from approvals
      where ${pendingOf(reader)} and approvals.wait_id = waited.id ${unexpired()}) as live
    from waited cross join lateral (select wait from approval_waits where id = waited.id offset 0) w`)
}

/** Tells if the viewer could approve something now that waits for one of these. */
export const isActionable = (groups: readonly PendingGroup[], viewer: Viewer): boolean =>
  groups.some(({ wait, live }) => live && whyNotApprover(wait, viewer) === null)

/** Of the pending approvals that the viewer sees, how many there are and how many wait for one of `waits`. */
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

/** A query for what each pending approval waits for that the viewer sees. */
function visibleWaits(reader: Reader, viewer: Viewer, conditions: Fragment): Fragment {
  const pending = sql`select approvals.wait_id from approvals where ${pendingOf(reader)}`
  if (!viewer.ownOnly) return sql`${pending} ${conditions} order by approvals.wait_id` // by its index
  const { own = null, waits } = sourcesOf(reader, viewer)
  return sql`
    ${pending} and approvals.requester_id = ${own} ${conditions}
      and not exists (select from (${waits}) named (id) where named.id = approvals.wait_id)
    union all
    select of_wait.wait_id from (${waits}) named (id) cross join lateral (
      ${pending} and approvals.wait_id = named.id ${conditions} offset 0) of_wait`
}

/** `own`: what this person asked for. `waits`: what waits for one of these, a query for ids of waits. */
export type Sources = { readonly own?: UserId | undefined; readonly waits: Fragment }

/**
 * A query for the ids of the newest `limit` pending approvals of these sources, in no order. It reads that many of
 * each wait, because a hundred thousand newer ones may wait for something else. Conditions name the table `approvals`.
 */
export function newestPending(
  reader: Reader,
  { own, waits }: Sources,
  { conditions, limit }: { conditions: Fragment; limit: number },
): Fragment {
  const newest = (where: Fragment): Fragment => sql`
    select approvals.id, approvals.inserted_at from approvals
    where approvals.organization_id = ${reader.organizationId} and approvals.status = 'pending' ${where} ${conditions}
    order by approvals.inserted_at desc, approvals.id desc limit ${limit}`
  const ofWaits = sql`
    select of_wait.id, of_wait.inserted_at from (${waits}) named (wait_id)
    cross join lateral (${newest(sql`and approvals.wait_id = named.wait_id`)}) of_wait`
  const all = own ? sql`(${newest(sql`and approvals.requester_id = ${own}`)}) union ${ofWaits}` : ofWaits
  return sql`select id from (${all}) found order by inserted_at desc, id desc limit ${limit}`
}

/** What a viewer who sees only some sees: what they asked for, and what waits for their role or them. */
export const sourcesOf = (reader: Reader, { userId, role }: Viewer): Sources => ({
  own: userId,
  waits: sql`select id from approval_waits where organization_id = ${reader.organizationId}
    and (${role} = any (named_roles) or ${userId} = any (named_user_ids))`,
})
