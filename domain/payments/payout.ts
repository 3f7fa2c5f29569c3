/** What a partner's word on a payout means for its payment: the arrows of the payment's flow that it takes. */
import type { PayoutStatus } from '../callbacks/partner.ts'
import { type PaymentStatus, paymentFlow } from '../flows/payment.ts'

export type PaymentEvent = keyof typeof paymentFlow.events
type Path = readonly [PaymentEvent, ...PaymentEvent[]]
type Paths = Readonly<Partial<Record<PaymentStatus, Path>>>

/** From each state of a payment, what leads to where the partner is. What is missing changes nothing. */
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

/** The events that take a payment from its state to where its partner is; undefined if there is nothing to do. */
export const pathTo = (from: PaymentStatus, word: PayoutStatus): Path | undefined => PATHS[word][from]

/** What a partner says at the end of a payout. */
const LAST_WORDS: ReadonlySet<PayoutStatus> = new Set(['settled', 'rejected', 'cancelled', 'returned'])

/**
 * The events that take a payment to where its partner is, also against what it said before: paid and then not is paid
 * back. Null if nobody can decide that: the payment waits for approval, or the partner has not come to an end.
 */
export function pathAgainst(from: PaymentStatus, word: PayoutStatus): readonly PaymentEvent[] | null {
  if (from === 'awaiting_approval' || !LAST_WORDS.has(word)) return null
  if (from === 'succeeded' && word !== 'settled') return ['reverse']
  return pathTo(from, word) ?? []
}

/**
 * Whether the custodian has decided on a withdrawal, which nobody can cancel from then on; one it holds still waits.
 */
export const isDecided = (word: PayoutStatus): boolean => word !== 'pending' && word !== 'on_hold'
