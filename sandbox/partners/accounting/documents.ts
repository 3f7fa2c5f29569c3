/** What all documents of the stand-in of the accounting program have in common: dates, lines, totals, contacts. */
import { isCoin, isCurrency } from '../../../domain/money/currencies.ts'
import { isUuid } from '../../../domain/ids.ts'
import type { SandboxItemType } from '../../../domain/sandbox/accounting.ts'
import { type Books, newItemId } from '../../db/accounting-books.ts'
import { msDate } from './answers.ts'
import { type Account, TAX_RATES, accountsOf } from './chart.ts'

export type Draft = Readonly<Record<string, unknown>>
export type Body = Readonly<Record<string, unknown>>
/** What became of a draft: its body as it is answered, and why it was not posted, if anything is wrong with it. */
export type Outcome = { readonly body: Body; readonly errors: readonly string[] }

/** A kind of document: which scopes let it be posted, what its id is called, and how one is posted or changed. */
export type Kind = {
  readonly type: SandboxItemType
  readonly scopes: readonly string[]
  readonly id: string
  readonly post: (books: Books, draft: Draft, replaces: boolean) => Promise<Outcome>
  /** What a status that is asked for does; undefined if it cannot be. */
  readonly move?: (books: Books, body: Body, status: string) => Promise<Body | undefined>
}

export const draftOf = (value: unknown): Draft =>
  // an object is read member by member, and each is looked at
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Draft) : {}
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
export const amountOf = (value: unknown): number | undefined => {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof amount === 'number' && Number.isFinite(amount) ? amount : undefined
}
export const rounded = (amount: number): number => Math.round(Number((amount * 100).toFixed(4))) / 100

const LENGTH_MAX = 255
/** Texts that are taken as they are, and those of them that are too long. */
export function textsOf(draft: Draft, names: readonly string[]) {
  const given = names.filter((name) => draft[name] !== undefined && draft[name] !== null)
  const texts = Object.fromEntries(given.map((name) => [name, textOf(draft[name])]))
  const errors = given
    .filter((name) => textOf(draft[name]).length > LENGTH_MAX)
    .map((name) => `The field ${name} must be a string with a maximum length of ${LENGTH_MAX}.`)
  return { texts, errors }
}

type Day = { readonly members: Readonly<Record<string, string>>; readonly errors: readonly string[] }

