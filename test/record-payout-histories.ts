/** Walks the paths of a payment through a partner, and keeps their histories: `npm run histories`. */
import { test, vi } from 'vitest'
import { approve } from './support/api.ts'
import { owner } from './support/database.ts'
import { fault, usePartners } from './support/partners.ts'
import { advance, become, cancel, outgoing, payerBy, sent, taken } from './support/payouts.ts'
import { keepHistory } from './support/recorded.ts'
import { type Payment, eventually, historyOf, stateOf, terminate } from './support/runs.ts'
import { reconcile } from './support/reconcile.ts'
import { useWorker } from './support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-payouts-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
usePartners()
useWorker()

/** Each path answers the payment that took it. */
const paths: Record<string, () => Promise<Payment>> = {
  async 'paid-by-bank'() {
    const payer = await payerBy('fiat')
    const payment = await sent(payer)
    await become(payer, payment, 'succeeded')
    return payment
  },
  async 'paid-by-blockchain'() {
    const payer = await payerBy('crypto')
    const payment = await sent(payer)
    await become(payer, payment, 'succeeded')
    return payment
  },
  async 'held-then-refused'() {
    const { payer, payment } = await taken('fiat')
    await advance(payment, 'on_hold')
    await become(payer, payment, 'on_hold')
    await advance(payment, 'failed')
    await become(payer, payment, 'failed')
    return payment
  },
  /** Nothing clear was said, until the partner was back. */
  async unclear() {
    const payer = await payerBy('fiat')
    await fault('bank', 'down', 60)
    const payment = await outgoing(payer)
    await approve(payer.boss, payment)
    await become(payer, payment, 'on_hold')
    await owner`delete from sandbox_faults`
    await become(payer, payment, 'succeeded')
    return payment
  },
  async cancelled() {
    const { payer, payment } = await taken('crypto')
    await cancel(payer, payment)
    await become(payer, payment, 'cancelled')
    return payment
  },
  async 'broadcast-before-cancelled'() {
    const { payer, payment } = await taken('crypto')
    await fault('custodian', 'lost_callback', 1)
    await owner`update sandbox_payouts set status = 'processing', version = version + 1 where id = ${payment.id}`
    await cancel(payer, payment)
    await become(payer, payment, 'processing')
    await advance(payment, 'succeeded')
    await become(payer, payment, 'succeeded')
    return payment
  },
  /** The run that a return after success starts. */
  async reversed() {
    const { payer, payment } = await taken('fiat')
    await advance(payment, 'succeeded')
    await become(payer, payment, 'succeeded')
    await eventually(() => stateOf(payment)).toBe('COMPLETED')
    await advance(payment, 'reversed')
    await become(payer, payment, 'reversed')
    return payment
  },
  /** Started again from its row alone. */
  async 'resumed-processing'() {
    const { payer, payment } = await taken('fiat')
    await terminate(payment)
    await eventually(async () => (await reconcile()) + Number((await stateOf(payment)) === 'RUNNING')).toBeGreaterThan(
      0,
    )
    await advance(payment, 'succeeded')
    await become(payer, payment, 'succeeded')
    return payment
  },
}

test.each(Object.entries(paths))('%s', async (name, walk) => {
  const payment = await walk()
  await eventually(() => stateOf(payment)).toBe('COMPLETED')
  keepHistory(`payment-${name}`, await historyOf(payment))
})
