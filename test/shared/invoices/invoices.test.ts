import { describe, expect, test } from 'vitest'
import { api, organization, person, withStepUp } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { fetched } from '../../support/exports/exports.ts'
import { sha256 } from '../../support/files/files.ts'
import { sentTo } from '../../support/identity/identity.ts'
import {
  LINES,
  createInvoice,
  draft,
  historyOf,
  idsIn,
  invoiceOf,
  listInvoices,
  pdfOf,
  readInvoice,
  step,
} from '../../support/invoices/invoices.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { randomUUID } from 'node:crypto'

useWorker()

const boss = await person({ authenticator: true })
const seller = await organization(boss)
const contact = await billingContact(boss, seller.id)

test('a draft answers every field of the contract, and totals that are computed from its lines', async () => {
  const { status, body } = await createInvoice(boss, seller.id, draft(contact.id, { comments: 'Thank you' }))
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(String),
    organization_id: seller.id,
    state: 'draft',
    next_valid_states: ['sent'],
    number: null,
    currency: 'EUR',
    accepted_amount: null,
    due_amount: '172.50',
    line_total: '150.00',
    discount_total: '0.00',
    charge_total: '0.00',
    discounts: [],
    charges: [],
    net_total: '150.00',
    tax_total: '22.50',
    total: '172.50',
    taxes: [
      { tax_percentage: '19', tax_category: 'S', tax_exemption_reason: null, base: '100.00', amount: '19.00' },
      { tax_percentage: '7', tax_category: 'S', tax_exemption_reason: null, base: '50.00', amount: '3.50' },
    ],
    allocated: '0.00',
    credited: '0.00',
    credit_notes: [],
    refund_due: '0.00',
    settled_by: null,
    reduced_totals: null,
    due_date: '2030-03-31',
    issue_date: '2030-03-01',
    delivery_date: null,
    period: null,
    payment_terms: null,
    is_overdue: false,
    approval_request_id: null,
    approval_requester: null,
    external_id: null,
    metadata: {},
    created_by: { id: boss.userId, avatar: null, first_name: 'Test', last_name: 'Person' },
    created_by_id: boss.userId,
    billing_contact: contact,
    comments: 'Thank you',
    internal_description: null,
    internal_reference_number: null,
    buyer_reference: null,
    order_number: null,
    profile: 'none',
    completed_at: null,
    sent_at: null,
    paid_at: null,
    line_items: LINES.map((line, index) => ({
      ...line,
      total: ['100.00', '50.00'][index],
      tax_category: 'S',
      tax_exemption_reason: null,
      unit: 'C62',
      discount: null,
      charge: null,
    })),
    public_url: null,
    warnings: [],
    attachments: [],
    inserted_at: expect.any(String),
    updated_at: expect.any(String),
  })
})

test('without a policy a draft is sent at once: it has a number, a PDF and a page, and its customer a mail with the PDF', async () => {
  const email = `customer-${seller.id}@example.com`
  const customer = await billingContact(boss, seller.id, { emails: [email] })
  const { id } = await invoiceOf(boss, seller.id, customer.id)
  const sent = await step(boss, id, 'submit')
  expect([sent.status, sent.body.state, sent.body.next_valid_states]).toEqual([200, 'sent', ['finalized', 'paid']])
  expect(sent.body.number).toMatch(/^INV-\d{6}$/)
  const pdf = await pdfOf(boss, id)
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  await until('the log says what became of the mail', async () =>
    (await historyOf(boss, id)).includes('invoice.mail_delivered'),
  )
  const [mail] = await sentTo(email)
  expect(mail).toMatchObject({ subject: expect.stringContaining(sent.body.number), url: sent.body.public_url })
  const shown = (await api('GET', `/sandbox/messages?to=${email}`)).body.data[0].attachments
  expect(shown).toMatchObject([{ filename: `${sent.body.number}.pdf`, content_type: 'application/pdf' }])
  const { bytes } = await fetched(shown[0].download_url)
  expect([bytes.length, sha256(bytes)]).toEqual([shown[0].byte_size, shown[0].sha256])
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(await historyOf(boss, id)).toEqual([
    'invoice.created',
    'invoice.sent',
    'invoice.written',
    'invoice.mailed',
    'invoice.mail_delivered',
  ])
})

