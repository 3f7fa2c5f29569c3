/** Returns and charges of payouts: what is booked, what goes to a person, and that no unit is lost. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { add, compare, fromMinor, isZero, moneyOf, subtract, toMinor } from '../../domain/money/money.ts'
import type { PartnerPayout } from '../../domain/partner.ts'
import type { PaymentState } from '../../domain/payments/flow.ts'
import { type PayoutState, planOf } from '../../domain/payments/payout.ts'
import { type SentPayment, refundOf, shareOf } from '../../domain/payments/returns.ts'
import { always } from '../support/property.ts'

const eur = (amount: string) => moneyOf(amount, 'EUR')
const PAID: PayoutState = {
  status: 'succeeded',
  rail: 'fiat',
  connection: null,
  version: 3,
  callback_version: -1,
  callbacks_received: 0,
  callbacks_processed: 0,
  asks: 0,
  unclear_seconds: null,
  custody_decided: true,
  amount_adjusted: false,
  falls_back: false,
  fee_feed_id: null,
  landing_amount: '100.00',
  landing_currency: 'EUR',
  returned_amount: null,
  charged: [],
}
type Said = Pick<PartnerPayout, 'returned' | 'charges'> & { status?: PartnerPayout['status']; version?: number }
const plan = (given: Partial<PayoutState>, said: Said) => {
  const row = { ...PAID, ...given }
  const view: PartnerPayout = { status: 'returned', detail: 'recalled', reference: 'R1', version: 4, ...said }
  return planOf(row, { view, asked: { status: row.status, callbacksReceived: 0 } }, 10)
}
const kept = (amount: string) => ({ name: 'kept', money: eur(amount) })
const NOTHING = { returned: null, charges: [], contradicts: false }

describe('a return', () => {
  test.each<[string, Said, object]>([
    ['that says nothing of money is whole', {}, NOTHING],
    ['of all is whole', { returned: eur('100.00') }, NOTHING],
    ['of a part keeps the rest', { returned: eur('95.00') }, { returned: eur('95.00'), charges: [kept('5.00')] }],
    [
      'of a part that names the rest as charges keeps it once',
      { returned: eur('95.00'), charges: eur('5.00') },
      { returned: eur('95.00'), charges: [kept('5.00')] },
    ],
    [
      'of a part that names less than the rest as charges keeps the rest',
      { returned: eur('95.00'), charges: eur('3.00') },
      { returned: eur('95.00'), charges: [kept('5.00')] },
    ],
    [
      'of a part that names more charges has cost the service the difference',
      { returned: eur('95.00'), charges: eur('7.00') },
      { returned: eur('95.00'), charges: [kept('5.00'), { name: 'returned', money: eur('2.00') }] },
    ],
    ['of nothing keeps all', { returned: eur('0.00') }, { returned: eur('0.00'), charges: [kept('100.00')] }],
    [
      'of all with charges has cost the service',
      { charges: eur('5.00') },
      { charges: [{ name: 'returned', money: eur('5.00') }], returned: null },
    ],
    [
      'with charges in another currency has cost the service',
      { returned: eur('95.00'), charges: moneyOf('1', 'USD') },
      { returned: eur('95.00'), charges: [kept('5.00'), { name: 'returned', money: moneyOf('1', 'USD') }] },
    ],
  ])('%s', (_, said, money) => {
    expect(plan({}, said)).toMatchObject({ events: ['reverse'], transfers: ['reverse'], ...money })
    const whole = plan({ status: 'processing' }, said)
    expect(whole).toMatchObject({ events: ['settle', 'reverse'], transfers: ['settle', 'reverse'], ...money })
  })

  test.each([eur('100.01'), moneyOf('95', 'USD')])('of %j is never booked by itself', (returned) => {
    expect(plan({}, { returned })).toMatchObject({ ...NOTHING, events: [], transfers: [], update: null })
    const held = plan({ status: 'processing' }, { returned })
    expect(held).toMatchObject({ ...NOTHING, events: ['hold'], transfers: [], update: null })
    expect(held.statusDetail).toContain('names another amount')
  })

  const back = { status: 'reversed', returned_amount: '95.00', charged: [{ name: 'kept', ...eur('5.00') }] } as const
  test('that repeats what is booked changes nothing', () => {
    expect(plan(back, { returned: eur('95.00'), charges: eur('5.00') })).toMatchObject({ ...NOTHING, events: [] })
    expect(plan({ status: 'reversed' }, {})).toMatchObject({ ...NOTHING, events: [] })
  })

  test.each<[string, Partial<PayoutState>, Said]>([
    ['another part', back, { returned: eur('96.00') }],
    ['all', back, {}],
    ['another currency', back, { returned: moneyOf('95', 'USD') }],
    ['a part of what came back whole', { status: 'reversed' }, { returned: eur('95.00') }],
  ])('that then says %s contradicts it, and moves nothing', (_, row, said) => {
    expect(plan(row, said)).toMatchObject({ ...NOTHING, events: [], transfers: [], contradicts: true })
  })

  test('of a payment that operators have adjusted books nothing', () => {
    const adjusted = plan({ amount_adjusted: true }, { returned: eur('95.00'), charges: eur('5.00') })
    expect(adjusted).toMatchObject({ ...NOTHING, events: [], transfers: [] })
  })
})

describe('charges', () => {
  const gas = moneyOf('0.002', 'ETH')
  test.each(['settled', 'rejected', 'cancelled'] as const)('of a payout that is %s are the service’s', (status) => {
    const done = plan({ status: 'processing' }, { status, charges: gas })
    expect(done).toMatchObject({ returned: null, charges: [{ name: status, money: gas }] })
  })

  test('are booked when they are final', () => {
    expect(plan({ status: 'submitted' }, { status: 'processing', charges: gas }).charges).toEqual([])
    const named = { status: 'settled', charges: gas } as const
    expect(plan({}, named)).toMatchObject({ events: [], charges: [{ name: 'settled', money: gas }] })
  })

  test('are booked once; another amount under their name is a contradiction', () => {
    const charged = [{ name: 'settled', amount: '0.002000', currency: 'ETH' }]
    expect(plan({ charged }, { status: 'settled', charges: gas })).toMatchObject(NOTHING)
    const other = plan({ charged }, { status: 'settled', charges: moneyOf('0.003', 'ETH') })
    expect(other).toMatchObject({ charges: [], contradicts: true })
  })
})

const minor = (max: bigint) => fc.bigInt({ min: 1n, max })
test('what is refunded of an exchange is its share: never more, nothing only for nothing, all of it for all', () =>
  always(500, minor(10n ** 12n), minor(10n ** 12n), fc.bigInt({ min: 0n, max: 10n ** 12n }), (paid, arrived, some) => {
    const [net, landing] = [fromMinor(paid, 'USD'), fromMinor(arrived, 'EUR')]
    const back = fromMinor(some % (arrived + 1n), 'EUR')
    const refund = refundOf(net, landing, back)
    expect(isZero(refund)).toBe(isZero(back))
    expect(compare(refund, net) <= 0).toBe(true)
    expect(refundOf(net, landing, landing)).toEqual(net)
    const exact = toMinor(net) * toMinor(back)
    const distance = toMinor(refund) * arrived - exact
    expect(distance <= 0n || toMinor(refund) === 1n).toBe(true)
    expect(-distance < arrived).toBe(true)
  }))

test('of one currency as much is refunded as came back', () =>
  always(100, minor(10n ** 9n), (arrived) => {
    const [sent, back] = [fromMinor(arrived, 'EUR'), fromMinor(arrived / 2n, 'EUR')]
    expect(refundOf(sent, sent, back)).toEqual(back)
  }))

test('the worth of a part is its share, rounded', () => {
  expect(shareOf('108.10', eur('95.00'), eur('100.00'))).toBe('102.7')
  expect(shareOf('108.11', eur('100.00'), eur('100.00'))).toBe('108.11')
  expect(shareOf('0.01', eur('50.00'), eur('100.00'))).toBe('0.01')
})

const amount = fc.option(fc.bigInt({ min: 0n, max: 12_000n }), { nil: undefined })
const word = fc.record({
  status: fc.constantFrom<PartnerPayout['status']>('processing', 'settled', 'returned', 'rejected'),
  version: fc.integer({ min: 0, max: 8 }),
  returned: amount,
  charges: amount,
})
test('whatever a partner says in any order: what the customer gets and what is kept is what was sent, once', () =>
  always(500, fc.array(word, { maxLength: 12 }), (words) => {
    let row: PayoutState = { ...PAID, status: 'processing', version: -1 }
    let [refunded, taken, cost] = [eur('0'), eur('0'), eur('0')]
    const names: string[] = []
    for (const { status, version, returned, charges } of words) {
      const back = returned === undefined ? undefined : fromMinor(returned, 'EUR')
      const done = plan(row, {
        status,
        version,
        returned: back,
        charges: charges ? fromMinor(charges, 'EUR') : undefined,
      })
      if (done.transfers.includes('reverse')) {
        refunded = add(refunded, refundOf(eur('100.00'), eur('100.00'), done.returned ?? eur('100.00')))
        taken = add(taken, eur('100.00'))
      }
      for (const charge of done.charges) {
        names.push(charge.name)
        if (charge.name === 'kept') cost = add(cost, charge.money)
      }
      row = after(row, done)
      // the organization gets back what left, less what was kept
      expect(subtract(taken, cost)).toEqual(refunded)
      expect(new Set(names).size).toBe(names.length)
    }
  }))

const LANDS: Readonly<Record<string, PaymentState>> = {
  settle: 'succeeded',
  reverse: 'reversed',
  fail: 'failed',
  hold: 'on_hold',
  release: 'processing',
}
const after = (row: PayoutState, done: ReturnType<typeof planOf>): PayoutState => {
  const charged: SentPayment['charged'] = done.charges.map(({ name, money }) => ({ name, ...money }))
  return {
    ...row,
    status: LANDS[done.events.at(-1) ?? ''] ?? row.status,
    version: done.update?.version ?? row.version,
    returned_amount: done.returned?.amount ?? row.returned_amount,
    charged: [...row.charged, ...charged],
  }
}
