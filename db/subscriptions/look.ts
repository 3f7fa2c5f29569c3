/** What the process of a subscription finds: the month that is paid, and the next one when it is due. */
import { lockStanding } from '../ledger/books.ts'
import { lockMemberships } from '../locks.ts'
import { driven } from '../../domain/flows/flow.ts'
import { type SubscriptionStatus, subscriptionFlow } from '../../domain/flows/subscription.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import type { SubscriptionId } from '../../domain/ids.ts'
import type { Found, ProcessRef } from '../../domain/process.ts'
import type { Tx } from '../sql.ts'
import { expire, hold, renew } from './renewal.ts'
import { isDue, lockActive } from './subscriptions.ts'

type Row = {
  readonly status: SubscriptionStatus
  readonly month_ends_on: string
  readonly next_at: string
  readonly is_ending: boolean
  readonly is_held: boolean
  readonly attempts: number
  readonly is_due: boolean
}

/**
 * Where a subscription stands. A month that is due is paid by the look itself, or what it could not be paid for is
 * noted.
 */
export async function findSubscriptionState(tx: Tx, ref: ProcessRef): Promise<Found<SubscriptionStatus> | undefined> {
  const id = ref.id as SubscriptionId // the ref of a subscription's process
  const found = await readRow(tx, id)
  if (found?.is_due) await attend(tx, id)
  const row = found?.is_due ? await readRow(tx, id) : found
  if (!row) return undefined
  const { status, is_held: isHeld, attempts, next_at: nextAt } = row
  return {
    status,
    driven: driven(subscriptionFlow, status),
    due_now: false,
    look_at: isHeld && attempts === 0 ? null : nextAt,
    says: saysOf(row),
    waits_for: row.is_ending ? 'End of the subscription' : 'Next month of the subscription',
  }
}

/** As it is under the locks of whoever could pause the organization, stop its books or select another plan. */
async function attend(tx: Tx, id: SubscriptionId): Promise<void> {
  await lockMemberships(tx, 'keep')
  const standing = await lockStanding(tx)
  const active = await lockActive(tx)
  if (active?.id !== id || !active.isDue) return
  if (active.isEnding) return expire(tx, id, 'ended')
  if (isGone(standing.status)) return expire(tx, id, 'organization_banned')
  if (standing.status !== 'active' || standing.stopped) return hold(tx, active)
  return renew(tx, active)
}

function saysOf({ status, month_ends_on: end, is_ending: isEnding, is_held: isHeld, attempts }: Row): string {
  if (status === 'expired') return 'The subscription is expired.'
  if (attempts > 0) return `Paid until ${end}. The next month was not paid, by ${attempts} tries; it is tried again.`
  if (isHeld) return `Paid until ${end}. The next month waits until money of the organization moves again.`
  return `Paid until ${end}, and ${isEnding ? 'ends' : 'is renewed'} then.`
}

async function readRow(tx: Tx, id: SubscriptionId): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`
    select s.status, s.month_ends_on, coalesce(s.attempt_at, s.month_ends_on::timestamp at time zone 'UTC') as next_at,
      s.is_ending, s.held_since is not null as is_held, s.attempts, s.status = 'active' and ${isDue()} as is_due
    from subscriptions s where s.id = ${id}`
  return row
}
