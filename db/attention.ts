/** What waits for people in an organization: derived by SQL from what is there, listed, counted, found. */
import { type Queue, countQueues, newestPending, queuesOf, sourcesOf } from './approval-queues.ts'
import { waitOfRow } from './approval-waits.ts'
import { type Viewer, visible } from './approvals.ts'
import {
  countTravelRules,
  describeTravelRule,
  listedTravelRules,
  travelRuleItems,
  travelRuleRaisedAt,
} from './deposit-attention.ts'
import {
  type AttentionFilters,
  type AttentionItem,
  type AttentionSummary,
  type Count,
  DERIVED_KINDS,
  type DerivedKind,
  type ItemId,
  LISTED_PER_KIND_MAX,
  REVIEW_TITLES,
  type Severity,
} from './model/attention.ts'
import type { ActionType } from './model/approval.ts'
import { type Policy, type Reviewer, type Wait, barredFrom, canBeMet, reviews } from './model/consensus.ts'
import { refuse } from './model/errors.ts'
import type { Page } from './model/page.ts'
import { paged, refuseCursor } from './page.ts'
import {
  countPaymentItems,
  describeDifference,
  describeHeldPayment,
  differenceItems,
  differenceRaisedAt,
  heldPaymentItems,
  heldPaymentRaisedAt,
  listedDifferences,
  listedHeldPayments,
} from './payment-attention.ts'
import { type Fragment, type Reader, first, sql } from './sql.ts'
import { reviewersOf } from './standing.ts'

/** What an item is made of; all but the first four columns are an approval's. */
type Row = {
  id: string
  obligation_id: string
  kind: DerivedKind
  raised_at: string
  due_at: string | null
  action_type: ActionType
  summary: string | null
  wait: Wait | null
  policy: Policy
  requester_id: string
}

/** Pending approvals that the viewer may see. */
const reviewItems = (reader: Reader, viewer: Viewer): Fragment => sql`
  select 'review_approval' as kind, approvals.id as obligation_id, approvals.inserted_at as raised_at,
    approvals.expires_at as due_at, approvals.action_type, approvals.summary, w.wait, approvals.policy,
    approvals.requester_id
  from approvals
  left join approval_waits w on w.id = approvals.wait_id
  where approvals.organization_id = ${reader.organizationId} and approvals.status = 'pending' ${live()} ${visible(viewer)}`

/** What has expired is nobody's obligation any more, although it may not have been cancelled yet. */
const live = (): Fragment => sql`and approvals.expires_at > (select business_now())`

/** Since when the viewer, as a member `m`, has to have an authenticator: joined, or required since. */
const requiredSince = (): Fragment => sql`
  greatest(m.joined_at, (select max(e.occurred_at) from events e
    where e.subject_id = m.organization_id and e.organization_id = m.organization_id
      and e.type = 'organization.settings_changed' and e.payload::jsonb -> 'requires_authenticator' = 'true'))`

/** One row where the organization requires an authenticator and the viewer has none. */
const authenticatorItem = (reader: Reader, { userId }: Viewer): Fragment => sql`
  select 'set_up_totp' as kind, m.user_id as obligation_id, ${requiredSince()} as raised_at,
    null::timestamptz as due_at, null as action_type, null as summary, null::jsonb as wait, null::jsonb as policy,
    null::uuid as requester_id
  from members m
  join organizations o on o.id = m.organization_id
  where m.organization_id = ${reader.organizationId} and m.user_id = ${userId} and o.requires_authenticator
    and not exists (select from authenticators a where a.user_id = m.user_id)`

/** Items are in the order of when they were raised, and then of their ids, byte by byte. */
const orderedId = (): Fragment => sql`(kind || ':' || obligation_id) collate "C"`

/**
 * Items by the filters, newest first. The list holds the newest LISTED_PER_KIND_MAX of a kind that fit the filters; what
 * can be done about one is known from what it waits for, so that the filters choose among all there are. A cursor
 * resolves also when its item is done; one that never was an item of the organization is refused.
 */
