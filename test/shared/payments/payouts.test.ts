/** Payments by bank and by blockchain, from approval to every end. */
import { describe, expect, test } from 'vitest'
import { type Answer, api, approvalPath, approve, createPayment, fund, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { connected, fault, liftFaults, payoutAt, speaksOurs, usePartners } from '../../support/partners/partners.ts'
import {
  type Rail,
  PARTNER,
  UNTIL_LIFTED,
  advance,
  become,
  cancel,
  eventsOf,
  feedOf,
  holdings,
  outgoing,
  payerBy,
  read,
  sent,
  taken,
  violations,
} from '../../support/payments/payouts.ts'
import { useWorker } from '../../support/worker.ts'
import { administer } from '../../../admin.ts'
import { until } from '../../support/until.ts'
import { everyNth, fullScale } from '../../support/model-runs.ts'
import { randomUUID } from 'node:crypto'
import { recordCallback } from '../../../services/callbacks/callbacks.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { isOfDriver } from '../../../platform/connections.ts'
import { historyOf } from '../../support/runs/runs.ts'
import { movePayout } from '../../../sandbox/db/payouts.ts'

usePartners()
useWorker()

/** A bank by files is not asked: what it has said stays, and its stand-in gives files their own ids. */
const isAsked = speaksOurs('bank')
const RAILS: Rail[] = ['fiat', 'crypto']
const FUNDS = 900
/** Words of the partner: those of the test, if it speaks our protocol. */
const saidBy = (rail: Rail, words: string) => (speaksOurs(PARTNER[rail]) ? words : expect.stringMatching(/./))
/** Tells whether a partner takes files: it holds nothing, and one that is away takes them later. */
const takesFiles = (rail: Rail): boolean => isOfDriver(connected(PARTNER[rail]), 'iso20022')
/** Tells whether a partner gives nothing back by itself: custodians of providers have no returns. */
const keepsAll = (rail: Rail): boolean => rail === 'crypto' && !speaksOurs(PARTNER[rail])

describe.each(RAILS)('a payment by %s', (rail) => {
  test('waits for approval with no money moved, is held when approved, and settles at the partner', async () => {
    const payer = await payerBy(rail)
    const payment = await outgoing(payer)
    expect(payment).toMatchObject({ rail, status: 'awaiting_approval', cancellable: false, transaction_id: null })
    expect(await holdings(payer, payer.payer.id)).toEqual({ available: 900, held: 0 })
    const { status, body } = await approve(payer.boss, payment)
    expect([status, body.status, body.subject[`${rail}_outgoing`].state]).toEqual([200, 'approved', 'approved'])
    const settled = await become(payer, payment, 'succeeded')
    const deducted = Number(settled.deducting.amount)
    expect(await holdings(payer, payer.payer.id)).toEqual({ available: FUNDS - deducted, held: 0 })
    expect(settled.landing.amount).toBe(rail === 'fiat' ? '100.00' : '100.000000')
    expect(await payoutAt(PARTNER[rail], payment.id)).toMatchObject({ status: 'settled' })
    expect((await eventsOf(payer, payment)).at(-1)).toBe('payment.settled')
    const feed = await feedOf(payment)
    expect(feed.map(({ type, status }) => `${type} ${status}`)).toEqual(['payment posted', 'fee posted'])
    expect(Number(feed.at(-1)?.running_balance)).toBe(FUNDS - deducted)
    expect(settled.transaction_id).toBeTruthy()
    expect(await violations(payer, payer.payer.id)).toEqual([])
  })

  test('that the partner rejects fails with the partner’s words, its money back and nothing in the feed', async () => {
    const { payer, payment } = await taken(rail)
    expect((await advance(payment, 'failed', 'account closed')).status).toBe(200)
    const failed = await become(payer, payment, 'failed')
    expect(failed).toMatchObject({ status_detail: saidBy(rail, 'account closed'), transaction_id: null })
    expect(await holdings(payer, payer.payer.id)).toEqual({ available: 900, held: 0 })
    expect((await feedOf(payment)).every(({ discarded }) => discarded)).toBe(true)
    expect(await violations(payer, payer.payer.id)).toEqual([])
  })

  test.skipIf(keepsAll(rail))(
    'that the partner returns after it succeeded is reversed by its own transfer',
    async () => {
      const payer = await payerBy(rail)
      const payment = await sent(payer)
      const settled = await become(payer, payment, 'succeeded')
      expect((await advance(payment, 'reversed', 'recalled')).status).toBe(200)
      await become(payer, payment, 'reversed')
      const [net] = await owner`select deducting_amount - fee_amount as amount from payments where id = ${payment.id}`
      const back = FUNDS - Number(settled.deducting.amount) + Number(net?.['amount'])
      expect(await holdings(payer, payer.payer.id)).toEqual({ available: back, held: 0 })
      expect((await feedOf(payment)).map(({ type }) => type)).toEqual(['payment', 'fee', 'reversal'])
      expect(await violations(payer, payer.payer.id)).toEqual([])
    },
  )

  test.skipIf(takesFiles(rail))(
    'is on hold while the partner looks at it, and goes on when it is released',
    async () => {
      const { payer, payment } = await taken(rail)
      await advance(payment, 'on_hold', 'compliance')
      const held = await become(payer, payment, 'on_hold')
      expect(held).toMatchObject({ status_detail: saidBy(rail, 'compliance'), cancellable: false })
      await advance(payment, 'processing')
      await advance(payment, 'succeeded')
      await become(payer, payment, 'succeeded')
      const events = await eventsOf(payer, payment)
      expect(events).toEqual(expect.arrayContaining(['payment.held', 'payment.released', 'payment.settled']))
      expect(await violations(payer, payer.payer.id)).toEqual([])
    },
  )
})

describe('the cancellation of a payment', () => {
  test('by blockchain that custody has not decided on: cancelling, then cancelled, with its money back', async () => {
    const { payer, payment } = await taken('crypto')
    expect((await read(payer, payment)).cancellable).toBe(true)
    const answer = await cancel(payer, payment)
    expect([answer.status, answer.body.status]).toEqual([200, expect.stringMatching(/cancelling|cancelled/)])
    const cancelled = await become(payer, payment, 'cancelled')
    expect(cancelled).toMatchObject({ cancellable: false, transaction_id: null })
    expect(await holdings(payer, payer.payer.id)).toEqual({ available: 900, held: 0 })
    expect(await payoutAt('custodian', payment.id)).toMatchObject({ status: 'cancelled' })
    expect(await violations(payer, payer.payer.id)).toEqual([])
  })

  test('that loses the race against the broadcast shows it: processing again, then settled', async () => {
    const { payer, payment } = await taken('crypto')
    // the custodian broadcasts, and the cancellation comes before its callback
    await fault('custodian', 'lost_callback', 1)
    await owner.begin(async (custodian) => {
      // no look at the custodian sees this before the cancellation is recorded
      await custodian`update sandbox_payouts set status = 'processing', version = version + 1 where id = ${payment.id}`
      expect((await cancel(payer, payment)).status).toBe(200)
    })
    await become(payer, payment, 'processing')
    const events = await eventsOf(payer, payment)
    expect(events).toEqual(expect.arrayContaining(['payment.cancel_requested', 'payment.broadcast']))
    expect((await cancel(payer, payment)).body.error.details.reason).toBe('custody_decided')
    await advance(payment, 'succeeded')
    await become(payer, payment, 'succeeded')
    expect(await violations(payer, payer.payer.id)).toEqual([])
  })
})

/** Consecutive faults; the client repeats what it may. */
const FAULTS = [
  ['down', 3],
  ['slow', 1],
  ['error', 3],
  ['rate_limited', 2],
  ['malformed', 3],
  ['ambiguous', 2],
  ['duplicate_callback', 5],
  ['lost_callback', 5],
  ['late_callback', 2],
  ['out_of_order', 2],
] as const

/** Waits until the partner has no callback left and the process has nothing to do. */
const heardOut = ({ id }: { id: string }) =>
  until('the last callback to be handled', async () => {
    const [left] = await owner`select from sandbox_callbacks where subject_id = ${id}
      union all select from partner_callbacks where subject_id = ${id} and handled_at is null
      union all select from processes where id = ${id}`
    return left === undefined
  })

// Each rail has its own partner, and so its own faults.
describe.concurrent.each(['fiat', 'crypto'] as const)('a payment by %s', (rail) => {
  /** In `npm test`, each rail meets a fifth of them, different from the other rail's. */
  const half = rail === 'fiat' ? 0 : 1
  test.sequential.each(everyNth(FAULTS, 5, half * 2))('settles once in spite of %s', async (name, times) => {
    const payer = await payerBy(rail)
    await fault(PARTNER[rail], name, times)
    const payment = await sent(payer)
    const settled = await become(payer, payment, 'succeeded')
    await heardOut(payment)
    const available = 900 - Number(settled.deducting.amount)
    expect(await holdings(payer, payer.payer.id)).toEqual({ available, held: 0 })
    const payouts = await owner`select status from sandbox_payouts where id = ${payment.id}`
    expect(payouts.map((row) => row['status'])).toEqual(['settled'])
    const events = await eventsOf(payer, payment)
    expect(new Set(events).size).toBe(events.length)
    expect(await violations(payer, payer.payer.id)).toEqual([])
  })

  test
    .runIf((fullScale || rail === 'fiat') && !takesFiles(rail))
    .sequential('whose partner says nothing clear is put on hold, and settles when the partner is back', async () => {
      const payer = await payerBy(rail)
      await fault(PARTNER[rail], 'down', UNTIL_LIFTED)
      const payment = await sent(payer)
      const held = await become(payer, payment, 'on_hold')
      expect(held).toMatchObject({ status_detail: `the ${PARTNER[rail]} gives no clear answer`, cancellable: false })
      expect((await holdings(payer, payer.payer.id)).held).toBe(Number(held.deducting.amount))
      await liftFaults(PARTNER[rail])
      await become(payer, payment, 'succeeded')
      expect(await eventsOf(payer, payment)).toEqual(expect.arrayContaining(['payment.held', 'payment.released']))
      expect(await violations(payer, payer.payer.id)).toEqual([])
    })

  test
    .runIf(fullScale || rail === 'crypto')
    .sequential(
      'that its partner took and does not know any more is never sent again: an operator fails it',
      async () => {
        const { payer, payment } = await taken(rail)
        await owner`delete from sandbox_payouts where id = ${payment.id}`
        await become(payer, payment, 'on_hold')
        expect(await owner`select id from sandbox_payouts where id = ${payment.id}`).toHaveLength(0)
        expect((await holdings(payer, payer.payer.id)).held).toBeGreaterThan(0)
        await administer(['payments', 'fail', payment.id, 'the', 'partner', 'lost', 'it'])
        const failed = await become(payer, payment, 'failed')
        expect(failed.status_detail).toBe('the partner lost it')
        expect(await holdings(payer, payer.payer.id)).toEqual({ available: 900, held: 0 })
        expect(await violations(payer, payer.payer.id)).toEqual([])
      },
    )

  test
    .runIf((fullScale || rail === 'fiat') && !takesFiles(rail))
    .sequential('that its partner knows is not failed by an operator', async () => {
      const { payment } = await taken(rail)
      const failing = administer(['payments', 'fail', payment.id, 'reason'])
      await expect(failing).rejects.toMatchObject({ type: 'invalid_state' })
    })
})

const atPartner = async (id: string) =>
  (await owner`select status from sandbox_payouts where id = ${id}`).map((row) => row['status'])
const calls = ({ id }: { id: string }, more: { version?: number } = {}) =>
  recordCallback({ partner: 'bank', id: `msg_${randomUUID()}`, subject: 'payment', subjectId: id, ...more })
const forget = (id: string) => owner`delete from sandbox_payouts where id = ${id}`

test.runIf(isAsked)('a payment that no partner took is not failed by an operator: it is still being sent', async () => {
  const payer = await payerBy('fiat')
  await fault('bank', 'down', UNTIL_LIFTED)
  const payment = await outgoing(payer)
  await approve(payer.boss, payment)
  await become(payer, payment, 'on_hold')
  await liftFaults('bank')
  const failing = administer(['payments', 'fail', payment.id, 'too late'])
  await expect(failing).rejects.toMatchObject({ type: 'invalid_state' })
  await become(payer, payment, 'succeeded')
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('a withdrawal that the custodian took and forgot is not sent again by its cancellation', async () => {
  const { payer, payment } = await taken('crypto')
  await forget(payment.id)
  expect((await cancel(payer, payment)).status).toBe(200)
  await expect.poll(async () => (await read(payer, payment)).status_detail).toContain('no clear answer')
  expect(await atPartner(payment.id)).toEqual([])
  await administer(['payments', 'fail', payment.id, 'the custodian lost it'])
  expect(await become(payer, payment, 'cancelled')).toMatchObject({ status_detail: 'the custodian lost it' })
  expect(await holdings(payer, payer.payer.id)).toEqual({ available: 900, held: 0 })
})

test.runIf(isAsked)(
  'an amount that the bank has changed is told as such: an operator has to look, and the money stays held',
  async () => {
    const { payer, payment } = await taken('fiat')
    await owner`
    update sandbox_payouts set amount = '90.00', status = 'settled', version = version + 1 where id = ${payment.id}`
    await calls(payment)
    const held = await become(payer, payment, 'on_hold')
    expect(held.status_detail).toBe('the bank names another amount than was ordered: an operator has to look')
    expect((await holdings(payer, payer.payer.id)).held).toBe(Number(held.deducting.amount))
    const unprocessed = () => owner`
    select from payments where id = ${payment.id} and callbacks_processed <> callbacks_received`
    await expect.poll(unprocessed).toHaveLength(0) // the bank may have been polled before it called
  },
)

test.runIf(isAsked)(
  'a partner that keeps saying the same after it called is asked at leisure, not in a loop',
  async () => {
    const { payer, payment } = await taken('fiat')
    await forget(payment.id)
    await become(payer, payment, 'on_hold')
    const asks = async () => Number((await owner`select asks from payments where id = ${payment.id}`)[0]?.['asks'])
    const lengthOf = async () => (await historyOf(payment)).events.length
    await calls(payment, { version: 7 })
    const [before, asked] = [await lengthOf(), await asks()]
    await until('it to be asked twice more', async () => (await asks()) >= asked + 2)
    expect((await lengthOf()) - before).toBeLessThan(60)
    expect((await read(payer, payment)).status).toBe('on_hold')
  },
)

test('a return that is called about is heard, also where the first answer is the one before', async () => {
  const { payer, payment } = await taken('fiat')
  await advance(payment, 'succeeded')
  await become(payer, payment, 'succeeded')
  await fault('bank', 'out_of_order', 1)
  await advance(payment, 'reversed')
  await become(payer, payment, 'reversed')
  expect(await violations(payer, payer.payer.id)).toEqual([])
})

test('an exchanged payment waits for its approval no longer than its rate is good', async () => {
  const { boss, payer, contact } = await payerBy('fiat', '900.00')
  await fund(payer.id, '500.00', 'USD')
  const quote = await quoteOf(boss, contact, { amount: '100.00', currency: 'USD' })
  expect(quote.warnings.map((one: { type: string }) => one.type)).toContain('rate_expires')
  const made = await executed(boss, quote.quote_id)
  const [approval] = await owner`
    select extract(epoch from expires_at - inserted_at)::integer as seconds from approvals
    where id = ${made.approval_request_id}`
  expect(approval?.['seconds']).toBe(3600)
  await api('POST', '/sandbox/clock/advance', { body: { seconds: 3601 } })
  // its session has ended, so it is read from outside
  const rows = () => owner`select status, status_detail from payments where id = ${made.id}`
  await expect.poll(rows).toEqual([{ status: 'cancelled', status_detail: 'approval expired' }])
})

/** Expects a refusal for this reason, with this message. */
async function expectRefusal(answer: Promise<Answer>, reason: string, message: string): Promise<void> {
  const error = { type: 'payment_not_cancellable', details: { reason }, message }
  expect(await answer).toMatchObject({ status: 409, body: { error } })
}
const WAITS = ['waits_for_approval', 'This payment waits for approval: withdraw its approval instead.'] as const
const NEVER = ['rail_not_cancellable', 'Only payments by blockchain can be cancelled once they are approved.'] as const
const ENDED = ['already_ended', 'This payment has ended already.'] as const
const HELD = ['on_hold', 'This payment is on hold, and cannot be cancelled meanwhile.'] as const
const DECIDED = ['custody_decided', 'The custodian has sent it already: it can no longer be cancelled.'] as const

const leaveOpen = ({ id }: { id: string }) =>
  owner`update sandbox_payouts set cancel_asked = true, due_at = null where id = ${id}`

describe('a cancellation is refused with what else can be done', () => {
  test('while a payment waits for approval: that is withdrawn', async () => {
    const payer = await payerBy('crypto')
    const payment = await outgoing(payer)
    await expectRefusal(cancel(payer, payment), ...WAITS)
    const details = { current: 'awaiting_approval', allowed: ['submit', 'withdraw'] }
    expect((await cancel(payer, payment)).body.error).toMatchObject({ details })
    const { token } = payer.boss
    expect((await api('POST', `${approvalPath(payment)}/cancel`, { token, body: {} })).status).toBe(200)
    await expectRefusal(cancel(payer, payment), ...ENDED)
  })

  test('by service ID and by bank, where it never can be', async () => {
    const { boss, contactId } = await payerAndPayee()
    const { id } = await createPayment(boss, contactId, '1.00')
    await expectRefusal(api('POST', `/payments/${id}/cancel`, { token: boss.token }), ...WAITS)
    const { payer, payment } = await taken('fiat')
    await expectRefusal(cancel(payer, payment), ...NEVER)
    await advance(payment, 'succeeded')
    await become(payer, payment, 'succeeded')
    await expectRefusal(cancel(payer, payment), ...ENDED)
  })

  test('by blockchain that custody has decided on, holds, or paid', async () => {
    const { payer, payment } = await taken('crypto')
    for (const [status, [reason, message]] of [
      ['on_hold', HELD],
      ['processing', DECIDED],
      ['succeeded', ENDED],
    ] as const) {
      await advance(payment, status)
      await become(payer, payment, status)
      await expectRefusal(cancel(payer, payment), reason, message)
    }
  })

  test('no more by blockchain once custody, which held it, lets it wait again', async () => {
    const { payer, payment } = await taken('crypto')
    await advance(payment, 'on_hold')
    expect((await become(payer, payment, 'on_hold')).cancellable).toBe(false)
    await movePayout('custodian', payment.id, { from: ['on_hold'], to: 'pending' })
    expect((await become(payer, payment, 'processing')).cancellable).toBe(true)
    expect((await cancel(payer, payment)).status).toBe(200)
    await become(payer, payment, 'cancelled')
  })
})

test('asked for again while custody has not answered, a cancellation is answered like the first, and logged once', async () => {
  const { payer, payment } = await taken('crypto')
  await leaveOpen(payment)
  for (const _ of [1, 2, 3]) {
    const answer = await cancel(payer, payment)
    expect([answer.status, answer.body.status]).toEqual([200, 'cancelling'])
  }
  expect((await eventsOf(payer, payment)).filter((type) => type === 'payment.cancel_requested')).toHaveLength(1)
  expect((await read(payer, payment)).status).toBe('cancelling')
})

test('many cancellations at once are done for each, and logged once', async () => {
  const { payer, payment } = await taken('crypto')
  const answers = await Promise.all(Array.from({ length: fullScale ? 20 : 5 }, () => cancel(payer, payment)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  for (const { body } of answers) expect(['cancelling', 'cancelled']).toContain(body.status)
  await become(payer, payment, 'cancelled')
  expect((await eventsOf(payer, payment)).filter((type) => type === 'payment.cancel_requested')).toHaveLength(1)
  await expectRefusal(cancel(payer, payment), ...ENDED)
})
