import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { api, organization, person } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import {
  LINES,
  createInvoice,
  draft,
  idsIn,
  invoiceOf,
  listInvoices,
  readInvoice,
  step,
} from '../../support/invoices/invoices.ts'

const boss = await person({ authenticator: true })
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

test('one of two submits counts, one of submit and delete, and a rename beside changes of drafts is no fault; a deleted one is found no more', async () => {
  const { id } = await organization(boss, 'Seller')
  const contact = await billingContact(boss, id)
  const drafts = await Promise.all(Array.from({ length: 6 }, () => invoiceOf(boss, id, contact.id)))
  const [twice, gone, accepted, ...edited] = drafts
  const remove = (invoice: { id: string }) => api('DELETE', `/invoices/${invoice.id}`, { token: boss.token })
  const submits = await Promise.all([step(boss, twice.id, 'submit'), step(boss, twice.id, 'submit')])
  expect(submits.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const [sent, removed] = await Promise.all([step(boss, gone.id, 'submit'), remove(gone)])
  expect([
    [200, 409],
    [404, 200],
  ]).toContainEqual([sent.status, removed.status])
  await step(boss, accepted.id, 'submit')
  const ends = await Promise.all([step(boss, accepted.id, 'finalize'), step(boss, accepted.id, 'mark-paid')])
  expect(ends[1].status).toBe(200)
  expect([200, 409]).toContain(ends[0].status)
  expect((await readInvoice(boss, accepted.id)).state).toBe('paid')
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
