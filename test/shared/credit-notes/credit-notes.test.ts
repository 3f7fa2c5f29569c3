import { describe, expect, test } from 'vitest'
import { api, join, person, withStepUp } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import {
  createCreditNote,
  creditBody,
  creditFileOf,
  creditHistoryOf,
  creditNoteOf,
  creditStep,
  lineOf,
  readCreditNote,
  sentCreditNote,
} from '../../support/credit-notes/credit-notes.ts'
import { owner } from '../../support/database.ts'
import { expectRefusal, refusal } from '../../support/http/refusals.ts'
import { seller, sentInvoice, violationsOf } from '../../support/invoices/allocations.ts'
import { historyOf, idsIn, invoiceOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { another, sent as sentToCustomer } from '../../support/invoices/public-pages.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const boss = await person({ authenticator: true })
const at = await seller(boss)
const change = (id: string, body: object) => api('PATCH', `/credit-notes/${id}`, { token: boss.token, body })
const remove = (id: string) => api('DELETE', `/credit-notes/${id}`, { token: boss.token })
const listOf = (path: string, token = boss.token) => api('GET', `${path}/credit-notes`, { token })

test('a credit note is numbered, written, mailed, and taken off what its invoice asks for', async () => {
  const own = await seller(boss)
  const email = `customer-${own.id}@example.com`
  const contact = await billingContact(boss, own.id, { emails: [email] })
  const invoice = await invoiceOf(boss, own.id, contact.id)
  const { number } = (await step(boss, invoice.id, 'submit')).body
  const draft = await creditNoteOf(boss, invoice.id, '72.50')
  expect(draft).toMatchObject({
    invoice_id: invoice.id,
    invoice_number: number,
    state: 'draft',
    next_valid_states: ['sent'],
    number: null,
    currency: 'EUR',
    total: '72.50',
    issue_date: '2030-03-01', // that of the invoice, since today is before
    billing_contact: { id: contact.id },
    created_by: { id: boss.userId },
  })
  expect(await readInvoice(boss, invoice.id)).toMatchObject({
    credited: '0.00',
    credit_notes: [],
    due_amount: '172.50',
  })
  const { status, body } = await creditStep(boss, draft.id, 'submit')
  expect([status, body]).toMatchObject([200, { state: 'sent', number: 'CN-000001', next_valid_states: [] }])
  expect(await readInvoice(boss, invoice.id)).toMatchObject({
    state: 'sent',
    credited: '72.50',
    credit_notes: [{ id: draft.id, number: 'CN-000001', total: '72.50' }],
    due_amount: '100.00',
    refund_due: '0.00',
    settled_by: null,
  })
  expect((await creditFileOf(boss, draft.id, 'pdf')).headers.get('content-type')).toBe('application/pdf')
  await until('its mail', async () => (await creditHistoryOf(boss, draft.id)).includes('credit_note.mail_delivered'))
  const happened = 'created sent written mailed mail_delivered'.split(' ').map((name) => `credit_note.${name}`)
  expect(await creditHistoryOf(boss, draft.id)).toEqual(happened)
  expect(await historyOf(boss, invoice.id)).toContain('invoice.credited')
  const sentMails: { subject: string; body: string; attachments: { filename: string }[] }[] = (
    await api('GET', `/sandbox/messages?to=${email}`)
  ).body.data
  const mail = sentMails.find(({ attachments: [file] }) => file?.filename === 'CN-000001.pdf') // beside that of the invoice
  expect(`${mail?.subject} ${mail?.body}`).toContain('CN-000001')
  const resent = await creditStep(boss, draft.id, 'resend', { emails: ['other@example.com'] })
  expect(resent.status).toBe(200)
  expect(await creditHistoryOf(boss, draft.id)).toContain('credit_note.resent')
  expect(await violationsOf(boss, own.id)).toEqual([])
})

describe('what is credited', () => {
  test('all of an invoice is credited with its units, discounts and charges, and a part with its own', async () => {
    const contact = await billingContact(boss, at.id)
    const line = { description: 'Hours', quantity: '12.5', unit: 'HUR', price: '80.33', tax_percentage: '19' }
    const invoice = await invoiceOf(boss, at.id, contact.id, {
      line_items: [
        { ...line, discount: { percentage: '7' } },
        { ...lineOf('33.33'), charge: { amount: '1.01' } },
      ],
      discounts: [{ percentage: '3', reason: 'Loyalty' }],
      charges: [{ amount: '4.90', reason: 'Shipping', tax_percentage: '7' }],
      payment_terms: { early_payment_discounts: [{ percentage: '2', days: 10 }] },
    })
    await step(boss, invoice.id, 'submit')
    const adjusted = { discounts: [{ amount: '2.50' }], charges: [{ percentage: '10' }] }
    const part = await creditNoteOf(boss, invoice.id, '10.00', adjusted)
    expect(part).toMatchObject({ line_total: '10.00', discount_total: '2.50', charge_total: '1.00', total: '8.50' })
    const { total, taxes, net_total, line_items, discounts, charges, discount_total, charge_total } = invoice
    const whole = { total, taxes, net_total, line_items, discounts, charges, discount_total, charge_total }
    expect(await creditNoteOf(boss, invoice.id, 'full')).toMatchObject(whole)
  })

  test('exceeds neither the invoice nor what is left of it: when it is written, changed, or sent', async () => {
    const { id } = await sentInvoice(at, '100')
    const left = (available: string) => ({ available })
    expectRefusal(await createCreditNote(boss, id, creditBody('100.01')), 'credit_exceeds', left('100.00'))
    const [one, other] = [await creditNoteOf(boss, id, '60'), await creditNoteOf(boss, id, '60')]
    expectRefusal(await change(one.id, { line_items: [lineOf('100.01')] }), 'credit_exceeds', left('100.00'))
    expect((await creditStep(boss, one.id, 'submit')).status).toBe(200)
    expectRefusal(await creditStep(boss, other.id, 'submit'), 'credit_exceeds', left('40.00'))
    expectRefusal(await createCreditNote(boss, id, { full: true, reason: 'x' }), 'credit_exceeds', left('40.00'))
    expect((await change(other.id, { line_items: [lineOf('40')] })).body.total).toBe('40.00')
    expect((await creditStep(boss, other.id, 'submit')).status).toBe(200)
    expectRefusal(await createCreditNote(boss, id, creditBody('0.01')), 'credit_exceeds', left('0.00'))
  })

  test('is the whole invoice with `full`, which then is paid, settled by credit, and no payment', async () => {
    const own = await seller(boss)
    const invoice = await invoiceOf(boss, own.id, own.contactId)
    await step(boss, invoice.id, 'submit')
    await sentCreditNote(boss, invoice.id, 'full')
    expect(await readInvoice(boss, invoice.id)).toMatchObject({
      state: 'paid',
      settled_by: 'credit',
      credited: '172.50',
      due_amount: '0.00',
      refund_due: '0.00',
    })
    const { body } = await api('GET', `/organizations/${own.id}/invoices/summary?from=2026-01&to=2030-12`, {
      token: boss.token,
    })
    const none = { outstanding: '0.00', overdue: '0.00', draft: '0.00' }
    expect(body.by_currency).toEqual([{ currency: 'EUR', ...none, paid: '0.00', credited: '172.50' }])
    expect(body.by_month).toContainEqual(expect.objectContaining({ invoiced: '172.50', paid: '0.00' }))
    expect(await violationsOf(boss, own.id)).toEqual([])
  })

  test('is all of the invoice also if its customer accepted less', async () => {
    const { id } = await sentInvoice(at, '100')
    await step(boss, id, 'finalize', { accepted_amount: '80' })
    await sentCreditNote(boss, id, 'full')
    const settled = { state: 'paid', settled_by: 'credit', credited: '100.00', accepted_amount: '80.00' }
    expect(await readInvoice(boss, id)).toMatchObject({ ...settled, due_amount: '0.00', refund_due: '0.00' })
  })

  test('is more than nothing, of a day that is not before the invoice, which was sent', async () => {
    const [{ id }, draft] = [await sentInvoice(at, '100'), await invoiceOf(boss, at.id, at.contactId)]
    for (const [body, type] of [
      [creditBody('0'), 'credit_total_not_positive'],
      [creditBody('1', { line_items: [{ ...lineOf('1'), quantity: '-1' }] }), 'credit_total_not_positive'],
      [creditBody('1', { issue_date: '2030-02-28' }), 'invalid_request'],
      [creditBody('9999999999999999999'), 'amount_too_large'],
      [creditBody('10', { charges: [{ reason: 'Freight', amount: '1.005' }] }), 'amount_precision'],
    ] as const)
      expect((await createCreditNote(boss, id, body)).body.error.type).toBe(type)
    expect((await listOf(`/invoices/${id}`)).body.data).toEqual([])
    expectRefusal(await createCreditNote(boss, draft.id, creditBody('1')), 'invalid_state', { current: 'draft' })
  })
})

test('a draft is changed and deleted; a sent one never, and each step says what is allowed instead', async () => {
  const { id: invoiceId } = await sentInvoice(at, '100')
  const { id } = await creditNoteOf(boss, invoiceId, '10')
  const changed = await change(id, { reason: 'Later', issue_date: '2030-04-01' })
  expect(changed.body).toMatchObject({ reason: 'Later', issue_date: '2030-04-01', total: '10.00' })
  for (const format of ['pdf', 'resend']) {
    const answer =
      format === 'pdf' ? api('GET', `/credit-notes/${id}/pdf`, { token: boss.token }) : creditStep(boss, id, format)
    expectRefusal(await answer, 'invalid_state', { current: 'draft', allowed: ['submit'] })
  }
  const gone = await creditNoteOf(boss, invoiceId, '10')
  expect((await remove(gone.id)).body).toEqual({ deleted: true, id: gone.id })
  expect((await api('GET', `/credit-notes/${gone.id}`, { token: boss.token })).status).toBe(404)
  expect((await creditStep(boss, id, 'submit')).status).toBe(200)
  for (const answer of [await change(id, { reason: 'x' }), await remove(id), await creditStep(boss, id, 'submit')])
    expectRefusal(answer, 'invalid_state', { current: 'sent', allowed: [] })
  expect((await readCreditNote(boss, id)).reason).toBe('Later')
})

test('lists are of an invoice or of the organization, newest first, and by state, customer and day', async () => {
  const own = await seller(boss)
  const [one, other] = [await sentInvoice(own, '100'), await sentInvoice(own, '100')]
  const first = await sentCreditNote(boss, one.id, '10')
  const second = await creditNoteOf(boss, one.id, '20', { issue_date: '2030-05-01' })
  const third = await creditNoteOf(boss, other.id, '30')
  const path = `/organizations/${own.id}`
  const listed = async (query: string) =>
    idsIn(await api('GET', `${path}/credit-notes?${query}`, { token: boss.token }))
  expect(await listed('')).toEqual([third.id, second.id, first.id])
  expect(idsIn(await listOf(`/invoices/${one.id}`))).toEqual([second.id, first.id])
  expect(await listed('state=sent')).toEqual([first.id])
  expect(await listed(`invoice_id=${other.id}&currency=EUR`)).toEqual([third.id])
  const day = 'issue_date_from=2030-05-01&issue_date_to=2030-05-01'
  expect(await listed(`billing_contact_id=${own.contactId}&${day}`)).toEqual([second.id])
  const page = await api('GET', `${path}/credit-notes?limit=2`, { token: boss.token })
  expect(await listed(`limit=2&cursor=${page.body.next_cursor}`)).toEqual([first.id])
})

test('a member has the credit notes of the invoices that they wrote, and no others', async () => {
  const own = await seller(boss)
  const member = await person()
  await join(own.id, member, 'member')
  const [theirs, ours] = [await sentInvoice({ ...own, boss: member }, '100'), await sentInvoice(own, '100')]
  const [visible, hidden] = [await sentCreditNote(boss, theirs.id, '10'), await creditNoteOf(boss, ours.id, '10')]
  expect(idsIn(await listOf(`/organizations/${own.id}`, member.token))).toEqual([visible.id])
  expect((await readCreditNote(member, visible.id)).id).toBe(visible.id)
  expect((await sentCreditNote(member, theirs.id, '5')).state).toBe('sent')
  const own404 = [404, 'not_found']
  expect(refusal(await createCreditNote(member, ours.id, creditBody('1')))).toEqual(own404)
  expect(refusal(await listOf(`/invoices/${ours.id}`, member.token))).toEqual(own404)
  const calls = ['GET ', 'GET /events', 'GET /pdf', 'PATCH ', 'DELETE ', 'POST /submit', 'POST /resend']
  for (const [method = '', path] of calls.map((call) => call.split(' '))) {
    const body = { ...(method.startsWith('P') && { body: {} }) }
    const answer = await api(method, `/credit-notes/${hidden.id}${path}`, { token: member.token, ...body })
    expect(refusal(answer), path).toEqual(own404)
  }
})

test('a prefix stands before numbers from then on, beside that of invoices', async () => {
  const own = await seller(boss)
  const { id } = await sentInvoice(own, '100')
  expect((await sentCreditNote(boss, id, '1')).number).toBe('CN-000001')
  const body = { credit_note_prefix: 'RK/' }
  const call = { token: boss.token, body }
  expect((await withStepUp('PATCH', `/organizations/${own.id}/settings`, call)).body).toMatchObject(body)
  expect((await sentCreditNote(boss, id, '1')).number).toBe('RK/000002')
  expect((await sentInvoice(own, '1')).number).toBe('INV-000002')
})

test('its customer sees it on the page of the invoice, fetches its PDF there, and no drafts or others', async () => {
  const { boss: by, seller: theirs, invoice, token } = await sentToCustomer()
  const note = await sentCreditNote(by, invoice.id, 'full')
  const { invoice: second, token: elsewhere } = await another(by, theirs)
  const draft = await creditNoteOf(by, second.id, '1')
  await creditFileOf(by, note.id, 'pdf')
  const page = (await api('GET', `//i/${token}`)).body
  for (const words of ['Gutgeschrieben', 'Rechnungskorrekturen', note.number, `${token}/credit-notes/${note.id}/pdf`])
    expect(page).toContain(words)
  const open = (of: string, id: string, file = 'pdf') => api('GET', `//i/${of}/credit-notes/${id}/${file}`)
  const pdf = await open(token, note.id)
  expect([pdf.status, pdf.headers.get('content-disposition')]).toEqual([200, expect.stringContaining(note.number)])
  for (const [of, id, file] of [
    [elsewhere, note.id],
    [elsewhere, draft.id],
    [`${token}x`, note.id],
    [token, note.id, 'xml'],
  ] as const)
    expect((await open(of, id, file)).status).toBe(404)
})

test('one whose mails did not arrive for three days is asked of who may send it again', async () => {
  const own = await seller(boss)
  const member = await person()
  await join(own.id, member, 'member')
  const note = await sentCreditNote(boss, (await sentInvoice(own, '100')).id, '10')
  const list = async (by: { token: string }) =>
    (await api('GET', `/organizations/${own.id}/attention?kind=undelivered_credit_note`, { token: by.token })).body.data
  await owner`
    insert into invoice_mails (id, organization_id, credit_note_id, kind, recipient, status, message_id, inserted_at)
    values (gen_random_uuid(), ${own.id}, ${note.id}, 'credit_note', 'nobody@example.com', 'failed', gen_random_uuid(),
      business_now() - interval '3 days')`
  const asked = { kind: 'undelivered_credit_note', severity: 'action', action: { credit_note_id: note.id } }
  expect(await list(boss)).toMatchObject([asked])
  expect(await list(member)).toEqual([])
  await owner`update invoice_mails set status = 'delivered' where credit_note_id = ${note.id}`
  expect(await list(boss)).toEqual([])
})
