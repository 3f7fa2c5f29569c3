/** Steps of a payment at its partner: order, poll, cancel. Each records the answer. The partner knows our id. */
import { ApplicationFailure } from '@temporalio/common'
import type { OrganizationId, PaymentId } from '../domain/ids.ts'
import { log } from '../platform/log.ts'
import type { PartnerPayout } from '../domain/callbacks/partner.ts'
import { driven } from '../domain/flows/flow.ts'
import { paymentFlow } from '../domain/flows/payment.ts'
import type { PayoutUpdate, Silence } from '../domain/payments/payout-plan.ts'
import type { ProcessRef } from '../domain/process.ts'
import { type Payout, applyPayoutUpdate, payoutOf, recordSilence } from '../db/payments/payouts.ts'
import { organizationOf } from '../db/views.ts'
import { asSystem } from '../db/sql.ts'
import { asksToWait, isFinal, isClientError, partnerRefusal } from '../partners/http.ts'
import { isAnotherAmount, moneyPartner } from '../partners/money-partners.ts'
import { repeatsAtOnce } from './repeats.ts'

/** What was refused at the door was never made: it has no version yet. */
const REFUSED = { status: 'rejected', reference: null, version: 0 } as const

/** Orders the payout of a submitted payment. */
export const orderPayout = (ref: ProcessRef<PaymentId>): Promise<void> =>
  askPartner(
    ref,
    ({ status }) => status === 'submitted',
    async (id, payout) => ({ view: await submit(id, payout) }),
  )

/**
 * Asks where a payout stands; one that never arrived is ordered again. Nothing if the payment has ended and its partner
 * has not called since.
 */
export const pollPayout = (ref: ProcessRef<PaymentId>): Promise<void> => askPartner(ref, isPolled, poll)

/** Asks for the cancellation of a payout. */
export const cancelPayout = (ref: ProcessRef<PaymentId>): Promise<void> =>
  askPartner(
    ref,
    ({ status }) => status === 'cancelling',
    async (id, payout) => ({ view: await cancel(id, payout) }),
  )

type Answer = Omit<PayoutUpdate, 'asked'> | Omit<Silence, 'asked'>
type Question = (id: PaymentId, payout: Payout) => Promise<Answer>

/**
 * Asks the partner if the payment is still in a state for it; records the answer, or that there is none, and when to
 * ask next.
 */
async function askPartner(
  ref: ProcessRef<PaymentId>,
  isDue: (payout: Payout) => boolean,
  ask: Question,
): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const asked = await asSystem(organizationId, (tx) => payoutOf(tx, id))
  if (!isDue(asked)) return
  let answer: Answer
  try {
    answer = await ask(id, asked)
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

const isPolled = ({ status, hasUnprocessedCallbacks }: Payout): boolean =>
  hasUnprocessedCallbacks || (driven(paymentFlow, status) && status !== 'submitted' && status !== 'cancelling')

async function poll(id: PaymentId, payout: Payout): Promise<Answer> {
  const view = await moneyPartner(payout.partner).getPayout(id, payout.amount)
  if (view || !driven(paymentFlow, payout.status)) return { view }
  // a person looks at what the partner took and does not know any more; what never arrived is ordered again
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
