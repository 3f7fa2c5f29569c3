import { expect, test } from 'vitest'
import { api, approve, fund, organization, person } from '../../support/api.ts'
import { cancel as cancelBatch, submit, violations } from '../../support/batches/batches.ts'
import { addBills, askedRun, paidRun, runOf } from '../../support/batches/bills.ts'
import { newBatch, readBatch, rowsOf } from '../../support/batches/imports.ts'
import { OTHER_IBAN, cancel, change, detail, eventsOf, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { expectRefusal, refusal } from '../../support/http/refusals.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { approvalOf } from '../../support/approvals/approvals.ts'
import { attach, attachmentsOf } from '../../support/attachments/attachments.ts'
import { until } from '../../support/until.ts'
import { businessNow } from '../../support/payments/schedules.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })
const { id: payer } = await organization(boss, 'Payer')
await fund(payer, '5000.00', 'EUR')

let numbers = 0
const billOf = async (amount: string, more: object = {}): Promise<string> =>
  (await typedBill(boss, payer, { amount, bill_number: `R-${(numbers += 1)}`, ...more })).id
const bill = async (id: string) => (await detail(boss, id)).bill
const ended = (id: string) =>
  until('a run that has ended', async () => {
    const batch = await readBatch(boss, id)
    return ['completed', 'partially_completed', 'failed', 'cancelled'].includes(batch.status) && batch
  })

test('bills are paid in one run, each by a row with its payment, and the feed names them', async () => {
  const bills = [await billOf('10.00'), await billOf('11.00'), await billOf('12.00', { payment_reference: 'Ref 7' })]
  const run = await paidRun(boss, payer, bills)
  expect(await ended(run.id)).toMatchObject({ status: 'completed', rows_succeeded: 3 })
  const rows = await rowsOf(boss, run.id)
  expect(rows.map(({ bill_id: id, status }) => [id, status])).toEqual(bills.map((id) => [id, 'succeeded']))
  expect(rows.map(({ cells }) => cells.statement_description)).toEqual([
    expect.any(String),
    expect.any(String),
    'Ref 7',
  ])
  for (const [index, id] of bills.entries()) {
    expect(await bill(id)).toMatchObject({
      status: 'payment_requested',
      fiat_outgoing_id: rows[index].payment_id,
      payment_batch_id: run.id,
      approval_request_id: run.approval_request_id,
    })
    expect(await eventsOf(boss, id)).toContain('bill.payment_requested')
  }
  const feed = await api('GET', `/organizations/${payer}/transactions?limit=100`, { token: boss.token })
  const paid = feed.body.data.filter(({ type }: { type: string }) => type === 'payment')
  expect(paid.map((one: { bill_id: string }) => one.bill_id).toSorted()).toEqual(bills.toSorted())
  const results = await api('GET', `/payment-batches/${run.id}/results.csv`, { token: boss.token })
  expect(results.body).toContain(bills[2])
  expect(await violations(payer)).toEqual([])
})

test('a bill in a run is neither paid by itself nor in another run, and is free when its row is gone', async () => {
  const id = await billOf('20.00')
  const run = await runOf(boss, payer, [id])
  expect(run).toMatchObject({ added: [{ bill_id: id, index: 0, row_number: 1 }], refused: [] })
  expectRefusal(await requestPayment(boss, id), 'bill_payment_in_progress', { payment_batch_id: run.id })
  const other = await runOf(boss, payer, [id])
  expect(other.refused).toMatchObject([{ bill_id: id, index: 0, type: 'bill_payment_in_progress' }])
  const [row] = await rowsOf(boss, run.id)
  const of = `/payment-batches/${run.id}/rows/${row.id}`
  const changed = await api('PATCH', of, { token: boss.token, body: { amount: '1.00' } })
  expectRefusal(changed, 'unprocessable_entity', { reason: 'row_of_bill' })
  expect((await addBills(boss, run.id, [id])).body).toMatchObject({ added: [{ row_number: 1 }], refused: [] })
  await api('DELETE', of, { token: boss.token })
  expect((await addBills(boss, other.id, [id])).body.refused).toEqual([])
  await api('DELETE', `/payment-batches/${other.id}`, { token: boss.token })
  expect((await bill(id)).payment_batch_id).toBe(null)
  expect((await requestPayment(boss, id)).status).toBe(200)
})

test('a rejected or cancelled run gives its bills back', async () => {
  const [one, two] = [await billOf('21.00'), await billOf('22.00')]
  const asked = await askedRun(boss, payer, [one, two])
  const path = `/organizations/${payer}/approvals/${asked.approval_request_id}`
  await api('POST', `${path}/reject`, { token: boss.token, body: { reason: 'no' } })
  expect((await bill(one)).payment_batch_id).toBe(asked.id) // a draft again, with its rows
  expect((await submit(boss, asked.id)).status).toBe(200)
  expect((await cancelBatch(boss, asked.id)).status).toBe(200)
  expect(await bill(one)).toMatchObject({ status: 'extracted', payment_batch_id: null })
  expect((await paidRun(boss, payer, [one, two])).id).not.toBe(asked.id)
})

test('a bill that changes leaves its run, and the others are paid by the approval that was given', async () => {
  const [one, two, three] = [await billOf('23.00'), await billOf('24.00'), await billOf('25.00')]
  const draft = await runOf(boss, payer, [one, two])
  expect((await change(boss, one, { amount: '23.00' })).status).toBe(200) // nothing changes
  expect((await bill(one)).payment_batch_id).toBe(draft.id)
  expect((await change(boss, one, { amount: '23.50' })).status).toBe(200)
  expect(await rowsOf(boss, draft.id)).toMatchObject([{ bill_id: two }])
  await addBills(boss, draft.id, [one, three])
  const { body: asked } = await submit(boss, draft.id)
  expect((await change(boss, one, { not_payable: 'paid' })).status).toBe(200)
  expect((await cancel(boss, three)).status).toBe(200)
  expect(await readBatch(boss, draft.id)).toMatchObject({ totals: [{ amount: '24.00' }], rows_skipped: 2 })
  expect((await approve(boss, asked)).status).toBe(200)
  expect(await ended(draft.id)).toMatchObject({ status: 'partially_completed', rows_succeeded: 1 })
  expect((await bill(two)).status).toBe('payment_requested')
  expect(await violations(payer)).toEqual([])
})

test('a run whose last bill leaves is cancelled, and an approved one keeps its bills as they are', async () => {
  const one = await billOf('26.00')
  const run = await askedRun(boss, payer, [one])
  expect((await cancel(boss, one)).status).toBe(200)
  expect((await readBatch(boss, run.id)).status).toBe('cancelled')
  const soon = new Date(Date.parse(await businessNow()) + 40 * 86_400_000).toISOString().slice(0, 10)
  const later = await billOf('27.00', { due_date: soon })
  const dated = await runOf(boss, payer, [later], 'due_date')
  expect(dated.batch.execute_on).toBe(soon)
  const other = await billOf('28.00')
  expect((await addBills(boss, dated.id, [other], 'due_date')).body.refused).toMatchObject([
    { bill_id: other, type: 'invalid_schedule', details: { reason: 'another_day' } },
  ])
  expect((await addBills(boss, dated.id, [later], 'due_date')).body).toMatchObject({ added: [{ bill_id: later }] })
  expect((await addBills(boss, dated.id, [later], '2001-01-01')).body.refused).toMatchObject([
    { bill_id: later, type: 'invalid_schedule', details: { reason: 'another_day', execute_on: soon } },
  ])
  const { body: asked } = await submit(boss, dated.id)
  expect(asked.schedule).toMatchObject({ requested_on: soon })
  expect((await approve(boss, asked)).status).toBe(200)
  expect(refusal(await change(boss, later, { amount: '1.00' }))).toEqual([409, 'bill_payment_in_progress'])
})

test('a bill whose payment fails can be paid again, and the others of its run are paid', async () => {
  const { id } = await organization(boss, 'Short')
  await fund(id, '15.00', 'EUR')
  const made = async (amount: string, number: string) =>
    (await typedBill(boss, id, { amount, bill_number: number, iban: OTHER_IBAN })).id as string
  const [one, two] = [await made('10.00', 'S-1'), await made('11.00', 'S-2')]
  const run = await paidRun(boss, id, [one, two])
  expect((await ended(run.id)).status).toBe('partially_completed')
  expect(await bill(one)).toMatchObject({ status: 'payment_requested' })
  expect(await bill(two)).toMatchObject({ status: 'extracted', payment_batch_id: null, fiat_outgoing_id: null })
  expect((await runOf(boss, id, [two])).refused).toEqual([])
  expect(await violations(id)).toEqual([])
})

test('credit notes lower what is paid to their supplier, are used once, and never more than a bill', async () => {
  const [large, small] = [await billOf('100.00'), await billOf('30.00')]
  const credit = await billOf('40.00', { not_payable: 'credit_note' })
  const huge = await billOf('400.00', { not_payable: 'credit_note' })
  const foreign = { supplier_name: 'Another', supplier_tax_id: null, not_payable: 'credit_note' }
  const stranger = await billOf('5.00', foreign)
  const run = await runOf(boss, payer, [small, large, credit, huge, stranger])
  expect(run.added).toMatchObject([
    { bill_id: small, amount: { amount: '30.00' } },
    { bill_id: large, amount: { amount: '60.00' } },
    { bill_id: credit, amount: { amount: '40.00' }, row_number: 2 },
  ])
  const nothing = { type: 'unprocessable_entity', details: { reason: 'no_bill_to_credit' } }
  expect(run.refused).toMatchObject([
    { bill_id: huge, ...nothing },
    { bill_id: stranger, ...nothing },
  ])
  expect((await rowsOf(boss, run.id))[1]).toMatchObject({
    credits: [{ bill_id: credit, amount: { amount: '40.00', currency: 'EUR' } }],
  })
  const second = await billOf('90.00')
  expect((await runOf(boss, payer, [second, credit])).refused).toMatchObject([
    { bill_id: credit, type: 'bill_payment_in_progress' },
  ])
  expect((await submit(boss, run.id)).status).toBe(200)
  expect((await change(boss, credit, { amount: '39.00' })).status).toBe(200) // its bill leaves with it
  expect(await readBatch(boss, run.id)).toMatchObject({ totals: [{ amount: '30.00' }] })
  const again = await paidRun(boss, payer, [large, credit])
  expect((await ended(again.id)).totals).toEqual([{ amount: '61.00', currency: 'EUR' }])
  expect((await bill(credit)).payment_batch_id).toBe(again.id)
  expect(await violations(payer)).toEqual([])
})

test('a batch takes 500 bills, of its own organization, while it is a draft', async () => {
  const id = await newBatch(boss, payer)
  const many = Array.from({ length: 501 }, () => crypto.randomUUID())
  expect(refusal(await addBills(boss, id, many))).toEqual([400, 'invalid_request'])
  const unknown = await addBills(boss, id, many.slice(0, 2))
  expect(unknown.body.refused).toMatchObject([
    { bill_id: many[0], index: 0, type: 'not_found' },
    { bill_id: many[1], index: 1, type: 'not_found' },
  ])
  const run = await paidRun(boss, payer, [await billOf('29.00')])
  expect(refusal(await addBills(boss, run.id, many.slice(0, 2)))).toEqual([409, 'batch_not_draft'])
})

test('what can be paid is listed by its due date, with sums by currency, and credit notes apart', async () => {
  const { id } = await organization(boss, 'Listed')
  const made = async (amount: string, more: object) => (await typedBill(boss, id, { amount, ...more })).id as string
  const first = await made('10.00', { bill_number: 'L-1', due_date: '2026-01-10' })
  const second = await made('20.00', { bill_number: 'L-2', due_date: '2026-01-20', supplier_name: 'Zander' })
  const dollars = { currency: 'USD', iban: 'GB29NWBK60161331926819', bill_number: 'L-3', due_date: '2026-01-05' }
  const third = await made('30.00', dollars)
  await made('40.00', { bill_number: 'L-4', due_date: '2026-01-04', not_payable: 'paid' })
  const credit = await made('5.00', { bill_number: 'L-5', not_payable: 'credit_note' })
  const list = async (query: string) =>
    (await api('GET', `/organizations/${id}/bills?order=due&${query}`, { token: boss.token })).body
  const idsIn = (page: { data: { id: string }[] }) => page.data.map((one) => one.id)
  const all = await list('payable=true')
  expect(idsIn(all)).toEqual([third, first, second])
  expect(all.sums).toEqual([
    { amount: { amount: '30.00', currency: 'EUR' }, count: 2 },
    { amount: { amount: '30.00', currency: 'USD' }, count: 1 },
  ])
  const due = await list('payable=true&due_before=2026-01-20&limit=1')
  expect([idsIn(due), due.has_more, due.sums.map(({ count }: { count: number }) => count)]).toEqual([
    [third],
    true,
    [1, 1],
  ])
  expect(idsIn(await list('credits=true'))).toEqual([credit])
  const run = await runOf(boss, id, [first, credit])
  expect(run.refused).toEqual([])
  expect(idsIn(await list('payable=true'))).toEqual([third, second])
  expect(idsIn(await list('credits=true'))).toEqual([])
  expect((await list('')).sums).toEqual([])
})

test('a file that is added to a bill of a run that waits is part of what its approvers sign', async () => {
  const run = await askedRun(boss, payer, [await billOf('31.00'), await billOf('32.00')])
  const [row] = await rowsOf(boss, run.id)
  const file = await attach(boss, attachmentsOf(payer, `bills/${row.bill_id}`))
  expect((await approvalOf(run, boss)).attachments).toMatchObject([{ file_id: file }])
  expect((await approve(boss, run)).status).toBe(200)
  expect((await ended(run.id)).status).toBe('completed')
})
