/** Plans for payout updates: every status of a partner, in every state of a payment. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PAYMENT_STATUSES, type PaymentState, paymentFlow } from '../../domain/payments/flow.ts'
import { PAYOUT_STATUSES, type PayoutStatus, type PartnerPayout } from '../../domain/partner.ts'
import { type PayoutPlan, type PayoutState, planOf, planOfSilence } from '../../domain/payments/payout.ts'
import { endOf, wayOf } from '../support/payments/arrows.ts'
import { always } from '../support/property.ts'

const POLL_SECONDS = 10

/** A payment that its partner has taken and that was polled once since. */
const TAKEN: PayoutState = {
  status: 'processing',
  rail: 'crypto',
  connection: null,
  version: 3,
  callback_version: -1,
  callbacks_received: 0,
  callbacks_processed: 0,
  asks: 1,
  unclear_seconds: null,
  custody_decided: false,
  amount_adjusted: false,
  falls_back: false,
  fee_feed_id: '0198c0de-0000-7000-8000-000000000001',
  landing_amount: '100.00',
  landing_currency: 'EUR',
  returned_amount: null,
  charged: [],
}
const payment = (given: Partial<PayoutState> = {}): PayoutState => ({ ...TAKEN, ...given })
const view = (status: PayoutStatus, version = 4): PartnerPayout => {
  const said = { detail: 'a word', reference: 'R1' }
  return { status, version, ...said }
}
const askedOf = ({ status, callbacks_received: callbacksReceived }: PayoutState) => ({ status, callbacksReceived })
/** Plans the answer to a poll made while the payment was in this state. */
const plan = (row: PayoutState, said: PartnerPayout | null, asked = askedOf(row)): PayoutPlan =>
  planOf(row, { view: said, asked }, POLL_SECONDS)
type How = { hopeless?: boolean; anotherAmount?: boolean; notBefore?: number }
const silence = (row: PayoutState, how: How = {}, asked = askedOf(row)) =>
  planOfSilence(row, { asked, hopeless: false, ...how }, POLL_SECONDS)

const statusAfter = (row: PayoutState, { events }: PayoutPlan): PaymentState => {
  const last = events.at(-1)
  return last ? paymentFlow.events[last].to : row.status
}
const after = (row: PayoutState, done: PayoutPlan): PayoutState => ({
  ...row,
  status: statusAfter(row, done),
  version: done.update?.version ?? row.version,
  callbacks_processed: done.callbacksProcessed,
  asks: done.asks,
  unclear_seconds: done.unclear ? (row.unclear_seconds ?? 0) : null,
  custody_decided: done.custodyDecided,
})

const CELLS = PAYMENT_STATUSES.flatMap((status) => PAYOUT_STATUSES.map((said) => [status, said] as const))

describe('an update takes a payment', () => {
  test.each(CELLS)('%s, which its partner calls %s, the shortest way there that the flow has', (status, said) => {
    const { events } = plan(payment({ status }), view(said))
    const way = status === 'awaiting_approval' ? undefined : wayOf(status, said)
    expect(events.map((event) => paymentFlow.events[event].logs)).toEqual(way?.logged ?? [])
    let at: PaymentState = status
    for (const event of events) {
      expect(paymentFlow.events[event].from).toContain(at)
      at = paymentFlow.events[event].to
    }
    expect(at).toBe(way?.to ?? status)
  })

  const nothing = { events: [], update: null, statusDetail: null }
  test.each(CELLS)(
    '%s nowhere by an older %s, of which nothing is kept, nor if it has never heard of it',
    (status, said) => {
      const row = payment({ status })
      expect(plan(row, view(said, 2))).toMatchObject({ ...nothing, transfers: [], custodyDecided: false })
      expect(plan(row, null)).toMatchObject(nothing)
    },
  )

  test.each(CELLS)('%s by an equal %s as by a newer one, and not again by the same', (status, said) => {
    const row = payment({ status })
    const [equal, newer] = [plan(row, view(said, 3)), plan(row, view(said, 4))]
    expect(equal).toEqual({ ...newer, update: view(said, 3) })
    expect(plan(after(row, newer), view(said, 4)).events).toEqual([])
  })
})

