/** Prices of selections, and ends of months. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { daysAfter, daysBetween } from '../../domain/instants.ts'
import { fromMinor, toMinor } from '../../domain/money/money.ts'
import type { Current, PricedOffer } from '../../domain/subscriptions/selection.ts'
import { daysOf, monthFrom, nextMonth, selectionOf } from '../../domain/subscriptions/selection.ts'
import { always } from '../support/property.ts'

const day = fc.integer({ min: 0, max: 20_000 }).map((days) => daysAfter('2020-01-01', days))
const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'ETH')
const LARGEST_PRICE = 10_000_000n

test('a month has 28 to 31 days; those after each other leave no day out, and begin on the same day or the last of a month', () =>
  always(500, day, (start) => {
    const anchorDay = Number(start.slice(8))
    let month = monthFrom(start)
    for (let count = 0; count < 36; count += 1) {
      const { all } = daysOf(month, month.startsOn)
      expect(all).toBeGreaterThanOrEqual(28)
      expect(all).toBeLessThanOrEqual(31)
      const endDay = Number(month.endsOn.slice(8))
      const isLast = daysAfter(month.endsOn, 1).endsWith('-01')
      expect(endDay === anchorDay || (endDay < anchorDay && isLast)).toBe(true)
      month = monthFrom(month.endsOn, anchorDay)
    }
  }))

function walk(code: string, start: string, choices: readonly { price: bigint; after: number }[]) {
  let current: Current | null = null
  const charges: { amount: bigint; on: string; price: bigint }[] = []
  let today = start
  for (const [index, { price, after }] of choices.entries()) {
    today = daysAfter(today, after)
    if (current && today >= current.month.endsOn) break
    const offer: PricedOffer = { id: String(index), price: fromMinor(price, code) }
    const selected = selectionOf(current, offer, today)
    charges.push({ amount: toMinor(selected.amount), on: today, price })
    if (selected.atOnce) current = { offer, month: selected.month, anchorDay: selected.anchorDay, restartsOn: null }
    else expect(selected.amount).toEqual(fromMinor(0n, code))
  }
  if (!current) throw new Error('the first selection creates a subscription')
  return { current, charges }
}

describe('what is charged in a month', () => {
  test('is, but for half a unit of each charge, what each day costs at the dearest plan chosen until then', () => {
    const price = fc.bigInt({ min: 0n, max: LARGEST_PRICE })
    const choice = fc.record({ price, after: fc.integer({ min: 0, max: 9 }) })
    const choices = fc.array(choice, { minLength: 1, maxLength: 8 })
    const highest = (all: readonly bigint[]) => all.reduce((most, one) => (one > most ? one : most), 0n)
    always(1000, currency, day, choices, (code, start, given) => {
      const { current, charges } = walk(code, start, given)
      const { startsOn } = current.month
      const { all } = daysOf(current.month, startsOn)
      // exact: day by day, the plan in force times the days of the month
      let exact = 0n
      for (let index = 0; index < all; index += 1) {
        const date = daysAfter(startsOn, index)
        exact += highest(charges.filter(({ on }) => on <= date).map((one) => one.price))
      }
      const charged = charges.reduce((sum, { amount }) => sum + amount, 0n)
      const difference = charged * BigInt(all) - exact
      const magnitude = difference < 0n ? -difference : difference
      expect(magnitude * 2n <= BigInt(all) * BigInt(charges.length)).toBe(true)
      // never more than the dearest plan for the whole month, but for the rounding
      const dearest = highest(charges.map((one) => one.price))
      expect(charged <= dearest + BigInt(charges.length)).toBe(true)
    })
  })

  test('on the first day is the whole difference, on the last one day of it, rounded half up', () => {
    const on = (today: string) => {
      const { current } = walk('USD', '2026-01-31', [{ price: 1000n, after: 0 }])
      return selectionOf(current, { id: 'dearer', price: fromMinor(1014n, 'USD') }, today)
    }
    expect(on('2026-01-31')).toMatchObject({ operation: 'upgraded', amount: { amount: '0.14', currency: 'USD' } })
    expect(on('2026-02-27')).toMatchObject({ amount: { amount: '0.01', currency: 'USD' } })
    expect(on('2026-02-27').month).toEqual({ startsOn: '2026-01-31', endsOn: '2026-02-28' })
  })
})

describe('a month that is over', () => {
  const { current } = walk('USD', '2026-01-31', [{ price: 1000n, after: 0 }])
  const dearer = { id: 'dearer', price: fromMinor(2000n, 'USD') }

  test('is followed by the next, also if that is paid late, with whatever plan is selected', () => {
    const late = selectionOf(current, dearer, '2026-03-02')
    expect(late).toMatchObject({ operation: 'created', charge: 'month', amount: { amount: '20.00' }, anchorDay: 31 })
    expect(late.month).toEqual({ startsOn: '2026-02-28', endsOn: '2026-03-31' })
    const again = { operation: 'recommitted', charge: 'month' }
    expect(selectionOf(current, current.offer, '2026-02-28')).toMatchObject(again)
  })

  test('if money could not move then, is followed by one that begins when it can', () => {
    const { month, anchorDay } = nextMonth({ ...current, restartsOn: '2026-05-10' })
    expect([month, anchorDay]).toEqual([{ startsOn: '2026-05-10', endsOn: '2026-06-10' }, 10])
    expect(daysBetween(month.startsOn, month.endsOn)).toBe(31)
  })
})
