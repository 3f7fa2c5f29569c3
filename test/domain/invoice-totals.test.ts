import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NewCreditNote } from '../../domain/credit-notes/credit-note.ts'
import { NewInvoice } from '../../domain/invoices/invoice.ts'
import { TAX_CATEGORIES } from '../../domain/invoice-documents/document.ts'
import { dueAmount, refundDue } from '../../domain/invoices/due.ts'
import { reduceTotals } from '../../domain/invoices/early-payment.ts'
import { searchWords, toPrefixQueries } from '../../domain/invoices/search.ts'
import { type Item, rateOf, totalsOf } from '../../domain/invoices/totals.ts'
import { decimalsOf } from '../../domain/money/money.ts'
import { adjustments, share, sometimes, totalled } from '../support/invoices/random.ts'
import { pathsOf } from '../support/bodies.ts'
import { anyText } from '../support/model-runs.ts'
import { always } from '../support/property.ts'

const CURRENCIES = ['JPY', 'EUR', 'KWD', 'CLF']
const currencies = fc.constantFrom(...CURRENCIES)

const decimal = (digits: number, scale: number) =>
  fc
    .tuple(
      fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) - 1n }),
      fc.stringMatching(new RegExp(`^[0-9]{0,${scale}}$`)),
    )
    .map(([whole, decimals]) => `${whole}${decimals && `.${decimals}`}`)
const signed = (magnitude: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom('', '', '-'), magnitude).map(([sign, digits]) => sign + digits)

/** Any valid line: huge amounts, halves of the smallest unit, and credits. */
const item: fc.Arbitrary<Item & { description: string }> = fc
  .record({
    discount: sometimes(share),
    charge: sometimes(share),
    description: fc.constant('Anything'),
    quantity: signed(fc.oneof(decimal(9, 6), fc.constantFrom('0', '0.5', '1', '0.000001'))),
    price: fc.oneof(decimal(12, 6), fc.constantFrom('0', '0.5', '0.05', '0.005', '0.0005', '0.00005', '1', '0.01')),
    tax_percentage: fc.oneof(fc.constantFrom('19', '19.0', '7', '7.00', '5.5', '0', '0.0', '100'), decimal(1, 4)),
    tax_category: fc.constantFrom(...TAX_CATEGORIES),
    tax_exemption_reason: fc.constantFrom(null, 'exempt', 'export'),
  })
  .map((one) => {
    const isFree = !/[1-9]/.test(one.tax_percentage)
    if ((one.tax_category === 'S') !== isFree) return one
    return { ...one, tax_category: isFree ? ('Z' as const) : ('S' as const) }
  })
const items = fc.array(item, { minLength: 1, maxLength: 12 })

const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))
const sum = (amounts: readonly string[]): bigint => amounts.reduce((all, one) => all + minor(one), 0n)
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

test.each<[object, string]>([
  [{}, '100.00'],
  [{ allocated: '99.99' }, '0.01'],
  [{ accepted_amount: '80', allocated: '30.5' }, '49.50'],
  [{ accepted_amount: '80', allocated: '90' }, '0.00'],
  [{ credited: '100' }, '0.00'],
  [{ accepted_amount: '80', allocated: '30.5', credited: '19.5' }, '49.50'],
  [{ accepted_amount: '80', credited: '20' }, '80.00'],
  [{ accepted_amount: '80', credited: '30' }, '70.00'],
  [{ accepted_amount: '80', allocated: '30', credited: '100' }, '0.00'],
  [{ state: 'paid' }, '0.00'],
  [{ currency: 'JPY' }, '100'],
  [{ currency: 'CLF', total: '0.0001' }, '0.0001'],
])(
  'what is left to be paid is what was accepted, and no more than credit notes leave of the total, less allocations: %j',
  (more, due) => {
    const money = { total: '100', accepted_amount: null, allocated: '0', credited: '0' }
    const sent = { currency: 'EUR', state: 'sent', ...money } as const
    expect(dueAmount({ ...sent, ...more })).toBe(due)
  },
)

test.each<[object, string]>([
  [{}, '0.00'],
  [{ allocated: '100' }, '0.00'],
  [{ allocated: '100', credited: '30' }, '30.00'],
  [{ allocated: '60', credited: '50' }, '10.00'],
  [{ credited: '100' }, '0.00'],
  [{ paid_elsewhere: '100', credited: '30' }, '30.00'],
  [{ allocated: '40', paid_elsewhere: '60', credited: '100' }, '100.00'],
  [{ accepted_amount: '80', allocated: '80', credited: '100' }, '80.00'],
  [{ accepted_amount: '80', allocated: '80', credited: '20' }, '0.00'],
  [{ accepted_amount: '80', allocated: '80', credited: '30' }, '10.00'],
  [{ allocated: '98', early_percentage: '2' }, '0.00'],
  [{ allocated: '98', credited: '20', early_percentage: '2' }, '19.60'],
  [{ allocated: '98', credited: '100', early_percentage: '2' }, '98.00'],
])('a refund is what came in beyond what is left after the credit notes: %j', (more, refund) => {
  const money = {
    total: '100',
    accepted_amount: null,
    allocated: '0',
    credited: '0',
    paid_elsewhere: null,
    early_percentage: null,
  }
  expect(refundDue({ currency: 'EUR', ...money, ...more })).toBe(refund)
})

