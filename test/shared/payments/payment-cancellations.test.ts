/** Answers to a cancellation in each state: a detail that names the alternative, and idempotent replay. */
import { describe, expect, test } from 'vitest'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import { api, approvalPath, createPayment, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import {
  advance,
  become,
  cancel,
  eventsOf,
  outgoing,
  payerBy,
  read,
  sent,
  taken,
} from '../../support/payments/payouts.ts'
import { useWorker } from '../../support/worker.ts'
import { everyNth, fullScale, longTest } from '../../support/model-runs.ts'

usePartners()
useWorker()

const refusalOf = ({ status, body }: { status: number; body: any }) => [
  status,
  body.error.type,
  body.error.details.reason,
  body.error.message,
]
const NEVER = 'Only payments by blockchain can be cancelled once they are approved.'
const ENDED = 'This payment has ended already.'
const WAITS = 'This payment waits for approval: withdraw its approval instead.'
const DECIDED = 'The custodian has sent it already: it can no longer be cancelled.'

const leaveOpen = ({ id }: { id: string }) =>
  owner`update sandbox_payouts set cancel_asked = true, due_at = null where id = ${id}`

describe('a cancellation is refused with what else can be done', () => {
  test.each(everyNth(['crypto', 'fiat'] as const, 2))(
    'while a payment by %s waits for approval: that is withdrawn',
    async (rail) => {
      const payer = await payerBy(rail)
      const payment = await outgoing(payer)
      const refused = await cancel(payer, payment)
      expect(refusalOf(refused)).toEqual([409, 'payment_not_cancellable', 'waits_for_approval', WAITS])
      expect(refused.body.error.details).toMatchObject({
        current: 'awaiting_approval',
        allowed: ['submit', 'withdraw'],
      })
      const { token } = payer.boss
      expect((await api('POST', `${approvalPath(payment)}/cancel`, { token, body: {} })).status).toBe(200)
      expect(refusalOf(await cancel(payer, payment))).toEqual([409, 'payment_not_cancellable', 'already_ended', ENDED])
    },
  )

  test('by service ID and by bank, where it never can be', async () => {
    const { boss, contactId } = await payerAndPayee()
    const { id } = await createPayment(boss, contactId, '1.00')
    const waiting = await api('POST', `/payments/${id}/cancel`, { token: boss.token })
    expect(refusalOf(waiting)).toEqual([409, 'payment_not_cancellable', 'waits_for_approval', WAITS])
    const { payer, payment } = await taken('fiat')
    expect(refusalOf(await cancel(payer, payment))).toEqual([
      409,
      'payment_not_cancellable',
      'rail_not_cancellable',
      NEVER,
    ])
    await advance(payment, 'succeeded')
    await become(payer, payment, 'succeeded')
    expect(refusalOf(await cancel(payer, payment))).toEqual([409, 'payment_not_cancellable', 'already_ended', ENDED])
  })

  test('by blockchain that custody has decided on, holds, or paid', async () => {
    const { payer, payment } = await taken('crypto')
    await advance(payment, 'on_hold')
    await become(payer, payment, 'on_hold')
    const held = [
      409,
      'payment_not_cancellable',
      'on_hold',
      'This payment is on hold, and cannot be cancelled meanwhile.',
    ]
    expect(refusalOf(await cancel(payer, payment))).toEqual(held)
    await advance(payment, 'processing')
    await become(payer, payment, 'processing')
    const decided = [409, 'payment_not_cancellable', 'custody_decided', DECIDED]
    expect(refusalOf(await cancel(payer, payment))).toEqual(decided)
    await advance(payment, 'succeeded')
    await become(payer, payment, 'succeeded')
    expect(refusalOf(await cancel(payer, payment))).toEqual([409, 'payment_not_cancellable', 'already_ended', ENDED])
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

  longTest('where it was asked for and came too late', async () => {
    const { payer, payment } = await taken('crypto')
    await fault('custodian', 'lost_callback', 1)
    await owner`update sandbox_payouts set status = 'processing', version = version + 1 where id = ${payment.id}`
    expect((await cancel(payer, payment)).status).toBe(200)
    await become(payer, payment, 'processing')
    expect(refusalOf(await cancel(payer, payment))).toEqual([
      409,
      'payment_not_cancellable',
      'custody_decided',
      DECIDED,
    ])
  })
})

describe('a cancellation that is asked for again', () => {
  test('while custody has not answered is answered like the first, and logged once', async () => {
    const { payer, payment } = await taken('crypto')
    await leaveOpen(payment)
    for (const _ of [1, 2, 3]) {
      const answer = await cancel(payer, payment)
      expect([answer.status, answer.body.status]).toEqual([200, 'cancelling'])
    }
    expect((await eventsOf(payer, payment)).filter((type) => type === 'payment.cancel_requested')).toHaveLength(1)
    expect((await read(payer, payment)).status).toBe('cancelling')
  })

  test('many times at once is done for each, and logged once', async () => {
    const { payer, payment } = await taken('crypto')
    const answers = await Promise.all(Array.from({ length: fullScale ? 20 : 5 }, () => cancel(payer, payment)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    for (const { body } of answers) expect(['cancelling', 'cancelled']).toContain(body.status)
    await become(payer, payment, 'cancelled')
    expect((await eventsOf(payer, payment)).filter((type) => type === 'payment.cancel_requested')).toHaveLength(1)
    expect(refusalOf(await cancel(payer, payment))).toEqual([409, 'payment_not_cancellable', 'already_ended', ENDED])
  })

  test('by somebody who may not cancel is refused', async () => {
    const payer = await payerBy('crypto')
    const payment = await sent(payer)
    const stranger = await payerAndPayee()
    const answer = await api('POST', `/payments/${payment.id}/cancel`, { token: stranger.boss.token })
    expect(answer.status).toBe(404)
  })
})
