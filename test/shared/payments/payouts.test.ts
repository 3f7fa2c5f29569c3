/** Payments by bank and by blockchain, from approval to every end. */
import { describe, expect, test } from 'vitest'
import { approve } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { fault, payoutAt, usePartners } from '../../support/partners/partners.ts'
import {
  PARTNER,
  type Rail,
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

usePartners()
useWorker()
const RAILS: Rail[] = ['fiat', 'crypto']
const FUNDS = 900

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
    expect(failed).toMatchObject({ status_detail: 'account closed', transaction_id: null })
    expect(await holdings(payer, payer.payer.id)).toEqual({ available: 900, held: 0 })
    expect((await feedOf(payment)).every(({ discarded }) => discarded)).toBe(true)
    expect(await violations(payer, payer.payer.id)).toEqual([])
  })

  test('that the partner returns after it succeeded is reversed by a transfer of its own', async () => {
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
  })

  test('is on hold while the partner looks at it, and goes on when it is released', async () => {
    const { payer, payment } = await taken(rail)
    await advance(payment, 'on_hold', 'compliance')
    const held = await become(payer, payment, 'on_hold')
    expect(held).toMatchObject({ status_detail: 'compliance', cancellable: false })
    await advance(payment, 'processing')
    await advance(payment, 'succeeded')
    await become(payer, payment, 'succeeded')
    const events = await eventsOf(payer, payment)
    expect(events).toEqual(expect.arrayContaining(['payment.held', 'payment.released', 'payment.settled']))
    expect(await violations(payer, payer.payer.id)).toEqual([])
  })
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
