/** The stand-in of the accounting software, asked by Xero's own client, which knows nothing but another address. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { BankTransaction, LineAmountTypes } from 'xero-node'
import { api } from '../../support/api.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { booksOf, consented, tokensFor } from '../../support/accounting/desk.ts'

usePartners()
beforeEach(() => api('DELETE', '/sandbox/faults'))

const spent = (reference: string, unitAmount = 12.3) => ({
  type: BankTransaction.TypeEnum.SPEND,
  contact: { name: 'Café Müller' },
  reference,
  date: '2026-05-01',
  lineAmountTypes: LineAmountTypes.NoTax,
  bankAccount: { code: '090' },
  lineItems: [{ description: 'Beans', quantity: 1, unitAmount, accountCode: '429' }],
})

describe('books', () => {
  test('what is posted under a key is posted once, and found by its reference', async () => {
    const { books, tenantId } = await booksOf(await tokensFor(await consented()))
    const [reference, key] = [randomUUID(), randomUUID()]
    const post = () => books.createBankTransactions(tenantId, { bankTransactions: [spent(reference)] }, false, 4, key)
    const [made, again] = [await post(), await post()]
    expect(again.response.data).toEqual(made.response.data)
    expect(made.body.bankTransactions?.[0]).toMatchObject({
      statusAttributeString: 'OK',
      total: 12.3,
      status: 'AUTHORISED',
    })
    const where = `Reference=="${randomUUID()}" OR Reference=="${reference}"`
    const { body } = await books.getBankTransactions(tenantId, undefined, where, undefined, 1)
    expect(body.bankTransactions).toMatchObject([
      { reference, date: expect.any(Date), contact: { name: 'Café Müller' } },
    ])
    const items = await api('GET', `/sandbox/accounting/tenants/${tenantId}/items?type=BankTransactions`)
    expect(items.body.data).toMatchObject([{ body: { Reference: reference, Date: '/Date(1777593600000+0000)/' } }])
  })
})
