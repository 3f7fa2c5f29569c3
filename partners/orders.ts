/** Tries of orders, once around every driver: look before a repeat, and never the same money twice. */
import { ApplicationFailure } from '@temporalio/common'
import { type HoldReason, type Keeping, orderStep } from '../domain/partner-orders.ts'
import type { Transaction } from '../db/postgres/sql.ts'
import {
  type NewOrder,
  type RememberedOrder,
  forgetSend,
  holdOrder,
  noteSend,
  rememberOrder,
} from '../services/partner-orders/orders.ts'
import { mayHaveExecuted, partnerRefusal, unclear } from './http.ts'

/** Longest time between the reading of the memory and a send by it: a process may have been suspended. */
const DECISION_SECONDS = 300

/** Outcome of a try: an answer, a pause, or a person. */
export type Attempt<View> =
  | { readonly kind: 'answered'; readonly view: View }
  | { readonly kind: 'waits'; readonly seconds: number }
  | { readonly kind: 'held'; readonly why: HoldReason | 'lost' }

/** Work in a transaction of its own, which is committed when this answers. */
export type Commit = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>

/** Ways to an order at its provider. */
type Ways<View> = {
  readonly keeping: Keeping
  readonly commit: Commit
  readonly find: () => Promise<View | null>
  readonly send: () => Promise<View>
}

/** Order whose memory is committed. */
export type Trial<View> = Ways<View> & { readonly memory: RememberedOrder }

/** Tries an order whose memory is committed; `looked`: whether the provider has just said that it has none. */
export async function tryOrder<View>(order: Trial<View>, looked: 'not_yet' | 'absent'): Promise<Attempt<View>> {
  const { keeping, memory, commit } = order
  const step = orderStep(memory, keeping, looked)
  switch (step.next) {
    case 'look': {
      const view = await order.find().catch((error: unknown) => unsend(order, error))
      return view ? { kind: 'answered', view } : tryOrder(order, 'absent')
    }
    case 'send': {
      const late = keeping.keysKept !== 'ever' && performance.now() - memory.readAt > DECISION_SECONDS * 1000
      if (late) throw unclear({ party: memory.connection }, 'too much time went by before it was asked', false)
      if (keeping.keysKept !== 'ever' && !memory.isNew) await commit((tx) => noteSend(tx, memory))
      return { kind: 'answered', view: await sendOnce(order) }
    }
    case 'wait':
      return { kind: 'waits', seconds: step.seconds }
    default:
      return { kind: 'held', why: step.why }
  }
}

/** Sends an order. A first send of which no byte arrived, or that made nothing, is as none. */
const sendOnce = <View>(order: Trial<View>): Promise<View> =>
  order.send().catch((error: unknown) => {
    if (mayHaveExecuted(error) === false || partnerRefusal(error)) return unsend(order, error)
    throw error
  })

/** Makes the next try the first again, as nothing was sent by this one; throws its failure. */
async function unsend({ memory, commit }: Trial<unknown>, failure: unknown): Promise<never> {
  if (memory.isNew) await commit((tx) => forgetSend(tx, memory))
  throw failure
}

/**
 * Orders what is no payout: remembers it, looks, and sends it, once. Where keys are kept for ever it is just sent. Fails
 * as unclear while its absence is not sure, and for good (`isHeld`) once that cannot be known.
 */
export async function orderOnce<View>(order: NewOrder, ways: Ways<View>): Promise<View> {
  if (ways.keeping.keysKept === 'ever') return ways.send()
  const memory = await ways.commit((tx) => rememberOrder(tx, order))
  const attempt = await tryOrder({ ...ways, memory }, 'not_yet')
  if (attempt.kind === 'answered') return attempt.view
  const { connection } = order
  if (attempt.kind === 'waits')
    throw unclear({ party: connection }, 'it may have it, and does not show it yet', true, attempt.seconds)
  const { why } = attempt
  if (why !== 'lost') await ways.commit((tx) => holdOrder(tx, order, why))
  throw ApplicationFailure.nonRetryable(`${connection} may have done it: that cannot be known`, HELD)
}

const HELD = 'OrderHeld'

/** Tells whether an order is never sent again by itself. */
export const isHeld = (failure: unknown): boolean => failure instanceof ApplicationFailure && failure.type === HELD
