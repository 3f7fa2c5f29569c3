import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dueAmount, refundDue } from '../../domain/invoices/due.ts'
import { reduceTotals } from '../../domain/invoices/early-payment.ts'
import { totalsOf } from '../../domain/invoices/totals.ts'
import { currencies, items, minor, sum } from '../support/invoices/items.ts'
import { always } from '../support/property.ts'

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
