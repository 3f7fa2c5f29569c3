import { lessDiscount } from './early-payment.ts'
import { toMinor, fromMinor } from '../money/money.ts'

export type Debt = {
  readonly currency: string
  readonly state: string
  readonly total: string
  readonly accepted_amount: string | null
  readonly allocated: string
  /** Sum of the sent credit notes. */
  readonly credited: string
}

/** Computes what is left to be paid: not below zero, zero once paid. */
export function dueAmount({ state, ...owed }: Debt): string {
  const { currency, allocated } = owed
  const left = afterCredit(owed) - toMinor({ amount: allocated, currency })
  return fromMinor(state === 'paid' || left < 0n ? 0n : left, currency).amount
}

type IncomingMoney = Omit<Debt, 'state'> & {
  /** Amount that a person said was paid elsewhere; null for none. */
  readonly paid_elsewhere: string | null
  /** Discount in percent by which an early payment settled it; null for none. */
  readonly early_percentage: string | null
}

/** Computes what the customer paid beyond what is left of the invoice after its credit notes. */
export function refundDue({ paid_elsewhere: elsewhere, ...owed }: IncomingMoney): string {
  const { currency, allocated } = owed
  const received = toMinor({ amount: allocated, currency }) + toMinor({ amount: elsewhere ?? '0', currency })
  const over = received - lessDiscount(afterCredit(owed), owed.early_percentage)
  return fromMinor(over < 0n ? 0n : over, currency).amount
}

/** Computes what is left of the total after credit notes, and is not asked for: not accepted, or a discount. */
export function reductionOf({ early_percentage: percentage, ...owed }: Omit<IncomingMoney, 'paid_elsewhere'>): bigint {
  const { total, credited, currency } = owed
  const left = toMinor({ amount: total, currency }) - toMinor({ amount: credited, currency })
  return left - lessDiscount(afterCredit(owed), percentage)
}

/**
 * Computes what is asked for after credit notes, in minor units: no more than the customer accepted, and no more than
 * the credit notes leave of the total. A credit note for what was not accepted takes nothing twice. SQL:
 * afterCredits() in services/invoice-delivery/documents.ts, and the functions of db/functions/invoices.sql.
 */
function afterCredit({ currency, total, accepted_amount: accepted, credited }: Omit<Debt, 'state'>): bigint {
  const whole = toMinor({ amount: total, currency })
  const claims = [toMinor({ amount: accepted ?? total, currency }), whole - toMinor({ amount: credited, currency })]
  return claims.reduce((least, claim) => (claim < least ? claim : least), whole)
}
