/** What the selection of a plan comes to: what it is called, what is charged, and from when it is in force. */
import { rounded } from '../money/decimal.ts'
import { type Money, compare, fromMinor, subtract, toMinor } from '../money/money.ts'
import { type Month, daysOf, monthFrom } from './month.ts'

export const OPERATIONS = ['created', 'upgraded', 'recommitted', 'downgrade_scheduled', 'change_scheduled'] as const
export type Operation = (typeof OPERATIONS)[number]

/** A whole month, the difference for the days that are left of one, or nothing. */
export type Charge = 'month' | 'rest_of_month' | 'none'

/** An offer by its id and its price for a month. */
export type Priced = { readonly id: string; readonly price: Money }

/** An active subscription: what is paid, and until when. */
export type Current = {
  readonly offer: Priced
  readonly month: Month
  readonly anchorDay: number
  /**
   * When the next month begins, if money of the organization could not move when it was due; null: with no day between.
   */
  readonly restartsOn: string | null
}

export type Selected = {
  readonly operation: Operation
  readonly charge: Charge
  readonly amount: Money
  /** The month that is in force after it, and the day of the month that months begin on. */
  readonly month: Month
  readonly anchorDay: number
  /** When the offer is in force. */
  readonly effectiveOn: string
  /** The offer is the present one from then on; if not, it is that of a later month. */
  readonly atOnce: boolean
}

/** What it costs to have a dearer offer for the days that are left: rounded half up to the currency's precision. */
export function prorated(
  from: Money,
  to: Money,
  { left, all }: { readonly left: number; readonly all: number },
): Money {
  const difference = toMinor(subtract(to, from))
  return fromMinor(rounded(difference * BigInt(left), BigInt(all)), to.currency)
}

/** What is paid for next: the month after, or if money could not move then, one that begins when it could again. */
export function nextMonth({ month, anchorDay, restartsOn }: Current): { month: Month; anchorDay: number } {
  if (restartsOn) return { month: monthFrom(restartsOn), anchorDay: dayOf(restartsOn) }
  return { month: monthFrom(month.endsOn, anchorDay), anchorDay }
}

const dayOf = (date: string): number => Number(date.slice(8))

/**
 * What it means that an offer is selected today. A dearer one in the same currency counts at once, and costs the
 * difference for the days that are left; any other when the month is over. If the month is over already, the next one
 * is paid with whatever is selected.
 */
export function selectionOf(current: Current | null, offer: Priced, today: string): Selected {
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
  const amount = prorated(current.offer.price, price, daysOf(month, today))
  return {
    operation: 'upgraded',
    charge: 'rest_of_month',
    amount,
    month,
    anchorDay,
    effectiveOn: today,
    atOnce: true,
  }
}

const wholeMonth = (amount: Money, month: Month, anchorDay: number): Omit<Selected, 'operation'> => ({
  charge: 'month',
  amount,
  month,
  anchorDay,
  effectiveOn: month.startsOn,
  atOnce: true,
})
