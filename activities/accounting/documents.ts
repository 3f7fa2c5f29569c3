/** What is posted, as Xero's documents: each carries our id, and goes to the accounts that the organization chose. */
import type { BillItem, InvoiceItem, Item, ItemKind, PaymentItem, TransactionItem } from '../../db/accounting/items.ts'
import type { SyncError } from '../../domain/accounting/integration.ts'
import { type AccountCodes, type BankMapping, type PostedTo, bankAccountOf } from '../../domain/accounting/mapping.ts'
import { isUuid } from '../../domain/ids.ts'
import { isCoin } from '../../domain/money/currencies.ts'
import type { DocumentKind } from '../../partners/xero.ts'

/** Where the documents of each kind are. */
export const KIND_OF: Readonly<Record<ItemKind, DocumentKind>> = {
  transaction: 'BankTransactions',
  bill: 'Bills',
  bill_payment: 'Payments',
  invoice: 'Invoices',
  invoice_payment: 'Payments',
}

/** A document, or why there is none as things are. */
export type Written = { readonly document: object } | { readonly error: SyncError }

/** An item that cannot be posted: nothing is asked of Xero. */
class Unposted extends Error {
  constructor(readonly error: Omit<SyncError, 'kind' | 'id'>) {
    super(error.message)
  }
}

/** What Xero is asked to take for an item. */
export function written(item: Item, codes: AccountCodes): Written {
  try {
    return { document: documentOf(item, codes) }
  } catch (error) {
    if (!(error instanceof Unposted)) throw error
    return { error: { kind: item.kind, id: item.id, ...error.error } }
  }
}

function documentOf(item: Item, codes: AccountCodes): object {
  if (isCoin(item.currency)) {
    const message = `Accounting programs know no ${item.currency}.`
    throw new Unposted({ code: 'unsupported_currency', message, mapping_type: null })
  }
  switch (item.kind) {
    case 'transaction':
      return bankTransaction(item, codes)
    case 'bill':
      return bill(item, codes)
    case 'invoice':
      return invoice(item, codes)
    default:
      return payment(item, codes)
  }
}

function codeFor(codes: AccountCodes, type: PostedTo | BankMapping): string {
  const code = codes.get(type)
  if (code !== undefined) return code
  const message = `No account is chosen for ${type}.`
  throw new Unposted({ code: 'unmapped', message, mapping_type: type })
}

/** An account of a bank that has no code is named by its id. */
const accountNamed = (code: string) => (isUuid(code) ? { AccountID: code } : { Code: code })

const DIGITS_MAX = 15
/** Xero rounds to as many decimals, whatever the currency has. */
const FINER = /\.\d\d\d*[1-9]/

/** Xero takes numbers: as many digits as those hold exactly, and two decimals. */
function numberOf(amount: string): number {
  if (FINER.test(amount)) {
    const message = 'The amount has more decimals than the accounting program keeps.'
    throw new Unposted({ code: 'amount_too_precise', message, mapping_type: null })
  }
  if (amount.replaceAll(/\D/g, '').replace(/^0+/, '').length > DIGITS_MAX) {
    const message = 'The amount has more digits than the accounting program takes.'
    throw new Unposted({ code: 'amount_too_large', message, mapping_type: null })
  }
  return Number(amount)
}

type Line = {
  readonly Description: string
  readonly Quantity: 1
  readonly UnitAmount: number
  readonly AccountCode: string
}
const lineOf = (description: string, amount: string, code: string): Line => ({
  Description: description,
  Quantity: 1,
  UnitAmount: numberOf(amount),
  AccountCode: code,
})

const NAME_MAX = 255
/** A sign of two halves, at the end, is left out whole: half of one is not taken. */
const contactNamed = (name: string | null) => ({
  Name:
    name
      ?.trim()
      .slice(0, NAME_MAX)
      .replace(/\p{Cs}$/u, '') || 'Unnamed',
})

/** Where the other side of a transaction is posted. What came back goes where it was paid from. */
function sideOf({ type, direction, pays_bill: paysBill }: TransactionItem): PostedTo {
  if (type === 'fee') return 'bank_fees'
  if (type === 'swap') return 'currency_exchange'
  if (type === 'subscription') return 'subscriptions'
  if (type === 'deposit' || (type === 'payment' && direction === 'in')) return 'payments_received'
  return paysBill ? 'bill_payments' : 'payments_sent'
}

const TYPES: Readonly<Record<string, string>> = {
  deposit: 'Deposit',
  fee: 'Fee',
  payment: 'Payment',
  refund: 'Refund',
  reversal: 'Payment that came back',
  subscription: 'Subscription',
  swap: 'Exchange',
}

function bankTransaction(item: TransactionItem, codes: AccountCodes): object {
  const described = item.description || (TYPES[item.type] ?? item.type)
  return {
    Type: item.direction === 'in' ? 'RECEIVE' : 'SPEND',
    Status: 'AUTHORISED',
    Contact: contactNamed(item.counterparty ?? TYPES[item.type] ?? null),
    BankAccount: accountNamed(codeFor(codes, bankAccountOf(item.currency))),
    CurrencyCode: item.currency,
    Date: item.day,
    Reference: item.id,
    LineAmountTypes: 'NoTax',
    LineItems: [lineOf(described, item.amount, codeFor(codes, sideOf(item)))],
  }
}

function bill(item: BillItem, codes: AccountCodes): object {
  return {
    Type: 'ACCPAY',
    Status: 'AUTHORISED',
    Contact: contactNamed(item.supplier),
    CurrencyCode: item.currency,
    Date: item.day,
    DueDate: item.due,
    InvoiceNumber: item.id,
    LineAmountTypes: 'NoTax',
    LineItems: [lineOf(item.number ? `Bill ${item.number}` : 'Bill', item.amount, codeFor(codes, 'bills'))],
  }
}

const isZero = (amount: string): boolean => /^-?[0.]*$/.test(amount)

function invoice(item: InvoiceItem, codes: AccountCodes): object {
  const sold = codeFor(codes, 'billing_invoices')
  const lines = [lineOf(`Invoice ${item.number}`, item.net_total, sold)]
  if (!isZero(item.tax_total)) lines.push(lineOf('Tax', item.tax_total, codeFor(codes, 'sales_tax')))
  if (!isZero(item.not_accepted)) lines.push(lineOf('Not accepted by the customer', `-${item.not_accepted}`, sold))
  return {
    Type: 'ACCREC',
    Status: 'AUTHORISED',
    Contact: contactNamed(item.customer),
    CurrencyCode: item.currency,
    Date: item.day,
    DueDate: item.due,
    InvoiceNumber: item.number,
    Reference: item.id,
    LineAmountTypes: 'NoTax',
    LineItems: lines,
  }
}

function payment(item: PaymentItem, codes: AccountCodes): object {
  const from = item.kind === 'bill_payment' ? 'bill_payments' : 'payments_received'
  return {
    Invoice: { InvoiceID: item.document },
    Account: accountNamed(codeFor(codes, from)),
    Date: item.day,
    Amount: numberOf(item.amount),
    Reference: item.id,
  }
}
