/** Money that came in: the first look finds out which invoice it pays, and whether people are asked. */
import type { incomingPaymentFlow } from '../domain/flows/incoming-payment.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { record } from './proxies.ts'

/** Answers what became of it. */
export const incomingPayment = (ref: ProcessRef) =>
  drive<typeof incomingPaymentFlow>(ref, record.lookAtIncomingPayment, { matching: 'waits' })
