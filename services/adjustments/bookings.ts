/** Computes the booking of an adjustment, under the lock of its organization, and posts it. */
import { partnerOfRow } from '../../db/processes/asking.ts'
import { record } from '../events.ts'
import { noteIncomingPayments } from '../incoming-payments/noting.ts'
import { adjustmentKey, adjustmentTransfers } from '../ledger/adjustments.ts'
import { type FeedRow, postToFeed } from '../ledger/feed.ts'
import { type Account, type Leg, available, system } from '../ledger/ledger.ts'
import type { Amounts } from '../payments/payments.ts'
import { adjustPayout } from '../payments/steps.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import type { ConnectionName, PayoutStatus } from '../../domain/partner.ts'
import { depositEvents } from '../../domain/deposits/events.ts'
import { refuse } from '../../domain/errors.ts'
import type { DepositStatus } from '../../domain/deposits/flow.ts'
import { type PaymentState, paymentFlow } from '../../domain/payments/flow.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { AdjustmentId, DepositId, PaymentId } from '../../domain/ids.ts'
import { type Money, compare, formatAmount, moneyOf, subtract } from '../../domain/money/money.ts'
import { paymentEvents } from '../../domain/payments/events.ts'
import { type PaymentEvent, pathAgainst } from '../../domain/payments/payout.ts'
import { type AtConnection, type PartnerRail, clearingOf, connectionOf, nameOfConnection } from '../../domain/rails.ts'

/** Credits of the accounts in a currency, as Postgres writes a numeric. */
type Credits = {
  readonly currency: string
  readonly clearing: string
  readonly receivable: string
  readonly available: string
  readonly payable: string
  readonly refunded_fee: string
}

/** The credits, with the resulting status and the partner's record that justify them. */
export type Booking = Credits & {
  readonly own_status: string | null
  readonly partner_status: string | null
  readonly partner_amount: string | null
  readonly partner_currency: string | null
  /** Part that came back, as the partner lists it; null if it does not say. */
  readonly partner_returned_amount: string | null
}

export type BookingResult = {
  readonly booking: Booking
  readonly events: readonly PaymentEvent[]
  /** Part of a payment that came back, if that is less than was sent. */
  readonly returned?: Money | null
}

type ListedRow<OwnStatus, PartnerStatus = string> = {
  readonly rail: PartnerRail
  readonly connection: ConnectionName | null
  readonly status: OwnStatus
  readonly amount: string
  readonly currency: string
  readonly partner_status: PartnerStatus
  readonly partner_amount: string
  readonly partner_currency: string
}

/**
 * Computes the booking of a payment, whose row it locks: the events that take it to where its partner is, and what left
 * by the partner beside them. Refuses `not_found` if the partner does not list it, and `invalid_state` if the partner
 * has not come to an end, or names another currency.
 */
export async function paymentBooking(tx: Tx, id: PaymentId): Promise<BookingResult> {
  await tx`select from payments where id = ${id} for update`
  const [row] = await tx<(ListedRow<PaymentState, PayoutStatus> & ListedReturn & { readonly fee: string })[]>`
    select p.rail, p.connection, p.status, p.landing_amount as amount, p.landing_currency as currency, p.fee_amount as fee,
      p.returned_amount as booked_back, r.returned_amount as partner_returned_amount, r.returned_currency as back_currency,
      r.status as partner_status, r.amount as partner_amount, r.currency as partner_currency
    from payments p join partner_records r
      on r.partner = ${partnerOfRow(sql`p`)} and r.list = 'payouts' and r.id = p.id
    where p.id = ${id} and p.rail <> 'svc_id'`
  const { status, amount, currency, fee, booked_back, ...listed } = requireComparable(row)
  const { back_currency } = listed
  if (back_currency !== null && back_currency !== currency) {
    refuse('invalid_state', { partner: connectionOf(listed), currency: back_currency })
  }
  const { partner_status, partner_amount, partner_currency, partner_returned_amount } = listed
  const events = pathAgainst(status, partner_status)
  if (!events) refuse('invalid_state', { current: status, partner: partner_status })
  const last = events.at(-1)
  const own_status = last ? paymentFlow.events[last].to : status
  const neverPaid = events[0] === 'reverse' && partner_status !== 'returned'
  const sent = moneyOf(amount, currency)
  const returned = last === 'reverse' ? shortReturnIn(sent, listed) : null
  const back = returned?.amount ?? booked_back
  const [out, booked] = [
    leftBy(
      partner_status === 'settled',
      partner_status === 'returned' ? partner_returned_amount : null,
      partner_amount,
    ),
    leftBy(own_status === 'succeeded', own_status === 'reversed' ? back : null, amount),
  ]
  const credits = await creditsOf(tx, currency, sql`${out} - ${booked}`, sql`a.payment_id = ${id}`)
  const facts = { own_status, partner_status, partner_amount, partner_currency, partner_returned_amount }
  return { events, returned, booking: { ...credits, ...facts, refunded_fee: neverPaid ? fee : '0' } }
}

