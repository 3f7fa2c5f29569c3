/** What a partner's word on a payout means for its payment: the arrows of the payment's flow that it takes. */
import type { PayoutStatus } from '../partners/partner.ts'
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

/**
 * Whether the custodian has decided on a withdrawal, which nobody can cancel from then on; one it holds still waits.
 */
export const isDecided = (word: PayoutStatus): boolean => word !== 'pending' && word !== 'on_hold'
