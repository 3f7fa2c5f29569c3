/** `npm run histories`: walks the paths of incoming payments and records their histories. */
import { vi } from 'vitest'
import { person } from '../support/api.ts'
import { owner } from '../support/database.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { matched, received, seller, sentInvoice } from '../support/invoices/allocations.ts'
import { step } from '../support/invoices/invoices.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-invoice-payments-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
useWorker({ whole: true })

/** Money of 41.97 for an invoice of `total`, with this text of the payer. */
async function paid(total: string, text: (number: string) => string) {
  const at = await seller(await person({ name: PRIVATE.firstName }))
  const invoice = await sentInvoice(at, total, { comments: PRIVATE.notes })
  const money = await received(at, PRIVATE.amount, text(invoice.number), { name: PRIVATE.payer })
  await matched(money)
  return { at, invoice, run: runOf('incoming-payment', money) }
}

recordPaths({
  'incoming-payment-allocated': async () => (await paid(PRIVATE.amount, (number) => number)).run,
  'incoming-payment-proposed': async () => (await paid(PRIVATE.amount, () => PRIVATE.reason)).run,
  'incoming-payment-unrelated': async () => (await paid('7', () => PRIVATE.reason)).run,
  /** Path: the run that starts when the only candidate ends. */
  async 'incoming-payment-proposed-in-vain'() {
    const { at, invoice, run } = await paid(PRIVATE.amount, () => PRIVATE.reason)
    await run.result()
    await step(at.boss, invoice.id, 'mark-paid')
    const isPassed = () =>
      owner`select from incoming_payments where id = ${run.workflowId.slice(-36)} and status = 'unrelated'`
    await until('it to be passed', async () => (await isPassed())[0])
    return run
  },
})
