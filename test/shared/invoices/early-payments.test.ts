/** Early payments: an offered amount that comes in time settles an invoice, with net sum and tax. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { InvoiceId, OrganizationId } from '../../../domain/ids.ts'
import { earlyOffers } from '../../../domain/invoices/early-payment.ts'
import { fromMinor } from '../../../domain/money/money.ts'
import { readerOf } from '../../../db/postgres/sql.ts'
import { viewInvoice } from '../../../services/invoices/view.ts'
import { api, person } from '../../support/api.ts'
import { sentCreditNote } from '../../support/credit-notes/credit-notes.ts'
import { owner } from '../../support/database.ts'
import {
  type Seller,
  allocate,
  allocationsOf,
  matched,
  received,
  seller,
  sentInvoice,
  takeBack,
  violationsOf,
} from '../../support/invoices/allocations.ts'
import { dayIn, readInvoice, step } from '../../support/invoices/invoices.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const boss = await person({ authenticator: true })
const today = await dayIn(0)

/** An invoice of 119.00 with 2 % less within 14 days: 116.62. */
const offered = (at: Seller, more: object = {}) =>
  sentInvoice(at, '119', {
    issue_date: today,
    line_items: [{ description: 'Work', quantity: '1', price: '100', tax_percentage: '19' }],
    payment_terms: { early_payment_discounts: [{ percentage: '2', days: 14 }] },
    ...more,
  })
/** The same, whose discount has ended. */
const late = (at: Seller) => offered(at, { issue_date: '2025-01-01' })

const TOTALS = {
  net_total: '98.00',
  tax_total: '18.62',
  total: '116.62',
  taxes: [expect.objectContaining({ tax_percentage: '19', base: '98.00', amount: '18.62' })],
}
const SETTLED = {
  state: 'paid',
  settled_by: 'early_payment',
  due_amount: '0.00',
  refund_due: '0.00',
  reduced_totals: TOTALS,
}
const OPEN = { state: 'sent', settled_by: null, reduced_totals: null }
/** Polls what the run of an invoice says; at first it writes the document. */
const says = ({ id }: Seller, invoiceId: string) =>
  expect.poll(async () => (await viewInvoice(readerOf(id as OrganizationId), invoiceId as InvoiceId))?.says)

test('the offered amount in time pays an invoice by itself, and its net sum and tax are less', async () => {
  const at = await seller(boss)
  const [invoice, other] = [await offered(at), await offered(at)]
  expect(invoice).toMatchObject({ due_amount: '119.00', reduced_totals: null })
  expect(await matched(await received(at, '116.62', `Rechnung ${invoice.number} abzgl. 2 % Skonto`))).toBe('allocated')
  const paid = await readInvoice(boss, invoice.id)
  expect(paid).toMatchObject({ ...SETTLED, total: '119.00', net_total: '100.00', allocated: '116.62' })
  const events = await api('GET', `/invoices/${invoice.id}/events?limit=100`, { token: boss.token })
  const said = events.body.data.find((event: { event_type: string }) => event.event_type === 'invoice.paid')
  expect(said.payload).toMatchObject({ elsewhere: false, settled_by: 'early_payment' })
  expect(await readInvoice(boss, other.id)).toMatchObject(OPEN)
  // without the number people are asked, with an amount that nobody offered too
  expect(await matched(await received(at, '116.62', 'danke', { name: 'Lindenhof GmbH' }))).toBe('proposed')
  expect(await matched(await received(at, '116.61', other.number))).toBe('proposed')
  expect(await violationsOf(boss, at.id)).toEqual([])
})

test('too late people are asked; a rest that is exactly the discount is not reminded of, and may be accepted', async () => {
  const at = await seller(boss)
  const [invoice, other] = [await late(at), await late(at)]
  const money = await received(at, '116.62', invoice.number)
  expect(await matched(money)).toBe('proposed')
  await says(at, invoice.id).toContain('the customer is reminded')
  await allocate(boss, invoice.id, money, '116.62')
  expect(await readInvoice(boss, invoice.id)).toMatchObject({ ...OPEN, due_amount: '2.38' })
  await says(at, invoice.id).toContain('no reminder is left')
  await allocate(boss, other.id, await received(at, '116.61', 'x'), '116.61')
  await says(at, other.id).toContain('the customer is reminded')
  const { body } = await step(boss, invoice.id, 'finalize', { accepted_amount: '116.62' })
  expect(body).toMatchObject({ ...SETTLED, accepted_amount: '116.62' })
  expect(await violationsOf(boss, at.id)).toEqual([])
})

test('an accepted discount settles by the money that comes later, or elsewhere; another accepted amount has its tax, too', async () => {
  const at = await seller(boss)
  const [one, other, part] = [await late(at), await late(at), await late(at)]
  for (const { id } of [one, other]) await step(boss, id, 'finalize', { accepted_amount: '116.62' })
  expect(await readInvoice(boss, one.id)).toMatchObject({
    state: 'finalized',
    due_amount: '116.62',
    reduced_totals: TOTALS,
  })
  expect(await matched(await received(at, '116.62', one.number))).toBe('allocated')
  await step(boss, other.id, 'mark-paid')
  for (const { id } of [one, other]) expect(await readInvoice(boss, id)).toMatchObject(SETTLED)
  const [{ id: allocation }] = await allocationsOf(boss, one.id)
  await takeBack(boss, one.id, allocation)
  expect(await readInvoice(boss, one.id)).toMatchObject({ state: 'finalized', due_amount: '116.62', settled_by: null })
  await allocate(boss, one.id, await received(at, '116.62', 'x'), '116.62')
  expect(await readInvoice(boss, one.id)).toMatchObject(SETTLED)
  const { body } = await step(boss, part.id, 'finalize', { accepted_amount: '59.50' })
  expect(body).toMatchObject({ settled_by: null, reduced_totals: { net_total: '50.00', tax_total: '9.50' } })
  expect(await violationsOf(boss, at.id)).toEqual([])
})