const MOVES: Readonly<Record<string, readonly string[]>> = {
  settled: ['settle', 'fee'],
  returned: ['settle', 'fee', 'reverse'],
  rejected: ['release'],
  cancelled: ['release'],
}
test.each(CELLS)('money of a payment that is %s is moved by %s once, with its fee', (status, said) => {
  const { events, transfers } = plan(payment({ status }), view(said))
  const moves = status === 'succeeded' ? ['reverse'] : (MOVES[said] ?? [])
  expect(transfers).toEqual(events.length > 0 ? moves : [])
  const free = plan(payment({ status, fee_feed_id: null }), view(said))
  const withoutFee = transfers.filter((part) => part !== 'fee')
  expect(free).toEqual({ ...plan(payment({ status }), view(said)), transfers: withoutFee })
})

const answer = fc.oneof(
  fc.record({ status: fc.constantFrom(...PAYOUT_STATUSES), version: fc.integer({ min: 0, max: 12 }) }),
  fc.constantFrom('unknown' as const, 'silent' as const, 'hopeless' as const),
)
test('money is paid out or given back once, and comes back only after it was paid, whatever a partner says in any order', () =>
  always(500, fc.constantFrom('submitted', 'cancelling'), fc.array(answer, { maxLength: 20 }), (from, answers) => {
    let row = payment({ status: from, version: -1 })
    const moved: string[] = []
    const asked = from === 'cancelling' ? ['payment.cancel_requested'] : []
    const logged = ['payment.created', 'payment.submitted', ...asked]
    for (const said of answers) {
      const done =
        said === 'silent' || said === 'hopeless'
          ? silence(row, { hopeless: said === 'hopeless' })
          : plan(row, said === 'unknown' ? null : view(said.status, said.version))
      moved.push(...done.transfers)
      logged.push(...done.events.map((event) => `payment.${paymentFlow.events[event].logs}`))
      const next = after(row, done)
      expect(next.version).toBeGreaterThanOrEqual(row.version)
      expect(next.custody_decided || !row.custody_decided).toBe(true)
      row = next
    }
    expect(endOf(logged)).toBe(row.status)
    const ends: Readonly<Partial<Record<PaymentState, readonly string[]>>> = {
      succeeded: ['settle', 'fee'],
      reversed: ['settle', 'fee', 'reverse'],
      failed: ['release'],
      cancelled: ['release'],
    }
    expect(moved).toEqual(ends[row.status] ?? [])
  }))

test.each(PAYOUT_STATUSES)('custody has decided as soon as it says %s, unless it is pending or on hold', (said) => {
  expect(plan(payment(), view(said)).custodyDecided).toBe(said !== 'pending' && said !== 'on_hold')
  expect(plan(payment({ custody_decided: true }), view(said)).custodyDecided).toBe(true)
})

test('custody has decided about what a bank has, with any word of it', () => {
  expect(plan(payment({ rail: 'fiat' }), view('pending')).custodyDecided).toBe(true)
  expect(plan(payment({ rail: 'fiat' }), null).custodyDecided).toBe(false)
})

describe('callbacks are processed', () => {
  const called = payment({ callbacks_received: 5, callbacks_processed: 2, callback_version: 6 })

  test.each<[string, PayoutState, PartnerPayout | null, number]>([
    ['by an update of the version that they named', called, view('processing', 6), 5],
    ['by a later one', called, view('settled', 7), 5],
    ['not by an earlier one', called, view('processing', 5), 2],
    ['by a partner that has never heard of the payout', called, null, 5],
    ['by one that was asked often enough', { ...called, asks: 8 }, view('processing', 5), 5],
    ['unless its answers were unclear', { ...called, asks: 8, unclear_seconds: 3 }, view('processing', 5), 2],
  ])('%s', (_, row, said, processed) => expect(plan(row, said).callbacksProcessed).toBe(processed))

  test('never by silence, and never those that came while the partner was asked', () => {
    expect(silence({ ...called, asks: 20 }, { hopeless: true }).callbacksProcessed).toBe(2)
    const before = { status: 'processing', callbacksReceived: 4 } as const
    expect(plan(called, view('processing', 7), before).callbacksProcessed).toBe(4)
    expect(plan(called, view('processing', 7), { ...before, callbacksReceived: 0 }).callbacksProcessed).toBe(2)
  })
})

