/** Selections of a plan: the operation, the charge, and the day from which the plan is in force. */
import { daysBetween } from '../instants.ts'
import { roundHalfAway } from '../money/decimal.ts'
import { type Money, compare, fromMinor, subtract, toMinor } from '../money/money.ts'

/** Paid month, in days of UTC; it ends before `endsOn`, on which a new month begins. */
export type Month = { readonly startsOn: string; readonly endsOn: string }

/** Computes the month from a day to the anchor day of the next month, or to its last day. */
export function monthFrom(startsOn: string, anchorDay = dayOf(startsOn)): Month {
  const [year, month] = [Number(startsOn.slice(0, 4)), Number(startsOn.slice(5, 7))]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const end = new Date(Date.UTC(year, month, Math.min(anchorDay, lastDay)))
  return { startsOn, endsOn: end.toISOString().slice(0, 10) }
}

/** Counts the days of the month, and those that are left, including today. */
export const daysOf = (
  { startsOn, endsOn }: Month,
  today: string,
): { readonly all: number; readonly left: number } => ({
  all: daysBetween(startsOn, endsOn),
  left: daysBetween(today, endsOn),
})

export const OPERATIONS = ['created', 'upgraded', 'recommitted', 'downgrade_scheduled', 'change_scheduled'] as const
export type Operation = (typeof OPERATIONS)[number]

/** Charge: a whole month, the difference for the rest of one, or nothing. */
export type Charge = 'month' | 'rest_of_month' | 'none'

export type PricedOffer = { readonly id: string; readonly price: Money }

/** Active subscription, and its paid month. */
export type Current = {
  readonly offer: PricedOffer
  readonly month: Month
  readonly anchorDay: number
  /** First day of the next month if money was stopped when it was due; null: without a gap. */
  readonly restartsOn: string | null
}

export type Selection = {
  readonly operation: Operation
  readonly charge: Charge
  readonly amount: Money
  /** Month in force afterwards, and the day of the month that months begin on. */
  readonly month: Month
  readonly anchorDay: number
  /** First day of the offer. */
  readonly effectiveOn: string
  /** True if the offer applies from now on; false if from a later month. */
  readonly atOnce: boolean
}

/** Computes the next month to be paid: the month after, or one that begins when money moves again. */
export function nextMonth({ month, anchorDay, restartsOn }: Current): { month: Month; anchorDay: number } {
  if (restartsOn) return { month: monthFrom(restartsOn), anchorDay: dayOf(restartsOn) }
  return { month: monthFrom(month.endsOn, anchorDay), anchorDay }
}

const dayOf = (date: string): number => Number(date.slice(8))

/**
 * Decides the effect of selecting an offer today. A dearer one in the same currency applies at once, and costs the
 * difference for the remaining days, rounded half up; any other applies when the month is over. If that is over
 * already, the next month is paid with the offer.
 */
export function selectionOf(current: Current | null, offer: PricedOffer, today: string): Selection {
  const { price } = offer
  if (!current) {
    const month = monthFrom(today)
    return { ...wholeMonth(price, month, dayOf(today)), operation: 'created' }
  }
  const { month, anchorDay } = current
  const same = current.offer.id === offer.id
  if (today >= month.endsOn) {
    const next = nextMonth(current)
    return { ...wholeMonth(price, next.month, next.anchorDay), operation: same ? 'recommitted' : 'created' }
  }
  const free = { charge: 'none', amount: fromMinor(0n, price.currency), month, anchorDay } as const
  if (same) return { ...free, operation: 'recommitted', effectiveOn: today, atOnce: true }
  const later = { ...free, effectiveOn: month.endsOn, atOnce: false } as const
  if (price.currency !== current.offer.price.currency) return { ...later, operation: 'change_scheduled' }
  const order = compare(price, current.offer.price)
  if (order === 0) return { ...later, operation: 'change_scheduled' }
  if (order < 0) return { ...later, operation: 'downgrade_scheduled' }
  const { left, all } = daysOf(month, today)
  const difference = toMinor(subtract(price, current.offer.price))
  const amount = fromMinor(roundHalfAway(difference * BigInt(left), BigInt(all)), price.currency)
  return { ...free, operation: 'upgraded', charge: 'rest_of_month', amount, effectiveOn: today, atOnce: true }
}

const wholeMonth = (amount: Money, month: Month, anchorDay: number): Omit<Selection, 'operation'> => ({
  charge: 'month',
  amount,
  month,
  anchorDay,
  effectiveOn: month.startsOn,
  atOnce: true,
})
