/** Days of payments: chosen at the request, kept with their instants, and taken back before they begin. */
import type { Person } from '../../domain/people/actor.ts'
import { type ApprovalRequirements, reviews } from '../../domain/approvals/requirements.ts'
import { refuse } from '../../domain/errors.ts'
import { type PaymentState, paymentStatusOf } from '../../domain/payments/flow.ts'
import type { ApprovalId, PaymentId, UserId } from '../../domain/ids.ts'
import type { Money } from '../../domain/money/money.ts'
import type { PaidIn } from '../../domain/payments/business-days.ts'
import { type AskedDay, type Schedule, TRY_HOURS, chooseDay, scheduleStateOf } from '../../domain/payments/schedule.ts'
import type { Role, Capacity } from '../../domain/permissions.ts'
import { mailRequester } from '../approvals/requests.ts'
import { joinPrincipals } from '../membership-lock.ts'
import { type Fragment, type Tx, sql, within, values } from '../../db/postgres/sql.ts'
import { movePayments } from '../payouts/settlement.ts'

/** Day that counts, with the instants that it has in the time zone of the organization now. */
export type PlannedDay = {
  readonly execute_on: string
  readonly requested_on: string
  readonly time_zone: string
  readonly starts_at: string
  readonly tries: readonly string[]
}

/**
 * Plans a day that a person asks for; null without one, and for a payment that is due now. An hour that is over when the
 * day begins, since another time zone counts from then on, is its beginning. Refuses as chooseDay().
 */
export async function planDay(
  tx: Tx,
  asked: AskedDay | null | undefined,
  payments: readonly PaidIn[],
): Promise<PlannedDay | null> {
  if (!asked) return null
  const [bounds] = await tx<{ today: string; latest: string }[]>`
    select t.today::text, (t.today + interval '1 year')::date::text as latest
    from (select local_date(${tx.organizationId}, business_now()) as today) t`
  if (!bounds) throw new Error('there is always a day')
  const day = chooseDay(asked, bounds, payments)
  if (day === null) return null
  const [instants] = await tx<Pick<PlannedDay, 'time_zone' | 'starts_at' | 'tries'>[]>`
    select z.time_zone, z.starts_at, array(
        select distinct greatest((${day}::date + make_interval(hours => h)) at time zone z.time_zone, z.starts_at)
        from unnest(${[...TRY_HOURS]}::int[]) h order by 1) as tries
    from (select starts_at, time_zone_at(${tx.organizationId}, starts_at) as time_zone
      from local_midnight(${tx.organizationId}, ${day}::date) starts_at) z`
  if (!instants) throw new Error('a day begins at an instant')
  return { execute_on: day, requested_on: asked.day, ...instants }
}

/** Builds the statement that keeps the day of a payment, or of a batch by its approval. */
export const insertSchedule = (tx: Tx, id: string, planned: PlannedDay, max: Money | null = null) => tx`
  insert into payment_schedules ${values({
    id,
    organization_id: tx.organizationId,
    requested_on: planned.requested_on,
    execute_on: planned.execute_on,
    time_zone: planned.time_zone,
    starts_at: planned.starts_at,
    tries: sql`${[...planned.tries]}::timestamptz[]`,
    max_deducting: max && max.amount,
    try_at: planned.tries[0] ?? null,
  })}`

/** Row of a schedule, as selectSchedule() writes it. */
export type ScheduleRow = Omit<Schedule, 'state'> & { readonly begun: boolean }

/** Selects the schedule of a row as json; null if it has none. */
export const selectSchedule = (id: Fragment): Fragment => sql`(
  select json_build_object('execute_on', s.execute_on, 'requested_on', s.requested_on,
    'until', to_char(s.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'begun', s.starts_at <= business_now())
  from payment_schedules s where s.id = ${id})`

/** Writes the schedule of a payment in this state. */
export const toSchedule = (row: ScheduleRow | null, state: PaymentState): Schedule | null =>
  row && {
    execute_on: row.execute_on,
    requested_on: row.requested_on,
    state: scheduleStateOf(state, row.begun),
    until: row.until,
  }

