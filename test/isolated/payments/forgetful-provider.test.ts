/** Orders at a provider that forgets keys after a day, lists late and loses answers; our clock is moved. */
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { payoutSteps } from '../../../activities/payouts.ts'
import { advanceClock } from '../../../db/postgres/clock.ts'
import type { OrganizationId, PaymentId } from '../../../domain/ids.ts'
import { newId } from '../../../domain/ids.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import { type PartnerEndpoint, refusalOf } from '../../../partners/http.ts'
import { isHeld, orderOnce } from '../../../partners/orders.ts'
import { pauseConnection, resumeConnection } from '../../../services/connections/pauses.ts'
import { findPaymentsOf } from '../../../services/partner-orders/their-ids.ts'
import { owner } from '../../support/database.ts'
import { ForgetfulProvider, LISTED_AFTER_SECONDS, forgetfulDriver } from '../../support/partners/forgetful.ts'
import { useSilentBank } from '../../support/costs/bank.ts'
import { feedOf, payerBy, sent } from '../../support/payments/payouts.ts'

useSilentBank() // it is asked about payees alone

const [MINUTE, DAY] = [60, 86_400]
const provider = new ForgetfulProvider()
let endpoint: PartnerEndpoint
/** Approved before the clock is moved, by sessions that end then; their payees are not asked about again. */
const submitted: Payment[] = []
let ofAnother: Payment
beforeAll(async () => {
  endpoint = await provider.start()
  const [payer, other] = [await payerBy('fiat', '9000.00'), await payerBy('fiat')]
  const pay = async (by: typeof payer): Promise<Payment> => {
    const { id } = await sent(by)
    return { id, organizationId: by.payer.id as OrganizationId } // as the API names them
  }
  for (let count = 0; count < 16; count += 1) submitted.push(await pay(payer))
  ofAnother = await pay(other)
  await owner`update payments set payee_check_due_at = null`
})
afterAll(() => provider.stop())

type Payment = { readonly id: PaymentId; readonly organizationId: OrganizationId }
type Steps = ReturnType<typeof payoutSteps>

/** Takes a payment that waited for its turn, not for days: its run was there. */
async function approved(): Promise<Payment> {
  const payment = submitted.shift()
  if (!payment) throw new Error('there are no more')
  await owner`update payments set ask_at = business_now() where id = ${payment.id}`
  return payment
}

const stepsAt = (at = endpoint, release = 1): Steps => payoutSteps(() => forgetfulDriver(at, release))

/** Asks the provider once more, as the payment's run does; answers where the payment is then. */
async function ask(payment: Payment, steps = stepsAt()) {
  const before = await rowOf(payment)
  const step = before.status === 'submitted' ? steps.orderPayout : steps.pollPayout
  await new MockActivityEnvironment({ attempt: 3 }).run(step, payment)
  return rowOf(payment)
}

async function rowOf({ id }: Payment) {
  const [row] = await owner<{ status: string; detail: string; version: number; wait: number }[]>`
    select status, status_detail as detail, partner_version as version,
      extract(epoch from ask_at - business_now())::float8 as wait from payments where id = ${id}`
  if (!row) throw new Error('there is no such payment')
  return row
}

const arrivedFor = ({ id }: Payment) => provider.arrived.filter(({ key }) => key === id)

test('an order whose answer was lost is found, not sent again', async () => {
  const payment = await approved()
  provider.faults.push('lose')
  expect(await ask(payment)).toMatchObject({ status: 'submitted' })
  const waiting = await ask(payment)
  expect(waiting).toMatchObject({ status: 'submitted', version: -1 })
  expect(waiting.wait).toBeGreaterThan(LISTED_AFTER_SECONDS - MINUTE)
  await advanceClock(LISTED_AFTER_SECONDS + 1)
  expect(await ask(payment)).toMatchObject({ status: 'processing', version: 0 })
  expect(arrivedFor(payment)).toHaveLength(1)
  expect(provider.paidFor(payment.id)).toHaveLength(1)
})

test('an order that was never taken is sent again once that is sure: the same bytes under the same key', async () => {
  const payment = await approved()
  provider.faults.push('drop', 'lose')
  await ask(payment)
  await ask(payment)
  expect(arrivedFor(payment)).toHaveLength(1)
  await advanceClock(LISTED_AFTER_SECONDS + 1)
  await ask(payment)
  await ask(payment) // it was sent again just now: its absence is not sure
  const [first, second, ...more] = arrivedFor(payment)
  expect(second).toEqual(first)
  expect(more).toEqual([])
  await advanceClock(LISTED_AFTER_SECONDS + 1)
  expect(await ask(payment)).toMatchObject({ status: 'processing' })
  expect(provider.paidFor(payment.id)).toHaveLength(1)
})

