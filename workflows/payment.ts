/**
 * One payment from its creation to its end: people decide, and a partner pays it out. By service ID nothing else is
 * left.
 */
import type { paymentFlow } from '../domain/flows/payment.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { partner, record } from './proxies.ts'

/** Answers the state that the payment ended in. News of one that had ended starts it again. */
export function payment(ref: ProcessRef) {
  const { pursuePayout } = partner()
  return drive<typeof paymentFlow>(ref, record.lookAtPayment, {
    awaiting_approval: 'waits',
    submitted: pursuePayout,
    processing: pursuePayout,
    on_hold: pursuePayout,
    cancelling: pursuePayout,
    succeeded: pursuePayout,
    failed: pursuePayout,
    reversed: pursuePayout,
    cancelled: pursuePayout,
  })
}
