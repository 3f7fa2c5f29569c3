/** Steps of a payment that a partner pays: records what its partner says. */
import { v7 } from 'uuid'
import type { PartnerPayout } from '../../domain/partner.ts'
import { refuse } from '../../domain/errors.ts'
import type { PayloadOf } from '../../domain/event-type.ts'
import { isDriven, eventsFrom } from '../../domain/flow.ts'
import { batchFlow } from '../../domain/batches/flow.ts'
import { paymentFlow, paymentStatusOf } from '../../domain/payments/flow.ts'
import type { AdjustmentId, DestinationId, PayeeCheckId, PaymentId } from '../../domain/ids.ts'
import {
  PAYEE_CHANGED_DETAIL,
  PAYEE_CHECK_HOURS,
  PAYEE_RETRY_MINUTES,
  type PayeeResult,
} from '../../domain/payee-checks/payee-check.ts'
import type { paymentMoves } from '../../domain/payments/events.ts'
import {
  type PaymentEvent,
  type PayoutPlan,
  type PayoutState,
  type PayoutUpdate,
  type Silence,
  contradictsEnd,
  planOf,
  planOfAdjustment,
  planOfSilence,
} from '../../domain/payments/payout.ts'
import { NO_MONEY } from '../../domain/payments/returns.ts'
import { connectionOf, partnerOf } from '../../domain/rails.ts'
import { config } from '../../platform/config.ts'
import { log } from '../../platform/log.ts'
import { inSeconds } from '../../db/processes/asking.ts'
import { adjustmentKey } from '../ledger/adjustments.ts'
import { discardRows } from '../ledger/feed.ts'
import type { Leg } from '../ledger/ledger.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import type { Move } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { type HeldRow, heldColumns } from '../screening/payments.ts'
import { selectCharged } from '../payouts/charges.ts'
import { type PaidPayment, bookParts } from '../payouts/postings.ts'
import { moveReturned } from '../payouts/settlement.ts'

/** Wakes the payments to a destination of which the bank now says something else. */
export async function wakeOtherPayments(tx: Tx, destinationId: DestinationId, result: PayeeResult): Promise<void> {
  if (result === 'not_possible') return
  const rows = await tx<{ id: PaymentId }[]>`
    select p.id from payments p left join payee_checks k on k.id = p.payee_check_id
    where p.destination_id = ${destinationId} and p.status in ('awaiting_approval', 'submitted')
      and p.payee_check_due_at is not null and k.result is distinct from ${result}
    order by p.id limit ${WOKEN_MAX}`
  if (rows.length > 0) wake(tx, paymentFlow, { ids: rows.map(({ id }) => id), why: 'payee_checked' })
}

const WOKEN_MAX = 200

type Row = PayoutState &
  PaidPayment & {
    readonly payment_batch_id: string | null
    /** Its instant order came to nothing: its partner has a standard one. */
    readonly fell_back: boolean
  }

async function lockPayout(tx: Tx, id: PaymentId): Promise<Row> {
  const [row] = await tx<Row[]>`
    select id, status, rail, connection, payment_batch_id, partner_version as version, callback_version, callbacks_received, callbacks_processed, asks,
      extract(epoch from business_now() - unclear_since)::float8 as unclear_seconds, deducting_amount, deducting_currency,
      landing_amount, landing_currency, fee_amount, feed_id, fee_feed_id, custody_decided, returned_amount,
      ${selectCharged(sql`payments.id`)} as charged,
      coalesce(speed = 'instant' and fallback = 'standard' and fell_back_at is null, false) as falls_back, fell_back_at is not null as fell_back,
      exists (select from adjustments a
        where a.payment_id = payments.id and a.status = 'confirmed' and a.clearing <> 0) as amount_adjusted,
      coalesce((select s.value_usd from payment_schedules s where s.id = payments.id),
        (select q.value_usd from payment_quotes q where q.id = payments.quote_id)) as value_usd
    from payments where id = ${id} and rail in ('fiat', 'crypto') for update`
  return row ?? refuse('not_found')
}

/**
 * Records a partner's answer, or the lack of a clear one: status, ledger, feed and events in one transaction.
 * `pollSeconds`: the first pause until a partner with a clear answer is asked again.
 */
