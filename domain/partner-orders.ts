/** Orders at partners, which are never carried out twice: what a try does next, and which views count. */
import type { PayoutStatus } from './partner.ts'

/** How far a provider remembers: partners/driver.ts has the words. */
export type Keeping = {
  readonly keysKept: 'ever' | number
  readonly absenceSureAfterSeconds: number
}

/** Reasons for which an order is never sent again by itself: a person has to look. */
export const HOLD_REASONS = ['unknowable', 'other_bytes'] as const
export type HoldReason = (typeof HOLD_REASONS)[number]

/** Memory of an order when it is tried. */
export type OrderMemory = {
  /** This try has written the memory: nothing that we know of was sent before. */
  readonly isNew: boolean
  /** The bytes to be sent now are those of the first time. */
  readonly isSame: boolean
  /** Time since the memory was written, right before the first send, and since the last send. */
  readonly seconds: { readonly sinceFirst: number; readonly sinceLast: number }
  readonly theirId: string | null
  readonly held: HoldReason | null
}

/** Next deed of a try. */
export type OrderStep =
  | { readonly next: 'look' | 'send' }
  | { readonly next: 'wait'; readonly seconds: number }
  /** `lost`: the provider took it, and does not show it any more. */
  | { readonly next: 'hold'; readonly why: HoldReason | 'lost' }

/** Seconds before the end of a key's time from which it counts as over: a send takes a while to arrive. */
export const KEY_MARGIN_SECONDS = 900

/** Tells whether the provider may have forgotten a key that was used so long ago. */
export const isKeyOver = (seconds: number, keysKept: number): boolean => seconds >= keysKept * 3600 - KEY_MARGIN_SECONDS

/**
 * Decides what a try does. It looks first, but where keys are kept for ever and nothing else is in doubt: the database
 * may have been restored to a time before the first send. What is absent is sent again under the same key, with the same
 * bytes, once the absence is sure and while the provider still knows the key.
 */
export function orderStep(memory: OrderMemory, keeping: Keeping, looked: 'not_yet' | 'absent'): OrderStep {
  const { isNew, isSame, seconds, theirId, held } = memory
  const keptForEver = keeping.keysKept === 'ever'
  const inDoubt = !isSame || theirId !== null || held !== null
  if (looked === 'not_yet' && (!keptForEver || inDoubt)) return { next: 'look' }
  if (theirId !== null) return { next: 'hold', why: 'lost' }
  if (held) return { next: 'hold', why: held }
  if (!isSame) return { next: 'hold', why: 'other_bytes' }
  if (keeping.keysKept === 'ever' || isNew) return { next: 'send' }
  const left = keeping.absenceSureAfterSeconds - seconds.sinceLast
  if (left > 0) return { next: 'wait', seconds: Math.ceil(left) }
  return isKeyOver(seconds.sinceFirst, keeping.keysKept) ? { next: 'hold', why: 'unknowable' } : { next: 'send' }
}

/** Statuses that may follow; any other goes backward, or against what was said. */
const FORWARD: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  pending: ['pending', 'processing', 'on_hold', 'settled', 'rejected', 'cancelled', 'returned'],
  processing: ['processing', 'on_hold', 'settled', 'rejected', 'cancelled', 'returned'],
  on_hold: ['on_hold', 'pending', 'processing', 'settled', 'rejected', 'cancelled', 'returned'],
  settled: ['settled', 'returned'],
  rejected: ['rejected'],
  cancelled: ['cancelled'],
  returned: ['returned'],
}

export const goesForward = (from: PayoutStatus, to: PayoutStatus): boolean => FORWARD[from].includes(to)
