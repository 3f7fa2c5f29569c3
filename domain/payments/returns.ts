/** Returns and charges of payouts: what came back of a payment, and what its partner kept of it or took beside. */
import { decimalOf, roundHalfAway, shortText } from '../money/decimal.ts'
import { type Money, compare, fromMinor, isSameMoney, isZero, moneyOf, subtract, toMinor } from '../money/money.ts'
import type { PartnerPayout, PayoutStatus } from '../partner.ts'
import type { PaymentState } from './flow.ts'

/** Charge of a partner. The customer loses what is kept from a return; the service bears all else. */
export type Charge = {
  /** Name within its payout: it is booked once. `kept` is from a return, all else by the status that names it. */
  readonly name: 'kept' | PayoutStatus
  readonly money: Money
}

/** Money of a payment that left, and what is booked of its return and charges. */
export type SentPayment = {
  readonly status: PaymentState
  readonly landing_amount: string
  readonly landing_currency: string
  /** Part that came back; null for all of it, and without a return. */
  readonly returned_amount: string | null
  readonly charged: readonly { readonly name: string; readonly amount: string; readonly currency: string }[]
}

/** Money that an update names, beside what is booked. */
export type MoneyPlan = {
  /** Part that came back, if that is less than was sent. */
  readonly returned: Money | null
  /** Charges to book. */
  readonly charges: readonly Charge[]
  /** The update names another amount than is booked: it changes nothing, and is reported. */
  readonly contradicts: boolean
}

export const NO_MONEY: MoneyPlan = { returned: null, charges: [], contradicts: false }

/** Statuses at which what a payout has cost is final. */
const COSTED: ReadonlySet<PayoutStatus> = new Set(['settled', 'rejected', 'cancelled', 'returned'])

const amountOf = ({ landing_amount: amount, landing_currency: currency }: SentPayment): Money =>
  moneyOf(amount, currency)

/** Tells whether more than was sent came back, or another currency: a person has to look. */
export function isUnbookable(payment: SentPayment, { status, returned }: PartnerPayout): boolean {
  if (status !== 'returned' || !returned) return false
  return returned.currency !== payment.landing_currency || compare(returned, amountOf(payment)) > 0
}

/** Plans the money of an update that can be booked; `reverses` if it takes the payment back. */
export function moneyPlanOf(payment: SentPayment, update: PartnerPayout, reverses: boolean): MoneyPlan {
  const sent = amountOf(payment)
  const back = (update.status === 'returned' && update.returned) || sent
  if (!reverses && update.status === 'returned' && payment.status === 'reversed') {
    const booked = moneyOf(payment.returned_amount ?? payment.landing_amount, sent.currency)
    if (back.currency !== booked.currency || compare(back, booked) !== 0) return { ...NO_MONEY, contradicts: true }
  }
  // another currency came back of a payment that is not taken back: nothing was kept of what left
  const kept = back.currency === sent.currency && compare(back, sent) <= 0 ? subtract(sent, back) : subtract(sent, sent)
  const isShort = reverses && !isZero(kept)
  const beside = chargeBeside(update, kept)
  const known = beside && payment.charged.find(({ name }) => name === beside.name)
  const earlier = update.status === 'returned' && !payment.charged.some(({ name }) => name === 'settled') && update.settledCharges // prettier-ignore
  return {
    returned: isShort ? back : null,
    charges: [
      ...(earlier ? [{ name: 'settled', money: earlier } as const] : []),
      ...(isShort ? [{ name: 'kept', money: kept } as const] : []),
      ...(beside && !known ? [beside] : []),
    ],
    contradicts: known ? !isSameMoney(moneyOf(known.amount, known.currency), beside.money) : false,
  }
}

/** Finds the cost of a payout beside its return. Charges may name again what was kept. */
function chargeBeside({ status, charges }: PartnerPayout, kept: Money): Charge | null {
  if (!charges || !COSTED.has(status)) return null
  const isKept = charges.currency === kept.currency
  if (isKept && compare(charges, kept) <= 0) return null
  return { name: status, money: isKept ? subtract(charges, kept) : charges }
}

/**
 * Computes what the payer gets for the part of a landing amount that came back: as much of `net`, which was exchanged for
 * the whole. It is rounded down, but what came back is never worth nothing: its cover has two sides.
 */
export function refundOf(net: Money, landing: Money, back: Money): Money {
  if (net.currency === landing.currency) return subtract(net, subtract(landing, back))
  const [part, whole] = [toMinor(back), toMinor(landing)]
  const refund = (toMinor(net) * part) / whole
  return fromMinor(refund === 0n && part > 0n ? 1n : refund, net.currency)
}

/** Computes the share of a plain decimal for a part of an amount, to as many decimals. */
export function shareOf(decimal: string, part: Money, whole: Money): string {
  const { digits, scale } = decimalOf(decimal)
  return shortText({ digits: roundHalfAway(digits * toMinor(part), toMinor(whole)), scale })
}

/** Describes a short return in the feed and in receipts. */
export const describeShortReturn = (sent: Money, back: Money): string =>
  `${back.amount} of ${sent.amount} ${sent.currency} came back; ${subtract(sent, back).amount} ${sent.currency} charges`