export async function recordAnswer(
  tx: Tx,
  id: PaymentId,
  answer: PayoutUpdate | Silence,
  pollSeconds = config.partnerPollSeconds,
): Promise<void> {
  const row = await lockPayout(tx, id)
  if (row.fell_back !== (answer.asked.fellBack ?? false)) return // it is about the instant order, which is over
  if ('view' in answer && answer.view && contradictsEnd(row, answer.view)) {
    log.error({ payment_id: id, to: answer.view.status }, 'a payout goes backward at its partner')
  }
  const plan =
    'view' in answer ? planOf(row, answer, pollSeconds) : planOfSilence(row, answer, config.partnerPollSeconds)
  await write(tx, row, plan)
}

/** Booking of operators, with the events that take a payment to its partner's status. */
export type PayoutAdjustment = Pick<PayoutPlan, 'events' | 'statusDetail' | 'returned' | 'charges'> & {
  readonly id: AdjustmentId
  readonly legs: readonly Leg[]
}

/** Books what operators have decided: status, ledger, feed and events in one transaction, by planOfAdjustment(). */
export async function adjustPayout(tx: Tx, id: PaymentId, adjustment: PayoutAdjustment): Promise<void> {
  const row = await lockPayout(tx, id)
  await write(tx, row, planOfAdjustment(row, adjustment), { adjustment })
}

/** Plans the next question about a payee: sooner if the bank gave no answer. */
export async function putOffPayee(tx: Tx, id: PaymentId, result: PayeeResult): Promise<void> {
  const minutes = result === 'not_possible' ? PAYEE_RETRY_MINUTES : PAYEE_CHECK_HOURS * 60
  await tx`
    update payments set payee_check_due_at = business_now() + make_interval(mins => ${minutes}) where id = ${id}`
}

/** Notes the answer that ends a payment unpaid. */
export async function endByPayee(tx: Tx, id: PaymentId, checkId: PayeeCheckId): Promise<void> {
  await tx`update payments set payee_check_due_at = null, payee_ended_by = ${checkId} where id = ${id}`
}

/** Fails a submitted payment whose order has not begun, and releases its money: its payee has another name. */
export const failForPayee = (tx: Tx, id: PaymentId, checkId: PayeeCheckId): Promise<void> =>
  failUnordered(tx, id, {
    cause: `payee_check:${checkId}`,
    reason: 'payee_mismatch',
    statusDetail: PAYEE_CHANGED_DETAIL,
  })

const PAYEE_HELD_DETAIL = 'payee held'

/** Fails a submitted payment whose payee is on a list of sanctions, and releases its money. A repeat changes nothing. */
export async function failHeldPayee(tx: Tx, id: PaymentId): Promise<void> {
  await tx`select from payments where id = ${id} for update`
  const [row] = await tx<HeldRow[]>`select ${heldColumns(sql`p`)} from payments p where p.id = ${id}`
  if (row?.payee_held !== 'confirmed') return
  await failUnordered(tx, id, { cause: `payee_held:${id}`, reason: 'payee_held', statusDetail: PAYEE_HELD_DETAIL })
}

type UnorderedEnd = { readonly cause: string; readonly reason: string; readonly statusDetail: string }

/** Fails a submitted payment whose order has not begun, and releases its money. The caller has locked and checked it. */
async function failUnordered(tx: Tx, id: PaymentId, end: UnorderedEnd): Promise<void> {
  const row = await lockPayout(tx, id)
  const { custody_decided: custodyDecided, callbacks_processed: callbacksProcessed, asks } = row
  const plan = {
    ...NO_MONEY,
    update: null,
    custodyDecided,
    callbacksProcessed,
    asks,
    unclear: false,
    askAfterSeconds: null,
  }
  const { statusDetail } = end
  const reason = { cause: end.cause, payload: { reason: end.reason } }
  await write(tx, row, { ...plan, events: ['fail'], transfers: ['release'], statusDetail }, { reason })
}