describe('the partner is asked again', () => {
  test('after a pause that doubles for as long as it says nothing new, and begins anew when it does', () => {
    const pauses = [0, 1, 2, 7, 8, 30].map((asks) => plan(payment({ asks }), view('processing', 3)).askAfterSeconds)
    expect(pauses).toEqual([20, 40, 80, 900, 900, 900])
    expect(plan(payment({ asks: 7 }), view('on_hold'))).toMatchObject({ asks: 0, askAfterSeconds: POLL_SECONDS })
  })

  test('at once if it called or the payment changed meanwhile, whether it answered or not', () => {
    const row = payment({ callbacks_received: 1, asks: 7 })
    const called = { status: 'processing', callbacksReceived: 0 } as const
    for (const asked of [called, { status: 'submitted', callbacksReceived: 1 } as const]) {
      expect(plan(row, view('processing', 3), asked)).toMatchObject({ asks: 0, askAfterSeconds: null })
      expect(silence(row, {}, asked).askAfterSeconds).toBe(null)
    }
  })

  test('at once if what it said moves the payment, and is not yet what it called about', () => {
    const row = payment({ callbacks_received: 1, callback_version: 9 })
    expect(plan(row, view('settled', 8))).toMatchObject({ events: ['settle'], askAfterSeconds: null })
    expect(plan(row, view('processing', 8)).askAfterSeconds).toBe(40)
  })

  test('soon after no clear answer, but no sooner than it wants', () => {
    const pauses = [0, 1, 2, 10].map((asks) => silence(payment({ asks })).askAfterSeconds)
    expect(pauses).toEqual([1, 2, 4, 30])
    expect(silence(payment({ asks: 1 }), { notBefore: 60 }).askAfterSeconds).toBe(60)
    expect(silence(payment({ asks: 3 }))).toMatchObject({ asks: 4, unclear: true })
  })
})

describe('a partner that gives no clear answer', () => {
  const limitOf = (status: PaymentState) => (status === 'submitted' ? 40 : 86_400)
  const HOLDS = new Set<PaymentState>(['submitted', 'processing'])
  const SAYS = new Set<PaymentState>([...HOLDS, 'cancelling'])

  test.each(PAYMENT_STATUSES)('leaves a payment that is %s as it is for a while, then has a person look', (status) => {
    const patient = silence(payment({ status, unclear_seconds: limitOf(status) - 1 }))
    expect(patient).toMatchObject({ events: [], statusDetail: null })
    const over = silence(payment({ status, unclear_seconds: limitOf(status) }))
    for (const done of [over, silence(payment({ status }), { hopeless: true })]) {
      expect(done.events).toEqual(HOLDS.has(status) ? ['hold'] : [])
      expect(done.statusDetail).toBe(SAYS.has(status) ? 'the custodian gives no clear answer' : null)
      expect(done).toMatchObject({ transfers: [], update: null, custodyDecided: false })
    }
  })

  test.each(PAYMENT_STATUSES)('and names another amount has a person look at once at one that is %s', (status) => {
    const row = payment({ status, callbacks_received: 2, callbacks_processed: 1 })
    const done = silence(row, { hopeless: true, anotherAmount: true })
    const detail = 'the custodian names another amount than was ordered: an operator has to look'
    expect(done).toMatchObject({ events: HOLDS.has(status) ? ['hold'] : [], transfers: [], callbacksProcessed: 2 })
    expect(done.statusDetail).toBe(SAYS.has(status) || status === 'on_hold' ? detail : null)
  })

  test('is asked at the moment when patience ends', () =>
    expect(silence(payment({ status: 'submitted', asks: 10, unclear_seconds: 33 })).askAfterSeconds).toBe(7))

  test('is heard again by its next clear answer', () => {
    const row = payment({ status: 'on_hold', unclear_seconds: 100, asks: 12 })
    expect(plan(row, view('processing', 3))).toMatchObject({ events: ['release'], unclear: false, asks: 0 })
    expect(plan(row, view('on_hold', 3))).toMatchObject({ events: [], unclear: false, asks: 1 })
  })
})

test.each(PAYOUT_STATUSES)(
  'a payment of another amount, by its operators, is moved by no word of its partner: %s',
  (said) => {
    for (const status of ['succeeded', 'processing', 'on_hold', 'failed'] as const) {
      const done = plan(payment({ status, amount_adjusted: true }), view(said))
      expect([done.events, done.transfers, done.update?.status]).toEqual([[], [], said])
    }
  },
)
