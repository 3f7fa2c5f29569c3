/** Secure Payment Confirmation (W3C): the payment that a browser shows. */
import * as v from 'valibot'
import type { Subject } from '../approvals/approval.ts'
import { markAlike } from '../look-alikes.ts'
import { model, describe } from '../text.ts'

/** Payee and total, as `PaymentRequest` takes them. */
export const PaymentToConfirm = model('PaymentToConfirm', {
  payee_name: describe(v.string(), 'Payee, as `payeeName` takes it.'),
  currency: describe(v.string(), 'Currency of the total (ISO 4217).'),
  value: describe(v.string(), 'Total with fees, as a decimal.'),
})
export type PaymentToConfirm = v.InferOutput<typeof PaymentToConfirm>

/** Member `payment` of the client data (CollectedClientAdditionalPaymentData). */
export const ShownPayment = v.object({
  rpId: v.string(),
  topOrigin: v.string(),
  payeeName: v.string(),
  total: v.object({ currency: v.string(), value: v.string() }),
})
export type ShownPayment = v.InferOutput<typeof ShownPayment>

/** Names the payment of an approval; null for other targets, and for coins, which no browser shows. */
export function paymentToConfirm(subject: Subject): PaymentToConfirm | null {
  if (subject.type !== 'internal_transfer' && subject.type !== 'fiat_outgoing') return null
  const view = subject.type === 'fiat_outgoing' ? subject.fiat_outgoing : subject.internal_transfer
  const { amount: value, currency } = 'deducting' in view ? view.deducting : { ...view, amount: view.amount_with_fees }
  if (!value || !/^[A-Z]{3}$/.test(currency)) return null
  return { payee_name: markAlike(view.payment_contact.name), currency, value }
}

/** Tells if the browser showed exactly this payment to this relying party. */
export const isShown = (
  shown: ShownPayment,
  { payee_name, currency, value }: PaymentToConfirm,
  rpId: string,
): boolean =>
  shown.rpId === rpId &&
  shown.payeeName === payee_name &&
  shown.total.currency === currency &&
  shown.total.value === value
