import { describe, expect, test } from 'vitest'
import { type TestPerson, api, approvalPath, approve, join, organization, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { owner } from '../../support/database.ts'
import { expectRefusal } from '../../support/http/refusals.ts'
import { historyOf, invoiceOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { leave } from '../../support/organizations/members.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const boss = await person({ authenticator: true })
const second = await person({ authenticator: true })
const member = await person({ authenticator: true })
const { id: sellerId } = await organization(boss, 'Seller')
await join(sellerId, second, 'admin')
await join(sellerId, member, 'member')
const rule = (required: number, more: object = {}) => ({
  action_type: 'billing_invoice',
  steps: [{ required, roles: ['owner', 'admin'] }],
  ...more,
})
await setRules(sellerId, boss, [rule(1)])

/** An invoice that waits for approval, to a customer of its own. */
async function submitted(by: TestPerson = boss, more: object = {}) {
  const contact = await billingContact(boss, sellerId)
  const { id } = await invoiceOf(by, sellerId, contact.id, more)
  const { status, body } = await step(by, id, 'submit')
  if (status !== 200) throw new Error(`submit: ${JSON.stringify(body)}`)
  return body
}
type Invoice = Awaited<ReturnType<typeof submitted>>

const read = async (by: TestPerson, invoice: Invoice) =>
  (await api('GET', approvalPath(invoice), { token: by.token })).body
const reject = (by: TestPerson, invoice: Invoice) =>
  api('POST', `${approvalPath(invoice)}/reject`, { token: by.token, body: {} })
const change = (id: string, body: object) => api('PATCH', `/invoices/${id}`, { token: boss.token, body })
/** Expects changes and steps of an invoice to be refused with what is allowed instead. */
async function expectFixed(id: string, steps: readonly string[], current: string, allowed: readonly string[]) {
  const removed = await api('DELETE', `/invoices/${id}`, { token: boss.token })
  const answers = [removed, await change(id, { comments: 'Later' })]
  for (const name of steps) answers.push(await step(boss, id, name))
  for (const answer of answers) expectRefusal(answer, 'invalid_state', { current, allowed })
}
const changeContact = (id: string, body: object) => api('PATCH', `/billing-contacts/${id}`, { token: boss.token, body })

test('the policy asks by amount and currency, and a draft says what comes next', async () => {
  const { id } = await organization(boss, 'Careful')
  await setRules(id, boss, [
    rule(1, { currency: 'EUR', amount_from: '172.50' }),
    rule(2, { currency: 'JPY', amount_from: '1000' }),
  ])
  const { id: contactId } = await billingContact(boss, id)
  const became = async (more: object) => {
    const invoice = await invoiceOf(boss, id, contactId, more)
    const { body } = await step(boss, invoice.id, 'submit')
    return [invoice.total, ...invoice.next_valid_states, body.state]
  }
  const line = (price: string) => [{ description: 'Work', quantity: '1', price, tax_percentage: '0' }]
  expect(await became({})).toEqual(['172.50', 'awaiting_approval', 'awaiting_approval'])
  expect(await became({ line_items: line('172.49') })).toEqual(['172.49', 'sent', 'sent'])
  expect(await became({ currency: 'USD' })).toEqual(['172.50', 'sent', 'sent'])
  const yen = { currency: 'JPY', line_items: line('1000') }
  expect(await became(yen)).toEqual(['1000', 'awaiting_approval', 'awaiting_approval'])
})

describe('what waits', () => {
  test('shows approvers the invoice as it will be sent, and is sent when they approve it; no person changes it from then on', async () => {
    const invoice = await submitted(member)
    expect(invoice).toMatchObject({
      state: 'awaiting_approval',
      next_valid_states: ['draft', 'sent'],
      number: null,
      sent_at: null,
      public_url: null,
      approval_requester: { id: member.userId, avatar: null, first_name: 'Test', last_name: 'Person' },
    })
    const { billing_contact: contact } = invoice
    const approval = await read(second, invoice)
    const type = 'billing_invoice'
    expect(approval).toMatchObject({ action_type: type, target_type: type, status: 'pending' })
    expect(approval.subject).toEqual({
      type: 'billing_invoice',
      billing_invoice: {
        id: invoice.id,
        contact: { id: contact.id, company_name: contact.company_name, emails: contact.emails },
        total: '172.50',
        currency: 'EUR',
        due_date: '2030-03-31',
        issue_date: '2030-03-01',
        delivery_date: null,
        period: null,
        order_number: null,
        buyer_reference: null,
        comments: null,
        line_items: invoice.line_items,
        discounts: [],
        charges: [],
        early_payment_discounts: [],
        attachments: [],
        number: null,
        created_at: invoice.inserted_at,
      },
    })
    await expectFixed(invoice.id, ['submit', 'finalize', 'mark-paid'], 'awaiting_approval', ['refuse', 'send'])
    expect((await approve(second, invoice)).status).toBe(200)
    await expectFixed(invoice.id, ['submit'], 'sent', ['finalize', 'pay'])
    expect(await readInvoice(boss, invoice.id)).toMatchObject({
      state: 'sent',
      comments: invoice.comments,
      number: expect.stringMatching(/^INV-\d{6}$/),
      approval_request_id: invoice.approval_request_id,
      approval_requester: { id: member.userId },
    })
  })

  test.each(['reject', 'expire'] as const)(
    'is a draft again if the approval ends by %s, to be changed and asked for anew',
    async (verb) => {
      const invoice = await submitted()
      if (verb === 'expire') {
        await owner`update approvals set expires_at = business_now() where id = ${invoice.approval_request_id}`
        await owner`update processes set version = version + 1, look_at = business_now() where id = ${invoice.id}`
      } else expect((await reject(second, invoice)).status).toBe(200)
      const again = await until('a draft', async () => {
        const found = await readInvoice(boss, invoice.id)
        return found.state === 'draft' && found
      })
      expect(again).toMatchObject({ approval_request_id: null, approval_requester: null, number: null })
      expect((await change(invoice.id, { comments: verb })).status).toBe(200)
      const anew = (await step(second, invoice.id, 'submit')).body
      const requester = { approval_requester: { id: second.userId } }
      expect(anew).toMatchObject({ state: 'awaiting_approval', comments: verb, ...requester })
      expect(anew.approval_request_id).not.toBe(invoice.approval_request_id)
      expect((await approve(boss, anew)).status).toBe(200)
      expect((await historyOf(boss, invoice.id)).slice(0, 6)).toEqual([
        'invoice.created',
        'invoice.submitted',
        'invoice.refused',
        'invoice.updated',
        'invoice.submitted',
        'invoice.sent',
      ])
    },
  )

  test('goes on without its requester', async () => {
    const gone = await person({ authenticator: true })
    await join(sellerId, gone, 'member')
    const invoice = await submitted(gone)
    expect((await leave(gone, sellerId)).status).toBe(200)
    expect((await approve(boss, invoice)).status).toBe(200)
    expect(await readInvoice(boss, invoice.id)).toMatchObject({ state: 'sent', created_by: { id: gone.userId } })
  })

  const CHANGES = {
    renamed: (id: string) => changeContact(id, { company_name: 'Mallory Ltd' }),
    'reached elsewhere': (id: string) => changeContact(id, { emails: ['mallory@example.com'] }),
    deleted: (id: string) => api('DELETE', `/billing-contacts/${id}`, { token: boss.token }),
  }
  test.each(Object.entries(CHANGES))(
    'is not approved once its customer is %s, and rejected it is a draft',
    async (how, deed) => {
      const invoice = await submitted()
      expect((await deed(invoice.billing_contact.id)).status).toBe(200)
      expect((await read(second, invoice)).blocked_by).toEqual(['invalid_state'])
      expectRefusal(await approve(second, invoice), 'invalid_state', {
        reason: 'customer_changed',
        current: 'awaiting_approval',
      })
      expect((await reject(second, invoice)).status).toBe(200)
      const anew = await step(boss, invoice.id, 'submit')
      if (how === 'deleted') expectRefusal(anew, 'invalid_state', { reason: 'contact_deleted' })
      else expect((await approve(second, anew.body)).status).toBe(200)
    },
  )

  test('is not sent without what its profile asks for by then, and uses no number', async () => {
    const { id } = await organization(boss, 'Seller')
    await owner`
      update organizations set vat_id = 'DE123456789',
        postal_address = '{"line1": "Weg 1", "line2": null, "postal_code": "04109", "city": "Leipzig", "country_code": "DE"}'
      where id = ${id}`
    await setRules(id, boss, [rule(1)])
    const contact = await billingContact(boss, id)
    const invoice = await invoiceOf(boss, id, contact.id, { profile: 'en16931' })
    const { body: waiting } = await step(boss, invoice.id, 'submit')
    expect(waiting.state).toBe('awaiting_approval')
    expect((await changeContact(contact.id, { postal_address: null })).status).toBe(200)
    expectRefusal(await approve(boss, waiting), 'invoice_incomplete', { fields: ['billing_contact.postal_address'] })
    expect(await readInvoice(boss, invoice.id)).toMatchObject({ state: 'awaiting_approval', number: null })
    expect((await changeContact(contact.id, { postal_address: contact.postal_address })).status).toBe(200)
    expect((await approve(boss, waiting)).status).toBe(200)
    expect(await readInvoice(boss, invoice.id)).toMatchObject({ state: 'sent', number: 'INV-000001' })
  })
})

describe('what is sent', () => {
  test('finalize takes what the customer accepted, exactly and at most the total; paid, it is done', async () => {
    const { id } = await organization(boss, 'Free')
    const contact = await billingContact(boss, id)
    const invoice = await invoiceOf(boss, id, contact.id)
    await step(boss, invoice.id, 'submit')
    const refusals = { '172.51': 'accepted_amount_exceeds_total', '1.001': 'amount_precision' }
    for (const [accepted_amount, type] of Object.entries(refusals)) {
      const { body } = await step(boss, invoice.id, 'finalize', { accepted_amount })
      expect(body.error.type, accepted_amount).toBe(type)
    }
    expectRefusal(await step(boss, invoice.id, 'mark-paid', { paid_at: '2999-01-01T00:00:00Z' }), 'invalid_request', {
      errors: [{ path: 'paid_at' }],
    })
    const finalized = await step(boss, invoice.id, 'finalize', { accepted_amount: '172.50' })
    expect([finalized.status, finalized.body]).toMatchObject([200, { accepted_amount: '172.50', due_amount: '172.50' }])
    const paid = await step(boss, invoice.id, 'mark-paid', { paid_at: '2025-05-05T05:05:05+02:00' })
    const { completed_at } = finalized.body
    const ended = { state: 'paid', due_amount: '0.00', next_valid_states: [], completed_at }
    expect(paid.body).toMatchObject({ ...ended, accepted_amount: '172.50' })
    await expectFixed(invoice.id, ['submit', 'finalize', 'mark-paid'], 'paid', ['reopen', 'reopen_finalized'])
    expect(await readInvoice(boss, invoice.id)).toEqual(paid.body)
    expect(new Date(paid.body.paid_at).toISOString()).toBe('2025-05-05T03:05:05.000Z')
  })

  test('an invoice of nothing is paid as soon as it is accepted', async () => {
    const { id } = await organization(boss, 'Free')
    const contact = await billingContact(boss, id)
    const line = { description: 'Gift', quantity: '1', price: '10', tax_percentage: '19' }
    const line_items = [line, { ...line, quantity: '-1' }]
    const invoice = await invoiceOf(boss, id, contact.id, { line_items })
    expect(invoice).toMatchObject({ total: '0.00', due_amount: '0.00' })
    expect((await step(boss, invoice.id, 'submit')).body.state).toBe('sent')
    expect((await step(boss, invoice.id, 'finalize')).body).toMatchObject({ state: 'paid', accepted_amount: '0.00' })
  })
})
