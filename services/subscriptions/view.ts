import type { SubscriptionStatus } from '../../domain/subscriptions/flow.ts'
import type { SubscriptionId } from '../../domain/ids.ts'
import { type AtRest, type Standing, sayState } from '../../domain/process.ts'
import { type RenewalStep, renewalStepOf } from '../../domain/subscriptions/renewal.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'
import { isDue } from './subscriptions.ts'

type Row = {
  readonly status: SubscriptionStatus
  readonly month_ends_on: string
  readonly next_at: string
  readonly is_ending: boolean
  readonly is_held: boolean
  readonly attempts: number
  readonly is_due: boolean
  readonly organization_status: string
  readonly is_stopped: boolean
}

type Active = Standing<'active'> & {
  readonly due: RenewalStep | null
  readonly ending: boolean
  readonly failed_tries: number
}

export async function viewSubscription(reader: Reader, id: SubscriptionId): Promise<Active | AtRest | undefined> {
  const [row] = await reader<Row>(sql`
    select s.status, s.month_ends_on, coalesce(s.attempt_at, s.month_ends_on::timestamp at time zone 'UTC') as next_at,
      s.is_ending, s.held_since is not null as is_held, s.attempts, ${isDue(sql`s`)} as is_due,
      o.status as organization_status, o.books_stopped_at is not null as is_stopped
    from subscriptions s join organizations o on o.id = s.organization_id where s.id = ${id}`)
  if (!row) return undefined
  const { status, is_ending: isEnding, is_held: isHeld, is_due: isNextDue, attempts } = row
  if (status === 'expired') return { at_rest: true, status, says: sayState('subscription', status) }
  const payer = { status: row.organization_status, stopped: row.is_stopped }
  const due = renewalStepOf({ isDue: isNextDue, isEnding, isHeld, attempts }, payer)
  return {
    at_rest: false,
    status,
    due,
    ending: isEnding,
    failed_tries: attempts,
    says: saysOf(row),
    step_due: due !== null,
    look_at: isHeld && attempts === 0 ? null : row.next_at,
  }
}

function saysOf({ month_ends_on: end, is_ending: isEnding, is_held: isHeld, attempts }: Row): string {
  if (attempts > 0)
    return `Paid until ${end}. The next month is not paid after ${attempts} tries; the next try follows.`
  if (isHeld) return `Paid until ${end}. The next month waits until the organization is resumed.`
  return `Paid until ${end}, and ${isEnding ? 'ends' : 'is renewed'} then.`
}
