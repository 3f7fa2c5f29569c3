/** Fields of an invoice beside its lines: discounts, charges, terms of payment, order, period, warnings. */
import { expect, test } from 'vitest'
import { api, organization, person, withStepUp } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { createInvoice, draft, invoiceOf, readInvoice, step } from '../../support/invoices/invoices.ts'

const boss = await person({ authenticator: true })
const { id } = await organization(boss, 'Seller')
const contact = await billingContact(boss, id)
const create = (more: object) => createInvoice(boss, id, draft(contact.id, more))
const NONE = { reason: null, percentage: null, amount: null }
const at = (tax_percentage: string, base: string, amount: string) => ({
  tax_percentage,
  tax_category: tax_percentage === '0' ? 'Z' : 'S',
  tax_exemption_reason: null,
  base,
  amount,
})

const line = { description: 'Work', quantity: '2', price: '50', tax_percentage: '19' }
const book = { description: 'Book', quantity: '1', price: '50', tax_percentage: '7' }

test('discounts and charges are in the sums as EN 16931 has them, also after a draft has changed', async () => {
  const { status, body } = await create({
    line_items: [
      { ...line, unit: 'HUR', discount: { percentage: '10', reason: 'Regular customer' } },
      { ...book, charge: { amount: '10' } },
    ],
    discounts: [{ amount: '15', reason: 'Anniversary' }, { percentage: '2' }],
    charges: [{ amount: '4.90', reason: 'Shipping', tax_percentage: '19' }],
  })
  expect(status).toBe(201)
  expect(body.line_items).toMatchObject([
    { unit: 'HUR', total: '90.00', discount: { percentage: '10', amount: null, base: '100.00', total: '10.00' } },
    { total: '60.00', charge: { ...NONE, amount: '10', base: '50.00', total: '10.00' } },
  ])
  expect(body.line_items[1]).toMatchObject({ unit: 'C62', discount: null })
  expect(body).toMatchObject({ line_total: '150.00', discount_total: '18.00', charge_total: '4.90' })
  expect(body).toMatchObject({ net_total: '136.90', tax_total: '19.68', total: '156.58' })
  expect(body.discounts).toEqual([
    {
      ...NONE,
      reason: 'Anniversary',
      amount: '15',
      total: '15.00',
      taxes: [at('19', '90.00', '9.00'), at('7', '60.00', '6.00')],
    },
    { ...NONE, percentage: '2', total: '3.00', taxes: [at('19', '90.00', '1.80'), at('7', '60.00', '1.20')] },
  ])
  expect(body.charges).toMatchObject([{ reason: 'Shipping', total: '4.90', taxes: [at('19', '150.00', '4.90')] }])
  expect(body.taxes).toEqual(
    [at('19', '84.10', '15.98'), at('7', '52.80', '3.70')].map((one) => expect.objectContaining(one)),
  )
  const change = (more: object) => api('PATCH', `/invoices/${body.id}`, { token: boss.token, body: more })
  const same = await change({})
  expect({ ...same.body, updated_at: null }).toEqual({ ...body, updated_at: null })
  const one = await change({ line_items: [line] })
  expect(one.body).toMatchObject({ line_total: '100.00', discount_total: '17.00', net_total: '87.90' })
  const none = await change({ discounts: null, charges: [] })
  expect(none.body).toMatchObject({ discounts: [], charges: [], net_total: '100.00', total: '119.00' })
})

test('terms of payment, order number and period are kept, emptied by null, and refused if they contradict', async () => {
  const given = {
    payment_terms: { early_payment_discounts: [14, 7].map((days) => ({ days, percentage: String(21 / days) })) },
    order_number: 'PO-7',
    period: { from: '2030-02-01', to: '2030-02-28' },
  }
  const { body } = await create({ ...given, line_items: [{ ...line, tax_percentage: '0' }] })
  expect(body).toMatchObject({ order_number: 'PO-7', period: given.period })
  expect(body.payment_terms).toEqual({
    early_payment_discounts: [
      { percentage: '3', days: 7, until: '2030-03-08', amount: '97.00' },
      { percentage: '1.5', days: 14, until: '2030-03-15', amount: '98.50' },
    ],
  })
  const change = (more: object) => api('PATCH', `/invoices/${body.id}`, { token: boss.token, body: more })
  expect((await change({ comments: 'x' })).body).toMatchObject({
    payment_terms: body.payment_terms,
    period: given.period,
  })
  expect((await change({ due_date: '2030-03-10' })).body.error.details.errors).toMatchObject([
    { path: 'payment_terms.early_payment_discounts', code: 'discount_after_due' },
  ])
  const emptied = { payment_terms: null, order_number: null, period: null }
  expect((await change(emptied)).body).toMatchObject(emptied)
})

