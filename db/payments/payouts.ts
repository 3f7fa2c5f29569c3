/** Payments that leave through a partner: what it is asked to pay, and what its word does to payment and books. */
import { hasUnprocessedCallbacks, inSeconds, pauseSeconds, unclearPauseSeconds } from '../asking.ts'
import { config } from '../config.ts'
import { coordinatesOf } from '../contacts/destinations.ts'
import { v7 } from 'uuid'
import { post } from '../ledger/ledger.ts'
import { refuse } from '../model/errors.ts'
import { eventsFrom } from '../model/flow.ts'
import type { PaymentId } from '../model/ids.ts'
import { type Money, moneyOf } from '../model/money/money.ts'
import { type MoneyPartner, type PayoutView } from '../model/partners/partner.ts'
import { type PaymentStatus, paymentFlow } from '../model/flows/payment.ts'
import { refuseCancellation } from '../model/payments/payment.ts'
import { type Coordinates, payable } from '../model/contacts/destination.ts'
import { isDecided, pathTo } from '../model/payments/payout.ts'
import { type Paid, comesToNothing, discardFeed, postedFeed, transfersOf } from './payout-postings.ts'
import { type Fragment, type Tx, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { wake } from '../wakes.ts'
import { type PartnerRail, type Rail, partnerOf } from '../model/rails.ts'

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

type Row = Paid & {
  status: PaymentStatus
  version: number
  callback_version: number
  callbacks_received: number
  asks: number
  unclear_seconds: number | null
  custody_decided: boolean
}

async function lockPayout(tx: Tx, id: PaymentId): Promise<Row> {
  const [row] = await tx<Row[]>`
    select id, status, rail, partner_version as version, callback_version, callbacks_received, asks,
      extract(epoch from business_now() - unclear_since)::float8 as unclear_seconds, deducting_amount, deducting_currency, landing_amount,
      landing_currency, fee_amount, feed_id, fee_feed_id, custody_decided
    from payments where id = ${id} and rail in ('fiat', 'crypto') for update`
  return row ?? refuse('not_found')
}

/** What was known when a partner was asked. */
export type Asked = Pick<Payout, 'status' | 'callbacksReceived'>

/** A partner that calls, and then says so often the same as before, is believed. */
const ASKED_ENOUGH = 8
/** So many polls long a partner may leave open whether it took a payment, before a person is asked. */
const PATIENCE_POLLS = 4
/** A payment that was taken may take its time, and its partner be away. */
const PATIENCE_SECONDS = 86_400

/**
 * Takes down a partner's word, with all that it means: status, ledger, feed and events together, and when it is asked next. A
 * word that is older than one heard before changes nothing, and the same word again neither. The callbacks that had come
 * when the partner was asked are read where the partner said what it called about, or was asked often enough. Null stands for
 * a partner that has never heard of the payout.
 */
export async function hearPartner(
  tx: Tx,
  id: PaymentId,
  { view, asked }: { view: PayoutView | null; asked: Asked },
): Promise<void> {
  const row = await lockPayout(tx, id)
  const word = view && view.version >= row.version ? view : null
  const path = word ? pathTo(row.status, word.status) : undefined
  // what brought no clear answer was not said
  const quiet = row.unclear_seconds === null ? row.asks : 0
  const answered = quiet >= ASKED_ENOUGH || !view || view.version >= row.callback_version
  const calledMeanwhile = row.callbacks_received > asked.callbacksReceived
  const unprocessed = calledMeanwhile || !answered
  // what came while the partner was asked, or what it called about and did not say yet, is asked about at once
  const atOnce = row.status !== asked.status || calledMeanwhile || (path !== undefined && unprocessed)
  const asks = path || atOnce ? 0 : quiet + 1
  const pause = pauseSeconds(config.partnerPollSeconds, Math.min(asks, ASKED_ENOUGH))
  const heard = sql`callbacks_processed = ${answered ? sql`greatest(callbacks_processed, ${asked.callbacksReceived})` : sql`callbacks_processed`}, asks = ${asks},
    unclear_since = null, ask_at = ${atOnce ? sql`null` : inSeconds(pause)} ${wordOf(row, word)}`
  if (!word || !path) {
    await tx`update payments set updated_at = business_now(), ${heard} where id = ${id}`
    wake(tx, paymentFlow, { ids: [id], why: 'asked' })
    return
  }
  // a word that is heard twice may take two paths: held by ourselves meanwhile, it is released by the same word
  const { reference, version } = word
  const partner = partnerOf(row.rail)
  const isVain = path.some(comesToNothing)
  await transition(tx, paymentFlow, id, {
    events: path,
    cause: `partner:${partner}:${version}${version === row.version ? `:${v7()}` : ''}`,
    set: isVain ? sql`${heard}, transaction_id = null` : heard,
    payload: { partner, version, reference },
  })
  if (isVain) await discardFeed(tx, row)
  const transfers = transfersOf(tx, row, path)
  if (transfers.length > 0) await post(tx, transfers, (postings) => postedFeed(tx, postings, row))
}

const wordOf = ({ custody_decided: decided, rail }: Row, word: PayoutView | null): Fragment =>
  word
    ? sql`
        , status_detail = ${word.detail}, partner_version = ${word.version},
        partner_reference = coalesce(${word.reference}, partner_reference),
        custody_decided = ${decided || rail === 'fiat' || isDecided(word.status)}`
    : sql``

/**
 * A partner gave no clear answer: it is asked again soon, and a payment whose partner leaves it open for too long is
 * put on hold. One that got further meanwhile stays as it is; one that is being cancelled goes on waiting, and says so.
 * `hopeless`: asked again it would say the same, as it forgot what it took, or refuses such a question: a person has to
 * look. `notBefore`: it asked not to be asked for so many seconds.
 */
export async function hearNothing(
  tx: Tx,
  id: PaymentId,
  { asked, hopeless, notBefore = 0 }: { asked: Asked; hopeless: boolean; notBefore?: number | undefined },
): Promise<void> {
  const { status, rail, asks, unclear_seconds: unclearFor, callbacks_received: received } = await lockPayout(tx, id)
  const patience = status === 'submitted' ? config.partnerPollSeconds * PATIENCE_POLLS : PATIENCE_SECONDS
  const left = patience - (unclearFor ?? 0)
  const over = hopeless || left <= 0
  const pause = over
    ? pauseSeconds(config.partnerPollSeconds, Math.min(asks, ASKED_ENOUGH))
    : Math.max(Math.min(unclearPauseSeconds(config.partnerPollSeconds, asks), left), notBefore)
  const atOnce = status !== asked.status || received > asked.callbacksReceived
  const asking = sql`asks = asks + 1, unclear_since = coalesce(unclear_since, business_now()),
    ask_at = ${atOnce ? sql`null` : inSeconds(pause)}`
  const detail = `the ${partnerOf(rail)} gives no clear answer`
  const holds = over && (status === 'submitted' || status === 'processing')
  if (holds) {
    await transition(tx, paymentFlow, id, {
      events: ['hold'],
      cause: `unclear:${v7()}`,
      set: sql`status_detail = ${detail}, ${asking}`,
    })
    return
  }
  const says = over && status === 'cancelling' ? sql`, status_detail = ${detail}` : sql``
  await tx`update payments set ${asking} ${says} where id = ${id}`
  wake(tx, paymentFlow, { ids: [id], why: 'asked' })
}

/**
 * Fails what a partner took and knows nothing of any more, in an operator's name: nobody pays it, and its money is given back.
 * What no partner ever took is refused: its workflow still sends it.
 */
export async function failForgotten(tx: Tx, id: PaymentId, reason: string): Promise<void> {
  const { status, version } = await lockPayout(tx, id)
  if (version < 0 || (status !== 'on_hold' && status !== 'cancelling')) {
    refuse('invalid_state', { current: status, allowed: eventsFrom(paymentFlow, status) })
  }
  const view = { status: 'rejected', detail: reason, reference: null, version } as const
  await hearPartner(tx, id, { view, asked: { status, callbacksReceived: 0 } })
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
  const { status, rail, custody_decided: decided, repeated } = payment ?? refuse('not_found')
  if (repeated || status === 'cancelling' || status === 'cancelled') return status
  if (rail !== 'crypto' || decided || (status !== 'submitted' && status !== 'processing')) {
    refuseCancellation({ status, rail })
  }
  const set = sql`ask_at = null, asks = 0`
  await transition(tx, paymentFlow, id, { events: ['cancel'], cause, set, otherwise: 'payment_not_cancellable' })
  return 'cancelling'
}