type ListedReturn = {
  /** Part that came back, as it is booked. */
  readonly booked_back: string | null
  readonly partner_returned_amount: string | null
  readonly back_currency: string | null
}

type ReturnColumn = 'partner_status' | 'partner_amount' | 'partner_returned_amount'

/** Computes what has left of an amount: all of a payment, or what did not come back of it. */
const leftBy = (isPaid: boolean, back: string | null, amount: string): Fragment =>
  isPaid ? sql`${amount}::numeric` : sql`(${amount}::numeric - coalesce(${back}::numeric, ${amount}::numeric))`

/** Reads a part of what was sent that came back; null for all, or if the partner lists another payout. */
function shortReturnIn(sent: Money, listed: Pick<ListedRow<string> & ListedReturn, ReturnColumn>): Money | null {
  const { partner_status: status, partner_amount: amount, partner_returned_amount: back } = listed
  if (status !== 'returned' || back === null || compare(moneyOf(amount, sent.currency), sent) !== 0) return null
  const returned = moneyOf(back, sent.currency)
  return compare(returned, sent) < 0 ? returned : null
}

/**
 * Computes the booking of a credited deposit, whose row it locks: what is there no more, or was never. Refuses
 * `not_found` if the partner does not list it, and `invalid_state` if it is not credited, or is listed in another
 * currency.
 */
export async function depositBooking(tx: Tx, id: DepositId): Promise<BookingResult> {
  await tx`select from deposits where id = ${id} for update`
  const [row] = await tx<ListedRow<DepositStatus>[]>`
    select d.rail, d.connection, d.status, d.amount, d.currency, r.status as partner_status, r.amount as partner_amount,
      r.currency as partner_currency
    from deposits d join partner_records r
      on r.partner = ${partnerOfRow(sql`d`)} and r.list = 'deposits' and r.id = d.partner_deposit_id
    where d.id = ${id}`
  const { status, amount, currency, partner_status, partner_amount, partner_currency } = requireComparable(row)
  if (status !== 'credited') refuse('invalid_state', { current: status })
  const there = partner_status === 'received' ? partner_amount : 0
  const credits = await creditsOf(tx, currency, sql`${amount}::numeric - ${there}::numeric`, sql`a.deposit_id = ${id}`)
  const facts = { own_status: status, partner_status, partner_amount, partner_currency, partner_returned_amount: null }
  return { events: [], booking: { ...credits, ...facts } }
}

function requireComparable<Row extends ListedRow<string>>(row: Row | undefined): Row {
  if (!row) refuse('not_found')
  if (row.partner_currency !== row.currency) {
    refuse('invalid_state', { partner: connectionOf(row), currency: row.partner_currency })
  }
  return row
}

/**
 * Credits the partner's account with what left by it, less what earlier adjustments booked. The organization owes that;
 * what is there again settles first what it owes, and the rest is its own.
 */
async function creditsOf(tx: Tx, currency: string, left: Fragment, same: Fragment): Promise<Credits> {
  const [credits] = await tx<Credits[]>`
    select ${currency} as currency, c.clearing, c.receivable, -(c.clearing + c.receivable) as available, 0::numeric as payable,
      0::numeric as refunded_fee
    from (
      select m.clearing, case when m.clearing > 0 then -m.clearing
        else least(-m.clearing, greatest(${owedIn(tx, currency)}, 0)) end as receivable
      from (
        select ${left} - coalesce(sum(a.clearing), 0) as clearing from adjustments a
        where a.organization_id = ${tx.organizationId} and a.status = 'confirmed' and ${same}) m) c`
  if (!credits) throw new Error('an aggregate answers a row')
  return credits
}

const UNLISTED = {
  clearing: '0',
  refunded_fee: '0',
  own_status: null,
  partner_status: null,
  partner_amount: null,
  partner_currency: null,
  partner_returned_amount: null,
} as const

/** Takes what an organization owes from what it has. Refuses `invalid_state` if it does not owe so much. */
export async function collectionBooking(tx: Tx, { amount, currency }: Money): Promise<BookingResult> {
  const [row] = await tx<{ owed: string; enough: boolean }[]>`
    select o.owed, o.owed >= ${amount}::numeric as enough from (select ${owedIn(tx, currency)} as owed) o`
  if (!row?.enough) refuse('invalid_state', { owed: { amount: formatAmount(row?.owed ?? '0', currency), currency } })
  const booking = { ...UNLISTED, currency, receivable: amount, available: `-${amount}`, payable: '0' }
  return { booking, events: [] }
}

/**
 * Takes what was paid outside from an organization that is gone. Refuses `invalid_state` if it is there, or owes
 * something in this currency: that is collected first.
 */
