/** The books of the stand-in of the accounting program, asked by Xero's own client. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { BankTransaction, Invoice, LineAmountTypes, ManualJournal, type Payment } from 'xero-node'
import { api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { apiUrl, connected, connectionsOf, contact, posted, refusalOf, spent } from '../../support/accounting/desk.ts'

usePartners()
beforeEach(() => api('DELETE', '/sandbox/faults'))

const billed = (invoiceNumber: string, type = Invoice.TypeEnum.ACCREC): Invoice => ({
  type,
  contact,
  invoiceNumber,
  date: '2026-05-01',
  dueDate: '2026-05-31',
  status: Invoice.StatusEnum.AUTHORISED,
  lineAmountTypes: LineAmountTypes.Exclusive,
  lineItems: [{ description: 'Work', quantity: 2, unitAmount: 50, accountCode: '200' }],
})

describe('books', () => {
  test('a tenant has a chart of accounts, which can be asked by its fields', async () => {
    const { books, tenantId } = await connected()
    const organisation = (await books.getOrganisations(tenantId)).body.organisations?.[0]
    expect(organisation).toMatchObject({
      organisationID: tenantId,
      baseCurrency: 'EUR',
      createdDateUTC: expect.any(Date),
    })
    const all = (await books.getAccounts(tenantId)).body.accounts ?? []
    expect(all.find(({ code }) => code === '200')).toMatchObject({
      type: 'REVENUE',
      _class: 'REVENUE',
      taxType: 'OUTPUT',
    })
    const banks = await books.getAccounts(tenantId, undefined, 'Status=="ACTIVE" AND Type=="BANK"')
    expect(banks.body.accounts?.map(({ currencyCode }) => currencyCode)).toEqual(['EUR', 'USD', 'GBP', 'CHF'])
    const { body } = await refusalOf(books.getAccounts(tenantId, undefined, 'Type=='))
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
    expect((await posted(tenantId, 'BankTransactions')).map(({ body }: any) => body.Reference)).toEqual([
      reference,
      reference,
    ])
    expect(await refusalOf(books.createContacts(tenantId, { contacts: [] }, false, 'x'.repeat(129)))).toMatchObject({
      status: 400,
    })
  })

  test('of several, those that are well are posted: unless asked otherwise, the answer tells of the others alone', async () => {
    const { books, tenantId } = await connected()
    const two = [spent('good'), { ...spent('bad'), bankAccount: { code: '200' } }]
    const { status, body } = await refusalOf(books.createBankTransactions(tenantId, { bankTransactions: two }))
    expect([status, body.ErrorNumber, body.Type, body.Message]).toEqual([
      400,
      10,
      'ValidationException',
      'A validation exception occurred',
    ])
    expect(body.Elements).toMatchObject([{ Reference: 'bad', ValidationErrors: [{ Message: expect.any(String) }] }])
    const told = (await books.createBankTransactions(tenantId, { bankTransactions: two }, false)).body.bankTransactions
    expect(told).toMatchObject([
      { reference: 'good', statusAttributeString: 'OK', validationErrors: [] },
      { reference: 'bad', statusAttributeString: 'ERROR', validationErrors: [{ message: expect.any(String) }] },
    ])
    expect(await posted(tenantId, 'BankTransactions')).toMatchObject([
      { body: { Reference: 'good' } },
      { body: { Reference: 'good' } },
    ])
  })

  test.each([
    ['no contact', { contact: undefined }, 'A Contact must be specified'],
    ['a contact that nobody knows', { contact: { contactID: randomUUID() } }, 'The contact could not be found'],
    ['no line', { lineItems: [] }, 'One or more line items must be specified'],
    [
      'an account of Xero itself',
      { lineItems: [{ description: 'x', unitAmount: 1, accountCode: '800' }] },
      "Account code '800'",
    ],
    [
      'an archived account',
      { lineItems: [{ description: 'x', unitAmount: 1, accountCode: '479' }] },
      "Account code '479'",
    ],
    ['no account', { lineItems: [{ description: 'x', unitAmount: 1 }] }, 'Account code or ID must be specified'],
    ['no description', { lineItems: [{ unitAmount: 1, accountCode: '429' }] }, 'Description is required'],
    ['a currency of another account', { currencyCode: 'USD' }, 'The currency USD is not that of the bank account'],
    ['coins', { currencyCode: 'USDC' }, 'Organisation is not subscribed to currency USDC'],
    ['a day that there is not', { date: '2026-13-01' }, 'Date is not a valid date'],
    ['a reference without an end', { reference: 'x'.repeat(256) }, 'maximum length of 255'],
  ])('%s is refused', async (_, change, message) => {
    const { books, tenantId } = await connected()
    // a client that is careless is what this is about
    const one = { ...spent('x'), ...change } as BankTransaction
    const { body } = await refusalOf(books.createBankTransactions(tenantId, { bankTransactions: [one] }))
    expect(JSON.stringify(body.Elements[0].ValidationErrors)).toContain(message)
    expect(await posted(tenantId, 'BankTransactions')).toEqual([])
  })

  test('an invoice is paid once, by payments up to what is due, and its number is taken once', async () => {
    const { books, tenantId } = await connected()
    const both = [billed('R-1'), billed('R-1', Invoice.TypeEnum.ACCPAY), billed('R-1')]
    const invoices = (await books.createInvoices(tenantId, { invoices: both }, false)).body.invoices ?? []
    expect(invoices).toMatchObject([
      { subTotal: 100, totalTax: 20, total: 120, amountDue: 120, hasErrors: false },
      { statusAttributeString: 'OK' },
      { hasErrors: true, validationErrors: [{ message: 'Invoice # must be unique.' }] },
    ])
    const pay = (reference: string, amount: number): Payment => ({
      invoice: { invoiceID: invoices[0]?.invoiceID ?? '' },
      account: { code: '090' },
      date: '2026-05-09',
      amount,
      reference,
    })
    const three = [pay('a', 100), pay('b', 20.01), pay('c', 20)]
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
    const numbered = await books.getInvoices(tenantId, undefined, 'Type=="ACCREC"', undefined, undefined, ['R-1'])
    expect(numbered.body.invoices).toMatchObject([
      { status: 'PAID', amountDue: 0, amountPaid: 120, payments: [{ reference: 'a' }, { reference: 'c' }] },
    ])
    const where = `Invoice.InvoiceID==guid("${invoices[0]?.invoiceID}") AND Reference=="c"`
    const found = (await books.getPayments(tenantId, undefined, where)).body.payments ?? []
    expect(found).toMatchObject([{ reference: 'c', amount: 20 }])
    await books.deletePayment(tenantId, found[0]?.paymentID ?? '', { status: 'DELETED' })
    const reopened = (await books.getInvoice(tenantId, invoices[0]?.invoiceID ?? '')).body.invoices
    expect(reopened).toMatchObject([{ status: 'AUTHORISED', amountDue: 20, lineItems: [{ accountCode: '200' }] }])
    expect((await posted(tenantId, 'Contacts')).map(({ body }: any) => body.Name)).toEqual([contact.name])
  })

  test('contacts, transfers and journals are posted, and changed as far as they can be', async () => {
    const { books, tenantId } = await connected()
    const contacts = [{ name: 'Ada', emailAddress: 'ada@example.com' }, { name: 'ADA' }]
    expect((await books.createContacts(tenantId, { contacts }, false)).body.contacts).toMatchObject([
      { name: 'Ada', statusAttributeString: 'OK' },
      { statusAttributeString: 'ERROR' },
    ])
    const [, again] = contacts
    await books.updateOrCreateContacts(tenantId, { contacts: again ? [again] : [] })
    expect((await books.getContacts(tenantId)).body.contacts).toMatchObject([
      { name: 'ADA', emailAddress: 'ada@example.com' },
    ])
    const [fromBankAccount, toBankAccount] = [{ code: '090' }, { code: '091' }]
    const transfer = { fromBankAccount, toBankAccount, amount: 5, date: '2026-05-01', reference: 't' }
    await books.createBankTransfer(tenantId, { bankTransfers: [transfer] })
    expect((await books.getBankTransfers(tenantId)).body.bankTransfers).toMatchObject([{ amount: 5, reference: 't' }])
    const journalLines = [
      { lineAmount: 5, accountCode: '400' },
      { lineAmount: -4, accountCode: '404' },
    ]
    const journal = { narration: 'n', status: ManualJournal.StatusEnum.POSTED, journalLines }
    const { body } = await refusalOf(books.createManualJournals(tenantId, { manualJournals: [journal] }))
    expect(body.Elements[0].ValidationErrors).toEqual([{ Message: 'The total debits must equal total credits' }])
    const [made] =
      (await books.createBankTransactions(tenantId, { bankTransactions: [spent('x')] })).body.bankTransactions ?? []
    const change = (status: BankTransaction.StatusEnum) =>
      books.updateBankTransaction(tenantId, made?.bankTransactionID ?? '', {
        bankTransactions: [{ ...spent('y'), status }],
      })
    expect(await refusalOf(change(BankTransaction.StatusEnum.AUTHORISED))).toMatchObject({ status: 400 })
    await change(BankTransaction.StatusEnum.DELETED)
    expect((await books.getBankTransactions(tenantId)).body.bankTransactions).toMatchObject([
      { reference: 'x', status: 'DELETED' },
    ])
  })

  test('lists have pages and filters, and are told to nobody else', async () => {
    const { books, tenantId, tokens } = await connected()
    const references = ['a', 'b', 'c'].map((letter) => `${letter}-${randomUUID()}`)
    await books.createBankTransactions(tenantId, { bankTransactions: references.map((reference) => spent(reference)) })
    const page = await books.getBankTransactions(tenantId, undefined, undefined, 'Reference DESC', 2, 4, 2)
    expect(page.body).toMatchObject({
      pagination: { page: 2, pageCount: 2, itemCount: 3 },
      bankTransactions: [{ reference: references[0] }],
    })
    const named = await books.getBankTransactions(tenantId, undefined, undefined, undefined, 1, 4, 100, [
      references[1] ?? '',
    ])
    expect(named.body.bankTransactions).toMatchObject([{ reference: references[1] }])
    const none = await books.getBankTransactions(tenantId, new Date('2999-01-01')) // whatever the clock says
    expect(none.body.bankTransactions).toEqual([])
    const other = await connected()
    expect(await refusalOf(other.books.getBankTransactions(tenantId))).toMatchObject({ status: 403 })
    expect((await other.books.getBankTransactions(other.tenantId)).body.bankTransactions).toEqual([])
    const reader = await connected({ scope: 'accounting.transactions.read' })
    expect(await refusalOf(reader.books.getAccounts(reader.tenantId))).toMatchObject({
      status: 401,
      body: { Detail: 'AuthorizationUnsuccessful' },
    })
    expect((await reader.books.getInvoices(reader.tenantId)).response.status).toBe(200)
    expect(await refusalOf(reader.books.createBankTransactions(reader.tenantId, {}))).toMatchObject({ status: 401 })
    expect(reader.tokens.refresh_token).toBeUndefined()
    expect((await connectionsOf({ access_token: `${tokens.access_token}x` })).body.Detail).toBe(
      'AuthenticationUnsuccessful',
    )
  })
})

test('what is no JSON, or not there, is refused as Xero does', async () => {
  const { tokens, tenantId } = await connected()
  const ask = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const own = {
      authorization: `Bearer ${tokens.access_token}`,
      accept: 'application/json',
      'xero-tenant-id': tenantId,
    }
    const answer = await fetch(`${apiUrl}/api.xro/2.0${path}`, {
      method,
      headers: { ...own, ...headers },
      ...(body && { body }),
    })
    return [answer.status, await answer.text()]
  }
  expect((await ask('GET', '/Accounts', undefined, { accept: '*/*' }))[0]).toBe(406)
  expect((await ask('GET', '/Accounts', undefined, { 'xero-tenant-id': '' }))[0]).toBe(403)
  for (const body of ['{"BankTransactions": [', JSON.stringify({ Reference: 'a\0b' }), '{"Reference": "\\ud800"}']) {
    const [status, text] = await ask('PUT', '/BankTransactions', body)
    expect([status, text]).toEqual([400, expect.stringContaining('"PostDataInvalidException"')])
  }
  for (const body of ['[]', '7', 'null', '{"BankTransactions": [null, {"LineItems": [[]], "Contact": 7}]}']) {
    const [status, text] = await ask('PUT', '/BankTransactions', body)
    expect([status, text]).toEqual([400, expect.stringContaining('"ValidationException"')])
  }
  const tax = JSON.stringify({ LineItems: [{ TaxType: 'constructor', UnitAmount: 1 }], Status: 'constructor' })
  expect((await ask('PUT', '/Invoices', tax))[0]).toBe(400)
  for (const path of ['/constructor', '/Invoices/%', `/Payments/${randomUUID()}`, '/Invoices/a/b', '/Accounts/x']) {
    expect(await ask('GET', path), path).toEqual([404, "The resource you're looking for cannot be found"])
  }
  expect((await ask('DELETE', '/Contacts'))[0]).toBe(404)
  expect(await posted(tenantId, 'BankTransactions')).toEqual([])
})

