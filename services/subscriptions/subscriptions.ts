/** Subscriptions: reads and locks. */
import { refuse } from '../../domain/errors.ts'
import { type SubscriptionStatus, subscriptionFlow } from '../../domain/subscriptions/flow.ts'
import type { SubscriptionChangeId, SubscriptionId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import type { Current, Operation } from '../../domain/subscriptions/selection.ts'
import type { SelectionResult, Subscription } from '../../domain/subscriptions/subscription.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { type OfferRow, type PricedOffer, offerColumns, toOffer } from './offers.ts'

type SubscriptionRow = Omit<Subscription, 'offer' | 'scheduled_offer'> & {
  readonly offer: OfferRow
  readonly scheduled_offer: OfferRow | null
}

/** Selects an offer as a column; its amount stays text, which JSON would round. */
const offerOf = (id: Fragment): Fragment =>
  sql`(select to_jsonb(f) from (select ${offerColumns(sql`o`)} from subscription_offers o where o.id = ${id}) f)`

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

/** Finds the active subscription, or else the latest; null before the first. */
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

/** Finds the result of a selection, with its subscription as it is now. Refuses `not_found`. */
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
  const scheduled = change.operation === 'downgrade_scheduled' || change.operation === 'change_scheduled'
  return {
    operation: change.operation,
    effective_date: change.effective_on,
    purchase: change.transaction_id ? { id: change.transaction_id, status: 'succeeded' } : { id, status: 'none' },
    scheduled_effective_date: scheduled ? change.effective_on : null,
    scheduled_offer: scheduled ? toOffer(change.offer) : null,
    subscription: toSubscription(row),
  }
}

/** Active subscription, locked, as selections and renewals compute with it. */
export type Active = Omit<Current, 'offer'> & {
  readonly id: SubscriptionId
  readonly offer: PricedOffer
  readonly scheduled: PricedOffer | null
  readonly isEnding: boolean
  readonly attempts: number
  readonly failingSince: string | null
  /** Day in UTC, by business time. */
  readonly today: string
  /** Month over, and no later retry scheduled. */
  readonly isDue: boolean
}

type StoredOffer = Omit<PricedOffer, 'price'> & Money
type ActiveRow = Omit<Active, 'offer' | 'scheduled' | 'month'> &
  Active['month'] & { readonly offer: StoredOffer; readonly scheduled: StoredOffer | null }

/** Locks the active subscription of the organization; null if there is none. */
export async function lockActive(tx: Tx): Promise<Active | null> {
  await tx`select id from subscriptions where organization_id = ${tx.organizationId} and status = 'active' for update`
  const [row] = await tx<ActiveRow[]>`
    select s.id, ${selectOffer(sql`s.offer_id`)} as offer, ${selectOffer(sql`s.scheduled_offer_id`)} as scheduled,
      s.anchor_day as "anchorDay", s.month_starts_on as "startsOn", s.month_ends_on as "endsOn",
      ${restartsOn(sql`s`)} as "restartsOn", s.is_ending as "isEnding", s.attempts, s.failing_since as "failingSince",
      ${today()} as today, ${isDue(sql`s`)} as "isDue"
    from subscriptions s where s.organization_id = ${tx.organizationId} and s.status = 'active'`
  if (!row) return null
  const { offer, scheduled, startsOn, endsOn, ...rest } = row
  return { ...rest, offer: withPrice(offer), scheduled: scheduled && withPrice(scheduled), month: { startsOn, endsOn } }
}

const selectOffer = (id: Fragment): Fragment => sql`
  (select jsonb_build_object('id', o.id, 'name', coalesce(o.display_name, o.name), 'amount', o.amount::text,
    'currency', o.currency) from subscription_offers o where o.id = ${id})`

const withPrice = ({ id, name, amount, currency }: StoredOffer): PricedOffer => ({
  id,
  name,
  price: moneyOf(amount, currency),
})

/** Builds the condition: the month of a subscription `s` is over, and no later try to pay the next one is scheduled. */
export const isDue = (s: Fragment): Fragment =>
  sql`(${today()} >= ${s}.month_ends_on and coalesce(${s}.attempt_at <= business_now(), true))`

/** Selects the day on which the next month of a held subscription `s` begins: the first try since, or today. */
const restartsOn = (s: Fragment): Fragment => sql`
  (case when ${s}.held_since is not null then coalesce((${s}.failing_since at time zone 'UTC')::date, ${today()}) end)`

/** Selects today in UTC, by business time. */
export const today = (): Fragment => sql`(business_now() at time zone 'UTC')::date`

export const wakeSubscription = (
  tx: Tx,
  id: SubscriptionId,
  why: string,
  status: SubscriptionStatus = 'active',
): void => wake(tx, subscriptionFlow, { ids: [id], why, status })
