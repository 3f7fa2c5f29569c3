/** One payment from its creation to its end. It resumes from any state with the ids alone. */
import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineUpdate,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow'
import type { NewPaymentRef, PaymentRef } from '../activities/payments.ts'
import { driven } from '../db/model/flow.ts'
import { type PaymentStatus, TARGET_OF_RAIL, paymentFlow } from '../db/model/payment-flow.ts'
import { approvalGate, looks } from './approval.ts'
import { businessClock } from './clock.ts'
import { cancellation, payOut } from './payout.ts'
import { record } from './proxies.ts'

/** What POST /payments waits for. The API reads the row itself: histories carry ids, not people. */
export type Created = { id: string; status: PaymentStatus; body_hash: string | null }
export const created = defineUpdate<Created>('created')

/** Answers the state that the payment ended in. */
export async function payment(ref: PaymentRef, creation?: NewPaymentRef): Promise<PaymentStatus> {
  let row: Awaited<ReturnType<typeof record.createOrFindPayment>> | undefined
  let refusal: ApplicationFailure | undefined

  const recorded = async () => {
    if (!row) await condition(() => row !== undefined || refusal !== undefined)
    if (!row) throw refusal ?? ApplicationFailure.nonRetryable('the payment was not recorded')
    return row
  }
  setHandler(created, async () => {
    const { id, status, body_hash } = await recorded()
    return { id, status, body_hash }
  })
  const clock = businessClock()
  const seen = looks()
  const gate = approvalGate(clock, seen, recorded)
  cancellation(ref, seen, recorded)

  try {
    row = await record.createOrFindPayment(ref, creation)
  } catch (error) {
    const cause = error instanceof ActivityFailure ? error.cause : error
    if (!(cause instanceof ApplicationFailure)) throw error
    refusal = cause // goes to whoever waits; the run fails, so that the same key can succeed later
    await condition(allHandlersFinished)
    throw cause
  }
  clock.learn(row.clock_offset_seconds)

  let { status, unread } = row
  while (driven(paymentFlow, status) || unread) {
    if (status === 'awaiting_approval') status = await decided()
    else if (row.rail === 'svc_id') status = await settled(status)
    else {
      status = await payOut(ref, row.rail, seen, renew)
      unread = false
    }
  }
  setCurrentDetails(`The payment is ${status}.`)
  await condition(allHandlersFinished)
  return status

  async function settled(from: PaymentStatus): Promise<PaymentStatus> {
    if (from === 'submitted') return record.transferInternally(ref)
    throw ApplicationFailure.nonRetryable(`no procedure for a payment by service ID that is ${from}`)
  }

  function renew(): Promise<never> {
    return continueAsNew<typeof payment>(ref)
  }

  async function decided(): Promise<PaymentStatus> {
    const { approval_id: approvalId, waiting, rail } = row ?? {}
    if (!approvalId || !waiting || !rail)
      throw ApplicationFailure.nonRetryable('the payment has no approval to wait for')
    const reached = await gate.passed({
      ref: {
        organizationId: ref.organizationId,
        approvalId,
        target: { type: TARGET_OF_RAIL[rail], id: ref.paymentId },
      },
      waiting,
      renew,
    })
    // the loop above would turn for ever without yielding, and take the whole worker with it
    if (reached === 'awaiting_approval') throw ApplicationFailure.nonRetryable('decided, but the payment still waits')
    return reached as PaymentStatus // the verdict's target is this payment
  }
}