test('the sandbox lists what was posted, the last one first', async () => {
  const { books, tenantId } = await connected()
  const three = ['a', 'b', 'c'].map((reference) => spent(reference))
  await books.createBankTransactions(tenantId, { bankTransactions: three })
  const path = `/sandbox/accounting/tenants/${tenantId}/items`
  const page = (await api('GET', `${path}?type=BankTransactions&limit=2`)).body
  expect(page).toMatchObject({ data: [{ body: { Reference: 'c' } }, { body: { Reference: 'b' } }], has_more: true })
  const rest = (await api('GET', `${path}?cursor=${page.next_cursor}`)).body
  expect(rest).toMatchObject({ data: [{ type: 'BankTransactions' }, { type: 'Contacts' }], next_cursor: null })
  expect((await api('GET', `${path}?cursor=${randomUUID()}`)).status).toBe(400)
  expect((await api('GET', `${path}?type=Nothing`)).status).toBe(400)
  expect((await api('GET', `/sandbox/accounting/tenants/${randomUUID()}/items`)).status).toBe(404)
  const after = (await api('GET', `/sandbox/accounting/tenants?limit=1`)).body.data[0]
  expect(after).toMatchObject({ id: tenantId, items: { BankTransactions: 3, Contacts: 1 } })
  expect((await api('GET', `/sandbox/accounting/tenants?cursor=${tenantId}`)).body.data).not.toContainEqual(after)
  expect((await api('GET', `/sandbox/accounting/tenants?cursor=${randomUUID()}`)).status).toBe(400)
})