test('two early payments at once: one pays, and the other is asked about', async () => {
  const at = await seller(boss)
  const invoice = await offered(at)
  const money = await Promise.all([1, 2].map(() => received(at, '116.62', invoice.number)))
  const became = await Promise.all(money.map(matched))
  expect(became.filter((status) => status === 'allocated')).toHaveLength(1)
  expect(await readInvoice(boss, invoice.id)).toMatchObject({ ...SETTLED, allocated: '116.62' })
  expect(await violationsOf(boss, at.id)).toEqual([])
})

test('what was allocated before counts, if all of it came in time', async () => {
  const at = await seller(boss)
  const [invoice, other] = [await offered(at), await offered(at)]
  for (const { id } of [invoice, other]) await allocate(boss, id, await received(at, '50.00', 'x'), '50')
  expect(await matched(await received(at, '66.62', invoice.number))).toBe('allocated')
  expect(await readInvoice(boss, invoice.id)).toMatchObject({ ...SETTLED, allocated: '116.62' })
  const [{ transaction_id: former }] = await allocationsOf(boss, other.id)
  await owner`update transactions set posted_at = posted_at + interval '20 days' where id = ${former}`
  expect(await matched(await received(at, '66.62', other.number))).toBe('proposed')
})

test('Postgres computes what is offered as the service does, in currencies of 0, 2 and 3 decimals', async () => {
  const rate = fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1, max: 99 }))
  const minors = (max: bigint) => fc.bigInt({ min: 0n, max })
  const figures = fc.tuple(minors(10n ** 15n), minors(10n ** 4n), minors(200n))
  const given = fc.sample(fc.tuple(fc.constantFrom('JPY', 'EUR', 'KWD'), rate, figures, fc.boolean()), 500)
  const cases = given.map(([currency, [whole, part], [more, credit, allocated], isAccepted]) => {
    const text = (minor: bigint) => fromMinor(minor, currency).amount
    const total = text(more + credit)
    const owed = {
      currency,
      total,
      credited: text(credit),
      allocated: text(allocated),
      accepted_amount: isAccepted ? total : null,
    }
    const percentage = `${whole}.${String(part).padStart(2, '0')}`
    return { ...owed, issue_date: today, payment_terms: { early_payment_discounts: [{ percentage, days: 14 }] } }
  })
  const computed = await owner<{ payables: string[] }[]>`
    select early_payables(c.total::numeric, c.accepted_amount::numeric, c.credited::numeric, c.allocated::numeric,
      c.payment_terms)::text[] as payables
    from jsonb_array_elements(${owner.json(cases)}) with ordinality one (value, at), jsonb_to_record(one.value) c (total text,
      accepted_amount text, credited text, allocated text, payment_terms jsonb) order by one.at`
  const offers = cases.map((one) => earlyOffers(one).map(({ payable }) => payable))
  expect(computed.map(({ payables }) => payables)).toEqual(offers)
  expect(offers.filter(({ length }) => length > 0).length).toBeGreaterThan(400)
})

describe('credit notes', () => {
  test('before the payment lessen what is offered, and settle what was paid in time', async () => {
    const at = await seller(boss)
    const [invoice, other] = [await offered(at), await offered(at)]
    await sentCreditNote(boss, invoice.id, '19')
    expect(await matched(await received(at, '98.00', invoice.number))).toBe('allocated')
    await allocate(boss, other.id, await received(at, '98.00', 'x'), '98')
    await sentCreditNote(boss, other.id, '19')
    for (const { id } of [invoice, other])
      expect(await readInvoice(boss, id)).toMatchObject({
        ...SETTLED,
        reduced_totals: { total: '117.00' },
        credited: '19.00',
      })
    expect(await violationsOf(boss, at.id)).toEqual([])
  })

  test('after it give back what was paid of them, and no discount', async () => {
    const at = await seller(boss)
    const [part, whole] = [await offered(at), await offered(at)]
    for (const { number } of [part, whole])
      expect(await matched(await received(at, '116.62', number))).toBe('allocated')
    await sentCreditNote(boss, part.id, '19')
    await sentCreditNote(boss, whole.id, 'full')
    expect((await readInvoice(boss, part.id)).refund_due).toBe('18.62')
    expect((await readInvoice(boss, whole.id)).refund_due).toBe('116.62')
    expect(await violationsOf(boss, at.id)).toEqual([])
  })
})

test('what is taken back opens it for the whole; a person, a mark and money that follows a mark settle it likewise', async () => {
  const at = await seller(boss)
  const invoice = await offered(at)
  await received(at, '116.62', invoice.number).then(matched)
  const [{ id: allocation, transaction_id: money }] = await allocationsOf(boss, invoice.id)
  await takeBack(boss, invoice.id, allocation)
  expect(await readInvoice(boss, invoice.id)).toMatchObject({ ...OPEN, due_amount: '119.00' })
  await step(boss, invoice.id, 'mark-paid', { transaction_id: money })
  const marked = await offered(at)
  await step(boss, marked.id, 'mark-paid')
  expect(await matched(await received(at, '116.62', marked.number))).toBe('allocated')
  for (const { id } of [invoice, marked])
    expect(await readInvoice(boss, id)).toMatchObject({ ...SETTLED, allocated: '116.62' })
  expect(await violationsOf(boss, at.id)).toEqual([])
})
