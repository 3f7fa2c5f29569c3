/** View of a webhook endpoint: due deliveries, or events without one. */
import { isDriven } from '../../domain/flow.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import { type EndpointStatus, webhookEndpointFlow } from '../../domain/webhooks/flow.ts'
import type { EndpointId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { FAILURES_UNTIL_CAUTIOUS } from '../../domain/webhooks/delivery.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { type QueueLength, hasMore, roomOf, waitingColumns, waitingSubjects } from './queue.ts'

type Row = QueueLength & {
  readonly status: EndpointStatus
  readonly organization: string
  readonly failures: number
  /** Earliest due time among the first deliveries of the subjects. */
  readonly next_at: string | null
  readonly is_due: boolean
  readonly has_more: boolean
  /** End of the lease of the worker that delivers, or died. */
  readonly leased_until: string | null
}

type Active = Standing<EndpointStatus> & { readonly deliveries_due: boolean; readonly round_under_way: boolean }

export async function viewWebhookEndpoint(reader: Reader, id: EndpointId): Promise<Active | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select e.status, o.status as organization, e.failures, w.waiting, w.held_up, w.next_at,
      coalesce(w.next_at <= business_now(), false) as is_due,
      ${hasMore(sql`e`)} as has_more,
      case when e.leased_until > clock_timestamp() then business_now() + (e.leased_until - clock_timestamp()) end
        as leased_until
    from webhook_endpoints e join organizations o on o.id = e.organization_id
    cross join lateral (
      select ${waitingColumns(sql`h`)}, min(h.due_at) as next_at from (${waitingSubjects(sql`e.id`)}) h) w
    where e.id = ${id}`)
  if (!row) return undefined
  const { status, failures, waiting, next_at: nextAt, leased_until: leasedUntil } = row
  const isCautious = failures >= FAILURES_UNTIL_CAUTIOUS
  const says = saysOf(row, isCautious)
  if (!isDriven(webhookEndpointFlow, status)) return { at_rest: true, status, says }
  const isOpen = !isGone(row.organization)
  const deliveries_due = isOpen && (row.is_due || (row.has_more && (isCautious ? waiting === 0 : roomOf(row) > 0)))
  const round_under_way = isOpen && leasedUntil !== null
  const step_due = deliveries_due && !round_under_way
  const look_at = isOpen ? (leasedUntil ?? nextAt) : null
  return { at_rest: false, status, deliveries_due, round_under_way, step_due, look_at, says }
}

function saysOf({ status, failures, waiting, next_at: nextAt }: Row, isCautious: boolean): string {
  if (status !== 'active') return sayState('endpoint', status)
  const again = nextAt ? ` The next try is due by ${minuteOf(nextAt)}.` : ''
  if (isCautious)
    return `The endpoint failed ${failures} times in a row: one delivery is tried at a time. ${waiting} wait.${again}`
  return waiting === 0 ? 'Everything has been delivered.' : `${waiting} deliveries wait.${again}`
}
