/** What an adjustment books, from the rows as they are under the lock of their organization. */
import { partnerOfRow } from '../asking.ts'
import { refuse } from '../../domain/errors.ts'
import type { DepositId, PaymentId } from '../../domain/ids.ts'
import type { DepositStatus } from '../../domain/flows/deposit.ts'
import { type PaymentStatus, paymentFlow } from '../../domain/flows/payment.ts'
import type { PayoutStatus } from '../../domain/callbacks/partner.ts'
import { type PaymentEvent, pathAgainst } from '../../domain/payments/payout.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import { type Money, formatAmount, moneyOf } from '../../domain/money/money.ts'
import { type PartnerRail, partnerOf } from '../../domain/rails.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'

/** What is adjusted, or why. */
export type AdjustmentKind = 'payment' | 'deposit' | 'collection' | 'disbursement'

/** What the accounts are credited with, in a currency, as Postgres writes a numeric. */
type Credits = {
  readonly currency: string
  readonly clearing: string
  readonly receivable: string
  readonly available: string
  readonly payable: string
  readonly refunded_fee: string
}

/** What it books, and what makes it right: where a payment or deposit stands then, and what its partner lists. */
export type Booking = Credits & {
  readonly own_status: string | null
  readonly partner_status: string | null
  readonly partner_amount: string | null
  readonly partner_currency: string | null
}

/** A partner's record, and what it is about. */
type Listed = {
  readonly rail: PartnerRail
  readonly currency: string
  readonly partner_status: string
  readonly partner_amount: string
  readonly partner_currency: string
}

/**
 * What to book of a payment, whose row it locks: the events that take it to where its partner is, and what left by the
 * partner beside them. Refuses `not_found` if the partner does not list it, and `invalid_state` if the partner has not
 * come to an end, or names another currency.
 */
export async function paymentBooking(
  tx: Tx,
  id: PaymentId,
): Promise<{ readonly booking: Booking; readonly events: readonly PaymentEvent[] }> {
  await tx`select from payments where id = ${id} for update`
  const [row] = await tx<
    (Listed & { status: PaymentStatus; partner_status: PayoutStatus; amount: string; fee: string })[]
  >`
    select p.rail, p.status, p.landing_amount as amount, p.landing_currency as currency, p.fee_amount as fee,
      r.status as partner_status, r.amount as partner_amount, r.currency as partner_currency
    from payments p join partner_records r
      on r.partner = ${partnerOfRow(sql`p`)} and r.list = 'payouts' and r.id = p.id
    where p.id = ${id} and p.rail <> 'svc_id'`
  const listed = checked(row)
  const { status, partner_status: word, partner_amount: amount, fee } = listed
  const events = pathAgainst(status, word)
  if (!events) refuse('invalid_state', { current: status, partner: word })
  const last = events.at(-1)
  const own = last ? paymentFlow.events[last].to : status
  const neverPaid = events[0] === 'reverse' && word !== 'returned'
  const left = sql`${word === 'settled' ? amount : 0}::numeric - ${own === 'succeeded' ? listed.amount : 0}::numeric`
  const credits = await creditsOf(tx, listed.currency, left, sql`a.payment_id = ${id}`)
  return { events, booking: { ...factsOf(listed), ...credits, own_status: own, refunded_fee: neverPaid ? fee : '0' } }
}

/**
 * What to book of a credited deposit, whose row it locks: what is there no more, or was never. Refuses `not_found` if
 * the partner does not list it, and `invalid_state` if it is not credited, or is listed in another currency.
 */
export async function depositBooking(tx: Tx, id: DepositId): Promise<Booking> {
  await tx`select from deposits where id = ${id} for update`
  const [row] = await tx<(Listed & { status: DepositStatus; amount: string })[]>`
    select d.rail, d.status, d.amount, d.currency, r.status as partner_status, r.amount as partner_amount,
      r.currency as partner_currency
    from deposits d join partner_records r
      on r.partner = ${partnerOfRow(sql`d`)} and r.list = 'deposits' and r.id = d.partner_deposit_id
    where d.id = ${id}`
  const listed = checked(row)
  const { status, partner_status: word, partner_amount: amount } = listed
  if (status !== 'credited') refuse('invalid_state', { current: status })
  const left = sql`${listed.amount}::numeric - ${word === 'received' ? amount : 0}::numeric`
  const credits = await creditsOf(tx, listed.currency, left, sql`a.deposit_id = ${id}`)
  return { ...factsOf(listed), ...credits, own_status: status }
}

function checked<Row extends Listed>(row: Row | undefined): Row {
  if (!row) refuse('not_found')
  if (row.partner_currency !== row.currency) {
    refuse('invalid_state', { partner: partnerOf(row.rail), currency: row.partner_currency })
  }
  return row
}

const factsOf = ({ partner_status, partner_amount, partner_currency }: Listed) => ({
  partner_status,
  partner_amount,
  partner_currency,
})

/**
 * Credits the partner's account with what has left by it, less what earlier adjustments of the same have booked. The
 * organization owes that; what is there again settles first what it owes, and the rest is its own.
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

const NO_FACTS = { own_status: null, partner_status: null, partner_amount: null, partner_currency: null } as const

/**
 * Takes what an organization owes from what it has. Refuses `invalid_state` if it does not owe so much.
 */
export async function collectionBooking(tx: Tx, { amount, currency }: Money): Promise<Booking> {
  const [row] = await tx<{ owed: string; enough: boolean }[]>`
    select o.owed, o.owed >= ${amount}::numeric as enough from (select ${owedIn(tx, currency)} as owed) o`
  if (!row?.enough) refuse('invalid_state', { owed: { amount: formatAmount(row?.owed ?? '0', currency), currency } })
  const credits = { clearing: '0', receivable: amount, available: `-${amount}`, payable: '0', refunded_fee: '0' }
  return { currency, ...credits, ...NO_FACTS }
}

/**
 * Takes what was paid outside from an organization that is gone. Refuses `invalid_state` if it is there, or owes
 * something in this currency: that is collected first.
 */
export async function disbursementBooking(tx: Tx, { amount, currency }: Money): Promise<Booking> {
  const [row] = await tx<{ status: string; owed: string; owes: boolean }[]>`
    select s.*, s.owed > 0 as owes from (select o.status, ${owedIn(tx, currency)} as owed from organizations o
      where o.id = ${tx.organizationId}) s`
  if (!row) refuse('not_found')
  if (!isGone(row.status)) refuse('invalid_state', { current: row.status })
  if (row.owes) refuse('invalid_state', { owed: { amount: formatAmount(row.owed, currency), currency } })
  const credits = { clearing: '0', receivable: '0', available: `-${amount}`, payable: amount, refunded_fee: '0' }
  return { currency, ...credits, ...NO_FACTS }
}

/** All that the organization can use in a currency. Refuses `invalid_state` if that is nothing. */
export async function availableIn(tx: Tx, currency: string): Promise<Money> {
  const [row] = await tx<{ balance: string }[]>`
    select balance from ledger_accounts
    where organization_id = ${tx.organizationId} and currency = ${currency} and kind = 'available' and balance > 0`
  return row ? moneyOf(row.balance, currency) : refuse('invalid_state', { available: '0', currency })
}

/** What the organization owes in a currency. */
const owedIn = (tx: Tx, currency: string): Fragment => sql`
  (select coalesce(-sum(o.receivable), 0) from adjustments o
    where o.organization_id = ${tx.organizationId} and o.currency = ${currency} and o.status = 'confirmed')`
