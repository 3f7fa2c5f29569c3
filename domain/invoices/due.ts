import { toMinor, fromMinor } from '../money/money.ts'

export type Owed = {
  readonly currency: string
  readonly state: string
  readonly total: string
  readonly accepted_amount: string | null
  readonly allocated: string
}

/** Computes the accepted amount, else the total, less allocations: not below zero, zero once it is paid. */
export function dueAmount({ currency, state, total, accepted_amount: accepted, allocated }: Owed): string {
  const left = toMinor({ amount: accepted ?? total, currency }) - toMinor({ amount: allocated, currency })
  return fromMinor(state === 'paid' || left < 0n ? 0n : left, currency).amount
}
