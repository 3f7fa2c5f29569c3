/** Payouts: plans what an answer of a partner does to its payment; services/payments/steps.ts writes the plan. */
import type { PartnerPayout, PayoutStatus } from '../partner.ts'
import type { HoldReason } from '../partner-orders.ts'
import { type PaymentState, paymentFlow } from './flow.ts'
import { pauseSeconds, unclearPauseSeconds } from '../pauses.ts'
import { type AtConnection, nameOfConnection } from '../rails.ts'
import { type MoneyPlan, NO_MONEY, type SentPayment, isUnbookable, moneyPlanOf } from './returns.ts'

export type PaymentEvent = keyof typeof paymentFlow.events
type Path = readonly [PaymentEvent, ...PaymentEvent[]]
type Paths = Readonly<Partial<Record<PaymentState, Path>>>

/** Events that take a payment to the status at its partner. What is missing changes nothing. */
const PATHS: Readonly<Record<PayoutStatus, Paths>> = {
  pending: { submitted: ['accept'], on_hold: ['release'] },
  processing: { submitted: ['accept'], on_hold: ['release'], cancelling: ['broadcast'] },
  on_hold: { submitted: ['hold'], processing: ['hold'] },
  settled: {
    submitted: ['accept', 'settle'],
    processing: ['settle'],
    on_hold: ['release', 'settle'],
    cancelling: ['broadcast', 'settle'],
  },
  rejected: { submitted: ['fail'], processing: ['fail'], on_hold: ['fail'], cancelling: ['confirm_cancel'] },
  cancelled: { submitted: ['fail'], processing: ['fail'], on_hold: ['fail'], cancelling: ['confirm_cancel'] },
  returned: {
    submitted: ['accept', 'settle', 'reverse'],
    processing: ['settle', 'reverse'],
    on_hold: ['release', 'settle', 'reverse'],
    cancelling: ['broadcast', 'settle', 'reverse'],
    succeeded: ['reverse'],
  },
}

/** Finds the events that take a payment to the status at its partner; undefined if there is nothing to do. */
const pathTo = (from: PaymentState, word: PayoutStatus): Path | undefined => PATHS[word][from]

const LAST_WORDS: ReadonlySet<PayoutStatus> = new Set(['settled', 'rejected', 'cancelled', 'returned'])

/**
 * Finds the events to the last status at its partner, also after another end: what was paid is reversed. Null while the
 * payment waits for approval or its day, or the payout goes on.
 */
export function pathAgainst(from: PaymentState, word: PayoutStatus): readonly PaymentEvent[] | null {
  if (from === 'awaiting_approval' || from === 'scheduled' || !LAST_WORDS.has(word)) return null
  if (from === 'succeeded' && word !== 'settled') return ['reverse']
  return pathTo(from, word) ?? []
}

/** Statuses at the partner that go with an end of a payment; any other goes backward, or against it. */
const AFTER_END: Readonly<Partial<Record<PaymentState, readonly PayoutStatus[]>>> = {
  succeeded: ['settled', 'returned'],
  reversed: ['returned'],
  failed: ['rejected', 'cancelled'],
  cancelled: ['rejected', 'cancelled'],
}

/** Tells whether an update cannot follow the end of a payment: it moves nothing, and is reported. */
export const contradictsEnd = (payment: Pick<PayoutState, 'status' | 'version'>, view: PartnerPayout): boolean =>
  view.version >= payment.version && AFTER_END[payment.status]?.includes(view.status) === false

/** Tells whether the custodian has decided on a withdrawal; one on hold still waits. */
const isDecided = (word: PayoutStatus): boolean => word !== 'pending' && word !== 'on_hold'

/** Answers without anything new after which an unexplained callback counts as processed. */
const ASKED_ENOUGH = 8
/** Polls for which a partner may leave open if it took a payment, before it is put on hold. */
const PATIENCE_POLLS = 4
/** The same of a payment that was taken: its partner may be away. */
const PATIENCE_SECONDS = 86_400
const NO_CLEAR_ANSWER = 'gives no clear answer'
const ANOTHER_AMOUNT = 'names another amount than was ordered: an operator has to look'
/** Words for what is never sent again by itself. */
const HELD: Readonly<Record<HoldReason, string>> = {
  unknowable: 'shows no such payment, and may have made it: that cannot be known, an operator has to look',
  other_bytes: 'shows no such payment, and its order would be another one now: an operator has to look',
}

