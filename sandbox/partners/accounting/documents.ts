import { v7 } from 'uuid'
import type { SandboxItemType } from '../../../domain/sandbox/accounting.ts'
import type { Body, Books } from '../../db/accounting-books.ts'
import type { Account } from './chart.ts'
import { accountIn, amountOf, draftOf, faultsOf, linesOf, listOf, roundToCents, textOf } from './lines.ts'

export type Outcome = { readonly body: Body; readonly errors: readonly string[] }

export type Kind = {
  readonly type: SandboxItemType
  readonly scope: string
  readonly id: string
  readonly post: (books: Books, draft: Body) => Promise<Outcome>
}

const bankTransactions: Kind = {
  type: 'BankTransactions',
  scope: 'accounting.banktransactions',
  id: 'BankTransactionID',
  async post(books, draft) {
    const [type, account] = [textOf(draft['Type']), accountIn(books, draft['BankAccount'])]
    const [date, lines] = [dayOf('Date', draft['Date']), linesOf(books, draft)]
    const currency = textOf(draft['CurrencyCode']) || account?.CurrencyCode
    const errors = [
      ...faultsOf([
        [type !== 'SPEND' && type !== 'RECEIVE', 'Type is not valid for a bank transaction'],
        [account?.Type !== 'BANK', 'The bank account could not be found'],
        [currency !== account?.CurrencyCode, `The currency ${currency} is not that of the bank account`],
      ]),
      ...contactFaults(draft),
      ...[date.errors, lines.errors, referenceFaults(draft)].flat(),
    ]
    return insert(books, bankTransactions, errors, {
      Type: type,
      Reference: textOf(draft['Reference']),
      BankAccount: account && accountSummary(account),
      Contact: errors.length > 0 ? draft['Contact'] : await contactOf(books, draft),
      ...date.members,
      Status: 'AUTHORISED',
      ...lines.members,
      CurrencyCode: currency,
    })
  },
}

const invoices: Kind = {
  type: 'Invoices',
  scope: 'accounting.invoices',
  id: 'InvoiceID',
  async post(books, draft) {
    const [type, number] = [textOf(draft['Type']), textOf(draft['InvoiceNumber'])]
    const [date, due] = [dayOf('Date', draft['Date']), dayOf('DueDate', draft['DueDate'])]
    const lines = linesOf(books, draft)
    const isTaken = (body: Body) => body['Type'] === 'ACCREC' && body['InvoiceNumber'] === number
    const errors = [
      ...faultsOf([
        [type !== 'ACCPAY' && type !== 'ACCREC', 'Type is not valid for an invoice'],
        [draft['Status'] !== 'AUTHORISED', 'Invoice not of valid status for creation'],
        [type === 'ACCREC' && (await books.list('Invoices')).some(isTaken), 'Invoice # must be unique.'],
      ]),
      ...contactFaults(draft),
      ...[date.errors, due.errors, lines.errors, referenceFaults(draft)].flat(),
    ]
    return insert(books, invoices, errors, {
      Type: type,
      InvoiceNumber: number,
      Reference: textOf(draft['Reference']),
      Payments: [],
      AmountDue: lines.members.Total,
      AmountPaid: 0,
      HasErrors: errors.length > 0,
      Contact: errors.length > 0 ? draft['Contact'] : await contactOf(books, draft),
      ...date.members,
      ...due.members,
      Status: 'AUTHORISED',
      ...lines.members,
      CurrencyCode: textOf(draft['CurrencyCode']) || 'EUR',
    })
  },
}

const payments: Kind = {
  type: 'Payments',
  scope: 'accounting.payments',
  id: 'PaymentID',
  async post(books, draft) {
    const invoiceId = textOf(draftOf(draft['Invoice'])['InvoiceID']).toLowerCase()
    const invoice = (await books.list('Invoices')).find((body) => body['InvoiceID'] === invoiceId)
    const account = accountIn(books, draft['Account'])
    const [amount, due] = [amountOf(draft['Amount']) ?? 0, amountOf(invoice?.['AmountDue']) ?? 0]
    const date = dayOf('Date', draft['Date'])
    const errors = [
      ...faultsOf([
        [!invoice, 'Invoice could not be found'],
        [account?.Type !== 'BANK' && !account?.EnablePaymentsToAccount, 'Account could not be found'],
        [amount <= 0, 'Payment amount must be greater than zero'],
        [amount > due, 'Payment amount exceeds the amount outstanding on this document'],
      ]),
      ...[date.errors, referenceFaults(draft)].flat(),
    ]
    const posted = await insert(books, payments, errors, {
      ...date.members,
      Amount: roundToCents(amount),
      Reference: textOf(draft['Reference']),
      PaymentType: `${textOf(invoice?.['Type'])}PAYMENT`,
      Status: 'AUTHORISED',
      Account: account && accountSummary(account),
      Invoice: { InvoiceID: invoiceId },
      HasValidationErrors: errors.length > 0,
    })
    if (invoice && errors.length === 0) await pay(books, invoice, posted.body)
    return posted
  },
}

