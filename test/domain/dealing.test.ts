import { describe, expect, test } from 'vitest'
import { Refusal } from '../../domain/errors.ts'
import { shareDealing } from '../../domain/covers/dealing.ts'
import { type OpenPosition, isNearMarket, isNearQuote, keepsPromise } from '../../domain/covers/trade.ts'
import { fromMinor, toMinor } from '../../domain/money/money.ts'

const money = (amount: string, currency: string) => ({ amount, currency })
const usd = (amount: string) => money(amount, 'USD')
const eur = (amount: string) => money(amount, 'EUR')
const jpy = (amount: string) => money(amount, 'JPY')

describe('a trade is believed', () => {
  const asked = { sell: usd('100.00'), buy: eur('92.00') }
  test.each([
    ['100.00', true],
    ['105.00', true],
    ['95.00', true],
    ['105.01', false],
    ['94.99', false],
  ])('%s USD are near 100.00 USD: %s', (sold, near) =>
    expect(isNearQuote(asked, { sold: usd(sold), bought: eur('92.00') })).toBe(near),
  )

  test('if the smallest amounts are rounded to another unit', () => {
    const small = { sell: usd('0.01'), buy: jpy('1') }
    expect(['0.00', '0.02', '0.03'].map((sold) => isNearQuote(small, { sold: usd(sold), bought: jpy('1') }))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('for exactly what was promised, in the currencies that were asked for', () => {
    expect(keepsPromise(asked, { sold: usd('99.00'), bought: eur('92.00') })).toBe(true)
    expect(keepsPromise(asked, { sold: usd('99.00'), bought: eur('92.01') })).toBe(false)
    expect(keepsPromise(asked, { sold: eur('100.00'), bought: eur('92.00') })).toBe(false)
    expect(keepsPromise(asked, { sold: usd('100.00'), bought: usd('92.00') })).toBe(false)
  })

  test.each([
    ['0.6133', true],
    ['0.5827', true],
    ['0.5826', false],
    ['0.644', true],
    ['0.6441', false],
    ['0.92', false],
  ])('150.00 USD for 92.00 EUR are near the market at %s: %s', (rate, near) =>
    expect(isNearMarket({ sold: usd('150.00'), bought: eur('92.00') }, rate)).toBe(near),
  )
})

describe('a dealing for several covers', () => {
  const forward = { sell: usd('100.00'), buy: eur('92.00') }
  const back = { sell: eur('46.00'), buy: usd('49.00') }

  test('that is what they were quoted at leaves each as it is', () =>
    expect(shareDealing([forward], { sold: usd('100.00'), bought: eur('92.00') })).toEqual([
      { sold: usd('100.00'), bought: eur('92.00') },
    ]))

  test('shares its difference by their amounts, to the last unit', () =>
    expect(
      shareDealing([forward, { sell: usd('50.00'), buy: eur('46.00') }], {
        sold: usd('149.00'),
        bought: eur('138.01'),
      }),
    ).toEqual([
      { sold: usd('99.33'), bought: eur('92.01') },
      { sold: usd('49.67'), bought: eur('46.00') },
    ]))

  test('is for what opposite ones leave, and for nothing if they leave nothing', () => {
    expect(shareDealing([forward, back], { sold: usd('51.00'), bought: eur('46.00') })).toEqual([
      { sold: usd('100.00'), bought: eur('92.00') },
      { sold: eur('46.00'), bought: usd('49.00') },
    ])
    const opposite = { sell: eur('92.00'), buy: usd('99.00') }
    expect(shareDealing([forward, opposite], { sold: usd('0.00'), bought: eur('0.00') })).toEqual([
      { sold: usd('99.50'), bought: eur('92.00') },
      { sold: eur('92.00'), bought: usd('99.50') },
    ])
  })

  test('sums to what was dealt for any covers, and takes no share below zero', () => {
    const number = (seed: number, salt: number, most: number) => BigInt(1 + ((seed * 7919 + salt * 104_729) % most))
    for (let seed = 1; seed <= 200; seed += 1) {
      const covers = Array.from({ length: 1 + (seed % 7) }, (_, place): OpenPosition => {
        const dollars = fromMinor(number(seed, place, 9_999) + 100n, 'USD')
        const yen = fromMinor(number(seed, place + 50, 9_999), 'JPY')
        return place % 3 === 2 ? { sell: yen, buy: dollars } : { sell: dollars, buy: yen }
      })
      const [net, least] = [netOf(covers), number(seed, 99, 100) - 50n]
      const dealt = { sold: fromMinor(net.USD + least, 'USD'), bought: fromMinor(net.JPY, 'JPY') }
      const shares = shareDealing(covers, dealt)
      expect(netOf(shares.map(({ sold, bought }) => ({ sell: sold, buy: bought })))).toEqual({
        USD: toMinor(dealt.sold),
        JPY: toMinor(dealt.bought),
      })
      for (const { sold, bought } of shares) expect([toMinor(sold) < 0n, toMinor(bought) < 0n]).toEqual([false, false])
    }
  })

  test('of another pair, or far from any quote, is refused', () => {
    const reasons = [
      [[forward], usd('100.00'), jpy('92')],
      [[forward, { sell: usd('1.00'), buy: jpy('150') }], usd('101.00'), eur('92.00')],
      [[], usd('1.00'), eur('1.00')],
      [[forward], usd('10.00'), eur('92.00')],
      [[forward], eur('92.00'), usd('100.00')],
      [[forward], usd('180.01'), eur('92.00')],
      [[forward], usd('100.00'), eur('920.00')],
    ] as const
    expect(reasons.map(([covers, sold, bought]) => reasonOf(() => shareDealing(covers, { sold, bought })))).toEqual([
      ...Array.from({ length: 3 }, () => 'other_pair'),
      ...Array.from({ length: 4 }, () => 'too_far_from_quotes'),
    ])
    expect(shareDealing([forward], { sold: usd('180.00'), bought: eur('92.00') })).toHaveLength(1)
  })
})

/** Sums what is sold less what is bought in dollars, and the other way round in yen. */
function netOf(covers: readonly OpenPosition[]): { USD: bigint; JPY: bigint } {
  const net = { USD: 0n, JPY: 0n }
  for (const { sell, buy } of covers) {
    const isForward = sell.currency === 'USD'
    net.USD += isForward ? toMinor(sell) : -toMinor(buy)
    net.JPY += isForward ? toMinor(buy) : -toMinor(sell)
  }
  return net
}

function reasonOf(deed: () => unknown): unknown {
  try {
    return deed()
  } catch (error) {
    return error instanceof Refusal ? error.details?.['reason'] : error
  }
}