test('an amount has no more decimals than its currency, and no discount leads below zero', async () => {
  for (const [more, type] of [
    [{ discounts: [{ amount: '1.001' }] }, 'amount_precision'],
    [{ currency: 'JPY', line_items: [{ ...line, charge: { amount: '1.5' } }] }, 'amount_precision'],
    [{ discounts: [{ amount: '172.51' }] }, 'invoice_total_negative'],
    [{ charges: [{ amount: '9999999999999999' }] }, 'amount_too_large'],
  ] as const)
    expect((await create(more)).body.error.type).toBe(type)
})

test('discounts and charges with very many parts by tax are refused, as each is one by every tax', async () => {
  const rates = Array.from({ length: 251 }, (_, index) => ({ ...line, tax_percentage: (1 + index / 100).toFixed(2) }))
  const half = { percentage: '50' }
  const refused = await create({ line_items: rates, charges: [half, half] })
  expect(refused.body.error.details.errors).toMatchObject([{ path: 'charges', code: 'too_many_parts' }])
  expect((await create({ line_items: rates, discounts: [half] })).status).toBe(201)
  const reason = (index: number) => String(index).padEnd(255, 'x')
  const exempt = { tax_percentage: '0', tax_category: 'E' }
  const explained = Array.from({ length: 40 }, (_, index) => ({
    ...line,
    ...exempt,
    tax_exemption_reason: reason(index),
  }))
  const many = await create({ line_items: explained, discounts: Array(10).fill({ percentage: '1' }) })
  expect(many.body.error.details.errors).toMatchObject([{ path: 'discounts', code: 'too_many_parts' }])
})

test('no discount lasts longer than dates do', async () => {
  const payment_terms = { early_payment_discounts: [{ days: 14, percentage: '2' }] }
  const { body } = await create({ issue_date: '9999-12-25', due_date: '9999-12-31', payment_terms })
  expect(body.error.details.errors).toMatchObject([{ code: 'discount_after_due' }])
})

test('an invoice without a way to pay warns, as a draft and once it is sent', async () => {
  const made = await api('POST', '/organizations', { token: boss.token, body: { name: 'Without a service ID' } })
  const own = await billingContact(boss, made.body.id)
  const crowns = await invoiceOf(boss, made.body.id, own.id, { currency: 'ISK' })
  const warnings = ['receiving_account']
  expect(crowns.warnings).toEqual(warnings)
  expect((await step(boss, crowns.id, 'submit')).body).toMatchObject({ state: 'sent', warnings })
  const body = { svc_id: `w-${made.body.id.slice(-8)}` }
  expect(
    (await withStepUp('POST', `/organizations/${made.body.id}/claim-handle`, { token: boss.token, body })).status,
  ).toBe(200)
  expect((await readInvoice(boss, crowns.id)).warnings).toEqual(warnings)
  expect((await invoiceOf(boss, id, contact.id, { currency: 'ISK' })).warnings).toEqual([])
})

test('signs that no page can show are refused at submit, by the fields that have them beside those that are missing', async () => {
  const invoice = await invoiceOf(boss, id, contact.id, {
    profile: 'en16931',
    comments: '株式会社',
    line_items: [line, { ...line, description: '本 \u05d0' }],
  })
  const { status, body } = await step(boss, invoice.id, 'submit')
  expect([status, body.error.type]).toEqual([422, 'invoice_incomplete'])
  const undrawable = ['comments', 'line_items[1].description']
  const missing = ['seller.postal_address', 'seller.vat_id']
  expect(new Set(body.error.details.fields)).toEqual(new Set([...missing, ...undrawable]))
  expect(body.error.details.undrawable).toEqual(undrawable)
})
