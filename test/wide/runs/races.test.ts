/** Runs of bills against all else that touches their bills at the same moment. */
import { beforeAll, expect, test } from 'vitest'
import { type Answer, api, approve, fund, organization, person } from '../../support/api.ts'
import { cancel as cancelBatch, submit, violations } from '../../support/batches/batches.ts'
import { addBills, askedRun, runOf } from '../../support/batches/bills.ts'
import { newBatch, readBatch } from '../../support/batches/imports.ts'
import { cancel, change, detail, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })
const { id: payer } = await organization(boss, 'Payer')
beforeAll(() => fund(payer, '5000.00', 'EUR'))

let numbers = 0
const billOf = async (amount = '10.00', more: object = {}): Promise<string> =>
  (await typedBill(boss, payer, { amount, bill_number: `C-${(numbers += 1)}`, issue_date: null, ...more })).id
const ended = (id: string) =>
  until('a run that has ended', async () => {
    const batch = await readBatch(boss, id)
    return ['completed', 'partially_completed', 'failed', 'cancelled'].includes(batch.status) && batch
  })
const noFault = (answers: readonly Answer[]) => expect(answers.filter(({ status }) => status >= 500)).toEqual([])

test('a bill that is paid by itself and in runs at once is paid once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const bills = [await billOf(), await billOf(), await billOf()]
    const runs = [await newBatch(boss, payer), await newBatch(boss, payer)]
    const answers = await Promise.all([
      ...runs.flatMap((run) => [addBills(boss, run, bills), addBills(boss, run, bills.toReversed())]),
      ...bills.map((bill) => requestPayment(boss, bill)),
    ])
    noFault(answers)
    for (const bill of bills) {
      const [held] = await owner<{ rows: number; payments: number }[]>`
        select (select count(*)::int from payment_batch_rows where bill_id = ${bill}) as rows,
          (select count(*)::int from payments where bill_id = ${bill}) as payments`
      expect((held?.rows ?? 0) + (held?.payments ?? 0)).toBe(1)
    }
    for (const run of runs) await api('DELETE', `/payment-batches/${run}`, { token: boss.token })
  }
})

test('a credit note that two runs ask for at once is used by one', async () => {
  const [one, two, credit] = [
    await billOf('90.00'),
    await billOf('91.00'),
    await billOf('9.00', { not_payable: 'credit_note' }),
  ]
  const runs = [await newBatch(boss, payer), await newBatch(boss, payer)]
  const answers = await Promise.all([addBills(boss, runs[0]!, [one, credit]), addBills(boss, runs[1]!, [two, credit])])
  noFault(answers)
  expect(await owner`select from payment_batch_credits where bill_id = ${credit}`).toHaveLength(1)
})

test('a bill that changes while its run is submitted, approved or cancelled is paid as it was signed, or not at all', async () => {
  for (let round = 0; round < 6; round += 1) {
    const [one, two, three] = [await billOf('20.00'), await billOf('21.00'), await billOf('22.00')]
    const isDraft = round % 2 === 0
    const run = isDraft
      ? { id: (await runOf(boss, payer, [one, two, three])).id }
      : await askedRun(boss, payer, [one, two, three])
    const together = isDraft
      ? [submit(boss, run.id)]
      : [approve(boss, run as Parameters<typeof approve>[1]), ...(round === 5 ? [cancelBatch(boss, run.id)] : [])]
    noFault(await Promise.all([...together, change(boss, one, { amount: '19.00' }), cancel(boss, two)]))
    const batch = await readBatch(boss, run.id)
    if (batch.status === 'awaiting_approval') expect((await approve(boss, batch)).status).toBe(200)
    if (batch.status === 'draft') await api('DELETE', `/payment-batches/${run.id}`, { token: boss.token })
    else await ended(run.id)
    for (const [bill, signed] of [
      [one, '20.00'],
      [two, '21.00'],
      [three, '22.00'],
    ] as const) {
      const paid = await owner<{ amount: string }[]>`
        select landing_amount::text as amount from payments where bill_id = ${bill} and status = 'succeeded'`
      expect(paid.length).toBeLessThanOrEqual(1)
      if (paid[0]) expect(Number(paid[0].amount)).toBe(Number(signed))
      if (paid[0]) expect((await detail(boss, bill)).bill.status).toBe('payment_requested')
    }
  }
  expect(await violations(payer)).toEqual([])
})