/** Puts a try off to the next hour of its day; false if that was the last one. The caller has locked the row. */
export async function putOff(tx: Tx, id: string, reason: string): Promise<boolean> {
  const later = await tx`
    update payment_schedules s set refused = ${reason}, try_at = next.at
    from (select min(at) as at from payment_schedules n, unnest(n.tries) at
      where n.id = ${id} and at > business_now()) next
    where s.id = ${id} and next.at is not null returning s.id`
  return later.length > 0
}

/** Gives up the day of a payment or batch, and mails that to its requester. The caller has locked the row. */
export async function giveUpDay(tx: Tx, id: string, reason: string): Promise<void> {
  await tx`update payment_schedules set refused = ${reason}, failed_at = business_now() where id = ${id}`
  const [asked] = await tx<{ id: ApprovalId; requester: UserId; summary: string | null }[]>`
    select a.id, a.requester_id as requester, a.summary from approvals a
    where a.id = coalesce((select p.approval_request_id from payments p where p.id = ${id}), ${id})`
  if (!asked) throw new Error('what has a day was approved')
  await mailRequester(tx, asked.requester, { ...asked, how: 'missed', reason: reason.replaceAll('_', ' ') })
}

type ScheduledRow = {
  readonly status: PaymentState
  readonly created_by: string
  readonly scheduled: boolean
  readonly begun: boolean | null
  readonly until: string | null
  readonly wait: ApprovalRequirements | null
  readonly role: Role | null
  readonly principals: readonly Capacity[] | null
  readonly repeated: boolean
}

/**
 * Ends a payment that waits for its day, before that begins; nothing was held for it. A repeat changes nothing. Refuses
 * `payment_not_scheduled` for any other payment, and `forbidden` unless the person asked for it or may decide it.
 */
export async function unschedulePayment(
  tx: Tx,
  { person, id, cause }: { person: Person; id: PaymentId; cause: string },
): Promise<void> {
  await tx`select from payments where id = ${id} for update`
  // the clock is read after the lock: what waited for it decides by the time that it is now
  const [payment] = await tx<ScheduledRow[]>`
    select p.status, p.created_by, s.id is not null as scheduled, s.starts_at <= business_now() as begun,
      s.starts_at as until, w.wait, m.role, acting.principals, p.status = 'cancelled' and exists (
        select from events e where e.subject_id = p.id and e.type = 'payment.unscheduled') as repeated
    from payments p left join payment_schedules s on s.id = p.id
    left join approvals a on a.id = p.approval_request_id left join approval_waits w on w.id = a.wait_id
    left join members m on m.organization_id = p.organization_id and m.user_id = ${person.userId}
    ${joinPrincipals(sql`m`, within(tx))}
    where p.id = ${id}`
  if (!payment) refuse('not_found')
  if (payment.repeated) return
  const { status, scheduled, begun, until, wait, role, principals, created_by: requester } = payment
  const current = paymentStatusOf(status)
  if (status !== 'scheduled') refuse('payment_not_scheduled', { current, reason: whyNot(status, scheduled) })
  if (begun) refuse('payment_not_scheduled', { current, reason: 'day_has_begun', until })
  const decides = wait !== null && role !== null && reviews(wait, { userId: person.userId, role, principals })
  if (requester !== person.userId && !decides) refuse('forbidden', { reason: 'only_requester_or_approver' })
  await movePayments(tx, id, { events: ['unschedule'], cause, set: sql`status_detail = 'unscheduled'` })
}

function whyNot(status: PaymentState, scheduled: boolean): string {
  if (!scheduled) return 'no_day'
  return status === 'awaiting_approval' ? 'waits_for_approval' : 'already_executed'
}

/** Ends all payments of an organization that wait for their day, as a ban or a deletion does. */
export async function endScheduled(tx: Tx, why: string, cause: string): Promise<number> {
  const rows = await tx<{ id: PaymentId }[]>`
    select id from payments where organization_id = ${tx.organizationId} and status = 'scheduled' order by id for update`
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  await movePayments(tx, ids, { events: ['unschedule'], cause, set: sql`status_detail = ${why}` })
  return ids.length
}