/** A payment through a partner, while its row is locked. */
export type PayoutState = AtConnection &
  SentPayment & {
    /** Version of the latest update that counted; -1 before the first. */
    readonly version: number
    /** Highest version that a callback named; -1 if none did. */
    readonly callback_version: number
    readonly callbacks_received: number
    readonly callbacks_processed: number
    /** Count of questions since the partner last said anything new. */
    readonly asks: number
    /** Time since the first unclear answer; null if the last one was clear. */
    readonly unclear_seconds: number | null
    readonly custody_decided: boolean
    /** It is instant, and is ordered as a standard one if its partner refuses that. */
    readonly falls_back: boolean
    /** Operators have booked another amount than was ordered. */
    readonly amount_adjusted: boolean
    /** Feed row of its fee; null if nothing is charged. */
    readonly fee_feed_id: string | null
  }

/** State of the payment when its partner was asked. */
type PayoutQuestion = {
  readonly status: PaymentState
  readonly callbacksReceived: number
  /** It was asked about the standard order in place of an instant one. */
  readonly fellBack?: boolean
}

/** A clear answer: the payout at the partner, or null if it does not know it. */
export type PayoutUpdate = { readonly view: PartnerPayout | null; readonly asked: PayoutQuestion }

/** No clear answer. */
export type Silence = {
  readonly asked: PayoutQuestion
  /** The partner would answer the same again: a person has to look. */
  readonly hopeless: boolean
  /** It named another amount than was ordered: a person has to say what to book. */
  readonly anotherAmount?: boolean
  /** It is not sent again by itself: a person has to look. */
  readonly held?: HoldReason | null
  /** Whether the partner has it is known after `notBefore` only: this is no fault. */
  readonly waits?: boolean
  /** Seconds that the partner asked us to wait. */
  readonly notBefore?: number | undefined
}

/** Part of a payment through a partner; each is posted once, with its rows of the feed. */
export type TransferPart = 'settle' | 'fee' | 'reverse' | 'release'

export type PayoutPlan = MoneyPlan & {
  /** Events in one instant; empty if the status stays. */
  readonly events: readonly PaymentEvent[]
  readonly transfers: readonly TransferPart[]
  /** The update that counts; null if there is none, or an older one than before. */
  readonly update: PartnerPayout | null
  /** Null leaves the present one. */
  readonly statusDetail: string | null
  readonly custodyDecided: boolean
  readonly callbacksProcessed: number
  readonly asks: number
  readonly unclear: boolean
  /** Pause before the partner is asked again; null is at once. */
  readonly askAfterSeconds: number | null
}

/**
 * Plans what a clear answer does. An update of a lower version than the recorded one changes nothing, nor does the same
 * one again. The callbacks that had come when the partner was asked are processed if the answer explains them, or after
 * ASKED_ENOUGH. A payment of which operators have booked another amount is moved by them alone, as is one of which more
 * came back than was sent.
 */
export function planOf(payment: PayoutState, { view, asked }: PayoutUpdate, pollSeconds: number): PayoutPlan {
  const update = view && view.version >= payment.version ? view : null
  const fallsBack = update !== null && isFallingBack(payment, update)
  const events: readonly PaymentEvent[] = fallsBack
    ? ['fall_back']
    : (update && !payment.amount_adjusted && pathTo(payment.status, update.status)) || []
  const reverses = events.includes('reverse')
  if (update && reverses && isUnbookable(payment, update)) {
    return planOfSilence(payment, { asked, hopeless: true, anotherAmount: true }, pollSeconds)
  }
  const unchanged = payment.unclear_seconds === null ? payment.asks : 0 // an answer that was not clear said nothing
  const explained = !view || view.version >= payment.callback_version || unchanged >= ASKED_ENOUGH
  const overtaken = isOvertaken(payment, asked) || (events.length > 0 && !explained)
  const asks = overtaken || events.length > 0 ? 0 : unchanged + 1
  const { callbacks_processed: processed, custody_decided: decided } = payment
  return {
    ...(update && !payment.amount_adjusted ? moneyPlanOf(payment, update, reverses) : NO_MONEY),
    events,
    transfers: events.flatMap((event) => transfersOf(event, payment)),
    update,
    statusDetail: fallsBack ? fallbackDetail(update.detail) : update && update.detail,
    custodyDecided: decided || (update !== null && (payment.rail === 'fiat' || isDecided(update.status))),
    callbacksProcessed: explained ? Math.max(processed, asked.callbacksReceived) : processed,
    asks,
    unclear: false,
    askAfterSeconds: overtaken || fallsBack ? null : pauseSeconds(pollSeconds, Math.min(asks, ASKED_ENOUGH)),
  }
}

