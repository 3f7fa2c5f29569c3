import { afterAll, expect, test } from 'vitest'
import { type RunningWorker, startWorker } from '../../../worker.ts'
import { payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { eventually, stateOf } from '../../support/runs/runs.ts'
import { booksAreInOrder, idsOf, paymentsOf, preparedSet, reserved, told } from '../../support/approvals/sets.ts'
import { until } from '../../support/until.ts'
import '../../support/temporal-runtime.ts'

let worker: RunningWorker | undefined
afterAll(() => worker?.stop())

test('a set that is sent while no worker runs is decided under its proof, and its runs end when one does', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(
    boss,
    contactId,
    Array.from({ length: 12 }, () => '1.00'),
  )
  const { decide } = await preparedSet(boss, payer.id, idsOf(payments))
  for (let times = 0; times < 2; times += 1) {
    const answer = await decide()
    expect([answer.status, told(answer)]).toEqual([200, payments.map(() => 'approved')])
  }
  expect(await reserved(payments)).toBe(12)
  const proofs = await owner`select status from step_ups where user_id = ${boss.userId}`
  expect(proofs.map((row) => row['status'])).toEqual(['consumed'])
  expect(await booksAreInOrder(payer.id, boss)).toBe(true)

  worker = await startWorker({ versioned: false, reconciles: false })
  await until('nothing to be driven any more', async () => (await owner`select from processes`).length === 0)
  for (const payment of payments) await eventually(() => stateOf(payment)).toBe('COMPLETED')
})