export async function listAttention(
  reader: Reader,
  filters: AttentionFilters,
  viewer: Viewer,
): Promise<Page<AttentionItem>> {
  const asking = reviewersOf(reader)
  const [queues, members] = await Promise.all([queuesFor(reader, filters, viewer, asking), asking])
  const parts = partsOf(reader, filters, viewer, queues)
  const { cursor, limit } = filters
  const after = cursor
    ? sql`where (raised_at, ${orderedId()}) < (${raisedAt(reader, cursor, viewer)}, ${textOf(cursor)})`
    : sql``
  const rows =
    parts.length === 0
      ? []
      : await reader<Row>(sql`
          select *, kind || ':' || obligation_id as id
          from (${parts.reduce((all, part) => sql`${all} union all ${part}`)}) items
          ${after} order by raised_at desc, ${orderedId()} desc limit ${limit + 1}`)
  if (rows.length === 0 && cursor) {
    const [known] = await reader<{ raised_at: string | null }>(
      sql`select ${raisedAt(reader, cursor, viewer)} as raised_at`,
    )
    if (!known?.raised_at) refuseCursor()
  }
  const page = paged(rows, limit)
  return { ...page, data: page.data.map((row) => toItem(reader, row, viewer, members)) }
}

const textOf = ({ kind, obligationId }: ItemId): string => `${kind}:${obligationId}`

/** When the item that a cursor names was raised, also where it is done by now; null where it never was. */
function raisedAt(reader: Reader, { kind, obligationId }: ItemId, { userId }: Viewer): Fragment {
  const organization = reader.organizationId
  if (kind === 'review_approval') {
    return sql`(select a.inserted_at from approvals a where a.id = ${obligationId} and a.organization_id = ${organization})`
  }
  if (kind === 'travel_rule') return travelRuleRaisedAt(reader, obligationId)
  if (kind === 'payment_on_hold') return heldPaymentRaisedAt(reader, obligationId)
  if (kind === 'reconciliation_difference') return differenceRaisedAt(reader, obligationId)
  if (kind === 'set_up_totp' && obligationId === (userId as string)) {
    return sql`(select ${requiredSince()} from members m where m.organization_id = ${organization} and m.user_id = ${userId})`
  }
  return sql`null::timestamptz`
}

/** What approvals that fit the filters wait for; null where no filter asks what can be done about them. */
async function queuesFor(
  reader: Reader,
  { severity, actionable }: AttentionFilters,
  viewer: Viewer,
  members: Promise<readonly Reviewer[]>,
): Promise<Queue[] | null> {
  if (!severity && !actionable) return null
  const [queues, people] = await Promise.all([queuesOf(reader, viewer), members])
  return queues
    .filter(({ wait }) => !severity || severityOf(wait, viewer, people) === severity)
    .filter(({ wait }) => !actionable || String(barredFrom(wait, viewer) === null) === actionable)
}

/** The queries of the kinds that the filters leave, each up to its cap. */
function partsOf(
  reader: Reader,
  filters: AttentionFilters,
  viewer: Viewer,
  queues: readonly Queue[] | null,
): Fragment[] {
  const { kind, audience, severity, actionable } = filters
  const asked = (one: DerivedKind): boolean => (!kind || kind === one) && (!audience || audience === DERIVED_KINDS[one])
  const parts: Fragment[] = []
  if (asked('review_approval') && queues?.length !== 0) {
    parts.push(sql`(${reviewItems(reader, viewer)} ${newestOf(reader, viewer, queues)}
      order by approvals.inserted_at desc, approvals.id desc limit ${LISTED_PER_KIND_MAX})`)
  }
  const travelRules = asked('travel_rule') ? listedTravelRules(reader, filters, viewer) : undefined
  if (travelRules) parts.push(travelRules)
  const heldPayments = asked('payment_on_hold') ? listedHeldPayments(reader, filters, viewer) : undefined
  if (heldPayments) parts.push(heldPayments)
  const differences = asked('reconciliation_difference') ? listedDifferences(reader, filters, viewer) : undefined
  if (differences) parts.push(differences)
  if (asked('set_up_totp') && (!severity || severity === 'action') && actionable !== 'false') {
    parts.push(sql`(${authenticatorItem(reader, viewer)})`)
  }
  return parts
}

/** Narrows pending approvals to the newest that the viewer sees of these queues, of all where there are none named. */
function newestOf(reader: Reader, viewer: Viewer, queues: readonly Queue[] | null): Fragment {
  if (!queues && !viewer.ownOnly) return sql``
  const limit = LISTED_PER_KIND_MAX
  if (!queues) {
    return sql`and approvals.id in (${newestPending(reader, sourcesOf(reader, viewer), { conditions: live(), limit })})`
  }
  const idsOf = (some: readonly Queue[]): string[] => some.map(({ id }) => id)
  const reviewed = viewer.ownOnly ? queues.filter(({ wait }) => reviews(wait, viewer)) : queues
  const sources = {
    own: viewer.ownOnly ? viewer.userId : undefined,
    waits: sql`select unnest(${idsOf(reviewed)}::uuid[])`,
  }
  const conditions = viewer.ownOnly ? sql`${live()} and approvals.wait_id = any (${idsOf(queues)}::uuid[])` : live()
  return sql`and approvals.id in (${newestPending(reader, sources, { conditions, limit })})`
}