export async function disbursementBooking(tx: Tx, { amount, currency }: Money): Promise<BookingResult> {
  const [row] = await tx<{ status: string; owed: string; owes: boolean }[]>`
    select s.*, s.owed > 0 as owes from (select o.status, ${owedIn(tx, currency)} as owed from organizations o
      where o.id = ${tx.organizationId}) s`
  if (!row) refuse('not_found')
  if (!isGone(row.status)) refuse('invalid_state', { current: row.status })
  if (row.owes) refuse('invalid_state', { owed: { amount: formatAmount(row.owed, currency), currency } })
  const booking = { ...UNLISTED, currency, receivable: '0', available: `-${amount}`, payable: amount }
  return { booking, events: [] }
}

/** Reads all that the organization can use in a currency. Refuses `invalid_state` if that is nothing. */
export async function availableIn(tx: Tx, currency: string): Promise<Money> {
  const [row] = await tx<{ balance: string }[]>`
    select balance from ledger_accounts
    where organization_id = ${tx.organizationId} and currency = ${currency} and kind = 'available' and balance > 0`
  return row ? moneyOf(row.balance, currency) : refuse('invalid_state', { available: '0', currency })
}

const owedIn = (tx: Tx, currency: string): Fragment => sql`
  (select coalesce(-sum(o.receivable), 0) from adjustments o
    where o.organization_id = ${tx.organizationId} and o.currency = ${currency} and o.status = 'confirmed')`

type ConfirmedBooking = Booking & {
  readonly id: AdjustmentId
  readonly kind: string
  readonly payment_id: PaymentId | null
  readonly deposit_id: DepositId | null
  readonly reference: string | null
}

export async function bookAdjustment(tx: Tx, row: ConfirmedBooking, result: BookingResult): Promise<void> {
  const { id, payment_id: paymentId, deposit_id: depositId, currency } = row
  const adjusted = { cause: adjustmentKey(id), payload: { adjustment_id: id } }
  if (paymentId) {
    await record(tx, paymentEvents.adjusted, { subjectId: paymentId, ...adjusted })
    return bookPayment(tx, row, paymentId, result)
  }
  if (depositId) await record(tx, depositEvents.adjusted, { subjectId: depositId, ...adjusted })
  const [deposit] = depositId
    ? await tx<AtConnection[]>`select rail, connection from deposits where id = ${depositId}`
    : []
  const legs = legsOf(tx, row, deposit ?? null, currency)
  const [transfer] = adjustmentTransfers(tx, { id, legs })
  if (transfer) await postToFeed(tx, transfer, feedRow(row), noteIncomingPayments)
}

async function bookPayment(
  tx: Tx,
  row: ConfirmedBooking,
  id: PaymentId,
  { events, returned = null }: BookingResult,
): Promise<void> {
  const [payment] = await tx<PaidColumns[]>`
    select rail, connection, deducting_currency, landing_amount, landing_currency from payments where id = ${id}`
  if (!payment) throw new Error('an adjustment refers to its payment')
  const { deducting_currency: feeCurrency, landing_amount: amount, landing_currency: currency } = payment
  const kept = returned && subtract(moneyOf(amount, currency), returned)
  const statusDetail = `an operator has booked that the ${nameOfConnection(payment)} calls it ${row.partner_status}`
  const legs = legsOf(tx, row, payment, feeCurrency)
  const charges = kept ? [{ name: 'kept', money: kept } as const] : []
  await adjustPayout(tx, id, { id: row.id, events, statusDetail, returned, charges, legs })
}

type PaidColumns = AtConnection & Pick<Amounts, 'deducting_currency' | 'landing_amount' | 'landing_currency'>

function legsOf(tx: Tx, row: ConfirmedBooking, at: AtConnection | null, feeCurrency: string): Leg[] {
  const mine = available(tx.organizationId)
  const credits: readonly (readonly [Account, string, string])[] = [
    ...(at ? [[system(clearingOf(at)), row.clearing, row.currency] as const] : []),
    [system('receivable'), row.receivable, row.currency],
    [system('payable'), row.payable, row.currency],
    [mine, row.available, row.currency],
    [system('fees'), `-${row.refunded_fee}`, feeCurrency],
    [mine, row.refunded_fee, feeCurrency],
  ]
  return credits
    .filter(([, amount]) => Number(amount) !== 0)
    .map(([account, amount, currency]) => ({ ...account, currency, amount: formatAmount(amount, currency) }))
}

function feedRow({ id, kind, deposit_id: depositId, reference }: ConfirmedBooking): FeedRow {
  const row = { adjustmentId: id, depositId }
  if (kind === 'disbursement') return { ...row, type: 'payment', description: `Paid outside: ${reference}` }
  if (kind === 'collection') return { ...row, type: 'reversal', description: 'What was owed' }
  return { ...row, type: 'deposit', description: 'Came in another amount' }
}
