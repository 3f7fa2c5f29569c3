/** Subscriptions as they are read, and locked. */
import { refuse } from '../../domain/errors.ts'
import { type SubscriptionStatus, subscriptionFlow } from '../../domain/flows/subscription.ts'
import type { OfferId, SubscriptionChangeId, SubscriptionId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import type { Current, Operation } from '../../domain/subscriptions/selection.ts'
import type { SelectionResult, Subscription } from '../../domain/subscriptions/subscription.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../sql.ts'
import { wake } from '../wakes.ts'
import { type OfferRow, offerColumns, toOffer } from './offers.ts'

type SubscriptionRow = Omit<Subscription, 'offer' | 'scheduled_offer'> & {
  readonly offer: OfferRow
  readonly scheduled_offer: OfferRow | null
}

/** An offer as a column: its amount stays text, which JSON would round. */
const offerOf = (id: Fragment): Fragment =>
  sql`(select to_jsonb(f) from (select ${offerColumns()} from subscription_offers o where o.id = ${id}) f)`

const selectSubscription = (): Fragment => sql`
  select s.id, s.status, ${offerOf(sql`s.offer_id`)} as offer, ${offerOf(sql`s.scheduled_offer_id`)} as scheduled_offer,
    s.month_ends_on::timestamp at time zone 'UTC' as commitment_ends_at,
    case when s.scheduled_offer_id is not null or s.is_ending then s.month_ends_on end as scheduled_effective_date,
    s.failing_since as renewal_failing_since, s.attempt_at as next_renewal_attempt_at, s.inserted_at, s.updated_at
  from subscriptions s where true`

const toSubscription = ({ offer, scheduled_offer: scheduled, ...row }: SubscriptionRow): Subscription => ({
  ...row,
  offer: toOffer(offer),
  scheduled_offer: scheduled && toOffer(scheduled),
})

/** The subscription of the organization that is active, or the last one that was; null if it never had one. */
export async function findLatest(reader: Reader): Promise<Subscription | null> {
  const row = await first(
    reader<SubscriptionRow>(sql`
      ${selectSubscription()} and s.organization_id = ${reader.organizationId}
      order by s.status, s.inserted_at desc, s.id desc limit 1`),
  )
  return row ? toSubscription(row) : null
}

type ResultRow = {
  readonly operation: Operation
  readonly effective_on: string
  readonly month_ends_on: string
  readonly transaction_id: string | null
  readonly subscription_id: SubscriptionId
  readonly offer: OfferRow
}

const isScheduled = (operation: Operation): boolean =>
  operation === 'downgrade_scheduled' || operation === 'change_scheduled'

/** What a selection came to, with its subscription as it is now. */
export async function findSelection(reader: Reader, id: SubscriptionChangeId): Promise<SelectionResult> {
  const change = await first(
    reader<ResultRow>(sql`
      select c.operation, c.effective_on, c.month_ends_on, c.transaction_id, c.subscription_id,
        ${offerOf(sql`c.offer_id`)} as offer
      from subscription_changes c where c.id = ${id} and c.organization_id = ${reader.organizationId}`),
  )
  if (!change) refuse('not_found')
  const row = await first(reader<SubscriptionRow>(sql`${selectSubscription()} and s.id = ${change.subscription_id}`))
  if (!row) throw new Error(`the change ${id} has no subscription`)
  const scheduled = isScheduled(change.operation)
  return {
    operation: change.operation,
    effective_date: change.effective_on,
    purchase: change.transaction_id ? { id: change.transaction_id, status: 'succeeded' } : { id, status: 'none' },
    scheduled_effective_date: scheduled ? change.effective_on : null,
    scheduled_offer: scheduled ? toOffer(change.offer) : null,
    subscription: toSubscription(row),
  }
}

/** An active subscription, locked, as selections and renewals reckon with it. */
export type Active = Omit<Current, 'offer'> & {
  readonly id: SubscriptionId
  readonly offer: { readonly id: OfferId; readonly name: string; readonly price: Money }
  readonly scheduled: { readonly id: OfferId; readonly name: string; readonly price: Money } | null
  readonly isEnding: boolean
  readonly attempts: number
  readonly failingSince: string | null
  /** Of the clock of business, in UTC. */
  readonly today: string
  /** Its month is over, and another try to pay the next one is not put off. */
  readonly isDue: boolean
}

type ActiveRow = {
  id: SubscriptionId
  offer_id: OfferId
  offer_name: string
  offer_amount: string
  offer_currency: string
  next_id: OfferId | null
  next_name: string
  next_amount: string
  next_currency: string
  anchor_day: number
  month_starts_on: string
  month_ends_on: string
  restarts_on: string | null
  is_ending: boolean
  attempts: number
  failing_since: string | null
  today: string
  is_due: boolean
}

/** Locks the active subscription of the organization; null if there is none. */
export async function lockActive(tx: Tx): Promise<Active | null> {
  await tx`select id from subscriptions where organization_id = ${tx.organizationId} and status = 'active' for update`
  const [row] = await tx<ActiveRow[]>`
    select s.id, s.offer_id, coalesce(o.display_name, o.name) as offer_name, o.amount as offer_amount,
      o.currency as offer_currency, n.id as next_id, coalesce(n.display_name, n.name) as next_name, n.amount as next_amount,
      n.currency as next_currency, s.anchor_day, s.month_starts_on, s.month_ends_on, ${restartsOn()} as restarts_on,
      s.is_ending, s.attempts, s.failing_since, ${today()} as today, ${isDue()} as is_due
    from subscriptions s join subscription_offers o on o.id = s.offer_id
    left join subscription_offers n on n.id = s.scheduled_offer_id
    where s.organization_id = ${tx.organizationId} and s.status = 'active'`
  if (!row) return null
  return {
    id: row.id,
    offer: { id: row.offer_id, name: row.offer_name, price: moneyOf(row.offer_amount, row.offer_currency) },
    scheduled: row.next_id && {
      id: row.next_id,
      name: row.next_name,
      price: moneyOf(row.next_amount, row.next_currency),
    },
    month: { startsOn: row.month_starts_on, endsOn: row.month_ends_on },
    anchorDay: row.anchor_day,
    restartsOn: row.restarts_on,
    isEnding: row.is_ending,
    attempts: row.attempts,
    failingSince: row.failing_since,
    today: row.today,
    isDue: row.is_due,
  }
}

/** Whether the month of a subscription `s` is over, and no later try to pay the next one is waited for. */
export const isDue = (): Fragment =>
  sql`(${today()} >= s.month_ends_on and coalesce(s.attempt_at <= business_now(), true))`

/** When the next month of a subscription `s` begins that was held: when it was first tried since, or is now. */
const restartsOn = (): Fragment => sql`
  (case when s.held_since is not null then coalesce((s.failing_since at time zone 'UTC')::date, ${today()}) end)`

/** The day that it is, in UTC, by the clock of business. */
export const today = (): Fragment => sql`(business_now() at time zone 'UTC')::date`

/** Has the process look again: its row has changed. */
export const wakeSubscription = (
  tx: Tx,
  id: SubscriptionId,
  why: string,
  status: SubscriptionStatus = 'active',
): void => wake(tx, subscriptionFlow, { ids: [id], why, status })
