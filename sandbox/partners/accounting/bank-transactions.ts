/** Money spent and received, and moved between bank accounts, in the books of the stand-in. */
import { newItemId } from '../../db/accounting-books.ts'
import { msDate } from './answers.ts'
import {
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

const scopes = ['accounting.transactions', 'accounting.banktransactions']

export const bankTransactions: Kind = {
  type: 'BankTransactions',
  scopes,
  id: 'BankTransactionID',
  post: async (books, draft) => {
    const type = textOf(draft['Type'])
    const account = accountIn(books, draftOf(draft['BankAccount']))
    const isBank = account?.Type === 'BANK'
    const [contact, lines] = [await contactOf(books, draft['Contact']), linesOf(books, draft, true)]
    const { texts, errors: tooLong } = textsOf(draft, ['Reference', 'Url'])
    const date = dayOf('Date', draft['Date'], books.now)
    const currency = currencyOf(draft['CurrencyCode'], account?.CurrencyCode ?? books.baseCurrency)
    const errors = [
      ...(type === 'SPEND' || type === 'RECEIVE' ? [] : ['Type is not valid for a bank transaction']),
      ...(isBank ? [] : ['The bank account could not be found']),
      ...(isBank && account.CurrencyCode !== currency.code
        ? [`The currency ${currency.code} is not that of the bank account, ${account.CurrencyCode}`]
        : []),
      ...contact.errors,
      ...lines.errors,
      ...(lines.members.Total < 0 ? ['The document total must be greater than or equal to zero.'] : []),
      ...[tooLong, date.errors, currency.errors].flat(),
    ]
    const id = newItemId()
    const body = {
      BankTransactionID: id,
      ...(account && { BankAccount: accountShown(account) }),
      Type: type,
      ...texts,
      IsReconciled: draft['IsReconciled'] === true,
      HasAttachments: false,
      Contact: draftOf(draft['Contact']),
      ...date.members,
      Status: 'AUTHORISED',
      ...lines.members,
      CurrencyCode: currency.code,
      ...(amountOf(draft['CurrencyRate']) !== undefined && { CurrencyRate: amountOf(draft['CurrencyRate']) }),
    }
    if (errors.length > 0) return { body: { ...body, BankTransactionID: NOBODY }, errors }
    const whole = { ...body, Contact: await contact.make() }
    await books.insert('BankTransactions', id, whole)
    return { body: whole, errors }
  },
  move: async (books, body, status) => {
    if (status !== 'DELETED' || body['IsReconciled'] === true) return undefined
    const deleted = { ...body, Status: 'DELETED' }
    await books.replace(textOf(body['BankTransactionID']), deleted)
    return deleted
  },
}

/** What Xero answers as the id of what it has not made. */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

export const bankTransfers: Kind = {
  type: 'BankTransfers',
  scopes,
  id: 'BankTransferID',
  post: async (books, draft) => {
    const [from, to] = [draft['FromBankAccount'], draft['ToBankAccount']].map((side) => accountIn(books, draftOf(side)))
    const amount = amountOf(draft['Amount'])
    const { texts, errors: tooLong } = textsOf(draft, ['Reference'])
    const date = dayOf('Date', draft['Date'], books.now)
    const errors = [
      ...([from, to].every((account) => account?.Type === 'BANK') ? [] : ['The bank account could not be found']),
      ...(from && from === to ? ['The from and to bank accounts must be different'] : []),
      ...(amount !== undefined && amount > 0 ? [] : ['The amount must be greater than zero']),
      ...tooLong,
      ...date.errors,
    ]
    const id = newItemId()
    const body = {
      BankTransferID: errors.length > 0 ? NOBODY : id,
      CreatedDateUTC: msDate(books.now),
      CreatedDateUTCString: new Date(books.now).toISOString().slice(0, 19),
      ...date.members,
      ...(from && { FromBankAccount: accountShown(from) }),
      ...(to && { ToBankAccount: accountShown(to) }),
      Amount: rounded(amount ?? 0),
      FromBankTransactionID: newItemId(),
      ToBankTransactionID: newItemId(),
      CurrencyRate: amountOf(draft['CurrencyRate']) ?? 1,
      FromIsReconciled: false,
      ToIsReconciled: false,
      ...texts,
      HasAttachments: false,
    }
    if (errors.length === 0) await books.insert('BankTransfers', id, body)
    return { body, errors }
  },
}
