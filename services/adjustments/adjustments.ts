/** Bookings that one operator proposes and another confirms: nothing is booked before that, and all of it then. */
import { type Operator, proveOperator } from '../factors/operator-proof.ts'
import { record } from '../events.ts'
import { adjustmentKey } from '../ledger/adjustments.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import { type Tx, first, inOrganization, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { adjustmentEvents, adjustmentMoves } from '../../domain/adjustments/events.ts'
import { describeCheck } from '../../domain/audit/audit.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import { refuse } from '../../domain/errors.ts'
import type { PayloadOf } from '../../domain/event-type.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { type AdjustmentStatus, adjustmentFlow } from '../../domain/adjustments/flow.ts'
import {
  type AdjustmentId,
  type DepositId,
  type OrganizationId,
  type PaymentId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { compareDecimals } from '../../domain/money/decimal.ts'
import { type Money, canonicalMoney, formatAmount } from '../../domain/money/money.ts'
import type { SecurityEventType } from '../../domain/people/security-event.ts'
import {
  type BookingResult,
  type Booking,
  availableIn,
  bookAdjustment,
  collectionBooking,
  depositBooking,
  disbursementBooking,
  paymentBooking,
} from './bookings.ts'

/** An adjustment as operators see it. */
export type Adjustment = Booking & {
  readonly id: AdjustmentId
  readonly organization_id: OrganizationId
  readonly kind: 'payment' | 'deposit' | 'collection' | 'disbursement'
  readonly status: AdjustmentStatus
  readonly payment_id: PaymentId | null
  readonly deposit_id: DepositId | null
  /** Connection whose list it takes over. */
  readonly connection: ConnectionName | null
  readonly reason: string
  readonly reference: string | null
  readonly proposed_by: UserId
  readonly proposer: string
  readonly inserted_at: string
}

/** Checks of the reconciliation that an adjustment can end, without the name of the partner. */
const ADJUSTABLE =
  /_(paid_but_not_in_the_books|in_the_books_but_not_paid|payout_amount_differs|payout_status_differs|deposit_amount_differs|deposit_status_differs)$/

/**
 * Proposes to book what a partner lists of a payment or a credited deposit. Refuses `not_found` without a finding of
 * the reconciliation that asking does not mend, and as the bookings and `proveOperator` do.
 */
export async function proposeAdjustment(subject: string, reason: string, operator: Operator): Promise<Adjustment> {
  const rows = await sql<{ organization_id: OrganizationId; check_name: string }[]>`
    select organization_id, check_name from open_differences(${subject})`
  const found = rows.find(({ check_name: check }) => ADJUSTABLE.test(check)) ?? refuse('not_found')
  // the finding is about it
  const [paymentId, depositId] = [subject as PaymentId, subject as DepositId]
  return describeCheck(found.check_name).about === 'payment'
    ? propose(found.organization_id, operator, { kind: 'payment', payment_id: paymentId, reason }, (tx) =>
        paymentBooking(tx, paymentId),
      )
    : propose(found.organization_id, operator, { kind: 'deposit', deposit_id: depositId, reason }, (tx) =>
        depositBooking(tx, depositId),
      )
}

/** Proposes to take from an organization what it owes. Refuses as the bookings and `proveOperator` do. */
export const proposeCollection = (id: OrganizationId, money: Money, reason: string, operator: Operator) =>
  propose(id, operator, { kind: 'collection', reason }, (tx) => collectionBooking(tx, canonicalMoney(money)))

/**
 * Proposes that all money of a banned or deleted organization was paid outside. Refuses as the bookings and
 * `proveOperator` do.
 */
export const proposeDisbursement = (
  id: OrganizationId,
  { currency, reference }: { readonly currency: string; readonly reference: string },
  reason: string,
  operator: Operator,
) =>
  propose(id, operator, { kind: 'disbursement', reason, reference }, async (tx) =>
    disbursementBooking(tx, await availableIn(tx, currency)),
  )

type Proposal = Pick<Adjustment, 'kind' | 'reason'> &
  Partial<Pick<Adjustment, 'payment_id' | 'deposit_id' | 'reference'>>

function propose(
  organizationId: OrganizationId,
  operator: Operator,
  proposal: Proposal,
  book: (tx: Tx) => Promise<BookingResult>,
): Promise<Adjustment> {
  const id = newId<'adjustment'>()
  return inOrganization({ kind: 'admin' }, organizationId, async (tx) => {
    await lockOrganization(tx)
    const proposed_by = await proveOperator(tx, operator)
    const { booking } = await book(tx)
    const row = { id, organization_id: organizationId, status: 'proposed', proposed_by, ...proposal, ...booking }
    const made = await tx`insert into adjustments ${tx(row)} on conflict do nothing returning id`
    if (made.length === 0) refuse('invalid_state', { reason: 'proposed_already' })
    await record(tx, adjustmentEvents.proposed, {
      subjectId: id,
      cause: adjustmentKey(id),
      payload: payloadOf(booking),
    })
    await recordDecision(tx, proposed_by, 'adjustment.proposed', id)
    return readAdjustment(tx, id)
  })
}

export async function listProposed(most: number): Promise<Adjustment[]> {
  return [...(await sql<Adjustment[]>`${selectAdjustments(null, most)}`)]
}

/**
 * Books what another operator has proposed, in one transaction: state, ledger, feed, events, and the operator's own
 * log. Refuses `not_found`; `requester_cannot_approve` to the operator who proposed it; `invalid_state` if it is
 * decided, or if the rows or the partner's list have changed since; `insufficient_funds`; and as `proveOperator` does.
 */
export const confirmAdjustment = (id: AdjustmentId, operator: Operator): Promise<Adjustment> =>
  decide(id, operator, async (tx, row, userId) => {
    if (row.proposed_by === userId) refuse('requester_cannot_approve')
    const result = await bookAgain(tx, row)
    if (!isSame(row, result.booking)) refuse('invalid_state', { reason: 'changed_since' })
    await transition(tx, adjustmentMoves, id, {
      events: ['confirm'],
      cause: adjustmentKey(id),
      set: sql`confirmed_by = ${userId}, confirmed_at = business_now()`,
      payload: payloadOf(row),
    })
    await bookAdjustment(tx, row, result)
    await recordDecision(tx, userId, 'adjustment.confirmed', id)
  })

/** Withdraws a proposal; any operator may. Refuses `not_found`, `invalid_state`, and as `proveOperator` does. */
export const withdrawAdjustment = (id: AdjustmentId, operator: Operator): Promise<Adjustment> =>
  decide(id, operator, async (tx, _, userId) => {
    await transition(tx, adjustmentMoves, id, { events: ['withdraw'], cause: adjustmentKey(id) })
    await recordDecision(tx, userId, 'adjustment.withdrawn', id)
  })

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

async function lockOrganization(tx: Tx): Promise<void> {
  const found = await tx`select id from organizations where id = ${tx.organizationId} for no key update`
  if (found.length === 0) refuse('not_found')
}

const recordDecision = (tx: Tx, userId: UserId, type: SecurityEventType, adjustmentId: AdjustmentId): Promise<void> =>
  recordSecurityEvent(tx, { type, userId, origin: null, details: { adjustment_id: adjustmentId } })

const selectAdjustments = (id: AdjustmentId | null, most: number) => sql`
  select a.id, a.organization_id, a.kind, a.status, a.payment_id, a.deposit_id,
    connection_of_adjustment(a.id) as connection, a.own_status, a.partner_status,
    a.partner_amount, a.partner_currency, a.partner_returned_amount, a.currency, a.clearing, a.receivable, a.available, a.payable, a.refunded_fee,
    a.reason, a.reference, a.proposed_by, p.email as proposer, a.inserted_at
  from listed_adjustments(${id}, ${most}) a join people p on p.id = a.proposed_by order by a.inserted_at, a.id`

async function readAdjustment(tx: Tx, id: AdjustmentId): Promise<Adjustment> {
  const [row] = await tx<Adjustment[]>`${selectAdjustments(id, 1)}`
  return row ?? refuse('not_found')
}

/** Computes the booking of a proposal again; what has come since is left for another disbursement. */
function bookAgain(tx: Tx, { kind, payment_id, deposit_id, available, currency }: Adjustment): Promise<BookingResult> {
  if (payment_id) return paymentBooking(tx, payment_id)
  if (deposit_id) return depositBooking(tx, deposit_id)
  const money = { amount: formatAmount(available.replace('-', ''), currency), currency }
  return kind === 'collection' ? collectionBooking(tx, money) : disbursementBooking(tx, money)
}

/** Writes amounts at their currencies' precision: Postgres answers the same number with more or fewer zeros. */
const payloadOf = (b: Booking): PayloadOf<typeof adjustmentEvents.proposed> => ({
  own_status: b.own_status,
  partner_status: b.partner_status,
  partner_amount: b.partner_amount && b.partner_currency && formatAmount(b.partner_amount, b.partner_currency),
  currency: b.currency,
  clearing: formatAmount(b.clearing, b.currency),
  receivable: formatAmount(b.receivable, b.currency),
  available: formatAmount(b.available, b.currency),
  payable: formatAmount(b.payable, b.currency),
})

const isSame = (one: Booking, other: Booking): boolean =>
  canonicalJson(payloadOf(one)) === canonicalJson(payloadOf(other)) &&
  compareDecimals(one.refunded_fee, other.refunded_fee) === 0 &&
  isSameReturn(one.partner_returned_amount, other.partner_returned_amount)

const isSameReturn = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : compareDecimals(one, other) === 0
