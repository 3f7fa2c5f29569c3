/** Walks the paths of money that may pay invoices, and keeps their histories: `npm run histories`. */
import { vi } from 'vitest'
import { person } from '../support/api.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { matched, received, seller, sentInvoice } from '../support/invoices/allocations.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-invoice-payments-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
useWorker({ whole: true })

/** Money of 41.97 for an invoice of so much, in these words of the payer. */
async function paid(total: string, text: (number: string) => string) {
  const at = await seller(await person({ name: PRIVATE.firstName }))
  const invoice = await sentInvoice(at, total, { comments: PRIVATE.notes })
  const money = await received(at, PRIVATE.amount, text(invoice.number), { name: PRIVATE.payer })
  await matched(money)
  return runOf('incoming-payment', money)
}

recordPaths({
  'incoming-payment-allocated': () => paid(PRIVATE.amount, (number) => number),
  'incoming-payment-proposed': () => paid(PRIVATE.amount, () => PRIVATE.reason),
  'incoming-payment-unrelated': () => paid('7', () => PRIVATE.reason),
})