/** A day as both of its members; `YYYY-MM-DD` may have a time after it, which does not count. */
export function dayOf(name: string, value: unknown, fallback: number | null): Day {
  const [, ms] = /^\/Date\((-?\d+)/.exec(textOf(value)) ?? []
  const given = ms === undefined ? Date.parse(textOf(value).slice(0, 10)) : Number(ms)
  const none = value === undefined || value === null
  const instant = none ? fallback : given
  if (instant === null) return { members: {}, errors: [] }
  if (Number.isNaN(instant)) return { members: {}, errors: [`${name} is not a valid date`] }
  const day = new Date(instant).toISOString().slice(0, 10)
  return { members: { [`${name}String`]: `${day}T00:00:00`, [name]: msDate(Date.parse(day)) }, errors: [] }
}

/** A currency that the tenant has; coins are none. */
export function currencyOf(value: unknown, fallback: string) {
  const code = textOf(value) || fallback
  const known = isCurrency(code) && !isCoin(code)
  return { code, errors: known ? [] : [`Organisation is not subscribed to currency ${code}`] }
}

/** The account that a draft names by its id or code. */
export const accountIn = (books: Books, { AccountID: id, Code: code }: Draft): Account | undefined =>
  accountsOf(books.tenantId).find((account) =>
    textOf(id) ? account.AccountID === textOf(id).toLowerCase() : account.Code === textOf(code),
  )
export const accountShown = ({ AccountID, Code, Name }: Account) => ({ AccountID, Code, Name })

/** Who the document is of: a contact that is there, or a new one by its name. `make` posts it once all is well. */
export async function contactOf(books: Books, value: unknown) {
  const { ContactID: id, Name: name } = draftOf(value)
  const refused = (error: string) => ({ errors: [error], make: async (): Promise<Body> => draftOf(value) })
  if (textOf(id)) {
    const known = isUuid(id) ? await books.find('Contacts', id) : undefined
    return known
      ? { errors: [], make: async (): Promise<Body> => known.body }
      : refused('The contact could not be found')
  }
  if (!textOf(name)) return refused('A Contact must be specified for this type of transaction')
  const known = await contactNamed(books, textOf(name))
  return {
    errors: textsOf(draftOf(value), ['Name']).errors,
    make: async () => known?.body ?? makeContact(books, draftOf(value)),
  }
}

/** A contact's name is nobody else's, however it is written. */
export const contactNamed = async (books: Books, name: string) =>
  (await books.list('Contacts')).find(({ body }) => textOf(body['Name']).toLowerCase() === name.toLowerCase())

export async function makeContact(books: Books, draft: Draft): Promise<Body> {
  const { texts } = textsOf(draft, CONTACT_TEXTS)
  const id = newItemId()
  const lists = { Addresses: [], Phones: [], ContactGroups: [], ContactPersons: [] }
  const body = { ContactID: id, ContactStatus: 'ACTIVE', ...texts, ...lists, HasAttachments: false }
  await books.insert('Contacts', id, body)
  return body
}
export const CONTACT_TEXTS = [
  'Name',
  'ContactNumber',
  'AccountNumber',
  'FirstName',
  'LastName',
  'EmailAddress',
  'TaxNumber',
]

const TAXING = ['Exclusive', 'Inclusive', 'NoTax']

/** Lines with their accounts, taxes and totals; a document that is approved needs more of them than a draft. */
export function linesOf(books: Books, draft: Draft, approved: boolean) {
  const given = Array.isArray(draft['LineItems']) ? draft['LineItems'].map(draftOf) : []
  const taxing = textOf(draft['LineAmountTypes']) || 'Exclusive'
  const lines = given.map((line) => lineOf(books, line, taxing, approved))
  const tax = rounded(lines.reduce((sum, { body }) => sum + body.TaxAmount, 0))
  const amounts = rounded(lines.reduce((sum, { body }) => sum + body.LineAmount, 0))
  const subTotal = taxing === 'Inclusive' ? rounded(amounts - tax) : amounts
  const errors = [
    ...(given.length === 0 ? ['One or more line items must be specified'] : []),
    ...(TAXING.includes(taxing) ? [] : [`${taxing} is not a valid LineAmountTypes`]),
    ...new Set(lines.flatMap((line) => line.errors)),
  ]
  const totals = { SubTotal: subTotal, TotalTax: tax, Total: rounded(subTotal + tax) }
  return { members: { LineAmountTypes: taxing, LineItems: lines.map(({ body }) => body), ...totals }, errors }
}

function lineOf(books: Books, line: Draft, taxing: string, approved: boolean) {
  const [quantity, unit] = [amountOf(line['Quantity']) ?? 1, amountOf(line['UnitAmount'])]
  const [said, computed] = [amountOf(line['LineAmount']), unit === undefined ? undefined : rounded(quantity * unit)]
  const amount = said ?? computed ?? 0
  const named = textOf(line['AccountID']) || textOf(line['AccountCode'])
  const account = accountIn(books, { AccountID: line['AccountID'], Code: line['AccountCode'] })
  const taxType = taxing === 'NoTax' ? 'NONE' : textOf(line['TaxType']) || (account?.TaxType ?? 'NONE')
  const rate = TAX_RATES.get(taxType)
  const share = taxing === 'Inclusive' ? (rate ?? 0) / (100 + (rate ?? 0)) : (rate ?? 0) / 100
  const tax = taxing === 'NoTax' ? 0 : (amountOf(line['TaxAmount']) ?? rounded(amount * share))
  const isTaken = account && account.Status === 'ACTIVE' && account.Type !== 'BANK' && !account.SystemAccount
  const errors = [
    ...(textOf(line['Description']) || !approved ? [] : ['Description is required for each line item']),
    ...(said === undefined || computed === undefined || said === computed
      ? []
      : [`The line total ${said} does not match the expected line total ${computed}`]),
    ...(named || !approved ? [] : ['Account code or ID must be specified']),
    ...(named && !isTaken ? [`Account code '${named}' is not a valid code for this document.`] : []),
    ...(rate === undefined
      ? [`The TaxType code '${taxType}' does not exist or cannot be used for this type of transaction.`]
      : []),
  ]
  const body = {
    Description: textOf(line['Description']),
    Quantity: quantity,
    UnitAmount: unit ?? amount,
    TaxType: taxType,
    TaxAmount: tax,
    LineAmount: amount,
    ...(account && { AccountCode: account.Code, AccountID: account.AccountID }),
    Tracking: [],
    LineItemID: newItemId(),
    ValidationErrors: [],
  }
  return { body, errors }
}
