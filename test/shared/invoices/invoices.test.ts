import { expect, test } from 'vitest'
import { api, organization, person } from '../../support/api.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { fetched } from '../../support/exports/exports.ts'
import { sha256 } from '../../support/files/files.ts'
import { sentTo } from '../../support/identity/identity.ts'
import { LINES, createInvoice, draft, historyOf, invoiceOf, pdfOf, step } from '../../support/invoices/invoices.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

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
    due_date: '2030-03-31',
    issue_date: '2030-03-01',
    delivery_date: null,
    period: null,
    payment_terms: null,
    is_overdue: false,
    approval_request_id: null,
    approval_requester: null,
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
