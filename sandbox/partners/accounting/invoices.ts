/** Bills and invoices, and what is paid of them, in the books of the stand-in. */
import { type Books, newItemId } from '../../db/accounting-books.ts'
import { NOBODY } from './bank-transactions.ts'
import {
  type Body,
  type Draft,
  type Kind,
  accountIn,
  accountShown,
  amountOf,
  contactOf,
  currencyOf,
  dayOf,
  draftOf,
  linesOf,
  rounded,
  textOf,
  textsOf,
} from './documents.ts'

const STATUSES = ['DRAFT', 'SUBMITTED', 'AUTHORISED']
/** What a status that is asked for is taken from. */
const MOVES: ReadonlyMap<string, readonly string[]> = new Map([
  ['SUBMITTED', ['DRAFT']],
  ['AUTHORISED', ['DRAFT', 'SUBMITTED']],
  ['DELETED', ['DRAFT', 'SUBMITTED']],
  ['VOIDED', ['AUTHORISED']],
])

export const invoices: Kind = {
  type: 'Invoices',
  scopes: ['accounting.transactions', 'accounting.invoices'],
  id: 'InvoiceID',
  post: async (books, draft) => {
    const [type, status] = [textOf(draft['Type']), textOf(draft['Status']) || 'DRAFT']
    const approved = status === 'AUTHORISED'
    const [contact, lines] = [await contactOf(books, draft['Contact']), linesOf(books, draft, approved)]
    const { texts, errors: tooLong } = textsOf(draft, ['InvoiceNumber', 'Reference', 'Url'])
    const [date, due] = [dayOf('Date', draft['Date'], books.now), dayOf('DueDate', draft['DueDate'], null)]
    const currency = currencyOf(draft['CurrencyCode'], books.baseCurrency)
    const number = texts['InvoiceNumber'] || (type === 'ACCREC' ? await nextNumber(books) : '')
    const errors = [
      ...(type === 'ACCPAY' || type === 'ACCREC' ? [] : ['Type is not valid for an invoice']),
      ...(STATUSES.includes(status) ? [] : ['Invoice not of valid status for creation']),
      ...contact.errors,
      ...lines.errors,
      ...(lines.members.Total < 0 ? ['The document total must be greater than or equal to zero.'] : []),
      ...(approved && !due.members['DueDate'] && due.errors.length === 0
        ? ['The due date is required to approve']
        : []),
      ...[tooLong, date.errors, due.errors, currency.errors].flat(),
      ...(type === 'ACCREC' && (await isTaken(books, number)) ? ['Invoice # must be unique.'] : []),
    ]
    const id = newItemId()
    const body = {
      Type: type,
      InvoiceID: errors.length > 0 ? NOBODY : id,
      ...texts,
      InvoiceNumber: number,
      Payments: [],
      CreditNotes: [],
      Prepayments: [],
      Overpayments: [],
      AmountDue: lines.members.Total,
      AmountPaid: 0,
      AmountCredited: 0,
      CurrencyRate: amountOf(draft['CurrencyRate']) ?? 1,
      SentToContact: draft['SentToContact'] === true,
      IsDiscounted: false,
      HasAttachments: false,
      HasErrors: errors.length > 0,
      Contact: draftOf(draft['Contact']),
      ...date.members,
      ...due.members,
      Status: status,
      ...lines.members,
      CurrencyCode: currency.code,
    }
    if (errors.length > 0) return { body, errors }
    const whole = { ...body, Contact: await contact.make() }
    await books.insert('Invoices', id, whole)
    return { body: whole, errors }
  },
  move: async (books, body, status) => {
    const paid = (amountOf(body['AmountPaid']) ?? 0) > 0
    if (paid || !MOVES.get(status)?.includes(textOf(body['Status']))) return undefined
    const gone = status === 'VOIDED' || status === 'DELETED'
    const moved = { ...body, Status: status, ...(gone && { AmountDue: 0 }) }
    await books.replace(textOf(body['InvoiceID']), moved)
    return moved
  },
}

/** Numbers of sales invoices are taken once, also by those that were deleted. */
const isTaken = async (books: Books, number: string): Promise<boolean> =>
  (await books.list('Invoices')).some(({ body }) => body['Type'] === 'ACCREC' && body['InvoiceNumber'] === number)

async function nextNumber(books: Books): Promise<string> {
  const numbers = (await books.list('Invoices')).map(
    ({ body }) => /^INV-(\d+)$/.exec(textOf(body['InvoiceNumber']))?.[1],
  )
  return `INV-${String(Math.max(0, ...numbers.map((number) => Number(number ?? 0))) + 1).padStart(4, '0')}`
}