test('less a discount, net sum and tax of each rate add up, and are in proportion to what they were', () => {
  always(500, items, currencies, fc.integer({ min: 0, max: 100 }), (given, currency, percent) => {
    const whole = totalsOf(given, currency)
    fc.pre(minor(whole.total) > 0n && whole.taxes.every(({ base }) => minor(base) >= 0n))
    const reduction = (minor(whole.total) * BigInt(percent)) / 100n
    const sums = { currency, net_total: whole.net, tax_total: whole.tax, total: whole.total, taxes: whole.taxes }
    const less = reduceTotals(sums, reduction)
    expect(minor(less.total)).toBe(minor(whole.total) - reduction)
    expect(minor(less.net_total) + minor(less.tax_total)).toBe(minor(less.total))
    expect(sum(less.taxes.map(({ base }) => base))).toBe(minor(less.net_total))
    expect(sum(less.taxes.map(({ amount }) => amount))).toBe(minor(less.tax_total))
    for (const [index, tax] of less.taxes.entries()) {
      const { base, amount } = whole.taxes[index]!
      for (const [now, before] of [
        [tax.base, base],
        [tax.amount, amount],
      ] as const) {
        const off = minor(now) * minor(whole.total) - minor(before) * minor(less.total)
        expect([off <= 3n * minor(whole.total), off >= -3n * minor(whole.total)]).toEqual([true, true])
      }
    }
  })
})

test('a credit note takes what was not accepted first, and nothing twice', () => {
  const cents = fc.integer({ min: 0, max: 60 })
  fc.assert(
    fc.property(cents, cents, cents, fc.integer({ min: 0, max: 90 }), (total, part, credit, allocated) => {
      const [accepted, credited] = [Math.min(part, total), Math.min(credit, total)]
      const invoice = Array.from({ length: total }, (_, cent) => ({ accepted: cent < accepted, credited: false }))
      for (let left = credited; left > 0; left -= 1) {
        const next = invoice.find((cent) => !cent.credited && !cent.accepted) ?? invoice.find((cent) => !cent.credited)
        if (next) next.credited = true
      }
      const claimed = invoice.filter((cent) => cent.accepted && !cent.credited).length
      const euros = (count: number) => (count / 100).toFixed(2)
      const money = { total: euros(total), accepted_amount: euros(accepted), credited: euros(credited) }
      const owed = { currency: 'EUR', allocated: euros(allocated), ...money }
      expect(dueAmount({ ...owed, state: 'finalized' })).toBe(euros(Math.max(claimed - allocated, 0)))
      expect(refundDue({ ...owed, paid_elsewhere: null, early_percentage: null })).toBe(
        euros(Math.max(allocated - claimed, 0)),
      )
    }),
  )
})

describe('the words of an invoice', () => {
  const WORD = /^[\p{L}\p{N}]+$/u

  test('a search is letters and digits, whatever is typed, and Postgres takes it as it is', () => {
    const typed = fc.oneof(
      anyText(255),
      fc.string({ unit: 'grapheme', maxLength: 255 }),
      fc.string({ unit: fc.constantFrom(...Array.from(`&|!()<->:*'"\\%_ aÄ1`)), maxLength: 255 }),
    )
    always(3000, typed, (search) => {
      const asked = toPrefixQueries(search)
      for (const part of asked) expect(part.slice(-2)).toBe(':*')
      for (const part of asked) expect(part.slice(0, -2)).toMatch(WORD)
      expect(asked.length).toBeLessThanOrEqual(20)
    })
    for (const nothing of ['', ' ', '%', `'"\\`, '& | !', ':*', '\u0301']) expect(toPrefixQueries(nothing)).toEqual([])
  })

  test('each word of a text begins one that is searched by, with or without accents, in whatever case', () => {
    const text = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), { maxLength: 10 })
    always(1000, text, (parts) => {
      const words = searchWords(parts)
      for (const part of parts) {
        for (const asked of toPrefixQueries(part).map((one) => one.slice(0, -2)))
          expect(words.some((word) => word.startsWith(asked))).toBe(true)
      }
    })
    expect(searchWords(['Crème Brûlée', 'INV-000017', null])).toEqual(['000017', 'brulee', 'creme', 'inv', 'inv000017'])
    expect(toPrefixQueries('inv 000017 crème')).toEqual(['inv:*', '000017:*', 'creme:*'])
  })

  test('very long words are cut between characters, and very much text to what Postgres takes', () => {
    const long = '𐐨'.repeat(300)
    expect(searchWords([long])).toEqual(['𐐨'.repeat(255)])
    expect(toPrefixQueries(long)).toEqual([`${'𐐨'.repeat(255)}:*`])
    const many = Array.from({ length: 40_000 }, (_, index) => `𐐨𐐨𐐨𐐨${index}`)
    expect(Buffer.byteLength(searchWords(many).join(''))).toBeLessThanOrEqual(500_000)
  })
})

