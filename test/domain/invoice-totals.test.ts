import { describe, expect, test } from 'vitest'
import { type Item, rateOf, totalsOf } from '../../domain/invoices/totals.ts'
import { decimalsOf } from '../../domain/money/money.ts'
import { currencies, items, minor, sum } from '../support/invoices/items.ts'
import { adjustments, totalled } from '../support/invoices/random.ts'
import { always } from '../support/property.ts'

const negated = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`)
/** Negates an amount; zero has no sign. */
const mirrored = (amount: string): string => (minor(amount) === 0n ? amount : negated(amount))

describe('what an invoice comes to', () => {
  test('keeps the sum rules of EN 16931 for any lines, in currencies of 0, 2, 3 and 4 decimals', () => {
    always(1000, items, currencies, (given, currency) => {
      const { lines, taxes, net, tax, total } = totalsOf(given, currency)
      expect(minor(net)).toBe(sum(lines)) // BR-CO-10, BR-CO-13
      expect(minor(tax)).toBe(sum(taxes.map(({ amount }) => amount))) // BR-CO-14
      expect(minor(total)).toBe(minor(net) + minor(tax)) // BR-CO-15
      for (const group of taxes) {
        const isOfIt = (one: Item) =>
          one.tax_category === group.tax_category && rateOf(one.tax_percentage) === group.tax_percentage
        const own = lines.filter((_, index) => isOfIt(given[index]!)) // as many lines as items
        expect(minor(group.base)).toBe(sum(own)) // BR-S-08 and those of other categories
        // BR-CO-17, BR-S-09: the tax is off by at most half a unit, rounded half away from zero
        const [whole, decimals = ''] = group.tax_percentage.split('.')
        const scale = 100n * 10n ** BigInt(decimals.length)
        const exact = minor(group.base) * BigInt(whole + decimals)
        const off = minor(group.amount) * scale - exact
        expect(off * 2n <= scale && off * 2n >= -scale).toBe(true)
        if (off * 2n === (exact < 0n ? scale : -scale)) throw new Error(`rounded to zero: ${group.amount}`)
      }
      const keys = taxes.map((one) => `${one.tax_category} ${one.tax_percentage}`)
      expect(new Set(keys).size).toBe(keys.length)
      expect(sum(taxes.map(({ base }) => base))).toBe(minor(net))
      const decimals = `${decimalsOf(currency) ? '\\.' : ''}\\d{${decimalsOf(currency)}}`
      const form = new RegExp(`^(?!-0(\\.0*)?$)-?(0|[1-9]\\d*)${decimals}$`)
      for (const amount of [...lines, net, tax, total, ...taxes.flatMap((one) => [one.base, one.amount])]) {
        expect(amount).toMatch(form)
      }
    })
  })

  test('is what other arithmetic makes of the same lines', () =>
    always(1000, items, currencies, adjustments, (given, currency, adjusted) => {
      const other = totalled(given, currency, adjusted)
      const { lines, taxes, net, tax, total, ...rest } = totalsOf(given, currency, adjusted)
      expect(lines).toEqual(other.lines.map((line) => line.total))
      expect([net, tax, total]).toEqual([other.net_total, other.tax_total, other.total])
      expect(taxes).toEqual(other.taxes.map((one) => ({ ...one, tax_percentage: rateOf(one.tax_percentage) })))
      expect(rest.adjusted).toEqual(
        other.lines.map(({ discount, charge }) => ({ ...(discount && { discount }), ...(charge && { charge }) })),
      )
      const shortRates = (all: typeof other.discounts) =>
        (all ?? []).map((one) => ({
          ...one,
          taxes: one.taxes.map((part) => ({ ...part, tax_percentage: rateOf(part.tax_percentage) })),
        }))
      expect([rest.discounts, rest.charges]).toEqual([shortRates(other.discounts), shortRates(other.charges)])
      expect(minor(net)).toBe(sum(lines) - minor(rest.discounted) + minor(rest.charged)) // BR-CO-13
      for (const [all, whole] of [
        [rest.discounts, rest.discounted],
        [rest.charges, rest.charged],
      ] as const)
        expect(minor(whole)).toBe(sum(all.map((one) => one.total))) // BR-CO-11, BR-CO-12
      for (const { amount, total: given } of [...rest.discounts, ...rest.charges])
        if (amount !== null) expect(minor(given)).toBe(minor(amount) * 10n ** BigInt(decimalsOf(currency)))
    }))

  test('is the same of what is stored, so that a full credit note takes back exactly what was charged', () =>
    always(500, items, currencies, adjustments, (given, currency, adjusted) => {
      const whole = totalsOf(given, currency, adjusted)
      const lines = given.map((one, index) => ({ ...one, ...whole.adjusted[index], total: whole.lines[index] }))
      const stored = (name: 'discounts' | 'charges') =>
        adjusted[name].map(({ tax }, index) => ({ ...whole[name][index]!, tax }))
      const again = { discounts: stored('discounts'), charges: stored('charges') }
      expect(totalsOf(lines, currency, again)).toEqual(whole)
    }))

  test('is mirrored if all of it but charges is credited, and nothing if each line is credited again', () =>
    always(1000, items, currencies, (all, currency) => {
      const given = all.map((one) => ({ ...one, charge: undefined }))
      const credit = given.map((one) => ({ ...one, quantity: negated(one.quantity) }))
      const [charged, credited] = [totalsOf(given, currency), totalsOf(credit, currency)]
      expect(credited.lines).toEqual(charged.lines.map(mirrored))
      expect([credited.net, credited.tax, credited.total]).toEqual(
        [charged.net, charged.tax, charged.total].map(mirrored),
      )
      expect(minor(totalsOf([...given, ...credit], currency).total)).toBe(0n)
    }))

  const sold = (price: string, tax_percentage: string, more: Partial<Item> = {}): Item => {
    const tax_category = tax_percentage === '0' ? 'E' : 'S'
    return { quantity: '1', price, tax_percentage, tax_category, tax_exemption_reason: null, ...more }
  }
  const percent = (percentage: string) => ({ percentage, amount: null, reason: null, tax: null })

  test.each<[string, readonly (readonly [string, string])[], string, readonly string[]]>([
    [
      '10',
      [
        ['5.05', '19'],
        ['5.05', '7'],
      ],
      '1.01',
      ['0.51', '0.50'],
    ],
    [
      '33.3333',
      [
        ['100', '19'],
        ['100', '7'],
        ['100', '0'],
      ],
      '100.00',
      ['33.33', '33.34', '33.33'],
    ],
    [
      '50',
      [
        ['0.01', '19'],
        ['0.01', '7'],
      ],
      '0.01',
      ['0.01'],
    ],
    [
      '10',
      [
        ['100', '19'],
        ['0', '7'],
      ],
      '10.00',
      ['10.00'],
    ],
  ])('a discount of %s %% of %j is that of the whole, %s, to the cent', (rate, lines, whole, parts) => {
    const totals = totalsOf(
      lines.map(([price, tax]) => sold(price, tax)),
      'EUR',
      { discounts: [percent(rate)], charges: [] },
    )
    expect(totals.discounted).toBe(whole)
    expect(totals.discounts[0]?.taxes.map(({ amount }) => amount)).toEqual(parts)
  })

  test('parts of a percentage add up to that of all lines, each at most a unit from its own', () =>
    always(1000, items, currencies, adjustments, (given, currency, adjusted) => {
      const { net, discounted, charged, ...totals } = totalsOf(given, currency, adjusted)
      const lines = minor(net) + minor(discounted) - minor(charged)
      for (const { percentage, total, taxes } of [...totals.discounts, ...totals.charges]) {
        if (percentage === null) continue
        const [digits, scale] = [
          BigInt(percentage.replace('.', '')),
          10n ** BigInt(2 + (percentage.split('.')[1] ?? '').length),
        ]
        const off = (amount: string, base: bigint) => minor(amount) * scale - base * digits
        expect([2n * off(total, lines) <= scale, 2n * off(total, lines) >= -scale]).toEqual([true, true])
        for (const { amount, base } of taxes)
          expect([off(amount, minor(base)) <= scale, off(amount, minor(base)) >= -scale]).toEqual([true, true])
      }
    }))

  test('a charge on a line that is taken back is owed by the customer, a discount is taken back with it', () => {
    const five = { percentage: null, amount: '5', reason: null }
    const back = (more: Partial<Item>) => totalsOf([sold('100', '0', { quantity: '-1', ...more })], 'EUR').total
    expect(back({ charge: five })).toBe('-95.00')
    expect(back({ charge: { percentage: '10', amount: null, reason: null } })).toBe('-90.00')
    expect(back({ discount: five })).toBe('-95.00')
  })

  test('says each reason of a tax once, whatever is taken off and added', () => {
    const lines = ['exempt', 'export'].map((reason) => sold('100', '0', { tax_exemption_reason: reason }))
    const tax = { tax_percentage: '0', tax_category: 'E' as const, tax_exemption_reason: 'postage' }
    const charges = [{ ...percent('10'), tax }, percent('10')]
    const { taxes } = totalsOf(lines, 'EUR', { discounts: [percent('5')], charges })
    expect(taxes.map((one) => one.tax_exemption_reason)).toEqual(['exempt; export; postage'])
  })

  test('rounds a half away from zero, line by line and rate by rate', () => {
    const line = (quantity: string, price: string, tax_percentage = '19', reason: string | null = null): Item => {
      const tax_category = tax_percentage === '0' ? 'E' : 'S'
      return { quantity, price, tax_percentage, tax_category, tax_exemption_reason: reason }
    }
    const { lines } = totalsOf([line('1', '0.005'), line('-1', '0.005'), line('3', '0.335')], 'EUR')
    expect(lines).toEqual(['0.01', '-0.01', '1.01'])
    // 0.19 each: by line it would be 0.02 + 0.02 + 0.02
    expect(totalsOf([line('1', '0.10'), line('1', '0.10'), line('1', '0.10')], 'EUR').tax).toBe('0.06')
    expect(totalsOf([line('1', '0.13'), line('1', '0.13')], 'EUR').tax).toBe('0.05')
    expect(totalsOf([line('1', '0.5', '50')], 'JPY')).toMatchObject({ lines: ['1'], tax: '1', total: '2' })
    expect(totalsOf([line('-0', '5')], 'EUR')).toMatchObject({ lines: ['0.00'], tax: '0.00', total: '0.00' })
    const exempt = [line('1', '1', '0', 'one'), line('1', '1', '0', 'two'), line('1', '1', '0', 'one')]
    expect(totalsOf(exempt, 'EUR').taxes).toEqual([
      { tax_category: 'E', tax_percentage: '0', tax_exemption_reason: 'one; two', base: '3.00', amount: '0.00' },
    ])
  })
})
