/** A plan is selected: at once with its charge, or for when the month is over. */
import { type Claim, takeClaim } from '../idempotency.ts'
import { lockStanding, refuseStoppedMoney } from '../ledger/books.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import type { Person } from '../../domain/actor.ts'
import { type OfferId, type SubscriptionChangeId, type SubscriptionId, newId } from '../../domain/ids.ts'
import { type Selected, selectionOf } from '../../domain/subscriptions/selection.ts'
import { type Tx, sql } from '../sql.ts'
import { makeChange } from './charges.ts'
import { findSelectable } from './offers.ts'
import { type Active, lockActive, today, wakeSubscription } from './subscriptions.ts'

/**
 * Selects an offer, all in one transaction: subscription, charge, its row of the feed, and the change, which has the
 * id of the claim. Of two at once in an organization the second sees the first. A change that was scheduled is
 * replaced. False if another request has the claim. Refuses `not_found`, `forbidden`, `offer_not_available`,
 * `ledger_unbalanced`, `organization_unavailable`, and `insufficient_funds` from the locked balance.
 */
export async function selectPlan(tx: Tx, person: Person, claim: Claim, offerId: OfferId): Promise<boolean> {
  await requirePermissionLocked(tx, person, 'organization.update')
  if (claim.keyed && !(await takeClaim(tx, claim))) return false
  if (await isMade(tx, claim)) return true
  refuseStoppedMoney(await lockStanding(tx)) // which also has selections come one by one
  const current = await lockActive(tx)
  const offer = await findSelectable(tx, offerId)
  const selected = selectionOf(current, offer, current?.today ?? (await readToday(tx)))
  const subscriptionId = current?.id ?? newId<'subscription'>()
  await (current ? change(tx, current, offerId, selected) : create(tx, subscriptionId, person, offerId, selected))
  const changeId = claim.id as string as SubscriptionChangeId // a claim's id is the id of the row that it makes
  await makeChange(tx, {
    id: changeId,
    subscriptionId,
    operation: selected.operation,
    offer,
    previousOfferId: current?.offer.id ?? null,
    month: selected.month,
    effectiveOn: selected.effectiveOn,
    charge: selected.charge,
    amount: selected.amount,
    by: person.userId,
    cause: `selection:${changeId}`,
  })
  wakeSubscription(tx, subscriptionId, selected.operation)
  return true
}

/** A request whose connection broke as it was committed comes again: it is not charged again. */
async function isMade(tx: Tx, { id }: Claim): Promise<boolean> {
  return (await tx`select from subscription_changes where id = ${id}`).length > 0
}

async function readToday(tx: Tx): Promise<string> {
  const [row] = await tx<{ today: string }[]>`select ${today()} as today`
  if (!row) throw new Error('a clock answers')
  return row.today
}

async function create(tx: Tx, id: SubscriptionId, person: Person, offerId: OfferId, selected: Selected): Promise<void> {
  const { month, anchorDay } = selected
  await tx`
    insert into subscriptions (id, organization_id, offer_id, anchor_day, month_starts_on, month_ends_on, created_by)
    values (${id}, ${tx.organizationId}, ${offerId}, ${anchorDay}, ${month.startsOn}, ${month.endsOn}, ${person.userId})`
}

/** Whatever was selected before for later is dropped; a month that is paid is not tried again. */
async function change(tx: Tx, { id }: Active, offerId: OfferId, selected: Selected): Promise<void> {
  const { month, anchorDay, atOnce, charge } = selected
  const paid =
    charge === 'month' ? sql`, held_since = null, attempts = 0, failing_since = null, attempt_at = null` : sql``
  const offer = atOnce ? sql`offer_id = ${offerId}, scheduled_offer_id = null` : sql`scheduled_offer_id = ${offerId}`
  await tx`
    update subscriptions set ${offer}, is_ending = false, anchor_day = ${anchorDay}, month_starts_on = ${month.startsOn},
      month_ends_on = ${month.endsOn}, updated_at = business_now() ${paid}
    where id = ${id}`
}
