/** The books of the stand-in accounting program, through Xero's own client. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { type BankTransaction, Invoice, LineAmountTypes, type Payment } from 'xero-node'
import { api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { apiUrl, connected, connectionsOf, contact, posted, refusalOf, spent } from '../../support/accounting/desk.ts'

usePartners()
beforeEach(() => api('DELETE', '/sandbox/faults'))

const [date, dueDate] = ['2026-05-01', '2026-05-31']
function billed(invoiceNumber: string, type = Invoice.TypeEnum.ACCREC): Invoice {
  const [status, lineAmountTypes] = [Invoice.StatusEnum.AUTHORISED, LineAmountTypes.NoTax]
  const lineItems = [{ description: 'Work', quantity: 2, unitAmount: 50, accountCode: '200' }]
  return { type, contact, invoiceNumber, date, dueDate, status, lineAmountTypes, lineItems }
}

describe('books', () => {
  test('a tenant has a chart of accounts, with bank accounts in four currencies', async () => {
    const { books, tenantId } = await connected()
    const all = (await books.getAccounts(tenantId)).body.accounts ?? []
    expect(all.find(({ code }) => code === '200')).toMatchObject({ type: 'REVENUE', _class: 'REVENUE' })
    const banks = all.filter(({ bankAccountType }) => String(bankAccountType) === 'BANK')
    expect(banks.map(({ currencyCode }) => currencyCode)).toEqual(['EUR', 'USD', 'GBP', 'CHF'])
    const { body } = await refusalOf(books.getBankTransactions(tenantId, undefined, 'Type=='))
    expect(body).toMatchObject({ ErrorNumber: 16, Type: 'QueryParseException' })
  })

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

  test('a key is known for six minutes, and nothing else keeps a reference from being posted twice', async () => {
    const { books, tenantId } = await connected()
    const [reference, key] = [randomUUID(), randomUUID()]
    const post = () => books.createBankTransactions(tenantId, { bankTransactions: [spent(reference)] }, false, 4, key)
    await post()
    await owner`update sandbox_accounting_answers set made_at = made_at - interval '6 minutes' where tenant_id = ${tenantId}`
    await post()
    const items = [{ body: { Reference: reference } }, { body: { Reference: reference } }]
    expect(await posted(tenantId, 'BankTransactions')).toMatchObject(items)
    const long = books.createBankTransactions(tenantId, { bankTransactions: [spent('x')] }, false, 4, 'x'.repeat(129))
    expect(await refusalOf(long)).toMatchObject({ status: 400 })
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

  const line = { description: 'x', unitAmount: 1 }
  test.each([
    ['no contact', { contact: undefined }, 'A Contact must be specified'],
    ['no line', { lineItems: [] }, 'One or more line items must be specified'],
    ['an account of Xero itself', { lineItems: [{ ...line, accountCode: '800' }] }, "Account code '800'"],
    ['an archived account', { lineItems: [{ ...line, accountCode: '479' }] }, "Account code '479'"],
    ['no account', { lineItems: [line] }, 'Account code or ID must be specified'],
    ['no description', { lineItems: [{ unitAmount: 1, accountCode: '429' }] }, 'Description is required'],
    ['a currency of another account', { currencyCode: 'USD' }, 'The currency USD is not that of the bank account'],
    ['a day that there is not', { date: '2026-13-01' }, 'Date is not a valid date'],
    ['a reference without an end', { reference: 'x'.repeat(256) }, 'maximum length of 255'],
  ])('%s is refused', async (_, change, message) => {
    const { books, tenantId } = await connected()
    const one = { ...spent('x'), ...change } as BankTransaction
    const { body } = await books.createBankTransactions(tenantId, { bankTransactions: [one] }, false)
    expect(JSON.stringify(body.bankTransactions?.[0]?.validationErrors)).toContain(message)
    expect(await posted(tenantId, 'BankTransactions')).toEqual([])
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

  test('books are open to those who have connected them, as far as their scopes go', async () => {
    const { books, tenantId, tokens } = await connected()
    await books.createBankTransactions(tenantId, { bankTransactions: [spent('x')] }, false)
    const find = (desk: Awaited<ReturnType<typeof connected>>, id: string) =>
      desk.books.getBankTransactions(id, undefined, 'Reference=="x"')
    const other = await connected()
    expect(await refusalOf(find(other, tenantId))).toMatchObject({ status: 403 })
    expect((await find(other, other.tenantId)).body.bankTransactions).toEqual([])
    const narrow = await connected({ scope: 'accounting.banktransactions' })
    const refused = await refusalOf(narrow.books.getAccounts(narrow.tenantId))
    expect(refused).toMatchObject({ status: 401, body: { Detail: 'AuthorizationUnsuccessful' } })
    expect((await find(narrow, narrow.tenantId)).response.status).toBe(200)
    expect(await refusalOf(narrow.books.createInvoices(narrow.tenantId, {}))).toMatchObject({ status: 401 })
    expect(narrow.tokens.refresh_token).toBeUndefined()
    const forged = await connectionsOf({ access_token: `${tokens.access_token}x` })
    expect(forged.body.Detail).toBe('AuthenticationUnsuccessful')
  })
})

test('what is no JSON, or not there, is refused as Xero does', async () => {
  const { tokens, tenantId } = await connected()
  const ask = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const json = { accept: 'application/json', 'xero-tenant-id': tenantId }
    const sent = { authorization: `Bearer ${tokens.access_token}`, ...json, ...headers }
    const answer = await fetch(`${apiUrl}/api.xro/2.0${path}`, { method, headers: sent, ...(body && { body }) })
    return [answer.status, await answer.text()]
  }
  expect((await ask('GET', '/Accounts', undefined, { accept: '*/*' }))[0]).toBe(406)
  expect((await ask('GET', '/Accounts', undefined, { 'xero-tenant-id': '' }))[0]).toBe(403)
  const invalid = [400, expect.stringContaining('"PostDataInvalidException"')]
  for (const body of ['{"BankTransactions": [', JSON.stringify({ Reference: 'a\0b' }), '{"Reference": "\\ud800"}'])
    expect(await ask('PUT', '/BankTransactions', body)).toEqual(invalid)
  for (const body of ['[]', '7', 'null', '{"BankTransactions": [null, {"LineItems": [[]], "Contact": 7}]}']) {
    const [status, text] = await ask('PUT', '/BankTransactions?summarizeErrors=false', body)
    expect([status, text]).toEqual([200, expect.stringContaining('"ERROR"')])
    expect(text).not.toContain('"OK"')
  }
  for (const path of ['/constructor', '/Invoices/%', `/Payments/${randomUUID()}`, '/Invoices/a/b', '/Accounts/x'])
    expect(await ask('GET', path), path).toEqual([404, "The resource you're looking for cannot be found"])
  expect((await ask('DELETE', '/Contacts'))[0]).toBe(404)
  expect(await posted(tenantId, 'BankTransactions')).toEqual([])
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
