/** Tries of orders, once around every driver: look before a repeat, and never the same money twice. */
import { type HoldReason, type OrderMemory, type Keeping, orderStep } from '../domain/partner-orders.ts'
import { unclear } from './http.ts'

/** Longest time between the reading of the memory and a send by it: a process may have been suspended. */
const DECISION_SECONDS = 300

/** Outcome of a try: an answer, a pause, or a person. */
export type Attempt<View> =
  | { readonly kind: 'answered'; readonly view: View }
  | { readonly kind: 'waits'; readonly seconds: number }
  | { readonly kind: 'held'; readonly why: HoldReason | 'lost' }

/** Order at a provider: how it is found, and how it is sent. */
export type Trial<View> = {
  readonly connection: string
  readonly keeping: Keeping
  readonly memory: OrderMemory & { readonly readAt: number }
  readonly find: () => Promise<View | null>
  /** Notes that it is sent again; commits before it answers. */
  readonly noteSend: () => Promise<void>
  readonly send: () => Promise<View>
}

/** Tries an order whose memory is committed; `looked`: whether the provider has just said that it has none. */
export async function tryOrder<View>(order: Trial<View>, looked: 'not_yet' | 'absent'): Promise<Attempt<View>> {
  const { connection, keeping, memory } = order
  const step = orderStep(memory, keeping, looked)
  switch (step.next) {
    case 'look': {
      const view = await order.find()
      return view ? { kind: 'answered', view } : tryOrder(order, 'absent')
    }
    case 'send': {
      const late = keeping.keysKept !== 'ever' && performance.now() - memory.readAt > DECISION_SECONDS * 1000
      if (late) throw unclear({ party: connection }, 'too much time went by before it was asked', false)
      if (keeping.keysKept !== 'ever' && !memory.isNew) await order.noteSend()
      return { kind: 'answered', view: await order.send() }
    }
    case 'wait':
      return { kind: 'waits', seconds: step.seconds }
    default:
      return { kind: 'held', why: step.why }
  }
}