/** One item, also beyond the list's cap; refuses `not_found` for what is no item, or none that the viewer may see. */
export async function findAttentionItem(reader: Reader, { kind, obligationId }: ItemId, viewer: Viewer) {
  const items = {
    review_approval: reviewItems,
    travel_rule: travelRuleItems,
    payment_on_hold: heldPaymentItems,
    reconciliation_difference: differenceItems,
    set_up_totp: authenticatorItem,
  }
  if (!Object.hasOwn(items, kind)) refuse('not_found')
  // hasOwn() has just said so
  const query = items[kind as DerivedKind](reader, viewer)
  const [row, members] = await Promise.all([
    first(
      reader<Row>(sql`
        select *, kind || ':' || obligation_id as id from (${query}) items where obligation_id = ${obligationId}`),
    ),
    reviewersOf(reader),
  ])
  return toItem(reader, row ?? refuse('not_found'), viewer, members)
}

const NOTHING: Count = { actionable: 0, total: 0 }

/** How much there is of each kind that is derived so far, and how much of it the viewer can do. Reads no approval. */
export async function summarizeAttention(reader: Reader, viewer: Viewer): Promise<AttentionSummary> {
  const [queues, travel_rule, payments, missing] = await Promise.all([
    queuesOf(reader, viewer),
    countTravelRules(reader, viewer),
    countPaymentItems(reader, viewer),
    reader<{ raised_at: string }>(authenticatorItem(reader, viewer)),
  ])
  const { actionable, live } = countQueues(queues, viewer)
  const by_kind: Record<DerivedKind, Count> = {
    review_approval: { actionable, total: live },
    travel_rule,
    ...payments,
    set_up_totp: { actionable: missing.length, total: missing.length },
  }
  const counted = Object.entries(by_kind) as [DerivedKind, Count][] // the keys of the line above
  const sumOf = (audience: string): Count =>
    counted
      .filter(([kind]) => DERIVED_KINDS[kind] === audience)
      .map(([, count]) => count)
      .reduce((sum, one) => ({ actionable: sum.actionable + one.actionable, total: sum.total + one.total }), NOTHING)
  return {
    by_kind,
    organization: sumOf('organization'),
    viewer: sumOf('viewer'),
    truncated: counted.filter(([, { total }]) => total > LISTED_PER_KIND_MAX).map(([kind]) => kind),
  }
}

/** Blocking where nobody is left who could give what is missing, whatever the viewer could still give of it. */
function severityOf(wait: Wait, viewer: Viewer, members: readonly Reviewer[]): Severity {
  if (!canBeMet(wait, members)) return 'blocking'
  return barredFrom(wait, viewer) === null ? 'action' : 'info'
}

function toItem(reader: Reader, row: Row, viewer: Viewer, members: readonly Reviewer[]): AttentionItem {
  const { id, kind, obligation_id: obligationId, raised_at, due_at } = row
  const shared = { id, kind, audience: DERIVED_KINDS[kind], raised_at, due_at }
  if (kind === 'set_up_totp') {
    return {
      ...shared,
      title: 'Set up an authenticator app',
      summary: 'This organization requires one of everybody. You will be asked for it when you sign in.',
      severity: 'action',
      actionable_by_viewer: true,
      href: '/settings/security',
      action: { kind },
      subject: { type: 'person', user_id: obligationId },
    }
  }
  if (kind === 'travel_rule') {
    return { ...shared, ...describeTravelRule(reader, obligationId, row.summary ?? '', viewer) }
  }
  if (kind === 'payment_on_hold') return { ...shared, ...describeHeldPayment(reader, obligationId, row.summary ?? '') }
  if (kind === 'reconciliation_difference') return { ...shared, ...describeDifference(reader, row.summary ?? '') }
  const wait = waitOfRow({ ...row, requester: { id: row.requester_id } })
  const severity = severityOf(wait, viewer, members)
  const [title, summary] = [REVIEW_TITLES[row.action_type], row.summary ?? 'A request waits for approval']
  return {
    ...shared,
    ...(severity === 'blocking'
      ? {
          title: `${title}: nobody is left who could`,
          summary: `${summary}. It can be withdrawn, or somebody who may approve it can join.`,
        }
      : { title, summary }),
    severity,
    actionable_by_viewer: barredFrom(wait, viewer) === null,
    href: `/organizations/${reader.organizationId}/approvals/${obligationId}`,
    action: { kind, approval_request_id: obligationId },
    subject: { type: 'approval', approval_request_id: obligationId },
  }
}