describe('what is taken of an invoice', () => {
  const body = (line: object, more: object = {}) => ({
    billing_contact_id: '0197a3b4-0000-7000-8000-000000000000',
    currency: 'EUR',
    due_date: '2030-01-01',
    line_items: [{ description: 'Work', quantity: '1', price: '1', tax_percentage: '0', ...line }],
    ...more,
  })
  const wrongIn = (given: object) => pathsOf(NewInvoice, given)

  test('decimals are plain, prices not below zero, rates at most 100, categories fit their rate', () => {
    const wrong = {
      price: ['-1', '+1', '1e3', '1.', '.5', '01', '1.0000001', '', ' 1', '1,5', 'NaN'],
      quantity: ['--1', '1e3', '1234567890', '1.0000001', '-', ''],
      tax_percentage: ['-1', '100.1', '101', '1.00001', '007'],
    }
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) expect(wrongIn(body({ [field]: value })), value).toEqual([`line_items.0.${field}`])
    for (const tax_category of TAX_CATEGORIES) {
      const fits = ['19', '0', '0.00'].map((rate) => wrongIn(body({ tax_category, tax_percentage: rate })).length === 0)
      expect(fits, tax_category).toEqual(tax_category === 'S' ? [true, false, false] : [false, true, true])
    }
  })

  const discountsOf = (...days: number[]) => ({
    payment_terms: { early_payment_discounts: days.map((one) => ({ days: one, percentage: '2' })) },
  })
  test.each<[string, object, string]>([
    ['a percentage and an amount', { discounts: [{ percentage: '1', amount: '1' }] }, 'discounts.0.amount'],
    ['neither of them', { charges: [{ reason: 'x' }] }, 'charges.0.amount'],
    ['nothing off', { discounts: [{ percentage: '0.0' }] }, 'discounts.0.percentage'],
    ['another rate', { charges: [{ amount: '1', tax_percentage: '19', tax_category: 'Z' }] }, 'charges.0.tax_category'],
    ['a period that ends before it begins', { period: { from: '2030-02-02', to: '2030-02-01' } }, 'period.to'],
    ['two discounts until the same day', discountsOf(7, 7), 'payment_terms.early_payment_discounts'],
  ])('%s is refused where it is', (_, more, path) => expect(wrongIn(body({}, more))).toEqual([path]))

  test('a line has a known unit, and a discount of one kind', () => {
    expect(wrongIn(body({ unit: 'PIECES' }))).toEqual(['line_items.0.unit'])
    const discount = { percentage: '1', amount: '1' }
    expect(wrongIn(body({ discount }))).toEqual(['line_items.0.discount.amount'])
  })

  test('a line is asked for, and at most 500 of 100,000 characters together; money is of a bank, and days are of the calendar', () => {
    const line = body({}).line_items[0]
    const lines = (length: number) => body({}, { line_items: Array.from({ length }, () => line) })
    expect([lines(0), lines(500), lines(501)].map(wrongIn)).toEqual([['line_items'], [], ['line_items']])
    const long = (characters: number) => ({ ...line, description: 'x'.repeat(characters) })
    const saying = (...lengths: number[]) => body({}, { line_items: lengths.map(long) })
    const most = Array<number>(99).fill(1000)
    expect(wrongIn(saying(...most, 1000))).toEqual([])
    expect(wrongIn(saying(...most, 1001))).toEqual(['line_items.99.description'])
    expect(wrongIn(saying(...most, 1000, 1000))).toEqual(['line_items'])
    for (const currency of ['BTC', 'USDC', 'XAU', 'eur', 'ABC', ''])
      expect(wrongIn(body({}, { currency })), currency).toEqual(['currency'])
    for (const due_date of ['2030-02-30', '0000-01-01', '2030-1-1', '2030-01-01T00:00:00Z', ''])
      expect(new Set(wrongIn(body({}, { due_date }))), due_date).toEqual(new Set(['due_date']))
  })
})

const LINE = { description: 'Work', quantity: '1', price: '1', tax_percentage: '0' }
test.each<[object, string[]]>([
  [{ line_items: [LINE] }, []],
  [{ full: true }, []],
  [{ full: true, line_items: [LINE] }, ['line_items']],
  [{}, ['line_items']],
  [{ full: true, reason: undefined }, ['reason']],
  [{ full: true, reason: '' }, ['reason']],
  [{ full: true, discounts: [{ amount: '1' }] }, ['full']],
  [{ full: true, charges: [{ amount: '1' }] }, ['full']],
])('a credit note has a reason, and either lines or all of its invoice: %j is refused at %j', (given, paths) => {
  expect(pathsOf(NewCreditNote, { reason: 'Wrong', ...given })).toEqual(paths)
})