export const payments: Kind = {
  type: 'Payments',
  scopes: ['accounting.transactions', 'accounting.payments'],
  id: 'PaymentID',
  post: async (books, draft) => {
    const invoice = await invoiceIn(books, draft)
    const account = accountIn(books, {
      ...draftOf(draft['Account']),
      ...(draft['Code'] ? { Code: draft['Code'] } : {}),
    })
    const amount = amountOf(draft['Amount'])
    const { texts, errors: tooLong } = textsOf(draft, ['Reference'])
    const date = dayOf('Date', draft['Date'], books.now)
    const isApproved = invoice?.['Status'] === 'AUTHORISED' || invoice?.['Status'] === 'PAID'
    const errors = [
      ...(invoice ? [] : ['Invoice could not be found']),
      ...(invoice && !isApproved ? ['Payments can only be made against Authorised documents'] : []),
      ...(account?.Type === 'BANK' || account?.EnablePaymentsToAccount ? [] : ['Account could not be found']),
      ...(amount !== undefined && amount > 0 ? [] : ['Payment amount must be greater than zero']),
      ...(isApproved && amount !== undefined && amount > (amountOf(invoice['AmountDue']) ?? 0)
        ? ['Payment amount exceeds the amount outstanding on this document']
        : []),
      ...tooLong,
      ...date.errors,
    ]
    const id = newItemId()
    const body = {
      PaymentID: errors.length > 0 ? NOBODY : id,
      ...date.members,
      BankAmount: rounded(amount ?? 0),
      Amount: rounded(amount ?? 0),
      ...texts,
      CurrencyRate: amountOf(draft['CurrencyRate']) ?? 1,
      PaymentType: `${textOf(invoice?.['Type'])}PAYMENT`,
      Status: 'AUTHORISED',
      HasAccount: account !== undefined,
      IsReconciled: draft['IsReconciled'] === true,
      ...(account && { Account: accountShown(account) }),
      Invoice: invoice ? invoiceShown(invoice) : draftOf(draft['Invoice']),
      HasValidationErrors: errors.length > 0,
    }
    if (errors.length > 0 || !invoice) return { body, errors }
    await books.insert('Payments', id, body)
    await settle(books, invoice, body, 1)
    return { body, errors }
  },
  move: async (books, body, status) => {
    const invoice = await invoiceIn(books, body)
    if (status !== 'DELETED' || body['Status'] === 'DELETED' || !invoice) return undefined
    const deleted = { ...body, Status: 'DELETED' }
    await books.replace(textOf(body['PaymentID']), deleted)
    await settle(books, invoice, body, -1)
    return deleted
  },
}

async function invoiceIn(books: Books, draft: Draft): Promise<Body | undefined> {
  const named = draftOf(draft['Invoice'])
  const [id, number] = [textOf(named['InvoiceID']), textOf(named['InvoiceNumber']) || textOf(draft['InvoiceNumber'])]
  const isIt = ({ body }: { readonly body: Body }) =>
    id ? body['InvoiceID'] === id.toLowerCase() : number !== '' && body['InvoiceNumber'] === number
  return (await books.list('Invoices')).find(isIt)?.body
}

const SHOWN = ['Type', 'InvoiceID', 'InvoiceNumber', 'Reference', 'Contact', 'CurrencyCode'] as const
const invoiceShown = (invoice: Body): Body =>
  Object.fromEntries(SHOWN.flatMap((name) => (invoice[name] === undefined ? [] : [[name, invoice[name]]])))

/** Writes a payment into its invoice, or takes it out again: paid in full, it is PAID. */
async function settle(books: Books, invoice: Body, payment: Body, sign: 1 | -1): Promise<void> {
  const amount = sign * (amountOf(payment['Amount']) ?? 0)
  const due = rounded((amountOf(invoice['AmountDue']) ?? 0) - amount)
  const others = (Array.isArray(invoice['Payments']) ? invoice['Payments'] : [])
    .map(draftOf)
    .filter(({ PaymentID: id }) => id !== payment['PaymentID'])
  const { PaymentID, Date: date, Amount, Reference } = payment
  const { FullyPaidOnDate: _, ...rest } = invoice
  await books.replace(textOf(invoice['InvoiceID']), {
    ...rest,
    Payments:
      sign > 0 ? [...others, { PaymentID, Date: date, Amount, ...(Reference !== undefined && { Reference }) }] : others,
    AmountDue: due,
    AmountPaid: rounded((amountOf(invoice['AmountPaid']) ?? 0) + amount),
    Status: due === 0 ? 'PAID' : 'AUTHORISED',
    ...(due === 0 && { FullyPaidOnDate: date }),
  })
}