test('an order whose key is forgotten is held, and never sent again; it goes on if it is found after all', async () => {
  const payment = await approved()
  provider.faults.push('drop')
  await ask(payment)
  await advanceClock(DAY)
  const held = { status: 'on_hold', detail: expect.stringContaining('cannot be known') }
  expect(await ask(payment)).toMatchObject(held)
  await advanceClock(2 * DAY)
  expect(await ask(payment)).toMatchObject(held)
  expect(arrivedFor(payment)).toHaveLength(1)
  const made = provider.pay({ key: payment.id, amount: { amount: '100.00', currency: 'EUR' } }, 0)
  made.status = 'settled'
  expect(await ask(payment)).toMatchObject({ status: 'succeeded' })
})

test('an order that is held is failed by an operator, and its money is there again', async () => {
  const payment = await approved()
  provider.faults.push('drop')
  await ask(payment)
  await expect(stepsAt().failHeldPayout(payment.id, 'too early')).rejects.toMatchObject({ type: 'invalid_state' })
  await advanceClock(DAY)
  await ask(payment)
  await stepsAt().failHeldPayout(payment.id, 'the bank says that it never had it')
  expect(await rowOf(payment)).toMatchObject({ status: 'failed', detail: 'the bank says that it never had it' })
  expect(await feedOf(payment)).toMatchObject([{ discarded: true }, { discarded: true }])
  await ask(payment)
  expect(arrivedFor(payment)).toHaveLength(1)
})

test('an order that was sent before the database was restored is found before the first send', async () => {
  const payment = await approved()
  provider.pay({ key: payment.id, amount: { amount: '100.00', currency: 'EUR' } }, 0)
  expect(await ask(payment)).toMatchObject({ status: 'processing' })
  expect(arrivedFor(payment)).toEqual([])
})

test('an order that would be another one now is not sent, by any release', async () => {
  const payment = await approved()
  provider.faults.push('drop')
  await ask(payment)
  await advanceClock(LISTED_AFTER_SECONDS + 1)
  const held = { status: 'on_hold', detail: expect.stringContaining('would be another one') }
  expect(await ask(payment, stepsAt(endpoint, 2))).toMatchObject(held)
  expect(await ask(payment)).toMatchObject(held)
  expect(arrivedFor(payment)).toHaveLength(1)
})

test('an order that was sent, and that no release carries any more, is not failed: it may arrive', async () => {
  const payment = await approved()
  provider.faults.push('lose')
  await ask(payment)
  const plan = () => {
    throw refusalOf(endpoint, { code: 'no_such_account', message: 'not carried' })
  }
  const refusing = payoutSteps(() => ({ ...forgetfulDriver(endpoint), plan }))
  expect(await ask(payment, refusing)).toMatchObject({ status: 'on_hold' })
  await advanceClock(LISTED_AFTER_SECONDS + 1)
  expect(await ask(payment, refusing)).toMatchObject({ status: 'processing' })
  expect(await ask(await approved(), refusing)).toMatchObject({ status: 'failed' })
})

test('an order is not begun for a payment that ends while it is looked for', async () => {
  const payment = await approved()
  for (let asks = 0; asks < 2; asks += 1) {
    await ask(payment, stepsAt({ ...endpoint, url: 'http://127.0.0.1:1' }))
    await advanceClock(DAY / 2)
  }
  const find = async () => {
    await owner`update payments set status = 'failed' where id = ${payment.id}` // another try was faster
    return null
  }
  const late = payoutSteps(() => ({ ...forgetfulDriver(endpoint), find }))
  expect(await ask(payment, late)).toMatchObject({ status: 'failed' })
  expect(arrivedFor(payment)).toEqual([])
})

test('an order is not begun at a connection that is paused while it is looked for', async () => {
  const payment = await approved()
  for (let asks = 0; asks < 2; asks += 1) {
    await ask(payment, stepsAt({ ...endpoint, url: 'http://127.0.0.1:1' }))
    await advanceClock(DAY / 2)
  }
  expect(await rowOf(payment)).toMatchObject({ status: 'on_hold' })
  const find = async () => {
    await pauseConnection('bank', 'It pays twice', 'me')
    return null
  }
  onTestFinished(async () => {
    await resumeConnection('bank', 'me')
  })
  await ask(
    payment,
    payoutSteps(() => ({ ...forgetfulDriver(endpoint), find })),
  )
  expect(arrivedFor(payment)).toEqual([])
})

