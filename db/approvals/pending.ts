/** Queues: what pending approvals wait for, how many for each, and the newest of them, without reading the others. */
import type { Viewer } from '../model/approvals/viewer.ts'
import { type ApprovalRequirements, whyNotApprover, reviews } from '../model/approvals/requirements.ts'
import type { UserId } from '../model/ids.ts'
import { type Fragment, type Reader, sql } from '../sql.ts'

/** What pending approvals wait for, and how many for each; `late` are those of them that have expired. */
export type PendingGroup = {
  readonly id: string
  readonly wait: ApprovalRequirements
  readonly pending: number
  readonly late: number
  /** Of those that the viewer asked for, if the viewer sees only some. */
  readonly own: number
  readonly own_late: number
}

/**
 * All that pending approvals of the organization wait for, with exact numbers, in one statement. It reads no approvals
 * but those that have expired and those that the viewer asked for if the viewer sees only some.
 */
export async function pendingGroups(reader: Reader, viewer: Viewer): Promise<PendingGroup[]> {
  const counted = (what: Fragment, where: Fragment): Fragment => sql`
    (select a.wait_id, ${what} from approvals a
      where a.organization_id = ${reader.organizationId} and a.status = 'pending' and ${where} group by a.wait_id)`
  const own = viewer.ownOnly ? sql`a.requester_id = ${viewer.userId}` : sql`false`
  const late = counted(
    sql`count(*) as late, count(*) filter (where ${own}) as own_late`,
    sql`a.expires_at <= business_now()`,
  )
  const mine = sql`left join ${counted(sql`count(*) as own`, own)} mine on mine.wait_id = w.id`
  const rows = await reader<{ [Column in keyof PendingGroup]: PendingGroup[Column] | string | null }>(sql`
    select w.id, w.wait, c.pending, late.late, late.own_late, ${viewer.ownOnly ? sql`mine.own` : sql`0 as own`}
    from (select wait_id, sum(change) as pending from approval_wait_counts
      where organization_id = ${reader.organizationId} group by wait_id having sum(change) > 0) c
    join approval_waits w on w.id = c.wait_id
    left join ${late} late on late.wait_id = w.id
    ${viewer.ownOnly ? mine : sql``}`)
  return rows.map((row) => ({
    id: String(row.id),
    wait: row.wait as ApprovalRequirements, // as writeRequirements() wrote it
    pending: Number(row.pending),
    late: Number(row.late),
    own: Number(row.own),
    own_late: Number(row.own_late),
  }))
}

/**
 * Of these queues: how many approvals the viewer sees (`total`), how many of them have not expired (`live`), and how
 * many of those they could approve now.
 */
export function countPending(queues: readonly PendingGroup[], viewer: Viewer) {
  let [total, live, actionable] = [0, 0, 0]
  for (const { wait, pending, late, own, own_late: ownLate } of queues) {
    const all = !viewer.ownOnly || reviews(wait, viewer)
    total += all ? pending : own
    live += all ? pending - late : own - ownLate
    if (whyNotApprover(wait, viewer) === null) actionable += pending - late
  }
  return { total, live, actionable }
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