/** Tells whether an instant payment is ordered again: its partner says for good that it does not pay it. */
const isFallingBack = ({ falls_back: mayFall, status, amount_adjusted: adjusted }: PayoutState, view: PartnerPayout) =>
  mayFall && !adjusted && view.status === 'rejected' && paymentFlow.events.fall_back.from.includes(status)

const fallbackDetail = (detail: string): string =>
  `refused as an instant payment${detail && ` (${detail})`}: ordered again as a standard one`

/**
 * Plans what the lack of a clear answer does: the partner is asked again soon, and a payment that stays open for too
 * long is put on hold. One that is being cancelled goes on waiting, and says so. If the partner names another amount,
 * the status detail says that, and its callbacks are processed: a person has to look.
 */
export function planOfSilence(payment: PayoutState, silence: Silence, pollSeconds: number): PayoutPlan {
  const { asked, hopeless, anotherAmount = false, held = null, waits = false, notBefore = 0 } = silence
  const { status, asks } = payment
  const patience = status === 'submitted' ? pollSeconds * PATIENCE_POLLS : PATIENCE_SECONDS
  const left = patience - (payment.unclear_seconds ?? 0)
  const over = !waits && (hopeless || held !== null || left <= 0)
  const holds = over && paymentFlow.events.hold.from.includes(status)
  const pause = over
    ? pauseSeconds(pollSeconds, Math.min(asks, ASKED_ENOUGH))
    : Math.max(Math.min(unclearPauseSeconds(pollSeconds, asks), Math.max(left, 0)), notBefore)
  const isTold = anotherAmount || held !== null
  const says = holds || (over && (status === 'cancelling' || (isTold && status === 'on_hold')))
  const words = anotherAmount ? ANOTHER_AMOUNT : held ? HELD[held] : NO_CLEAR_ANSWER
  return {
    ...NO_MONEY,
    events: holds ? ['hold'] : [],
    transfers: [],
    update: null,
    statusDetail: says ? `the ${nameOfConnection(payment)} ${words}` : null,
    custodyDecided: payment.custody_decided,
    callbacksProcessed: anotherAmount
      ? Math.max(payment.callbacks_processed, asked.callbacksReceived)
      : payment.callbacks_processed,
    asks: asks + 1,
    unclear: !waits,
    askAfterSeconds: isOvertaken(payment, asked) ? null : pause,
  }
}

/** Plans what operators have decided; the callbacks so far are processed with that. */
export const planOfAdjustment = (
  payment: PayoutState,
  { events, statusDetail, returned, charges }: Pick<PayoutPlan, 'events' | 'statusDetail' | 'returned' | 'charges'>,
): PayoutPlan => ({
  ...NO_MONEY,
  returned,
  charges,
  events,
  transfers: events.flatMap((event) => transfersOf(event, payment)),
  update: null,
  statusDetail,
  custodyDecided: true,
  callbacksProcessed: payment.callbacks_received,
  asks: 0,
  unclear: false,
  askAfterSeconds: null,
})

/** Tells whether the payment changed, or its partner called, while the partner was asked. */
const isOvertaken = ({ status, callbacks_received: received }: PayoutState, asked: PayoutQuestion): boolean =>
  status !== asked.status || received > asked.callbacksReceived

/** Lists the parts that an event moves. The fee of a reversed payment stays charged. */
function transfersOf(event: PaymentEvent, { fee_feed_id: fee }: PayoutState): readonly TransferPart[] {
  if (event === 'settle') return fee ? ['settle', 'fee'] : ['settle']
  if (event === 'reverse') return ['reverse']
  return event === 'fail' || event === 'confirm_cancel' ? ['release'] : []
}
