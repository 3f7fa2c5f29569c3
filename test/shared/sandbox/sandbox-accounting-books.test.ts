/** The books of the stand-in accounting program, through Xero's own client. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { Invoice, LineAmountTypes, type Payment } from 'xero-node'
import { api } from '../../support/api.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { connected, contact, posted, refusalOf, spent } from '../../support/accounting/desk.ts'

usePartners()
beforeEach(() => api('DELETE', '/sandbox/faults'))

const [date, dueDate] = ['2026-05-01', '2026-05-31']
function billed(invoiceNumber: string, type = Invoice.TypeEnum.ACCREC): Invoice {
  const [status, lineAmountTypes] = [Invoice.StatusEnum.AUTHORISED, LineAmountTypes.NoTax]
  const lineItems = [{ description: 'Work', quantity: 2, unitAmount: 50, accountCode: '200' }]
  return { type, contact, invoiceNumber, date, dueDate, status, lineAmountTypes, lineItems }
}

describe('books', () => {
  test('what is posted under a key is posted once, and found by its reference', async () => {
    const { books, tenantId } = await connected()
    const [reference, key] = [randomUUID(), randomUUID()]
    const post = (amount?: number) =>
      books.createBankTransactions(tenantId, { bankTransactions: [spent(reference, amount)] }, false, 4, key)
    const answers = await Promise.all([post(), post(), post(), post()])
    for (const { response } of answers) expect(response.data).toEqual(answers[0]?.response.data)
    const made = answers[0]?.body.bankTransactions?.[0]
    expect(made).toMatchObject({ statusAttributeString: 'OK', total: 12.3, status: 'AUTHORISED', currencyCode: 'EUR' })
    expect(await refusalOf(post(12.4))).toMatchObject({ status: 400, body: { Type: 'ValidationException' } })
    const where = `Reference=="${randomUUID()}" OR Reference=="${reference}"`
    const found = await books.getBankTransactions(tenantId, undefined, where, undefined, 1)
    expect(found.body.bankTransactions).toMatchObject([{ reference, date: expect.any(Date), contact, lineItems: [{}] }])
    expect(await posted(tenantId, 'BankTransactions')).toMatchObject([
      { id: made?.bankTransactionID, body: { Reference: reference, Date: '/Date(1777593600000+0000)/' } },
    ])
  })

  test('of several, those that are well are posted; a call that wants to hear of the others alone is refused', async () => {
    const { books, tenantId } = await connected()
    const two = [spent('good'), { ...spent('bad'), bankAccount: { code: '200' } }]
    const body = { ErrorNumber: 10, Type: 'ValidationException' }
    const all = books.createBankTransactions(tenantId, { bankTransactions: two })
    expect(await refusalOf(all)).toMatchObject({ status: 400, body })
    const told = (await books.createBankTransactions(tenantId, { bankTransactions: two }, false)).body.bankTransactions
    expect(told).toMatchObject([
      { reference: 'good', statusAttributeString: 'OK', validationErrors: [] },
      { reference: 'bad', statusAttributeString: 'ERROR', validationErrors: [{ message: expect.any(String) }] },
    ])
    expect(await posted(tenantId, 'BankTransactions')).toMatchObject([{ body: { Reference: 'good' } }])
  })

  test('an invoice is paid once, by payments up to what is due, and its number is taken once', async () => {
    const { books, tenantId } = await connected()
    const both = [billed('R-1'), billed('R-1', Invoice.TypeEnum.ACCPAY), billed('R-1')]
    const invoices = (await books.createInvoices(tenantId, { invoices: both }, false)).body.invoices ?? []
    expect(invoices).toMatchObject([
      { subTotal: 100, total: 100, amountDue: 100, hasErrors: false },
      { statusAttributeString: 'OK' },
      { hasErrors: true, validationErrors: [{ message: 'Invoice # must be unique.' }] },
    ])
    const [invoice, account] = [{ invoiceID: invoices[0]?.invoiceID ?? '' }, { code: '090' }]
    const pay = (reference: string, amount: number): Payment => ({ invoice, account, date, amount, reference })
    const three = [pay('a', 80), pay('b', 20.01), pay('c', 20)]
    const paid = (await books.createPayments(tenantId, { payments: three }, false)).body.payments
    expect(paid).toMatchObject([
      { reference: 'a', statusAttributeString: 'OK', paymentType: 'ACCRECPAYMENT' },
      {
        reference: 'b',
        hasValidationErrors: true,
        validationErrors: [{ message: expect.stringContaining('exceeds') }],
      },
      { reference: 'c', statusAttributeString: 'OK' },
    ])
    const numbered = await books.getInvoices(tenantId, undefined, 'InvoiceNumber=="R-1"')
    expect(numbered.body.invoices).toMatchObject([
      { status: 'PAID', amountDue: 0, amountPaid: 100, payments: [{ reference: 'a' }, { reference: 'c' }] },
      { status: 'AUTHORISED', amountDue: 100, lineItems: [{ accountCode: '200' }] },
    ])
    const found = (await books.getPayments(tenantId, undefined, 'Reference=="c"')).body.payments
    expect(found).toMatchObject([{ reference: 'c', amount: 20 }])
    expect((await posted(tenantId, 'Contacts')).map(({ body }: any) => body.Name)).toEqual([contact.name])
  })
})

test('the sandbox lists what was posted, the last one first', async () => {
  const { books, tenantId } = await connected()
  const three = ['a', 'b', 'c'].map((reference) => spent(reference))
  await books.createBankTransactions(tenantId, { bankTransactions: three }, false)
  const path = `/sandbox/accounting/tenants/${tenantId}/items`
  const page = (await api('GET', `${path}?type=BankTransactions&limit=2`)).body
  expect(page).toMatchObject({ data: [{ body: { Reference: 'c' } }, { body: { Reference: 'b' } }], has_more: true })
  const rest = (await api('GET', `${path}?cursor=${page.next_cursor}`)).body
  expect(rest).toMatchObject({ data: [{ type: 'BankTransactions' }, { type: 'Contacts' }], next_cursor: null })
  expect((await api('GET', `${path}?type=Nothing`)).status).toBe(400)
  expect((await api('GET', `/sandbox/accounting/tenants/${randomUUID()}/items`)).status).toBe(404)
  const after = (await api('GET', `/sandbox/accounting/tenants?limit=1`)).body.data[0]
  expect(after).toMatchObject({ id: tenantId, items: { BankTransactions: 3, Contacts: 1 } })
  expect((await api('GET', `/sandbox/accounting/tenants?cursor=${tenantId}`)).body.data).not.toContainEqual(after)
})
