/** Balance of a partner against the books: which movements excuse a difference, and which only explain it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Movement, compareFunds, nearestTo } from '../../domain/funds/comparison.ts'
import { fromMinor, toMinor } from '../../domain/money/money.ts'
import { always } from '../support/property.ts'

const euros = (minor: bigint) => fromMinor(minor, 'EUR').amount
const movement = (kind: string, amount: string, in_balance: boolean, name = 'payment:1'): Movement => ({
  kind,
  name,
  amount,
  in_balance,
})
const differenceOf = (clearing: string, balance: string, movements: readonly Movement[]) =>
  compareFunds('EUR', { clearing, balance, movements }).difference

/** A movement in the life of a partner and our books: who of them counts it. */
const life = fc.record({
  amount: fc.bigInt(-100_000n, 100_000n).filter((one) => one !== 0n),
  partner: fc.boolean(),
  books: fc.boolean(),
})

test('whatever each side counts, the movements between them make it equal, and a missing cent does not', () => {
  always(500, fc.array(life, { maxLength: 30 }), fc.bigInt(-500n, 500n), (lives, stolen) => {
    const sum = (counts: (one: (typeof lives)[number]) => boolean) =>
      lives.filter(counts).reduce((total, { amount }) => total + amount, 0n)
    const movements = lives.map(({ amount, partner, books }, index) =>
      books
        ? movement('booked_since', euros(amount), partner, `payment:${index}`)
        : movement('deposit_received', euros(amount), partner, `deposit:${index}`),
    )
    const [clearing, balance] = [euros(sum(({ books }) => books)), euros(sum(({ partner }) => partner) - stolen)]
    const { difference, items } = compareFunds('EUR', { clearing, balance, movements })
    expect(toMinor({ amount: difference, currency: 'EUR' })).toBe(-stolen)
    expect(items).toHaveLength(lives.filter(({ partner, books }) => partner !== books).length)
  })
})

test.each<[string, string, boolean, string]>([
  ['a payout that is settled there and not booked here', 'payout_settled', true, '0.00'],
  ['a payout that came back and is not booked', 'payout_returned', true, '0.00'],
  ['a payout that was sent, of a partner that debits at once', 'payout_sent', true, '0.00'],
  ['a deposit that was sent back and is not booked', 'deposit_returned', true, '0.00'],
  ['a movement after its answer', 'deposit_received', false, '-10.00'],
  ['a payout of no payment', 'payout_of_no_payment', true, '-10.00'],
  ['a payout that has failed here and was paid', 'paid_but_not_in_the_books', true, '-10.00'],
  ['a deposit that was taken back after it was credited', 'deposit_taken_back', true, '-10.00'],
])('%s', (_, kind, counts, difference) => {
  expect(differenceOf('100.00', '90.00', [movement(kind, '-10.00', counts)])).toBe(difference)
})

test('a theft is not excused by a movement of the same amount that its balance does not count', () => {
  expect(differenceOf('100.00', '99.00', [movement('payout_settled', '-1.00', false)])).toBe('-1.00')
  expect(differenceOf('100.00', '99.00', [movement('deposit_received', '1.00', true)])).toBe('-2.00')
})

test('a difference names the movement of its amount, else two of its sum, else the nearest', () => {
  const known = ['5.00', '-7.30', '1.20', '40.00'].map((amount, index) => movement('payout', amount, true, `p${index}`))
  const named = (difference: string) => {
    const { explains, items } = nearestTo('EUR', difference, known)
    return [explains, ...items.map(({ name }) => name)]
  }
  expect(named('7.30')).toEqual([true, 'p1'])
  expect(named('-6.20')).toEqual([true, 'p0', 'p2'])
  expect(named('2.30')).toEqual([true, 'p0', 'p1'])
  expect(named('39.00')).toEqual([false, 'p3', 'p1', 'p0'])
  expect(nearestTo('EUR', '1.00', [])).toEqual({ explains: false, items: [] })
})

test('what is named as an explanation has the amount', () => {
  always(300, fc.array(fc.bigInt(-5000n, 5000n), { maxLength: 40 }), fc.bigInt(1n, 9000n), (amounts, difference) => {
    const known = amounts.map((amount, index) => movement('payout', euros(amount), true, `p${index}`))
    const { explains, items } = nearestTo('EUR', euros(difference), known)
    const sum = items.reduce((total, { amount }) => total + toMinor({ amount, currency: 'EUR' }), 0n)
    if (explains) expect(sum < 0n ? -sum : sum).toBe(difference)
    const pairs = amounts.some((one, at) => amounts.some((other, then) => at !== then && [difference, -difference].includes(one + other))) // prettier-ignore
    expect(explains).toBe(pairs || amounts.some((one) => one === difference || one === -difference))
  })
})
