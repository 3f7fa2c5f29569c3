import { type ItemOf, type Kind, type ViewerSeverity, itemAction, itemSubject } from '../attention-kind.ts'
import {
  type PendingGroup,
  countVisible,
  newestPending,
  pendingGroups,
  sourcesOf,
  isUnexpired,
  visible,
} from './pending.ts'
import { type TargetType, titleOfTarget } from '../../domain/approvals/approval.ts'
import { joinSentences } from '../../domain/approvals/sentence.ts'
import { type AttentionFilters, LISTED_PER_KIND_MAX } from '../../domain/attention/attention.ts'
import {
  type ApprovalRequirements,
  type Reviewer,
  type Viewer,
  findCapacities,
  isSubstitute,
  whyNotApprover,
  isSatisfiable,
  reviews,
} from '../../domain/approvals/requirements.ts'
import { uuid } from '../../domain/text.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'

const Action = itemAction('review_approval', { approval_request_id: uuid })
export const ApprovalSubject = itemSubject('approval', { approval_request_id: uuid })

type Facts = { target_type: TargetType; summary: string | null; wait: ApprovalRequirements }

export const reviewApproval: Kind<Facts, typeof Action, typeof ApprovalSubject> = {
  kind: 'review_approval',
  audience: 'organization',
  action: Action,
  subjects: [ApprovalSubject],
  items: (reader, viewer) => itemsFrom(sql`approvals`, reader, viewer),
  raisedAt: (reader, id) => sql`
    (select a.inserted_at from approvals a where a.id = ${id} and a.organization_id = ${reader.organizationId})`,
  /** Filters by requirements first, so that filters choose among all approvals. */
  listed: async (reader, filters, viewer, members) => {
    const queues = await queuesFor(reader, filters, viewer, members)
    if (queues?.length === 0) return []
    const items = itemsFrom(newestOf(reader, viewer, queues), reader, viewer)
    return [sql`${items} order by approvals.inserted_at desc, approvals.id desc limit ${LISTED_PER_KIND_MAX}`]
  },
  count: async (reader, viewer) => {
    const groups = await pendingGroups(reader)
    const waits = groups.filter(({ wait }) => whyNotApprover(wait, viewer) === null).map(({ id }) => id)
    const { total, awaited } = await countVisible(reader, viewer, { waits, conditions: isUnexpired() })
    return { actionable: awaited, total }
  },
  describe,
}

const itemsFrom = (approvals: Fragment, reader: Reader, viewer: Viewer): Fragment => sql`
  select approvals.id as obligation_id, approvals.inserted_at as raised_at, approvals.expires_at as due_at,
    approvals.target_type, approvals.summary, w.wait
  from ${approvals}
  cross join lateral (select * from approval_waits one where one.id = approvals.wait_id offset 0) w
  where approvals.organization_id = ${reader.organizationId} and approvals.status = 'pending' ${isUnexpired()}
    ${visible(sql`w`, viewer)}`

/** Reads the requirements that match the filters; null if no filter depends on them. */
async function queuesFor(
  reader: Reader,
  { severity, actionable }: AttentionFilters,
  viewer: Viewer,
  members: Promise<readonly Reviewer[]>,
): Promise<PendingGroup[] | null> {
  if (!severity && actionable === undefined) return null
  const [queues, people] = await Promise.all([pendingGroups(reader), members])
  return queues.filter(({ wait }) => {
    const standing = severityOf(wait, viewer, people)
    if (severity && standing.severity !== severity) return false
    return actionable === undefined || standing.actionable_by_viewer === actionable
  })
}

/** Selects `approvals`: the newest that the viewer sees of these groups, or of all if none are named. */
function newestOf(reader: Reader, viewer: Viewer, queues: readonly PendingGroup[] | null): Fragment {
  const { ownOnly, userId } = viewer
  if (!queues && !ownOnly) return sql`approvals`
  const idsOf = (some: readonly PendingGroup[]): Fragment => sql`${some.map(({ id }) => id)}::uuid[]`
  const reviewed = ownOnly ? queues?.filter(({ wait }) => reviews(wait, viewer)) : queues
  const sources = reviewed
    ? { own: ownOnly ? userId : undefined, waits: sql`select unnest(${idsOf(reviewed)})` }
    : sourcesOf(reader, viewer)
  const ofQueues = queues && ownOnly ? sql`and approvals.wait_id = any (${idsOf(queues)})` : sql``
  const conditions = sql`${isUnexpired()} ${ofQueues}`
  const newest = newestPending(reader, sources, { conditions, limit: LISTED_PER_KIND_MAX })
  // each approval is joined by its id, so that no other index is used
  return sql`
    (${newest}) newest cross join lateral (select * from approvals one where one.id = newest.id offset 0) approvals`
}

/** Rates an approval: blocking if no members could meet its requirements, even if the viewer could give one. */
function severityOf(requirements: ApprovalRequirements, viewer: Viewer, members: readonly Reviewer[]): ViewerSeverity {
  const actionable = whyNotApprover(requirements, viewer) === null
  const severity = isSatisfiable(requirements, members) ? (actionable ? 'action' : 'info') : 'blocking'
  return { severity, actionable_by_viewer: actionable }
}

function describe(reader: Reader, { id, facts }: ItemOf<Facts>, viewer: Viewer, members: readonly Reviewer[]) {
  const standing = severityOf(facts.wait, viewer, members)
  const isBlocked = standing.severity === 'blocking'
  const [capacity] = standing.actionable_by_viewer ? findCapacities(facts.wait, viewer) : []
  const acting = capacity && isSubstitute(viewer.userId, capacity) ? 'You decide as a substitute' : null
  const way = isBlocked ? 'It can be withdrawn, or another person who may approve it can join' : null
  return {
    title: `${titleOfTarget(facts.target_type)}${isBlocked ? ': nobody is left who could' : ''}`,
    summary: joinSentences(facts.summary ?? 'A request waits for approval', acting, way),
    ...standing,
    href: `/organizations/${reader.organizationId}/approvals/${id}`,
    action: { kind: 'review_approval' as const, approval_request_id: id },
    subject: { type: 'approval' as const, approval_request_id: id },
  }
}
