/** Xero documents of items: each carries our id, and goes to the accounts that the organization chose. */
import type {
  BillItem,
  CreditNoteItem,
  InvoiceItem,
  Item,
  ItemKind,
  PaymentItem,
  TransactionItem,
} from '../../services/accounting/items.ts'
import type { SyncError } from '../../domain/accounting/integration.ts'
import { type AccountCodes, type PostedTo, bankAccountOf } from '../../domain/accounting/mapping.ts'
import type { BooksNames } from '../../domain/accounting/names.ts'
import { isUuid } from '../../domain/ids.ts'
import { reduceTotals } from '../../domain/invoices/early-payment.ts'
import { moneyOf, subtract, toMinor } from '../../domain/money/money.ts'
import { isCoin } from '../../domain/money/currencies.ts'
import { NotPosted, codeFor, writeCodedLines, lineOf, numberOf, trackingOf } from './lines.ts'
import type { DocumentKind, SearchKey } from '../../partners/xero.ts'

export const KIND_OF: Readonly<Record<ItemKind, DocumentKind>> = {
  transaction: 'BankTransactions',
  bill: 'Bills',
  bill_payment: 'Payments',
  invoice: 'Invoices',
  credit_note: 'CreditNotes',
  invoice_payment: 'Payments',
}

export type Document = { readonly item: Item; readonly document: object }

/** Names an item in errors; a credit note by its invoice, whose kind clients know. */
const subjectOf = (item: Item): Pick<SyncError, 'kind' | 'id'> =>
  item.kind === 'credit_note' ? { kind: 'invoice', id: item.invoice_id } : { kind: item.kind, id: item.id }

/** Writes the error of an item that the accounting program refused. */
export const rejectionOf = (item: Item, said: string): SyncError => {
  const message = item.kind === 'credit_note' ? `Credit note ${item.number}: ${said}` : said
  return { ...subjectOf(item), code: 'rejected', message, mapping_type: null }
}

/** Writes the document that posts an item, or the error that there is none. */
export function writeDocument(
  item: Item,
  codes: AccountCodes,
  names: BooksNames,
): { document: object } | { error: SyncError } {
  try {
    return { document: documentOf(item, codes, names) }
  } catch (error) {
    if (!(error instanceof NotPosted)) throw error
    const { code, message, mappingType: mapping_type } = error
    return { error: { ...subjectOf(item), code, message, mapping_type } }
  }
}

function documentOf(item: Item, codes: AccountCodes, names: BooksNames): object {
  if (isCoin(item.currency)) {
    throw new NotPosted('unsupported_currency', `Accounting programs know no ${item.currency}.`)
  }
  switch (item.kind) {
    case 'transaction':
      return bankTransaction(item, codes, names)
    case 'bill':
      return bill(item, codes, names)
    case 'invoice':
      return invoice(item, codes)
    case 'credit_note':
      return creditNote(item, codes)
    default:
      return payment(item, codes)
  }
}

const accountNamed = (code: string) => (isUuid(code) ? { AccountID: code } : { Code: code })

const NAME_MAX = 255
/** Names a contact, without half a surrogate pair at the end. */
function contactNamed(name: string | null) {
  const cut = name?.trim().slice(0, NAME_MAX)
  return { Name: cut?.replace(/\p{Cs}$/u, '') || 'Unnamed' }
}

/** Chooses the other side of a transaction. Returned money goes where it was paid from. */
function sideOf({ type, direction, pays_bill: paysBill }: TransactionItem): PostedTo {
  if (type === 'fee') return 'bank_fees'
  if (type === 'swap') return 'currency_exchange'
  if (type === 'subscription') return 'subscriptions'
  if (type === 'deposit' || (type === 'payment' && direction === 'in')) return 'payments_received'
  return paysBill ? 'bill_payments' : 'payments_sent'
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  deposit: 'Deposit',
  fee: 'Fee',
  payment: 'Payment',
  refund: 'Refund',
  reversal: 'Payment that came back',
  subscription: 'Subscription',
  swap: 'Exchange',
}

const headOf = ({ currency, day }: Exclude<Item, PaymentItem>) => ({
  Status: 'AUTHORISED',
  CurrencyCode: currency,
  Date: day,
  LineAmountTypes: 'NoTax',
})