test('a draft keeps all that may be given, and PATCH leaves what is absent and empties what is null', async () => {
  const { id } = await organization(boss, 'Seller')
  const contact = await billingContact(boss, id)
  const whole = {
    comments: 'Thank you\nvery much',
    internal_description: 'For the annual report',
    internal_reference_number: 'PO 77',
    buyer_reference: 'B-1',
    delivery_date: '2030-02-28',
    profile: 'en16931',
  }
  const CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O']
  const line_items = CATEGORIES.map((tax_category) => ({
    description: `Of category ${tax_category}`,
    quantity: '1.5',
    price: '0.333333',
    tax_percentage: tax_category === 'S' ? '5.5' : '0',
    tax_category,
    tax_exemption_reason: tax_category === 'E' ? 'Exempt' : null,
  }))
  const made = await createInvoice(boss, id, draft(contact.id, { ...whole, line_items }))
  expect([made.status, made.body]).toMatchObject([201, whole])
  expect(made.body.line_items).toEqual(
    line_items.map((line) => ({ ...line, unit: 'C62', discount: null, charge: null, total: '0.50' })),
  )
  expect(made.body.taxes.map((tax: { tax_category: string }) => tax.tax_category)).toEqual(CATEGORIES)
  expect(made.body).toMatchObject({ net_total: '3.50', tax_total: '0.03', total: '3.53' })
  const change = (body: object) => api('PATCH', `/invoices/${made.body.id}`, { token: boss.token, body })
  const same = await change({})
  expect({ ...same.body, updated_at: null }).toEqual({ ...made.body, updated_at: null })
  const emptied = Object.fromEntries(Object.keys(whole).map((name) => [name, null]))
  const { profile: _profile, ...texts } = emptied
  expect((await change({ ...texts, profile: 'none' })).body).toMatchObject({ ...texts, profile: 'none' })
  const yen = await change({ currency: 'JPY', line_items: LINES, due_date: '2030-03-01' })
  expect(yen.body).toMatchObject({ currency: 'JPY', net_total: '150', tax_total: '23', total: '173' })
  expect((await change({ due_date: '2030-02-28' })).body.error.details.errors[0].path).toBe('due_date')
  expect((await change({ issue_date: '2030-03-02' })).body.error.details.errors[0].path).toBe('due_date')
  const computed = await change({ total: '1', net_total: '1', number: 'X', state: 'paid', allocated: '1' })
  const { total, net_total, number, state, allocated } = yen.body
  expect(computed.body).toMatchObject({ total, net_total, number, state, allocated })
})

test('a draft is refused if its figures are too large or below zero, or its contact is not there', async () => {
  const { id } = await organization(boss, 'Seller')
  const [contact, deleted] = [await billingContact(boss, id), await billingContact(boss, id)]
  const foreign = await billingContact(boss, (await organization(boss, 'Other')).id)
  await api('DELETE', `/billing-contacts/${deleted.id}`, { token: boss.token })
  const line = (quantity: string, price: string) => ({ description: 'Work', quantity, price, tax_percentage: '19' })
  const lines = (...line_items: object[]) => ({ line_items })
  const most = line('1000', '999999999999.99')
  for (const [more, type] of [
    [lines(line('999999999.999999', '999999999999.999999')), 'amount_too_large'],
    [lines(line('0.000001', '1234567890123456')), 'amount_too_large'],
    [lines(most, most), 'amount_too_large'],
    [lines(line('-1', '0.01')), 'invoice_total_negative'],
    [lines(line('1', '5'), line('-1', '5.01')), 'invoice_total_negative'],
    [{ billing_contact_id: randomUUID() }, 'not_found'],
    [{ billing_contact_id: foreign.id }, 'not_found'],
    [{ billing_contact_id: deleted.id }, 'invalid_state'],
    [{ due_date: '2030-02-28' }, 'invalid_request'],
  ] as const) {
    const { body } = await createInvoice(boss, id, draft(contact.id, more))
    expect(body.error?.type, JSON.stringify(more)).toBe(type)
  }
  await invoiceOf(boss, id, contact.id, lines(line('1', '1234567890123')))
  expect(idsIn(await listInvoices(boss, id))).toHaveLength(1)
  const far = await invoiceOf(boss, id, contact.id, { due_date: '9999-12-31', issue_date: '0001-01-01' })
  expect((await step(boss, far.id, 'submit')).body).toMatchObject({ state: 'sent', due_date: '9999-12-31' })
})

test('a rename beside changes of drafts is no fault; a deleted draft is found no more', async () => {
  const { id } = await organization(boss, 'Seller')
  const contact = await billingContact(boss, id)
  const edited = await Promise.all(Array.from({ length: 3 }, () => invoiceOf(boss, id, contact.id)))
  const remove = (invoice: { id: string }) => api('DELETE', `/invoices/${invoice.id}`, { token: boss.token })
  const rename = (name: string) =>
    api('PATCH', `/billing-contacts/${contact.id}`, { token: boss.token, body: { company_name: name } })
  const change = (invoice: { id: string }, comments: string) =>
    api('PATCH', `/invoices/${invoice.id}`, { token: boss.token, body: { comments } })
  for (let round = 0; round < 2; round += 1) {
    const answers = await Promise.all([
      rename(`Name ${round}`),
      ...edited.map((invoice) => change(invoice, `Round ${round}`)),
      rename(`Other ${round}`),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
  const [last] = edited
  expect((await remove(last)).body).toEqual({ deleted: true, id: last.id })
  for (const answer of [await change(last, 'Later'), await remove(last), await step(boss, last.id, 'submit')])
    expect(answer.status).toBe(404)
})

describe('fields', async () => {
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
})
