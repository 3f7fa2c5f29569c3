/**
 * What an answer of a partner does to its payment, as data. db/payments/payouts.ts locks the payment, and writes the
 * plan.
 */
import { type PaymentStatus, paymentFlow } from '../flows/payment.ts'
import type { PartnerPayout } from '../callbacks/partner.ts'
import { pauseSeconds, unclearPauseSeconds } from '../pauses.ts'
import { type PartnerRail, partnerOf } from '../rails.ts'
import { type PaymentEvent, isDecided, pathTo } from './payout.ts'

/** After so many answers without anything new, a callback that the partner does not explain counts as processed. */
const ASKED_ENOUGH = 8
/** So many polls long a partner may leave open whether it took a payment, before a person is asked. */
const PATIENCE_POLLS = 4
/** A payment that was taken may take its time, and its partner be away. */
const PATIENCE_SECONDS = 86_400
const ANOTHER_AMOUNT = 'names another amount than was ordered: an operator has to look'

/** A payment that a partner pays, as it is while its row is locked. */
export type PayoutState = {
  readonly status: PaymentStatus
  readonly rail: PartnerRail
  /** Of the latest update that counted; -1 before the first. */
  readonly version: number
  /** The highest version that a callback named; -1 if none did. */
  readonly callback_version: number
  readonly callbacks_received: number
  readonly callbacks_processed: number
  /** How often the partner was asked since it last said anything new. */
  readonly asks: number
  /** Since when it gives no clear answer; null if its last answer was clear. */
  readonly unclear_seconds: number | null
  readonly custody_decided: boolean
  /** Operators have booked another amount than was ordered. */
  readonly amount_adjusted: boolean
  /** The row of the feed that its fee has; null if nothing is charged. */
  readonly fee_feed_id: string | null
}

/** What was known of the payment when its partner was asked. */
export type Asked = { readonly status: PaymentStatus; readonly callbacksReceived: number }

/** A clear answer: what the partner says of the payout, or null if it has never heard of it. */
export type PayoutUpdate = { readonly view: PartnerPayout | null; readonly asked: Asked }

/** No clear answer. */
export type Silence = {
  readonly asked: Asked
  /** The partner would say the same again: it forgot what it took, or refuses the question. A person has to look. */
  readonly hopeless: boolean
  /** It said something, and of another amount than was ordered: nobody but a person can tell what to book. */
  readonly anotherAmount?: boolean
  /** The partner asked to be left alone for so many seconds. */
  readonly notBefore?: number | undefined
}

/** What a payment through a partner moves, each part once, together with its rows of the feed. */
export type TransferPart = 'settle' | 'fee' | 'reverse' | 'release'

export type PayoutPlan = {
  /** What happens to the payment in one instant; empty if its status stays. */
  readonly events: readonly PaymentEvent[]
  readonly transfers: readonly TransferPart[]
  /** The update that counts; null if the partner said nothing, or something that is older than what it said before. */
  readonly update: PartnerPayout | null
  /** Null leaves the present one. */
  readonly statusDetail: string | null
  readonly custodyDecided: boolean
  readonly callbacksProcessed: number
  readonly asks: number
  readonly unclear: boolean
  /** After so many seconds the partner is asked again; null is at once. */
  readonly askAfterSeconds: number | null
}

/**
 * What a clear answer does. An update of a lower version than the recorded one changes nothing, and the same one again
 * changes nothing either. The callbacks that had come when the partner was asked are processed if it said what they
 * were about, or was asked often enough. A payment of which operators have booked another amount moves by them alone:
 * what it would move by itself is what was ordered. The reconciliation tells them what the partner says now.
 */
export function planOf(payment: PayoutState, { view, asked }: PayoutUpdate, pollSeconds: number): PayoutPlan {
  const update = view && view.version >= payment.version ? view : null
  const events = (update && !payment.amount_adjusted && pathTo(payment.status, update.status)) || []
  const unchanged = payment.unclear_seconds === null ? payment.asks : 0 // an answer that was not clear said nothing
  const explained = !view || view.version >= payment.callback_version || unchanged >= ASKED_ENOUGH
  const overtaken = isOvertaken(payment, asked) || (events.length > 0 && !explained)
  const asks = overtaken || events.length > 0 ? 0 : unchanged + 1
  const { callbacks_processed: processed, custody_decided: decided } = payment
  return {
    events,
    transfers: events.flatMap((event) => transfersOf(event, payment)),
    update,
    statusDetail: update && update.detail,
    custodyDecided: decided || (update !== null && (payment.rail === 'fiat' || isDecided(update.status))),
    callbacksProcessed: explained ? Math.max(processed, asked.callbacksReceived) : processed,
    asks,
    unclear: false,
    askAfterSeconds: overtaken ? null : pauseSeconds(pollSeconds, Math.min(asks, ASKED_ENOUGH)),
  }
}

/**
 * What no clear answer does: the partner is asked again soon, and a payment that it leaves open for too long is put on
 * hold. One that got further meanwhile stays as it is; one that is being cancelled goes on waiting, and says so. An
 * amount that the partner has changed is told as such, and what it called about is known then: a person looks.
 */
export function planOfSilence(payment: PayoutState, silence: Silence, pollSeconds: number): PayoutPlan {
  const { asked, hopeless, anotherAmount = false, notBefore = 0 } = silence
  const { status, asks } = payment
  const patience = status === 'submitted' ? pollSeconds * PATIENCE_POLLS : PATIENCE_SECONDS
  const left = patience - (payment.unclear_seconds ?? 0)
  const over = hopeless || left <= 0
  const holds = over && paymentFlow.events.hold.from.includes(status)
  const pause = over
    ? pauseSeconds(pollSeconds, Math.min(asks, ASKED_ENOUGH))
    : Math.max(Math.min(unclearPauseSeconds(pollSeconds, asks), left), notBefore)
  const says = holds || (over && (status === 'cancelling' || (anotherAmount && status === 'on_hold')))
  return {
    events: holds ? ['hold'] : [],
    transfers: [],
    update: null,
    statusDetail: says
      ? `the ${partnerOf(payment.rail)} ${anotherAmount ? ANOTHER_AMOUNT : 'gives no clear answer'}`
      : null,
    custodyDecided: payment.custody_decided,
    callbacksProcessed: anotherAmount
      ? Math.max(payment.callbacks_processed, asked.callbacksReceived)
      : payment.callbacks_processed,
    asks: asks + 1,
    unclear: true,
    askAfterSeconds: isOvertaken(payment, asked) ? null : pause,
  }
}

/** What operators have decided, on what the partner says at last: its callbacks so far are processed with that. */
export const planOfAdjustment = (
  payment: PayoutState,
  { events, statusDetail }: Pick<PayoutPlan, 'events' | 'statusDetail'>,
): PayoutPlan => ({
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

/** Whether the payment changed, or the partner called about it, while the partner was asked. */
const isOvertaken = ({ status, callbacks_received: received }: PayoutState, asked: Asked): boolean =>
  status !== asked.status || received > asked.callbacksReceived

/** What an event of a payment moves. What was charged for one that is reversed stays charged. */
function transfersOf(event: PaymentEvent, { fee_feed_id: fee }: PayoutState): readonly TransferPart[] {
  if (event === 'settle') return fee ? ['settle', 'fee'] : ['settle']
  if (event === 'reverse') return ['reverse']
  return event === 'fail' || event === 'confirm_cancel' ? ['release'] : []
}