function bankTransaction(item: TransactionItem, codes: AccountCodes, names: BooksNames): object {
  const described = item.description || (TYPE_NAMES[item.type] ?? item.type)
  return {
    ...headOf(item),
    Type: item.direction === 'in' ? 'RECEIVE' : 'SPEND',
    Contact: contactNamed(item.counterparty ?? TYPE_NAMES[item.type] ?? null),
    BankAccount: accountNamed(codeFor(codes, bankAccountOf(item.currency))),
    Reference: item.id,
    LineItems: [{ ...lineOf(described, item.amount, codeFor(codes, sideOf(item))), ...trackingOf(item, names) }],
  }
}

/** Text that a filter of Xero holds within quotes, and that it keeps as it is. */
const FILTERABLE = /^[^"\\\s\p{C}]+(?: [^"\\\s\p{C}]+)*$/u
/** Longest number in a URL: the numbers of a set must fit into one. */
const NUMBER_IN_URL_MAX = 100

/**
 * Chooses the number under which a bill is in the books, and by which it is looked for: its own. It is our id without
 * one, for one that a filter does not hold, and for one that looks like an id, by which another bill would be found.
 */
export const numberInBooks = ({ id, number }: BillItem): string =>
  number !== null &&
  FILTERABLE.test(number) &&
  !isUuid(number.toLowerCase()) &&
  encodeURIComponent(number).length <= NUMBER_IN_URL_MAX
    ? number
    : id

/** Names the document of an item in a search of the books. */
export const searchKeyOf = (item: Item): SearchKey =>
  item.kind === 'bill' ? { id: item.id, number: numberInBooks(item) } : { id: item.id }

function bill(item: BillItem, codes: AccountCodes, names: BooksNames): object {
  // the id ends the line: the bill is known by it if another has its number
  const described = `${item.number ? `Bill ${item.number}` : 'Bill'} (${item.id})`
  return {
    ...headOf(item),
    Type: 'ACCPAY',
    Contact: contactNamed(item.supplier),
    DueDate: item.due,
    InvoiceNumber: numberInBooks(item),
    ...(writeCodedLines(item, described, codes, names) ?? {
      LineItems: [lineOf(described, item.amount, codeFor(codes, 'bills'))],
    }),
  }
}

const isZero = (amount: string): boolean => /^-?[0.]*$/.test(amount)

/** Writes a net sum and its tax as lines. */
function soldLines(described: string, item: InvoiceItem | CreditNoteItem, codes: AccountCodes) {
  const lines = [lineOf(described, item.net_total, codeFor(codes, 'billing_invoices'))]
  if (!isZero(item.tax_total)) lines.push(lineOf('Tax', item.tax_total, codeFor(codes, 'sales_tax')))
  return lines
}

/** Writes what of net sum and tax is not paid, by the rates of the invoice. */
function reducingLines(item: InvoiceItem, codes: AccountCodes) {
  const { currency, net_total: net, tax_total: tax, not_claimed: amount, is_early: isEarly } = item
  const reduced = reduceTotals(item, toMinor({ amount, currency }))
  const less = (whole: string, left: string) => subtract(moneyOf(left, currency), moneyOf(whole, currency)).amount
  const described = isEarly ? 'Discount for early payment' : 'Not accepted by the customer'
  const lines = [lineOf(described, less(net, reduced.net_total), codeFor(codes, 'billing_invoices'))]
  const ofTax = less(tax, reduced.tax_total)
  if (!isZero(ofTax)) lines.push(lineOf(`Tax: ${described}`, ofTax, codeFor(codes, 'sales_tax')))
  return lines
}

function invoice(item: InvoiceItem, codes: AccountCodes): object {
  const lines = soldLines(`Invoice ${item.number}`, item, codes)
  if (!isZero(item.not_claimed)) lines.push(...reducingLines(item, codes))
  return {
    ...headOf(item),
    Type: 'ACCREC',
    Contact: contactNamed(item.customer),
    DueDate: item.due,
    InvoiceNumber: item.number,
    Reference: item.id,
    LineItems: lines,
  }
}

const creditNote = (item: CreditNoteItem, codes: AccountCodes): object => ({
  ...headOf(item),
  Type: 'ACCRECCREDIT',
  Contact: contactNamed(item.customer),
  CreditNoteNumber: item.number,
  Reference: item.id,
  LineItems: soldLines(`Credit note ${item.number} of invoice ${item.invoice_number}`, item, codes),
})

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
