/** Credit notes beside the money that pays an invoice, one after the other and at once. */
import { describe, expect, test } from 'vitest'
import { api, person } from '../../support/api.ts'
import { creditNoteOf, creditStep, sentCreditNote } from '../../support/credit-notes/credit-notes.ts'
import { owner } from '../../support/database.ts'
import { expectRefusal, refusal } from '../../support/http/refusals.ts'
import {
  allocate,
  matched,
  received,
  seller,
  sentInvoice,
  takeBack,
  violationsOf,
} from '../../support/invoices/allocations.ts'
import { readInvoice, step } from '../../support/invoices/invoices.ts'
import { fullScale } from '../../support/model-runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const boss = await person({ authenticator: true })
const ROUNDS = fullScale ? 20 : 2

test('what is left after a credit note is what money pays, of itself if it names the invoice', async () => {
  const at = await seller(boss)
  const invoice = await sentInvoice(at, '100')
  await sentCreditNote(boss, invoice.id, '20')
  const money = await received(at, '200.00')
  expectRefusal(await allocate(boss, invoice.id, money, '80.01'), 'allocation_exceeds', { available: '80.00' })
  expect(await matched(await received(at, '80.00', `pays ${invoice.number}`))).toBe('allocated')
  const paid = { state: 'paid', settled_by: null, allocated: '80.00', credited: '20.00', due_amount: '0.00' }
  expect(await readInvoice(boss, invoice.id)).toMatchObject({ ...paid, refund_due: '0.00' })
  expect(await violationsOf(boss, at.id)).toEqual([])
})

test('a credit note for what the customer did not accept takes nothing twice: what is due, outstanding and found by its amount', async () => {
  const at = await seller(boss)
  const { id } = await sentInvoice(at, '100')
  await sentCreditNote(boss, id, '20')
  const { body: accepted } = await step(boss, id, 'finalize', { accepted_amount: '80' })
  expect(accepted).toMatchObject({ state: 'finalized', due_amount: '80.00', refund_due: '0.00' })
  await sentCreditNote(boss, id, '10')
  expect(await readInvoice(boss, id)).toMatchObject({ due_amount: '70.00', credited: '30.00' })
  const { body } = await api('GET', `/organizations/${at.id}/invoices/summary`, { token: boss.token })
  expect(body.by_currency[0]).toMatchObject({ outstanding: '70.00', credited: '30.00' })
  const money = await received(at, '70.00')
  expect(await matched(money)).toBe('proposed')
  expect((await allocate(boss, id, money, '70.00')).status).toBe(201)
  const paid = { state: 'paid', settled_by: null, allocated: '70.00', due_amount: '0.00', refund_due: '0.00' }
  expect(await readInvoice(boss, id)).toMatchObject(paid)
  expect(await violationsOf(boss, at.id)).toEqual([])
})

test('the sandbox pays what is left, and a mark as paid elsewhere is of that', async () => {
  const at = await seller(boss)
  const [one, other] = [await sentInvoice(at, '100'), await sentInvoice(at, '100')]
  for (const { id } of [one, other]) await sentCreditNote(boss, id, '30')
  const paid = await api('POST', `/sandbox/invoices/${one.id}/pay`, { body: {} })
  expect(paid.body.amount).toEqual({ amount: '70.00', currency: 'EUR' })
  await step(boss, other.id, 'mark-paid')
  await sentCreditNote(boss, other.id, '70')
  expect(await readInvoice(boss, other.id)).toMatchObject({ state: 'paid', settled_by: null, refund_due: '70.00' })
  const { body } = await api('GET', `/organizations/${at.id}/invoices/summary`, { token: boss.token })
  expect(body.by_currency[0].credited).toBe('130.00')
  expect(await violationsOf(boss, at.id)).toEqual([])
})

