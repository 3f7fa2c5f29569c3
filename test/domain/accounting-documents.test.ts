import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeDocument } from '../../activities/accounting/documents.ts'
import type { Item, TransactionItem } from '../../services/accounting/items.ts'
import type { BooksNames } from '../../domain/accounting/names.ts'
import { MAPPING_OPTIONS } from '../../domain/accounting/mapping.ts'
import { TRANSACTION_TYPES } from '../../domain/accounts/transaction.ts'
import { currencyDigits, isCoin } from '../../domain/money/currencies.ts'
import { always } from '../support/property.ts'

const OPTIONS = MAPPING_OPTIONS.other_mapping_types.map(({ type }) => type)
/** An account for each option, under its own name. */
const CODES = new Map(OPTIONS.map((type) => [type, type]))
const NAMES: BooksNames = {
  taxes: new Map([['VSt19', 'INPUT']]),
  categories: new Map([['department', 'Department']]),
  options: [{ dimension: 'department', value: 'it', category: 'Department', option: 'IT' }],
}
const DAY = '2026-11-23'

const TRANSACTION: Omit<TransactionItem, 'id'> = {
  kind: 'transaction',
  type: 'payment',
  direction: 'out',
  pays_bill: false,
  amount: '10.00',
  currency: 'EUR',
  counterparty: 'Payee',
  description: null,
  day: DAY,
  labels: [],
}
const transaction = (more: Partial<TransactionItem> = {}) => ({ ...TRANSACTION, id: randomUUID(), ...more })
/** Members that the tests read of what Xero takes. */
type Posted = {
  readonly Type: string
  readonly Reference: string
  readonly BankAccount: { readonly Code?: string; readonly AccountID?: string }
  readonly Account: { readonly Code: string }
  readonly Contact: { readonly Name: string }
  readonly LineItems: readonly Readonly<{ Description: string; AccountCode: string; UnitAmount: number }>[]
}
const documentOf = (item: Item, codes = CODES): Posted => {
  const one = writeDocument(item, codes, NAMES)
  if ('error' in one) throw new Error(one.error.message)
  return one.document as Posted // a test reads the members of its own kind
}
const errorOf = (item: Item, codes = CODES) => {
  const one = writeDocument(item, codes, NAMES)
  return 'error' in one ? one.error : undefined
}
const accountsOf = (document: Posted) => document.LineItems.map((line) => line.AccountCode)

const transactions = fc.record({
  type: fc.constantFrom(...TRANSACTION_TYPES),
  direction: fc.constantFrom('in' as const, 'out' as const),
  pays_bill: fc.boolean(),
  currency: fc.constantFrom(...Object.keys(currencyDigits)),
})

test('every transaction there can be goes to accounts that can be chosen, but for one in coins', () =>
  always(1000, transactions, (given) => {
    const item = transaction(given)
    if (isCoin(given.currency)) return expect(errorOf(item)?.code).toBe('unsupported_currency')
    const { BankAccount, Type, Reference, LineItems } = documentOf(item)
    const type = given.direction === 'in' ? 'RECEIVE' : 'SPEND'
    expect([BankAccount.Code, Type]).toEqual([`bank_account_${given.currency.toLowerCase()}`, type])
    expect([Reference, LineItems.length, LineItems[0]?.UnitAmount]).toEqual([item.id, 1, 10])
    expect(OPTIONS).toContain(LineItems[0]?.AccountCode)
  }))

test('what pays a bill, and comes back, goes through the account that the bill is paid from; what comes in, through that of invoices', () => {
  const accounts = (types: readonly string[], more: Partial<TransactionItem>) =>
    types.flatMap((type) => accountsOf(documentOf(transaction({ type, ...more }))))
  const settled = (kind: 'bill_payment' | 'invoice_payment'): string => {
    const money = { amount: '10.00', currency: 'EUR', day: DAY }
    return documentOf({ kind, id: randomUUID(), document: randomUUID(), ...money }).Account.Code
  }
  const [bill, invoice] = [settled('bill_payment'), settled('invoice_payment')]
  expect(accounts(['payment', 'reversal', 'refund'], { pays_bill: true })).toEqual([bill, bill, bill])
  expect(accounts(['payment', 'deposit'], { direction: 'in' })).toEqual([invoice, invoice])
})

const TAX = { tax_percentage: '19', tax_category: 'S' as const, tax_exemption_reason: null }
const invoice = (more: object = {}): Item => ({
  kind: 'invoice',
  id: randomUUID(),
  number: 'INV-000001',
  customer: 'Customer',
  currency: 'EUR',
  net_total: '100.00',
  tax_total: '19.00',
  total: '119.00',
  taxes: [{ ...TAX, base: '100.00', amount: '19.00' }],
  not_claimed: '0',
  is_early: false,
  day: DAY,
  due: DAY,
  ...more,
})

