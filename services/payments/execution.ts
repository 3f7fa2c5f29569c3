/** Execution of payments on their day: with the quote of the day, or tried again, or given up. */
import { type Refusal, refuse, refuseFirst } from '../../domain/errors.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import { type PaymentState, paymentFlow } from '../../domain/payments/flow.ts'
import type { ContactId, OrganizationId, PaymentId, UserId } from '../../domain/ids.ts'
import { type Money, compare, moneyOf } from '../../domain/money/money.ts'
import type { Price } from '../../domain/payments/quote.ts'
import { isPassing } from '../../domain/payments/schedule.ts'
import type { Rail } from '../../domain/rails.ts'
import { LEDGER_UNBALANCED } from '../ledger/books.ts'
import { requireWithinHardLimits } from '../limits/limits.ts'
import { lockMemberships } from '../../db/postgres/locks.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { type PayoutStanding, executionBlockers, payoutStandingColumns } from './checks.ts'
import type { Amounts } from './payments.ts'
import { giveUpDay, putOff } from '../schedules/schedule.ts'
import { movePayments, settle } from '../payouts/settlement.ts'

/** Payment whose try is due: what it is priced by. */
export type DuePayment = {
  readonly rail: Rail
  readonly landing: Money
  /** Currency that is deducted. */
  readonly source: string
  readonly exchanges: boolean
}

/** Price of the day of what is exchanged, with its value in US dollars. */
export type DayQuote = { readonly priced: Price; readonly valueUsd: string }

type DueRow = Amounts & Pick<DuePayment, 'rail' | 'exchanges'>

/** Reads a payment whose try is due; undefined if it is not, or no more. */
export async function findDuePayment(tx: Tx, id: PaymentId): Promise<DuePayment | undefined> {
  const [row] = await tx<DueRow[]>`
    select p.rail, p.rate is not null as exchanges, p.deducting_amount, p.deducting_currency, p.landing_amount,
      p.landing_currency
    from payments p join payment_schedules s on s.id = p.id
    where p.id = ${id} and p.status = 'scheduled' and s.try_at <= business_now()`
  if (!row) return undefined
  return {
    rail: row.rail,
    exchanges: row.exchanges,
    landing: moneyOf(row.landing_amount, row.landing_currency),
    source: row.deducting_currency,
  }
}

type LockedRow = Amounts &
  PayoutStanding & {
    readonly status: PaymentState
    readonly due: boolean
    readonly payee: OrganizationId | null
    readonly payee_can_receive: boolean
    readonly max_deducting: string | null
    readonly requester: UserId
    readonly contact: ContactId
    readonly organization_status: string
    readonly books_stopped: boolean
  }

/** Locks a payment whose try is due, with all that a decision locks; undefined if it is not due, or no more. */
async function lockDue(tx: Tx, id: PaymentId): Promise<LockedRow | undefined> {
  await lockMemberships(tx, 'keep')
  await tx`select from organizations where id = ${tx.organizationId} for share`
  await tx`select lock_limits(${tx.organizationId})`
  await tx`select from payments where id = ${id} for update`
  const [row] = await tx<LockedRow[]>`
    select p.status, ${payoutStandingColumns(sql`p`, sql`c`, sql`d`, tx)}, s.try_at <= business_now() as due, p.deducting_amount,
      p.deducting_currency, p.landing_amount, p.landing_currency, p.payee_organization_id as payee,
      p.payee_organization_id is not null and can_receive(p.payee_organization_id) as payee_can_receive,
      s.max_deducting, p.created_by as requester, p.payment_contact_id as contact, o.status as organization_status,
      o.books_stopped_at is not null as books_stopped
    from payments p join payment_schedules s on s.id = p.id join organizations o on o.id = p.organization_id
    join payment_contacts c on c.id = p.payment_contact_id join payment_destinations d on d.id = p.destination_id
    where p.id = ${id}`
  return row?.status === 'scheduled' && row.due ? row : undefined
}

/**
 * Executes a payment whose try is due: its money is held or, by service ID, paid. What is exchanged gets the price of
 * the day. A repeat changes nothing. Refuses what blocks it now, with which all stays as it was.
 */
export async function executeDuePayment(tx: Tx, id: PaymentId, quote: DayQuote | null): Promise<void> {
  const row = await lockDue(tx, id)
  if (!row) return
  requireExecutable(row)
  const approved = moneyOf(row.deducting_amount, row.deducting_currency)
  const money = quote ? await price(tx, id, row, quote) : approved
  const { requester, contact: contactId } = row
  await requireWithinHardLimits(tx, { action: 'withdrawal', requester, contactId, paymentId: id, asked: [money] })
  await settle(tx, [{ id, ...money, payee: row.payee, payee_can_receive: row.payee_can_receive }], {
    submits: true,
    cause: () => causeOf(id),
  })
}

const causeOf = (id: PaymentId): string => `execution:${id}`

/** Refuses a payment whose payer or payee blocks it now. */
function requireExecutable(row: LockedRow): void {
  const { organization_status: status, books_stopped: stopped, payee, payee_can_receive: receives } = row
  if (isGone(status)) refuse('not_found', { reason: 'organization_gone' })
  if (status !== 'active') refuse('organization_unavailable')
  refuseFirst([...executionBlockers(row), ...(stopped ? [LEDGER_UNBALANCED] : [])])
  if (payee !== null && !receives) refuse('destination_missing', { reason: 'payee_unavailable' })
}

/** Gives the payment its price of the day. Refuses `invalid_schedule` if that is more than was approved. */
async function price(tx: Tx, id: PaymentId, row: LockedRow, { priced, valueUsd }: DayQuote): Promise<Money> {
  const { deducting, fee, rate } = priced
  const most = moneyOf(row.max_deducting ?? row.deducting_amount, row.deducting_currency)
  if (compare(deducting, most) > 0) refuse('invalid_schedule', { reason: 'dearer_than_approved', deducting, most })
  const [money] = await tx<Money[]>`
    select amount::text, currency
    from price_scheduled_payment(${id}, ${deducting.amount}, ${fee.amount}, ${rate}, ${valueUsd})`
  if (!money) throw new Error(`the payment ${id} does not take its price`)
  return money
}

/** Plans the next try of a payment that was refused now, or fails it: nothing was held for it. A repeat does nothing. */
export async function recordRefusal(tx: Tx, id: PaymentId, refusal: Refusal): Promise<void> {
  const row = await lockDue(tx, id)
  if (!row) return
  const { type, details } = refusal
  const reason = typeof details?.['reason'] === 'string' ? details['reason'] : type
  if (isPassing(refusal) && (await putOff(tx, id, reason))) return wake(tx, paymentFlow, { ids: [id], why: 'refused' })
  await giveUpDay(tx, id, reason)
  await movePayments(tx, id, {
    events: ['miss'],
    cause: causeOf(id),
    payload: { reason },
    set: sql`status_detail = ${`not paid on its day: ${reason.replaceAll('_', ' ')}`}`,
  })
}
