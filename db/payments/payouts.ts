/** Payments that leave through a partner: what it is asked to pay, and what its answers do to payment and books. */
import { hasUnprocessedCallbacks, inSeconds } from '../asking.ts'
import { config } from '../../platform/config.ts'
import { coordinatesOf } from '../contacts/destinations.ts'
import { openCover } from '../covers/covers.ts'
import { v7 } from 'uuid'
import { type Leg, post } from '../ledger/ledger.ts'
import { refuse } from '../../domain/errors.ts'
import type { PayloadOf } from '../../domain/event-type.ts'
import { driven, eventsFrom } from '../../domain/flows/flow.ts'
import type { AdjustmentId, PaymentId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { type MoneyPartner, type PartnerPayout } from '../../domain/callbacks/partner.ts'
import { batchFlow } from '../../domain/flows/payment-batch.ts'
import { type PaymentStatus, paymentFlow } from '../../domain/flows/payment.ts'
import { paymentMoves } from '../../domain/payments/events.ts'
import { isCancellable, refuseCancellation } from '../../domain/payments/payment.ts'
import { type Coordinates, payable } from '../../domain/contacts/destination.ts'
import type { PaymentEvent } from '../../domain/payments/payout.ts'
import {
  type PayoutPlan,
  type PayoutState,
  type PayoutUpdate,
  type Silence,
  planOf,
  planOfAdjustment,
  planOfSilence,
} from '../../domain/payments/payout-plan.ts'
import { movePayments } from './moves.ts'
import { type Paid, coversOf, discardFeed, postedFeed, transfersOf } from './payout-postings.ts'
import { adjustmentKey, adjustmentTransfers } from '../ledger/adjustments.ts'
import { type Tx, sql } from '../sql.ts'
import type { Move } from '../transition.ts'
import { wake } from '../wakes.ts'
import { type PartnerRail, type Rail, partnerOf } from '../../domain/rails.ts'

/** What a partner is asked to pay. It holds coordinates in the clear: it is never returned to a workflow. */
export type Payout = {
  readonly partner: MoneyPartner
  readonly status: PaymentStatus
  /** When this was read. */
  readonly callbacksReceived: number
  readonly hasUnprocessedCallbacks: boolean
  /** Whether a partner has ever said a word about it. */
  readonly accepted: boolean
  /** Whether it is still to be sent: it has not ended, and no partner ever took it. */
  readonly sendable: boolean
  readonly amount: Money
  /** What the recipient sees. */
  readonly reference: string
  readonly beneficiary: Coordinates
}

/** What a payment's partner is asked to pay; refuses `not_found` for a payment that no partner pays. */
export async function payoutOf(tx: Tx, id: PaymentId): Promise<Payout> {
  const [row] = await tx<
    {
      rail: PartnerRail
      status: PaymentStatus
      received: number
      unprocessed: boolean
      accepted: boolean
      sendable: boolean
      amount: string
      currency: string
      reference: string
      destination: string
      sealed: string | null
    }[]
  >`
    select p.rail, p.status, p.callbacks_received as received,
      ${hasUnprocessedCallbacks(sql`p`)} as unprocessed, p.partner_version >= 0 as accepted,
      p.partner_version < 0 and p.status in ('submitted', 'on_hold', 'cancelling') as sendable,
      p.landing_amount as amount, p.landing_currency as currency, p.statement_description as reference,
      d.id as destination, encode(d.sealed, 'hex') as sealed
    from payments p join payment_destinations d on d.id = p.destination_id
    where p.id = ${id} and p.rail in ('fiat', 'crypto')`
  if (!row) refuse('not_found')
  const { rail, status, accepted, sendable, destination, sealed, reference } = row
  const beneficiary = coordinatesOf({ id: destination, sealed })
  if (!beneficiary) throw new Error(`the destination of payment ${id} has no coordinates`)
  return {
    partner: partnerOf(rail),
    status,
    callbacksReceived: row.received,
    hasUnprocessedCallbacks: row.unprocessed,
    accepted,
    sendable,
    amount: moneyOf(row.amount, row.currency),
    reference,
    beneficiary: payable(beneficiary),
  }
}

type Row = PayoutState & Paid & { readonly payment_batch_id: string | null }

async function lockPayout(tx: Tx, id: PaymentId): Promise<Row> {
  const [row] = await tx<Row[]>`
    select id, status, rail, payment_batch_id, partner_version as version, callback_version, callbacks_received, callbacks_processed, asks,
      extract(epoch from business_now() - unclear_since)::float8 as unclear_seconds, deducting_amount, deducting_currency,
      landing_amount, landing_currency, fee_amount, feed_id, fee_feed_id, custody_decided,
      exists (select from adjustments a
        where a.payment_id = payments.id and a.status = 'confirmed' and a.clearing <> 0) as amount_adjusted,
      (select q.value_usd from payment_quotes q where q.id = payments.quote_id) as value_usd
    from payments where id = ${id} and rail in ('fiat', 'crypto') for update`
  return row ?? refuse('not_found')
}

/** Applies what a partner says of a payout: status, ledger, feed and events in one transaction, by planOf(). */
export async function applyPayoutUpdate(tx: Tx, id: PaymentId, update: PayoutUpdate): Promise<void> {
  const row = await lockPayout(tx, id)
  await write(tx, row, planOf(row, update, config.partnerPollSeconds))
}

/** Records that a partner gave no clear answer, by planOfSilence(). */
export async function recordSilence(tx: Tx, id: PaymentId, silence: Silence): Promise<void> {
  const row = await lockPayout(tx, id)
  await write(tx, row, planOfSilence(row, silence, config.partnerPollSeconds))
}

/** What operators have decided to book of a payment, beside what takes it to where its partner is. */
export type PayoutAdjustment = Pick<PayoutPlan, 'events' | 'statusDetail'> & {
  readonly id: AdjustmentId
  readonly legs: readonly Leg[]
}

/** Books what operators have decided: status, ledger, feed and events in one transaction, by planOfAdjustment(). */
export async function adjustPayout(tx: Tx, id: PaymentId, adjustment: PayoutAdjustment): Promise<void> {
  const row = await lockPayout(tx, id)
  await write(tx, row, planOfAdjustment(row, adjustment), adjustment)
}

async function write(
  tx: Tx,
  row: Row,
  { events, transfers, update, ...plan }: PayoutPlan,
  adjustment?: PayoutAdjustment,
): Promise<void> {
  const { id } = row
  const released = transfers.includes('release')
  const set = sql`
    status_detail = coalesce(${plan.statusDetail}, status_detail), custody_decided = ${plan.custodyDecided},
    partner_version = coalesce(${update && update.version}, partner_version),
    partner_reference = coalesce(${update && update.reference}, partner_reference),
    callbacks_processed = ${plan.callbacksProcessed}, asks = ${plan.asks},
    unclear_since = case when ${plan.unclear} then coalesce(unclear_since, business_now()) end,
    ask_at = ${inSeconds(plan.askAfterSeconds)}, transaction_id = ${released ? sql`null` : sql`transaction_id`}`
  if (hasFirst(events)) {
    const reason = adjustment ? { cause: adjustmentKey(adjustment.id) } : reasonOf(row, update)
    await movePayments(tx, id, { events, set, ...reason })
    tellBatch(tx, row, events)
    if (released) await discardFeed(tx, row)
  } else {
    // reconciliation waits until a payment has settled down: silence does not count as a change
    const updatedAt = plan.unclear ? sql`updated_at` : sql`business_now()`
    await tx`update payments set updated_at = ${updatedAt}, ${set} where id = ${id}`
    wake(tx, paymentFlow, { ids: [id], why: 'asked' })
  }
  const moved = [...transfersOf(tx, row, transfers), ...(adjustment ? adjustmentTransfers(tx, adjustment) : [])]
  if (moved.length === 0) return
  await post(tx, moved, (postings) => postedFeed(tx, postings, row, adjustment?.id))
  for (const cover of coversOf(row, transfers)) await openCover(tx, cover)
}

/** Whoever waits for what becomes of a batch's payments hears of those that ended, and of what came back. */
function tellBatch(tx: Tx, { payment_batch_id: batchId }: Row, events: readonly PaymentEvent[]): void {
  const last = events.at(-1)
  if (!batchId || !last || driven(paymentFlow, paymentFlow.events[last].to)) return
  wake(tx, batchFlow, { ids: [batchId], why: 'payment_ended' })
}

const hasFirst = <Item>(list: readonly Item[]): list is readonly [Item, ...Item[]] => list.length > 0

/** Why a payment moves: its partner's word, or that it has none. */
type Reason = Pick<Move<PaymentEvent, PayloadOf<typeof paymentMoves.types.accept>>, 'cause' | 'payload'>

function reasonOf(row: Row, update: PartnerPayout | null): Reason {
  if (!update) return { cause: `unclear:${v7()}` }
  const { version, reference } = update
  const partner = partnerOf(row.rail)
  // the same word may move a payment twice: held by ourselves meanwhile, it is released by the word that it had before
  const again = version === row.version ? `:${v7()}` : ''
  return { cause: `partner:${partner}:${version}${again}`, payload: { partner, version, reference } }
}

/**
 * Fails what a partner took and knows nothing of any more, in an operator's name: nobody pays it, and its money is
 * given back. Refuses `invalid_state` for one that no partner ever took: its process still sends it.
 */
export async function failUnknownPayout(tx: Tx, id: PaymentId, reason: string): Promise<void> {
  const row = await lockPayout(tx, id)
  const { status, version } = row
  if (version < 0 || (status !== 'on_hold' && status !== 'cancelling')) {
    refuse('invalid_state', { current: status, allowed: eventsFrom(paymentFlow, status) })
  }
  const view = { status: 'rejected', detail: reason, reference: null, version } as const
  await write(tx, row, planOf(row, { view, asked: { status, callbacksReceived: 0 } }, config.partnerPollSeconds))
}

/**
 * Asks for the cancellation of a withdrawal; one that was asked for, or came through, changes nothing. Refuses
 * `payment_not_cancellable` as soon as custody has decided otherwise.
 */
export async function requestCancellation(tx: Tx, id: PaymentId, cause: string): Promise<PaymentStatus> {
  const [payment] = await tx<{ status: PaymentStatus; rail: Rail; custody_decided: boolean; repeated: boolean }[]>`
    select status, rail, custody_decided, exists (select from events e
      where e.subject_id = p.id and e.cause = ${cause} and e.type = 'payment.cancel_requested') as repeated
    from payments p where id = ${id} for update`
  if (!payment) refuse('not_found')
  const { status, repeated } = payment
  if (repeated || status === 'cancelling' || status === 'cancelled') return status
  if (!isCancellable(payment)) refuseCancellation(payment)
  const set = sql`ask_at = null, asks = 0`
  await movePayments(tx, id, { events: ['cancel'], cause, set, otherwise: 'payment_not_cancellable' })
  return 'cancelling'
}
