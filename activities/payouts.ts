/** What a payment's workflow asks of the partner that pays it out. Each call may be repeated: the partner knows our id. */
import type { PayoutView } from '../db/model/partner.ts'
import { payoutOf } from '../db/payouts.ts'
import { asSystem } from '../db/sql.ts'
import { partnerRefusal } from './partners/http.ts'
import { moneyPartner } from './partners/money.ts'
import type { PaymentRef } from './payments.ts'

const payout = ({ organizationId, paymentId }: PaymentRef) => asSystem(organizationId, (tx) => payoutOf(tx, paymentId))

/** What was refused at the door was never made: it has no version yet. */
const REFUSED = { status: 'rejected', reference: null, version: 0 } as const

/** Asks for the payout, or finds it. A refusal at the door is a word as good as any: it is rejected. */
export async function submitPayout(ref: PaymentRef): Promise<PayoutView> {
  const { partner, ...asked } = await payout(ref)
  try {
    return await moneyPartner(partner).putPayout(ref.paymentId, asked)
  } catch (error) {
    const refusal = partnerRefusal(error)
    if (!refusal) throw error
    return { ...REFUSED, detail: refusal.message }
  }
}

/** Where the payout stands; null where the partner has never heard of it. */
export async function askPayout(ref: PaymentRef): Promise<PayoutView | null> {
  return moneyPartner((await payout(ref)).partner).getPayout(ref.paymentId)
}

/** Asks for the cancellation of a payout, which the partner may not have heard of yet; answers where it stands then. */
export async function cancelPayout(ref: PaymentRef): Promise<PayoutView> {
  const { partner } = await payout(ref)
  const known = (await moneyPartner(partner).getPayout(ref.paymentId)) ?? (await submitPayout(ref))
  return known.status === 'rejected' ? known : moneyPartner(partner).cancelPayout(ref.paymentId)
}