test('an invoice comes to what its customer accepted, with its tax apart', () => {
  const linesOf = (item: Item) => documentOf(item).LineItems.map((line) => `${line.AccountCode} ${line.UnitAmount}`)
  expect(linesOf(invoice())).toEqual(['billing_invoices 100', 'sales_tax 19'])
  const free = {
    tax_total: '0.00',
    total: '100.00',
    taxes: [{ ...TAX, tax_percentage: '0', base: '100.00', amount: '0.00' }],
  }
  expect(linesOf(invoice({ ...free, not_claimed: '30.00' }))).toEqual(['billing_invoices 100', 'billing_invoices -30'])
  const early = invoice({ not_claimed: '2.38', is_early: true })
  const sold = ['billing_invoices 100', 'sales_tax 19']
  expect(linesOf(early)).toEqual([...sold, 'billing_invoices -2', 'sales_tax -0.38']) // net 98.00, tax 18.62
  expect(documentOf(early).LineItems.map(({ Description }) => Description)).toContain('Discount for early payment')
  expect(linesOf(invoice({ not_claimed: '59.50' }))).toEqual([...sold, 'billing_invoices -50', 'sales_tax -9.5'])
})

test('what has no account is named by the mapping that it lacks; a bank account without a code is named by its id', () => {
  const without = (type: string) => new Map([...CODES].filter(([name]) => name !== type))
  const unmapped = { code: 'unmapped', mapping_type: 'payments_sent' }
  expect(errorOf(transaction(), without('payments_sent'))).toMatchObject(unmapped)
  expect(errorOf(invoice(), without('sales_tax'))).toMatchObject({ mapping_type: 'sales_tax' })
  expect(errorOf(invoice({ tax_total: '0' }), without('sales_tax'))).toBeUndefined()
  const id = randomUUID()
  expect(documentOf(transaction(), new Map([...CODES, ['bank_account_eur', id]])).BankAccount).toEqual({
    AccountID: id,
  })
})

test('an amount that a number does not hold exactly, or that would be rounded, is not posted', () => {
  const posted = (amount: string, currency: string) => {
    const item = transaction({ amount, currency })
    return errorOf(item)?.code ?? documentOf(item).LineItems[0]?.UnitAmount
  }
  expect(posted('1234567890123.45', 'EUR')).toBe(1234567890123.45)
  expect(posted('12345678901234.56', 'EUR')).toBe('amount_too_large')
  expect([posted('1.230', 'KWD'), posted('1000', 'JPY')]).toEqual([1.23, 1000])
  expect([posted('1.234', 'KWD'), posted('0.001', 'KWD')]).toEqual(['amount_too_precise', 'amount_too_precise'])
})

test('a name that is too long is cut, and never in the middle of a sign', () => {
  const name = documentOf(transaction({ counterparty: `${'x'.repeat(254)}🦊 and friends` })).Contact.Name
  expect(name).toBe('x'.repeat(254))
})

test('a credit note is posted under its number, with its tax apart, to the accounts of invoices', () => {
  const item = {
    kind: 'credit_note',
    id: randomUUID(),
    number: 'CN-000001',
    invoice_id: randomUUID(),
    invoice_number: 'INV-000001',
    customer: 'Customer',
    currency: 'EUR',
    net_total: '100.00',
    tax_total: '19.00',
    day: DAY,
  } as const
  const document = documentOf(item)
  const head = {
    Type: 'ACCRECCREDIT',
    CreditNoteNumber: 'CN-000001',
    Reference: item.id,
    Contact: { Name: 'Customer' },
  }
  expect(document).toMatchObject(head)
  expect(accountsOf(document)).toEqual(['billing_invoices', 'sales_tax'])
  expect(errorOf(item, new Map())).toMatchObject({ kind: 'invoice', id: item.invoice_id, code: 'unmapped' })
  expect(document.LineItems.map((line) => line.UnitAmount)).toEqual([100, 19])
})

test('a labelled transaction has the tracking of its labels; an option that the books do not have is named', () => {
  const labels = [{ dimension: 'department', value: 'it' }, { dimension: 'project', value: 'p1' }] // prettier-ignore
  const [line] = documentOf(transaction({ labels })).LineItems
  expect(line).toMatchObject({ Tracking: [{ Name: 'Department', Option: 'IT' }] })
  const unknown = errorOf(transaction({ labels: [{ dimension: 'department', value: 'none' }] }))
  expect(unknown).toMatchObject({
    code: 'unmapped',
    message: 'The tracking category Department has no option named none.',
  })
})