const creditNotes: Kind = {
  type: 'CreditNotes',
  scope: 'accounting.invoices',
  id: 'CreditNoteID',
  async post(books, draft) {
    const number = textOf(draft['CreditNoteNumber'])
    const [date, lines] = [dayOf('Date', draft['Date']), linesOf(books, draft)]
    const isTaken = (body: Body) => body['CreditNoteNumber'] === number
    const errors = [
      ...faultsOf([
        [draft['Type'] !== 'ACCRECCREDIT', 'Type is not valid for a credit note'],
        [draft['Status'] !== 'AUTHORISED', 'Credit note not of valid status for creation'],
        [(await books.list('CreditNotes')).some(isTaken), 'Credit Note # must be unique.'],
      ]),
      ...contactFaults(draft),
      ...[date.errors, lines.errors, referenceFaults(draft)].flat(),
    ]
    return insert(books, creditNotes, errors, {
      Type: 'ACCRECCREDIT',
      CreditNoteNumber: number,
      Reference: textOf(draft['Reference']),
      Allocations: [],
      RemainingCredit: lines.members.Total,
      HasErrors: errors.length > 0,
      Contact: errors.length > 0 ? draft['Contact'] : await contactOf(books, draft),
      ...date.members,
      Status: 'AUTHORISED',
      ...lines.members,
      CurrencyCode: textOf(draft['CurrencyCode']) || 'EUR',
    })
  },
}

export const KINDS: readonly Kind[] = [bankTransactions, invoices, creditNotes, payments]

/** Id that Xero answers for a document that it did not make. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

async function insert(books: Books, { type, id }: Kind, errors: readonly string[], members: Body): Promise<Outcome> {
  const itemId = errors.length > 0 ? NOBODY : v7()
  const body = { [id]: itemId, ...members }
  if (errors.length === 0) await books.insert(type, itemId, body)
  return { body, errors }
}

/** Writes a payment into its invoice, which is PAID once nothing is due. */
async function pay(books: Books, invoice: Body, payment: Body): Promise<void> {
  const amount = amountOf(payment['Amount']) ?? 0
  const due = roundToCents((amountOf(invoice['AmountDue']) ?? 0) - amount)
  const { PaymentID, Date: date, Amount, Reference } = payment
  await books.replace(textOf(invoice['InvoiceID']), {
    ...invoice,
    Payments: [...listOf(invoice['Payments']), { PaymentID, Date: date, Amount, Reference }],
    AmountDue: due,
    AmountPaid: roundToCents((amountOf(invoice['AmountPaid']) ?? 0) + amount),
    Status: due === 0 ? 'PAID' : 'AUTHORISED',
  })
}

const LENGTH_MAX = 255
const isTooLong = (value: unknown): boolean => textOf(value).length > LENGTH_MAX
const tooLong = (name: string) => `The field ${name} must be a string with a maximum length of ${LENGTH_MAX}.`
const referenceFaults = ({ Reference: given, InvoiceNumber: number }: Body): string[] =>
  faultsOf([
    [isTooLong(given), tooLong('Reference')],
    [isTooLong(number), tooLong('InvoiceNumber')],
  ])

/** Writes a day `YYYY-MM-DD` as both of Xero's members. */
function dayOf(name: string, value: unknown): { readonly members: Body; readonly errors: readonly string[] } {
  const ms = Date.parse(textOf(value).slice(0, 10))
  if (Number.isNaN(ms)) return { members: {}, errors: [`${name} is not a valid date`] }
  const members = { [`${name}String`]: new Date(ms).toISOString().slice(0, 19), [name]: `/Date(${ms}+0000)/` }
  return { members, errors: [] }
}

const accountSummary = ({ AccountID, Code, Name }: Account) => ({ AccountID, Code, Name })

const contactFaults = ({ Contact: contact }: Body): string[] => {
  const { Name: name } = draftOf(contact)
  return faultsOf([
    [!textOf(name), 'A Contact must be specified for this type of transaction'],
    [isTooLong(name), tooLong('Name')],
  ])
}

/** Finds the contact by its name, in any case, or makes it. */
async function contactOf(books: Books, { Contact: contact }: Body): Promise<Body> {
  const name = textOf(draftOf(contact)['Name'])
  const isSame = (body: Body) => textOf(body['Name']).toLowerCase() === name.toLowerCase()
  const known = (await books.list('Contacts')).find(isSame)
  if (known) return known
  const id = v7()
  const made = { ContactID: id, ContactStatus: 'ACTIVE', Name: name }
  await books.insert('Contacts', id, made)
  return made
}
