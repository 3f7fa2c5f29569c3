/**
 * Has a payment's partner pay it, asks where it stands, or cancels it, and takes down the answer. The partner knows our
 * id.
 */
import { ApplicationFailure } from '@temporalio/common'
import type { OrganizationId, PaymentId } from '../domain/ids.ts'
import { log } from '../platform/log.ts'
import type { PartnerPayout } from '../domain/callbacks/partner.ts'
import { driven } from '../domain/flows/flow.ts'
import { paymentFlow } from '../domain/flows/payment.ts'
import type { PayoutUpdate, Silence } from '../domain/payments/payout-plan.ts'
import type { ProcessRef } from '../domain/process.ts'
import { type Payout, applyPayoutUpdate, payoutOf, recordSilence } from '../db/payments/payouts.ts'
import { organizationOf } from '../db/processes.ts'
import { asSystem } from '../db/sql.ts'
import { asksToWait, isFinal, isClientError, partnerRefusal } from '../partners/http.ts'
import { isAnotherAmount, moneyPartner } from '../partners/money-partners.ts'
import { repeatsAtOnce } from './repeats.ts'

/** What was refused at the door was never made: it has no version yet. */
const REFUSED = { status: 'rejected', reference: null, version: 0 } as const

/**
 * Takes a payment one step on at its partner: asks what its state makes us ask, and records what the answer means, or
 * that there is none, with the time of the next question. Nothing if it has ended and its partner has not called since.
 * @public the workflow calls it by its proxy
 */
export async function pursuePayout(ref: ProcessRef): Promise<void> {
  const organizationId = organizationOf(ref)
  const id = ref.id as PaymentId // the ref of a payment's process
  const asked = await asSystem(organizationId, (tx) => payoutOf(tx, id))
  if (!driven(paymentFlow, asked.status) && !asked.hasUnprocessedCallbacks) return
  let answer: Answer
  try {
    answer = await queryPayout(id, asked)
  } catch (error) {
    if (repeatsAtOnce(error)) throw error
    log.warn({ err: error, payment_id: id, partner: asked.partner }, 'a partner gives no clear answer')
    answer = { hopeless: isFinal(error), anotherAmount: isAnotherAmount(error), notBefore: asksToWait(error) }
  }
  await asSystem(organizationId, (tx) =>
    'view' in answer
      ? applyPayoutUpdate(tx, id, { view: answer.view, asked })
      : recordSilence(tx, id, { asked, ...answer }),
  )
}

type Answer = Omit<PayoutUpdate, 'asked'> | Omit<Silence, 'asked'>

/** What the partner says when it is asked what the payment's state makes us ask. */
async function queryPayout(id: PaymentId, payout: Payout): Promise<Answer> {
  if (payout.status === 'submitted') return { view: await submit(id, payout) }
  if (payout.status === 'cancelling') return { view: await cancel(id, payout) }
  const view = await moneyPartner(payout.partner).getPayout(id, payout.amount)
  if (view || !driven(paymentFlow, payout.status)) return { view }
  // what the partner took and does not know any more is for a person to look at; what never arrived is sent again
  return payout.accepted ? { hopeless: true } : { view: await submit(id, payout) }
}

/**
 * Asks for the payout, or finds it. A refusal at the door is an answer as good as any, unless the partner knows the
 * payout all the same: then what it says of it counts. Fails for good if there is nothing to send: the partner took it
 * before.
 */
async function submit(
  id: PaymentId,
  { partner, sendable, amount, reference, beneficiary }: Payout,
): Promise<PartnerPayout> {
  if (!sendable) throw ApplicationFailure.nonRetryable('there is nothing to send', 'NothingToSend')
  const client = moneyPartner(partner)
  try {
    return await client.putPayout(id, { amount, reference, beneficiary })
  } catch (error) {
    const refusal = partnerRefusal(error)
    if (!refusal) throw error
    return (await client.getPayout(id, amount)) ?? { ...REFUSED, detail: refusal.message }
  }
}

/**
 * Asks for the cancellation of a payout, which the partner may not have heard of yet; answers where it stands then. One
 * that the partner does not let be cancelled goes on: it counts as broadcast.
 */
async function cancel(id: PaymentId, payout: Payout): Promise<PartnerPayout> {
  const { partner, amount } = payout
  const client = moneyPartner(partner)
  const known = (await client.getPayout(id, amount)) ?? (await submit(id, payout))
  if (known.status !== 'pending' && known.status !== 'on_hold') return known
  try {
    return await client.cancelPayout(id, amount)
  } catch (error) {
    if (!partnerRefusal(error) && !isClientError(error)) throw error
    return { ...known, status: 'processing' }
  }
}

/** Where a payout stands; null if the partner has never heard of it. */
export async function askPayout(organizationId: OrganizationId, id: PaymentId): Promise<PartnerPayout | null> {
  const { partner, amount } = await asSystem(organizationId, (tx) => payoutOf(tx, id))
  return moneyPartner(partner).getPayout(id, amount)
}
