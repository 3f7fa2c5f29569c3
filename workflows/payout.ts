/** A payment on its way through a partner: asked for, followed until it has ended, cancelled where that is still possible. */
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  defineUpdate,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { PaymentRef } from '../activities/payments.ts'
import type { Person } from '../db/model/actor.ts'
import { driven } from '../db/model/flow.ts'
import { minuteOf } from '../db/model/instants.ts'
import { type PayoutView, partnerOf } from '../db/model/partner.ts'
import { type PaymentStatus, paymentFlow } from '../db/model/payment-flow.ts'
import type { Looks } from './approval.ts'

import { asking, record } from './proxies.ts'

type Asked = { readonly requester: Person; readonly requestId: string; readonly cause: string }
type State = Awaited<ReturnType<typeof record.createOrFindPayment>>

/** Asks for a payment's cancellation; answered when it is recorded, before the partner is asked. */
export const cancel = defineUpdate<{ status: PaymentStatus }, [Asked]>('cancel')

/** Sets the handler of `cancel`; call it before the first await. */
export function cancellation(ref: PaymentRef, seen: Looks, recorded: () => Promise<unknown>): void {
  setHandler(cancel, async (asked) => {
    await recorded()
    const status = await record.cancelPayment({ ...ref, ...asked })
    seen.asked = true
    return { status }
  })
}

const POLL_MAX_SECONDS = 900
/** A partner that calls, and then says so often the same as before, is believed. */
const ASKED_ENOUGH = 8
/** So many polls long a partner may leave open whether it took a payment, before a person is asked. */
const PATIENCE_POLLS = 4
/** A payment that was taken may take its time, and its partner be away. */
const PATIENCE_SECONDS = 86_400

/**
 * Follows a payment until its partner's word ends it: asks, takes down the answer, and waits for a callback or for the time
 * to ask again. A callback is a hint; what counts is what the partner says when it is asked.
 */
export async function payOut(
  ref: PaymentRef,
  rail: 'fiat' | 'crypto',
  seen: Looks,
  renew: () => Promise<never>,
): Promise<PaymentStatus> {
  let row: State = await look()
  let quiet = 0
  let waited: { status: PaymentStatus; since: Date } | undefined
  let clear = true
  while (seen.asked || driven(paymentFlow, row.status) || row.unread) {
    if (seen.asked) {
      row = await look()
      continue
    }
    if (row.status === 'awaiting_approval') throw ApplicationFailure.nonRetryable('nobody approved this payment')
    const { status } = row
    const word = await wordOn(ref, row)
    clear = word !== undefined
    const enough = quiet >= ASKED_ENOUGH
    row = word === undefined ? await record.holdPayment(ref) : await record.hearPartner({ ...ref, ...word, enough })
    quiet = row.status === status ? quiet + 1 : 0
    if (row.status !== status) show(row.status)
    const again = seen.asked || (row.unread && quiet === 0)
    if (!again && (driven(paymentFlow, row.status) || row.unread)) await pause(Math.min(quiet, ASKED_ENOUGH))
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished)
      await renew()
    }
    if (driven(paymentFlow, row.status) || row.unread) row = await look()
  }
  return row.status

  /** Until a callback, a cancellation, or the time to ask again: later each time that nothing has changed. */
  async function pause(times: number): Promise<void> {
    const seconds = Math.min(row.poll_seconds * 2 ** times, POLL_MAX_SECONDS)
    const who = partnerOf(rail)
    if (waited?.status !== row.status) waited = { status: row.status, since: new Date() }
    const waits = clear ? (WAITS_FOR[row.status]?.(who) ?? '') : unclearWords(who, ref, row)
    const since = minuteOf(waited.since.toISOString())
    setCurrentDetails(
      `The payment is ${row.status} since ${since}. ${waits} The ${who} is asked again within ${seconds} s.`,
    )
    const woken = () => seen.asked || workflowInfo().continueAsNewSuggested
    await condition(woken, seconds * 1000, { summary: `Ask the ${who} again` })
  }

  /** The row, as a cancellation or a callback may have left it. */
  function look(): Promise<State> {
    seen.asked = false
    return record.createOrFindPayment(ref)
  }
}

/** What an operator reads of a payment whose partner has answered. Its own words may name people: they are in the row alone. */
const WAITS_FOR: Readonly<Partial<Record<PaymentStatus, (who: string) => string>>> = {
  submitted: (who) => `The ${who} has it, and has not begun.`,
  processing: (who) => `The ${who} carries it out.`,
  on_hold: (who) => `The ${who} holds it (why: status_detail of the payment), and lets it go on.`,
  cancelling: (who) => `The ${who} was asked to cancel it, and decides.`,
}

/** Only what a partner took can be ended by an operator; anything else is still sent. */
const unclearWords = (who: string, { paymentId }: PaymentRef, { accepted }: State): string =>
  `The ${who} gives no clear answer.${
    accepted ? ` Once it says that it knows nothing of it: npm run admin -- payments fail ${paymentId} <reason>.` : ''
  }`

type Word = { view: PayoutView | null; news: number }

/** What the partner says when it is asked what the payment's state makes us ask; undefined where that stays unclear. */
async function wordOn(ref: PaymentRef, { status, accepted, news, poll_seconds }: State): Promise<Word | undefined> {
  try {
    if (status === 'submitted') {
      return { view: await asking(poll_seconds * PATIENCE_POLLS).submitPayout(ref), news }
    }
    if (status === 'cancelling') return { view: await asking(PATIENCE_SECONDS).cancelPayout(ref), news }
    const view = await asking(PATIENCE_SECONDS).askPayout(ref)
    if (view || !driven(paymentFlow, status)) return { view, news }
    // what the partner took and does not know any more is for a person to look at; what never arrived is sent again
    return accepted ? undefined : { view: await asking(PATIENCE_SECONDS).submitPayout(ref), news }
  } catch (error) {
    if (isCancellation(error)) throw error
    return undefined
  }
}

/** What operators find runs by: it changes where somebody else is waited for. */
const show = (status: PaymentStatus) =>
  upsertSearchAttributes([{ key: { name: 'BusinessStatus', type: 'KEYWORD' }, value: status }])