test('an order that could not be sent at all is a new one, however late and in other bytes', async () => {
  const payment = await approved()
  const nowhere = { ...endpoint, url: 'http://127.0.0.1:1' }
  for (let asks = 0; asks < 6; asks += 1) {
    await ask(payment, stepsAt(nowhere)) // its run is there all the time
    await advanceClock(DAY / 2)
  }
  expect(await ask(payment, stepsAt(endpoint, 2))).toMatchObject({ status: 'processing' })
  expect(provider.paidFor(payment.id)).toHaveLength(1)
})

test('an order that nobody has tried for a day may have been sent by a database that was lost: a person looks', async () => {
  const payment = await approved()
  await advanceClock(DAY)
  expect(await ask(payment)).toMatchObject({ status: 'on_hold' })
  expect(await ask(payment)).toMatchObject({ status: 'on_hold' })
  expect(arrivedFor(payment)).toHaveLength(0)
})

test('what the provider says next gets the next version; what goes backward counts for nothing', async () => {
  const payment = await approved()
  expect(await ask(payment)).toMatchObject({ status: 'processing', version: 0 })
  expect(await ask(payment)).toMatchObject({ status: 'processing', version: 0 })
  const [transfer] = provider.paidFor(payment.id)
  if (!transfer) throw new Error('it was not paid')
  expect(await findPaymentsOf('bank', [transfer.id, 'tr_unknown'])).toEqual(new Map([[transfer.id, payment.id]]))
  expect(await findPaymentsOf('other-bank', [transfer.id])).toEqual(new Map())
  for (const [status, version, expected] of [
    ['on_hold', 1, 'on_hold'],
    ['processing', 2, 'processing'],
    ['pending', 2, 'processing'],
    ['settled', 3, 'succeeded'],
  ] as const) {
    transfer.status = status
    expect(await ask(payment)).toMatchObject({ status: expected, version })
  }
  for (const status of ['processing', 'rejected', 'returned'] as const) {
    transfer.status = status
    await owner`update payments set callbacks_received = callbacks_received + 1 where id = ${payment.id}`
    const now = status === 'returned' ? { status: 'reversed', version: 4 } : { status: 'succeeded', version: 3 }
    expect(await ask(payment)).toMatchObject(now)
  }
})

test('a payout never counts for two payments, of one organization or of two', async () => {
  const [one, other] = [await approved(), await approved()]
  await ask(one)
  const [transfer] = provider.paidFor(one.id)
  if (!transfer) throw new Error('it was not paid')
  for (const payment of [other, ofAnother]) {
    provider.transfers.push({ ...transfer, key: payment.id, at: 0 })
    expect(await ask(payment)).toMatchObject({ status: 'on_hold', version: -1 })
  }
})

test('one of many tries at once is recorded, and it is paid once', async () => {
  const payment = await approved()
  for (let round = 0; round < 5; round += 1) await Promise.all([1, 2, 3, 4].map(() => ask(payment)))
  await advanceClock(LISTED_AFTER_SECONDS + 1)
  expect(await ask(payment)).toMatchObject({ status: 'processing' })
  expect(provider.paidFor(payment.id)).toHaveLength(1)
})

test('a return, or an account, is looked for before it is ordered again, and held once that is in vain', async () => {
  const subjectId = newId()
  const order = { connection: 'bank', subject: 'deposit_return', subjectId, key: subjectId } as const
  const done: string[] = []
  let isShown = false
  const once = (failure = new Error('no answer')) =>
    orderOnce<string>(
      { ...order, organizationId: null, operation: 'return', content: { id: subjectId } },
      {
        keeping: { keysKept: 24, absenceSureAfterSeconds: LISTED_AFTER_SECONDS },
        commit: transaction,
        find: () => Promise.resolve(isShown ? 'found' : null),
        send: () => {
          done.push('sent')
          return Promise.reject(failure)
        },
      },
    )
  // what is refused was not done: it is ordered again much later
  await expect(once(refusalOf(endpoint, { code: 'not_now', message: 'not now' }))).rejects.toThrow('refused')
  await advanceClock(2 * DAY)
  expect(done.splice(0)).toEqual(['sent'])
  await expect(once()).rejects.toThrow('no answer')
  await expect(once()).rejects.toMatchObject({ type: 'PartnerUnclear' })
  await advanceClock(LISTED_AFTER_SECONDS + 1)
  await expect(once()).rejects.toThrow('no answer')
  await advanceClock(DAY)
  expect(await once().catch(isHeld)).toBe(true)
  expect(done).toEqual(['sent', 'sent'])
  isShown = true
  expect(await once()).toBe('found')
})