test('an allocation that is taken back opens an invoice again by what no credit note covers', async () => {
  const at = await seller(boss)
  const [part, whole] = [await sentInvoice(at, '100'), await sentInvoice(at, '100')]
  const first = await allocate(boss, part.id, await received(at, '40.00'), '40')
  await sentCreditNote(boss, part.id, '60')
  expect(await readInvoice(boss, part.id)).toMatchObject({ state: 'paid', settled_by: 'credit', refund_due: '0.00' })
  await takeBack(boss, part.id, first.body.id)
  expect(await readInvoice(boss, part.id)).toMatchObject({ state: 'sent', settled_by: null, due_amount: '40.00' })
  const second = await allocate(boss, whole.id, await received(at, '100.00'), '100')
  await sentCreditNote(boss, whole.id, 'full')
  expect(await readInvoice(boss, whole.id)).toMatchObject({ state: 'paid', settled_by: null, refund_due: '100.00' })
  await takeBack(boss, whole.id, second.body.id)
  expect(await readInvoice(boss, whole.id)).toMatchObject({ state: 'paid', settled_by: 'credit', refund_due: '0.00' })
  expect(await violationsOf(boss, at.id)).toEqual([])
})

describe('at once', () => {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round)

  test.each(rounds)('credit notes of one invoice never exceed it, and their numbers have no gap (%d)', async () => {
    const at = await seller(boss)
    const { id } = await sentInvoice(at, '100')
    const drafts = await Promise.all(Array.from({ length: 6 }, () => creditNoteOf(boss, id, '30')))
    const answers = await Promise.all(drafts.map((draft) => creditStep(boss, draft.id, 'submit')))
    const sent = answers.filter(({ status }) => status === 200)
    expect(sent.map(({ body }) => body.number).toSorted()).toEqual(['CN-000001', 'CN-000002', 'CN-000003'])
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(refusal(answer)).toEqual([422, 'credit_exceeds'])
    expect(await readInvoice(boss, id)).toMatchObject({ credited: '90.00', due_amount: '10.00' })
    expect(await violationsOf(boss, at.id)).toEqual([])
  })

  test.each(rounds)(
    'a credit note and money that is allocated: both count, or the invoice is closed (%d)',
    async () => {
      const at = await seller(boss)
      const { id } = await sentInvoice(at, '100')
      const [draft, money] = [await creditNoteOf(boss, id, 'full'), await received(at, '100.00')]
      const [credit, paid] = await Promise.all([creditStep(boss, draft.id, 'submit'), allocate(boss, id, money, '100')])
      expect(credit.status).toBe(200)
      expect([201, 409]).toContain(paid.status)
      const refund = paid.status === 201 ? '100.00' : '0.00'
      const closed = { state: 'paid', settled_by: paid.status === 201 ? null : 'credit' }
      expect(await readInvoice(boss, id)).toMatchObject({ ...closed, due_amount: '0.00', refund_due: refund })
      expect(await violationsOf(boss, at.id)).toEqual([])
    },
  )

  test.each(rounds)('a credit note, money that names the invoice, and a mark as paid (%d)', async () => {
    const at = await seller(boss)
    const { id, number } = await sentInvoice(at, '100')
    const draft = await creditNoteOf(boss, id, '40')
    const [credit, money] = await Promise.all([
      creditStep(boss, draft.id, 'submit'),
      received(at, '100.00', number),
      step(boss, id, 'mark-paid'),
    ])
    expect(credit.status).toBe(200)
    await matched(money)
    const invoice = await readInvoice(boss, id)
    expect(invoice).toMatchObject({ state: 'paid', settled_by: null, credited: '40.00', due_amount: '0.00' })
    expect(['0.00', '40.00']).toContain(invoice.refund_due) // that of all, or of what was left
    expect(await violationsOf(boss, at.id)).toEqual([])
  })
})

test.each([
  ['allocated_differs', 'update invoices set allocated = 1'],
  ['transaction_over_allocated', 'update invoice_allocations set amount = 6'],
  ['paid_without_allocation', 'update invoices set allocated = 4'],
  ['credited_differs', 'update credit_notes set total = total + 1'],
  ['invoice_number_missing', 'update invoice_numbers set last = 2'],
  ['invoice_number_not_given', 'update invoices set sequence = 7'],
  ['credit_note_number_missing', 'update credit_note_numbers set last = 2'],
  ['credit_note_number_not_given', 'update credit_notes set sequence = 7'],
])('the audit finds what nobody could do here: %s', async (check, fault) => {
  const at = await seller(boss)
  const { id } = await sentInvoice(at, '10')
  await sentCreditNote(boss, id, '5')
  await allocate(boss, id, await received(at, '5.00'), '5')
  expect(await violationsOf(boss, at.id)).toEqual([])
  await owner.unsafe(`${fault} where organization_id = '${at.id}'`)
  expect((await violationsOf(boss, at.id)).map((one: { check: string }) => one.check)).toContain(check)
})
