/** Many callbacks without a worker: each sweep signals the run once. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { recordCallback } from '../../../services/callbacks/callbacks.ts'
import { flushSignals } from '../../../temporal/announce.ts'
import { sweep } from '../../../temporal/sweep.ts'
import { createPayment, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { fullScale } from '../../support/model-runs.ts'
import { type Payment, historyOf } from '../../support/runs/runs.ts'

const MANY = fullScale ? 500 : 40

test(`${MANY} callbacks about one payment are all counted, and one signal for each sweep`, async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment: Payment = await createPayment(boss, contactId, '1.00')
  await owner`update payments set rail = 'fiat' where id = ${payment.id}`
  const call = () =>
    recordCallback({ partner: 'bank', id: `msg_${randomUUID()}`, subject: 'payment', subjectId: payment.id })
  const signals = async () => {
    await flushSignals()
    const { events } = await historyOf(payment)
    return events.filter(({ eventType }) => eventType === 'EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED').length
  }
  for (let batch = 0; batch < MANY / 10; batch += 1) await Promise.all(Array.from({ length: 10 }, call))
  const counted = await owner`select callbacks_received, callbacks_processed from payments where id = ${payment.id}`
  expect(counted).toEqual([{ callbacks_received: MANY, callbacks_processed: 0 }])
  expect(await signals()).toBe(1)
  expect(await sweep(0)).toHaveLength(1)
  expect(await signals()).toBe(2)
  expect(await sweep(0)).toHaveLength(0)
  await call()
  expect(await sweep(0)).toHaveLength(1)
  expect(await signals()).toBe(4)
})