async function write(
  tx: Tx,
  row: Row,
  { events, transfers: parts, update, returned, charges, ...plan }: PayoutPlan,
  { adjustment, reason: given }: { readonly adjustment?: PayoutAdjustment; readonly reason?: Reason } = {},
): Promise<void> {
  const { id } = row
  const released = parts.includes('release')
  const fallsBack = events.includes('fall_back')
  const set = sql`
    status_detail = coalesce(${plan.statusDetail}, status_detail), custody_decided = ${plan.custodyDecided},
    ${fallsBack ? forgetInstant() : noteUpdate(update)},
    callbacks_processed = ${plan.callbacksProcessed}, asks = ${plan.asks},
    unclear_since = case when ${plan.unclear} then coalesce(unclear_since, business_now()) end,
    returned_amount = coalesce(${returned && returned.amount}, returned_amount),
    ask_at = ${inSeconds(plan.askAfterSeconds)}, transaction_id = ${released ? sql`null` : sql`transaction_id`}`
  if (hasFirst(events)) {
    const reason = given ?? (adjustment ? { cause: adjustmentKey(adjustment.id) } : reasonOf(row, update))
    await moveReturned(tx, row, { events, set, ...reason }, { returned, word: update && wordOf(row, update) })
    await wakeBatch(tx, row, events)
    if (released) await tx`${discardRows(tx, (t) => sql`${t}.payment_id = ${id}`)}`
  } else {
    // reconciliation waits until a payment has settled down: silence does not count as a change
    const updatedAt = plan.unclear ? sql`updated_at` : sql`business_now()`
    await tx`update payments set updated_at = ${updatedAt}, ${set} where id = ${id}`
    wake(tx, paymentFlow, { ids: [id], why: 'asked' })
  }
  if (plan.contradicts) log.warn({ payment_id: id, version: update?.version }, 'a partner contradicts what is booked')
  await bookParts(tx, row, { parts, returned, charges, adjustment, reference: update && update.reference })
}

const noteUpdate = (update: PartnerPayout | null): Fragment => sql`
  partner_version = coalesce(${update && update.version}, partner_version),
  partner_reference = coalesce(${update && update.reference}, partner_reference)`

/** Makes the payment one that its partner has not taken: its standard order is another one there. */
const forgetInstant = (): Fragment => sql`
  fell_back_at = business_now(), partner_version = -1, partner_reference = null, callback_version = -1`

/** Wakes the run of the payment's batch: the payment has ended, was reversed, or leaves its place to a row. */
async function wakeBatch(tx: Tx, row: Row, events: readonly PaymentEvent[]): Promise<void> {
  const { payment_batch_id: batchId, status } = row
  const last = events.at(-1)
  if (!batchId || !last) return
  const isEnd = !isDriven(paymentFlow, paymentFlow.events[last].to)
  if (isEnd) wake(tx, batchFlow, { ids: [batchId], why: 'payment_ended' })
  if (isEnd || status !== 'submitted') return
  const waiting = await tx`
    select from payment_batches where id = ${batchId} and status = 'processing' and rows_begun < rows_total`
  if (waiting.length > 0) wake(tx, batchFlow, { ids: [batchId], why: 'payment_taken' })
}

const hasFirst = <Item>(list: readonly Item[]): list is readonly [Item, ...Item[]] => list.length > 0

type Reason = Pick<Move<PaymentEvent, PayloadOf<typeof paymentMoves.types.fail>>, 'cause' | 'payload'>

const wordOf = (row: Row, { version, reference }: PartnerPayout) => ({
  partner: partnerOf(row.rail),
  connection: connectionOf(row),
  version,
  reference,
})

function reasonOf(row: Row, update: PartnerPayout | null): Reason {
  if (!update) return { cause: `unclear:${v7()}` }
  const { version } = update
  // the same update may move a payment twice: we put it on hold in between, and the old update releases it
  const again = version === row.version ? `:${v7()}` : ''
  const order = row.fell_back ? 'fallback:' : '' // its versions are those of another payout
  return { cause: `partner:${connectionOf(row)}:${order}${version}${again}`, payload: wordOf(row, update) }
}

/**
 * Fails a payout that its partner took and does not know any more, for an operator; its money is released. Refuses
 * `invalid_state` for one that no partner ever took: its run still sends it, unless `isHeld`.
 */
export async function failUnknownPayout(
  tx: Tx,
  id: PaymentId,
  { reason, isHeld }: { readonly reason: string; readonly isHeld: boolean },
): Promise<void> {
  const row = await lockPayout(tx, id)
  const { status, version } = row
  if ((version < 0 && !isHeld) || (status !== 'on_hold' && status !== 'cancelling')) {
    refuse('invalid_state', { current: paymentStatusOf(status), allowed: eventsFrom(paymentFlow, status) })
  }
  const view = { status: 'rejected', detail: reason, reference: null, version: Math.max(version, 0) } as const
  const asIs = { ...row, falls_back: false } // an operator has decided
  await write(tx, row, planOf(asIs, { view, asked: { status, callbacksReceived: 0 } }, config.partnerPollSeconds))
}
