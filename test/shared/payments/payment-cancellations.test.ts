/** Answers to a cancellation in each state: a detail that names the alternative, and idempotent replay. */
import { describe, expect, test } from 'vitest'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import { type Answer, api, approvalPath, createPayment, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { advance, become, cancel, eventsOf, outgoing, payerBy, read, taken } from '../../support/payments/payouts.ts'
import { useWorker } from '../../support/worker.ts'
import { fullScale } from '../../support/model-runs.ts'

usePartners()
useWorker()

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
