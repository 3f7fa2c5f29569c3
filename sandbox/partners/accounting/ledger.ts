/** Contacts and manual journals in the books of the stand-in. */
import { newItemId } from '../../db/accounting-books.ts'
import { NOBODY } from './bank-transactions.ts'
import {
  CONTACT_TEXTS,
  type Kind,
  accountIn,
  amountOf,
  contactNamed,
  dayOf,
  draftOf,
  makeContact,
  rounded,
  textOf,
  textsOf,
} from './documents.ts'

export const contacts: Kind = {
  type: 'Contacts',
  scopes: ['accounting.contacts'],
  id: 'ContactID',
  post: async (books, draft, replaces) => {
    const name = textOf(draft['Name'])
    const { texts, errors } = textsOf(draft, CONTACT_TEXTS)
    const known = name ? await contactNamed(books, name) : undefined
    const wrong = [
      ...(name ? [] : ['The Contact Name cannot be empty']),
      ...(known && !replaces
        ? [
            `The contact name ${name} is already assigned to another contact. The contact name must be unique across all active contacts.`,
          ]
        : []),
      ...errors,
    ]
    if (wrong.length > 0) return { body: { ContactID: NOBODY, ...texts }, errors: wrong }
    if (!known) return { body: await makeContact(books, draft), errors: [] }
    const body = { ...known.body, ...texts }
    await books.replace(known.id, body)
    return { body, errors: [] }
  },
}

export const manualJournals: Kind = {
  type: 'ManualJournals',
  scopes: ['accounting.transactions', 'accounting.manualjournals'],
  id: 'ManualJournalID',
  post: async (books, draft) => {
    const given = Array.isArray(draft['JournalLines']) ? draft['JournalLines'].map(draftOf) : []
    const status = textOf(draft['Status']) || 'DRAFT'
    const { texts, errors: tooLong } = textsOf(draft, ['Narration', 'Url'])
    const date = dayOf('Date', draft['Date'], books.now)
    const lines = given.map((line) => {
      const account = accountIn(books, { AccountID: line['AccountID'], Code: line['AccountCode'] })
      const isTaken = account?.Status === 'ACTIVE' && account.Type !== 'BANK' && !account.SystemAccount
      return { line, account: isTaken ? account : undefined, amount: amountOf(line['LineAmount']) ?? 0 }
    })
    const errors = [
      ...(texts['Narration'] ? [] : ['Narration must be specified']),
      ...(status === 'DRAFT' || status === 'POSTED' ? [] : ['Status is not valid for a manual journal']),
      ...(lines.length >= 2 ? [] : ['At least two journal lines must be specified']),
      ...(rounded(lines.reduce((sum, { amount }) => sum + amount, 0)) === 0
        ? []
        : ['The total debits must equal total credits']),
      ...lines.flatMap(({ line, account }) =>
        account ? [] : [`Account code '${textOf(line['AccountCode'])}' is not a valid code for this document.`],
      ),
      ...tooLong,
      ...date.errors,
    ]
    const id = newItemId()
    const body = {
      ManualJournalID: errors.length > 0 ? NOBODY : id,
      ...texts,
      ...date.members,
      Status: status,
      LineAmountTypes: textOf(draft['LineAmountTypes']) || 'NoTax',
      JournalLines: lines.map(({ line, account, amount }) => ({
        Description: textOf(line['Description']),
        LineAmount: rounded(amount),
        ...(account && { AccountCode: account.Code, AccountID: account.AccountID }),
        TaxType: 'NONE',
        TaxAmount: 0,
        Tracking: [],
        IsBlank: false,
      })),
      ShowOnCashBasisReports: draft['ShowOnCashBasisReports'] !== false,
      HasAttachments: false,
    }
    if (errors.length === 0) await books.insert('ManualJournals', id, body)
    return { body, errors }
  },
}
