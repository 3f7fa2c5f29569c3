/** What a payment's workflow asks of the partner that pays it out. Each call may be repeated: the partner knows our id. */
import { ApplicationFailure } from '@temporalio/common'
import type { PayoutView } from '../db/model/partner.ts'
import { type Payout, payoutOf } from '../db/payouts.ts'
import { asSystem } from '../db/sql.ts'
import { isMisused, partnerRefusal } from './partners/http.ts'
import { moneyPartner } from './partners/money.ts'
import type { PaymentRef } from './payments.ts'

const payout = ({ organizationId, paymentId }: PaymentRef): Promise<Payout> =>
  asSystem(organizationId, (tx) => payoutOf(tx, paymentId))

/** What was refused at the door was never made: it has no version yet. */
const REFUSED = { status: 'rejected', reference: null, version: 0 } as const

/**
 * Asks for the payout, or finds it. A refusal at the door is a word as good as any, unless the partner knows the payout all
 * the same: then what it says of it counts. Fails for good where there is nothing to send, or the partner took it before.
 */
export async function submitPayout(ref: PaymentRef): Promise<PayoutView> {
  const { partner, sendable, amount, reference, beneficiary } = await payout(ref)
  if (!sendable) throw ApplicationFailure.nonRetryable('there is nothing to send', 'NothingToSend')
  const client = moneyPartner(partner)
  try {
    return await client.putPayout(ref.paymentId, { amount, reference, beneficiary })
  } catch (error) {
    const refusal = partnerRefusal(error)
    if (!refusal) throw error
    return (await client.getPayout(ref.paymentId, amount)) ?? { ...REFUSED, detail: refusal.message }
  }
}

/** Where the payout stands; null where the partner has never heard of it. */
export async function askPayout(ref: PaymentRef): Promise<PayoutView | null> {
  const { partner, amount } = await payout(ref)
  return moneyPartner(partner).getPayout(ref.paymentId, amount)
}

/**
 * Asks for the cancellation of a payout, which the partner may not have heard of yet; answers where it stands then. One that
 * the partner does not let be cancelled goes on: it counts as broadcast.
 * @public the workflow calls it by its proxy
 */
export async function cancelPayout(ref: PaymentRef): Promise<PayoutView> {
  const { partner, amount } = await payout(ref)
  const client = moneyPartner(partner)
  const known = (await client.getPayout(ref.paymentId, amount)) ?? (await submitPayout(ref))
  if (known.status !== 'pending' && known.status !== 'on_hold') return known
  try {
    return await client.cancelPayout(ref.paymentId, amount)
  } catch (error) {
    if (!partnerRefusal(error) && !isMisused(error)) throw error
    return { ...known, status: 'processing' }
  }
}
