/** What the process of a webhook endpoint finds: deliveries that are due, or events that have none yet. */
import { driven } from '../../domain/flows/flow.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import { type EndpointStatus, webhookEndpointFlow } from '../../domain/flows/webhooks/endpoint.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type Found, type ProcessRef, sayState } from '../../domain/process.ts'
import { FAILURES_UNTIL_CAUTIOUS } from '../../domain/webhooks/delivery.ts'
import { type Tx, sql } from '../sql.ts'
import { type Waiting, hasMore, roomOf, waitingColumns, waitingSubjects } from './queue.ts'

type Row = Waiting & {
  readonly status: EndpointStatus
  readonly organization: string
  readonly failures: number
  /** When the first of each subject is due, the earliest of them. */
  readonly next_at: string | null
  readonly is_due: boolean
  readonly has_more: boolean
  /** Until then somebody delivers, or died while they did. */
  readonly leased_until: string | null
}

/** Whether something is to be delivered now, and when else. */
export async function findEndpointState(tx: Tx, { id }: ProcessRef): Promise<Found<EndpointStatus> | undefined> {
  const [row] = await tx<Row[]>`
    select e.status, o.status as organization, e.failures, w.waiting, w.held_up, w.next_at,
      coalesce(w.next_at <= business_now(), false) as is_due,
      ${hasMore()} as has_more,
      case when e.leased_until > clock_timestamp() then business_now() + (e.leased_until - clock_timestamp()) end
        as leased_until
    from webhook_endpoints e join organizations o on o.id = e.organization_id
    cross join lateral (
      select ${waitingColumns()}, min(h.due_at) as next_at from (${waitingSubjects(sql`e.id`)}) h) w
    where e.id = ${id}`
  if (!row) return undefined
  const { status, failures, waiting, next_at: nextAt, leased_until: leasedUntil } = row
  const isCautious = failures >= FAILURES_UNTIL_CAUTIOUS
  const isOpen = status === 'active' && !isGone(row.organization)
  const due = isOpen && (row.is_due || (row.has_more && (isCautious ? waiting === 0 : roomOf(row) > 0)))
  return {
    status,
    driven: driven(webhookEndpointFlow, status),
    due_now: due && leasedUntil === null,
    look_at: isOpen ? (leasedUntil ?? nextAt) : null,
    says: saysOf(row, isCautious),
    waits_for: leasedUntil ? 'End of another round' : 'Next try of a delivery',
  }
}

function saysOf({ status, failures, waiting, next_at: nextAt }: Row, isCautious: boolean): string {
  if (status !== 'active') return sayState('endpoint', status)
  const again = nextAt ? ` The next try is due by ${minuteOf(nextAt)}.` : ''
  if (isCautious)
    return `The endpoint failed ${failures} times in a row: one delivery is tried at a time. ${waiting} wait.${again}`
  return waiting === 0 ? 'Everything has been delivered.' : `${waiting} deliveries wait.${again}`
}
