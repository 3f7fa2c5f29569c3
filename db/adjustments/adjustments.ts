/**
 * Bookings that one operator proposes and another confirms: nothing of them is booked before that, and all of it then.
 */
import {
  type AdjustmentKind,
  type Booking,
  availableIn,
  collectionBooking,
  depositBooking,
  disbursementBooking,
  paymentBooking,
} from './amounts.ts'
import { bookAdjustment } from './postings.ts'
import { type Operator, proveOperator, recordDecision } from './operators.ts'
import { record } from '../events.ts'
import { adjustmentKey } from '../ledger/adjustments.ts'
import { adjustmentEvents, adjustmentMoves } from '../../domain/adjustments/events.ts'
import { describeCheck } from '../../domain/audit/audit.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import { refuse } from '../../domain/errors.ts'
import type { PayloadOf } from '../../domain/event-type.ts'
import { eventsFrom } from '../../domain/flows/flow.ts'
import { type AdjustmentStatus, adjustmentFlow } from '../../domain/flows/undriven/adjustment.ts'
import {
  type AdjustmentId,
  type DepositId,
  type OrganizationId,
  type PaymentId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import { compareDecimals } from '../../domain/money/decimal.ts'
import { type Money, canonicalMoney, formatAmount } from '../../domain/money/money.ts'
import type { PaymentEvent } from '../../domain/payments/payout.ts'
import { type Tx, first, inOrganization, sql } from '../sql.ts'
import { transition } from '../transition.ts'

/** An adjustment as operators see it. */
export type Adjustment = Booking & {
  readonly id: AdjustmentId
  readonly organization_id: OrganizationId
  readonly kind: AdjustmentKind
  readonly status: AdjustmentStatus
  readonly payment_id: PaymentId | null
  readonly deposit_id: DepositId | null
  readonly reason: string
  readonly reference: string | null
  readonly proposed_by: UserId
  readonly proposer: string
  readonly inserted_at: string
}

/** The differences to a partner's list that an adjustment can end, without the name of the partner. */
const ADJUSTABLE =
  /_(paid_but_not_in_the_books|in_the_books_but_not_paid|payout_amount_differs|payout_status_differs|deposit_amount_differs|deposit_status_differs)$/

/**
 * Proposes to book what a partner lists of a payment or a credited deposit, if the reconciliation finds that it differs
 * and asking does not mend it. Answers the proposal. Refuses `not_found` without such a finding, and as the bookings
 * and `proveOperator` do.
 */
export async function proposeAdjustment(subject: string, reason: string, operator: Operator): Promise<Adjustment> {
  const rows = await sql<{ organization_id: OrganizationId; check_name: string }[]>`
    select organization_id, check_name from open_differences(${subject})`
  const found = rows.find(({ check_name: check }) => ADJUSTABLE.test(check)) ?? refuse('not_found')
  const about: Subject =
    describeCheck(found.check_name).about === 'payment'
      ? { kind: 'payment', payment_id: subject as PaymentId } // the finding is about it
      : { kind: 'deposit', deposit_id: subject as DepositId }
  return propose(found.organization_id, about, { reason, operator })
}

/** Proposes to take from an organization what it owes. Refuses as the bookings and `proveOperator` do. */
export const proposeCollection = (id: OrganizationId, money: Money, reason: string, operator: Operator) =>
  propose(id, { kind: 'collection', money: canonicalMoney(money) }, { reason, operator })

/**
 * Proposes to book that all which an organization that is banned or deleted has in a currency was paid outside, by the
 * payment with this reference. Refuses as the bookings and `proveOperator` do.
 */
export const proposeDisbursement = (
  id: OrganizationId,
  paid: { readonly currency: string; readonly reference: string },
  reason: string,
  operator: Operator,
) => propose(id, { kind: 'disbursement', ...paid }, { reason, operator })

type Subject =
  | { readonly kind: 'payment'; readonly payment_id: PaymentId }
  | { readonly kind: 'deposit'; readonly deposit_id: DepositId }
  | { readonly kind: 'collection'; readonly money: Money }
  | { readonly kind: 'disbursement'; readonly currency: string; readonly reference: string }

function propose(
  organizationId: OrganizationId,
  subject: Subject,
  { reason, operator }: { reason: string; operator: Operator },
): Promise<Adjustment> {
  const id = newId<'adjustment'>()
  return inOrganization({ kind: 'admin' }, organizationId, async (tx) => {
    await lockOrganization(tx)
    const userId = await proveOperator(tx, operator)
    const { booking: b } = await bookingOf(tx, subject)
    const [paymentId, depositId, reference] = [
      subject.kind === 'payment' ? subject.payment_id : null,
      subject.kind === 'deposit' ? subject.deposit_id : null,
      subject.kind === 'disbursement' ? subject.reference : null,
    ]
    const made = await tx`
      insert into adjustments (id, organization_id, kind, status, payment_id, deposit_id, own_status, partner_status,
        partner_amount, partner_currency, currency, clearing, receivable, available, payable, refunded_fee, reason,
        reference, proposed_by)
      values (${id}, ${organizationId}, ${subject.kind}, 'proposed', ${paymentId}, ${depositId}, ${b.own_status},
        ${b.partner_status}, ${b.partner_amount}, ${b.partner_currency}, ${b.currency}, ${b.clearing}, ${b.receivable},
        ${b.available}, ${b.payable}, ${b.refunded_fee}, ${reason}, ${reference}, ${userId})
      on conflict do nothing returning id`
    if (made.length === 0) refuse('invalid_state', { reason: 'proposed_already' })
    await record(tx, adjustmentEvents.proposed, { subjectId: id, cause: adjustmentKey(id), payload: toldOf(b) })
    await recordDecision(tx, userId, 'adjustment.proposed', id)
    return readAdjustment(tx, id)
  })
}

/** Those that wait for a second operator, oldest first. */
export async function listProposed(most: number): Promise<Adjustment[]> {
  const rows = await sql<Adjustment[]>`${selectAdjustments(null, most)}`
  return [...rows]
}

/**
 * Books what another operator has proposed, in one transaction: state, ledger, feed, events, and the operator's own
 * log. Refuses `not_found`; `requester_cannot_approve` to the operator who proposed it; `invalid_state` if it is
 * decided, or if the rows or the partner's list have changed since; `insufficient_funds`; and as `proveOperator` does.
 */
export const confirmAdjustment = (id: AdjustmentId, operator: Operator): Promise<Adjustment> =>
  decide(id, operator, async (tx, row, userId) => {
    if (row.proposed_by === userId) refuse('requester_cannot_approve')
    const { booking, events } = await bookingOf(tx, subjectOf(row))
    if (!isSame(row, booking)) refuse('invalid_state', { reason: 'changed_since' })
    const set = sql`confirmed_by = ${userId}, confirmed_at = business_now()`
    await transition(tx, adjustmentMoves, id, {
      events: ['confirm'],
      cause: adjustmentKey(id),
      set,
      payload: toldOf(row),
    })
    await bookAdjustment(tx, row, events)
    await recordDecision(tx, userId, 'adjustment.confirmed', id)
  })

/** Withdraws a proposal; any operator may. Refuses `not_found`, `invalid_state`, and as `proveOperator` does. */
export const withdrawAdjustment = (id: AdjustmentId, operator: Operator): Promise<Adjustment> =>
  decide(id, operator, async (tx, _, userId) => {
    await transition(tx, adjustmentMoves, id, { events: ['withdraw'], cause: adjustmentKey(id) })
    await recordDecision(tx, userId, 'adjustment.withdrawn', id)
  })

/** Decides on a proposal under its lock, once. */
async function decide(
  id: AdjustmentId,
  operator: Operator,
  decision: (tx: Tx, row: Adjustment, userId: UserId) => Promise<void>,
): Promise<Adjustment> {
  const found = (await first(sql<Adjustment[]>`${selectAdjustments(id, 1)}`)) ?? refuse('not_found')
  return inOrganization({ kind: 'admin' }, found.organization_id, async (tx) => {
    await lockOrganization(tx)
    const userId = await proveOperator(tx, operator)
    const row = await readAdjustment(tx, id)
    const { status } = row
    if (status !== 'proposed') refuse('invalid_state', { current: status, allowed: eventsFrom(adjustmentFlow, status) })
    await decision(tx, row, userId)
    return row
  })
}

/** Adjustments of an organization come one after the other: each is made of what those before it have booked. */
async function lockOrganization(tx: Tx): Promise<void> {
  const found = await tx`select id from organizations where id = ${tx.organizationId} for no key update`
  if (found.length === 0) refuse('not_found')
}

const selectAdjustments = (id: AdjustmentId | null, most: number) => sql`
  select a.id, a.organization_id, a.kind, a.status, a.payment_id, a.deposit_id, a.own_status, a.partner_status,
    a.partner_amount, a.partner_currency, a.currency, a.clearing, a.receivable, a.available, a.payable, a.refunded_fee,
    a.reason, a.reference, a.proposed_by, p.email as proposer, a.inserted_at
  from listed_adjustments(${id}, ${most}) a join people p on p.id = a.proposed_by order by a.inserted_at, a.id`

async function readAdjustment(tx: Tx, id: AdjustmentId): Promise<Adjustment> {
  const [row] = await tx<Adjustment[]>`${selectAdjustments(id, 1)}`
  return row ?? refuse('not_found')
}

async function bookingOf(
  tx: Tx,
  subject: Subject | Asked,
): Promise<{ readonly booking: Booking; readonly events: readonly PaymentEvent[] }> {
  switch (subject.kind) {
    case 'payment':
      return paymentBooking(tx, subject.payment_id)
    case 'deposit':
      return { booking: await depositBooking(tx, subject.deposit_id), events: [] }
    case 'collection':
      return { booking: await collectionBooking(tx, subject.money), events: [] }
    case 'disbursement': {
      const money = 'money' in subject ? subject.money : await availableIn(tx, subject.currency)
      return { booking: await disbursementBooking(tx, money), events: [] }
    }
  }
}

/** What was proposed to be paid outside; more that has come since is left for another one. */
type Asked = { readonly kind: 'disbursement'; readonly money: Money }

function subjectOf({ kind, payment_id, deposit_id, available: taken, currency }: Adjustment): Subject | Asked {
  if (payment_id) return { kind: 'payment', payment_id }
  if (deposit_id) return { kind: 'deposit', deposit_id }
  const money = { amount: formatAmount(taken.replace('-', ''), currency), currency }
  return kind === 'collection' ? { kind, money } : { kind: 'disbursement', money }
}

/** Amounts at their currencies' precision: Postgres writes the same number with more or fewer zeros. */
const toldOf = (b: Booking): PayloadOf<typeof adjustmentEvents.proposed> => ({
  own_status: b.own_status,
  partner_status: b.partner_status,
  partner_amount: b.partner_amount && b.partner_currency && formatAmount(b.partner_amount, b.partner_currency),
  currency: b.currency,
  clearing: formatAmount(b.clearing, b.currency),
  receivable: formatAmount(b.receivable, b.currency),
  available: formatAmount(b.available, b.currency),
  payable: formatAmount(b.payable, b.currency),
})

const isSame = (one: Booking, other: Booking): boolean => {
  const [a, b] = [toldOf(one), toldOf(other)].map((told) => canonicalJson(told))
  return a === b && compareDecimals(one.refunded_fee, other.refunded_fee) === 0
}
