/** Books in Xero: accounts, and documents that are found again by our ids. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Account, BooksChart } from '../domain/accounting/integration.ts'
import type { AccountType } from '../domain/accounting/mapping.ts'
import { isUuid } from '../domain/ids.ts'
import { onOneLine } from '../domain/text.ts'
import { sanitize } from './http.ts'
import { XeroFailure, ask } from './xero-http.ts'
import { xero } from './xero-oauth.ts'

export type BooksAccess = { readonly tenantId: string; readonly access: string }

const headersOf = ({ tenantId, access }: BooksAccess) => ({
  authorization: `Bearer ${access}`,
  'xero-tenant-id': tenantId,
})

const urlOf = (path: string): string => `${xero().apiUrl}/api.xro/2.0/${path}`

const CLASSES: Readonly<Record<string, AccountType>> = {
  ASSET: 'asset',
  EQUITY: 'equity',
  EXPENSE: 'expense',
  LIABILITY: 'liability',
  REVENUE: 'revenue',
}
const NAME_MAX = 255

const AccountsAnswer = v.object({
  Accounts: v.array(
    v.object({
      AccountID: v.pipe(v.string(), v.uuid()),
      Code: v.optional(v.nullable(v.string())),
      Name: v.string(),
      Type: v.string(),
      Class: v.optional(v.nullable(v.string())),
      Status: v.optional(v.string()),
      CurrencyCode: v.optional(v.nullable(v.string())),
      EnablePaymentsToAccount: v.optional(v.boolean(), false),
      SystemAccount: v.optional(v.nullable(v.string())),
    }),
  ),
})

const list = <Schema extends v.GenericSchema>(books: BooksAccess, path: string, answer: Schema) =>
  ask({ method: 'GET', url: urlOf(path), headers: headersOf(books), answer })

/** Lists accounts that can be posted to. A bank account without a code is named by its id. */
export async function listAccounts(books: BooksAccess): Promise<Account[]> {
  const { Accounts: all } = await list(books, 'Accounts', AccountsAnswer)
  return all
    .filter(({ Status, SystemAccount }) => (Status ?? 'ACTIVE') === 'ACTIVE' && !SystemAccount)
    .map((account) => ({
      code: account.Code || account.AccountID,
      name: onOneLine(account.Name).slice(0, NAME_MAX),
      account_type: account.Type === 'BANK' ? ('bank' as const) : (CLASSES[account.Class ?? ''] ?? 'asset'),
      currency: account.CurrencyCode || null,
      takes_payments: account.Type === 'BANK' || account.EnablePaymentsToAccount,
    }))
}

const RatesAnswer = v.object({
  TaxRates: v.array(
    v.object({
      Name: v.string(),
      TaxType: v.string(),
      Status: v.optional(v.string()),
      EffectiveRate: v.optional(v.nullable(v.number())),
    }),
  ),
})
const TrackingAnswer = v.object({
  TrackingCategories: v.array(
    v.object({
      Name: v.string(),
      Status: v.optional(v.string()),
      Options: v.optional(v.array(v.object({ Name: v.string(), Status: v.optional(v.string()) })), []),
    }),
  ),
})

const isActive = ({ Status: status }: { readonly Status?: string | undefined }): boolean =>
  (status ?? 'ACTIVE') === 'ACTIVE'
const RATE_DECIMALS = 4

/** Lists tax rates that lines can have, each once. */
export async function listTaxRates(books: BooksAccess): Promise<BooksChart['rates']> {
  const { TaxRates: all } = await list(books, 'TaxRates', RatesAnswer)
  const rates = all.filter(isActive).map(({ EffectiveRate: rate, Name: name, TaxType: code }) => ({
    code,
    name: onOneLine(name).slice(0, NAME_MAX),
    rate: rate == null ? null : rate.toFixed(RATE_DECIMALS).replace(/\.0+$|(?<!0)0+$/, ''),
  }))
  return [...new Map(rates.map((rate) => [rate.code, rate])).values()]
}

/** Lists the options of tracking categories, each once, as they are written there. */
export async function listTracking(books: BooksAccess): Promise<BooksChart['options']> {
  const { TrackingCategories: all } = await list(books, 'TrackingCategories', TrackingAnswer)
  const options = all
    .filter(isActive)
    .flatMap((category) => category.Options.filter(isActive).map((one) => ({ category: onOneLine(category.Name), option: onOneLine(one.Name) }))) // prettier-ignore
  return [...new Map(options.map((one) => [JSON.stringify(one), one])).values()]
}

export const DOCUMENTS = {
  BankTransactions: { id: 'BankTransactionID', key: 'Reference' },
  Invoices: { id: 'InvoiceID', key: 'Reference' },
  CreditNotes: { id: 'CreditNoteID', key: 'Reference' },
  // Xero keeps no reference of a bill: it is found by its number, and known by the id behind its line
  Bills: { id: 'InvoiceID', key: 'InvoiceNumber' },
  Payments: { id: 'PaymentID', key: 'Reference' },
} as const
export type DocumentKind = keyof typeof DOCUMENTS

const pathOf = (kind: DocumentKind): Exclude<DocumentKind, 'Bills'> => (kind === 'Bills' ? 'Invoices' : kind)

const Element = v.looseObject({
  StatusAttributeString: v.optional(v.nullable(v.string())),
  HasErrors: v.optional(v.boolean()),
  HasValidationErrors: v.optional(v.boolean()),
  ValidationErrors: v.optional(v.nullable(v.array(v.object({ Message: v.string() })))),
})
type Element = v.InferOutput<typeof Element>

const answerOf = (kind: DocumentKind) =>
  v.pipe(
    v.looseObject({ [pathOf(kind)]: v.array(Element) }),
    v.transform((answer) => answer[pathOf(kind)] as Element[]), // the entry above
  )

/** Reads the id; throws without one: the document is searched for before it is put again. */
function idIn(element: Element, kind: DocumentKind): string {
  const id = textIn(element, DOCUMENTS[kind].id)
  if (!isUuid(id)) throw new XeroFailure('away', 'its answer has a document without an id')
  return id
}

const textIn = (element: Element, field: string): string => {
  const value = element[field]
  return typeof value === 'string' ? value : ''
}

/** Document that is looked for: by our id, and by the number under which a bill is put. */
export type SearchKey = { readonly id: string; readonly number?: string | undefined }

/** Page of Xero's ids of documents by our ids; missing ones are left out. `isLast`: there is no further page. */
export type FoundPage = { readonly there: ReadonlyMap<string, string>; readonly isLast: boolean }

/** Documents on a page of Xero's answers. */
const PAGE_SIZE = 100

/**
 * Finds a page of Xero's ids of documents by our ids. Bills of one number may be of several suppliers, or typed in by
 * people: those of others are no answer.
 */
export async function findDocuments(
  books: BooksAccess,
  kind: DocumentKind,
  ids: readonly SearchKey[],
  page: number,
): Promise<FoundPage> {
  const { key } = DOCUMENTS[kind]
  const keys = new Set(ids.flatMap(({ id, number }) => (number === undefined ? [id] : [id, number])))
  const where = [...keys].map((one) => `${key}=="${one}"`).join(' OR ')
  const found = await ask({
    method: 'GET',
    url: urlOf(`${pathOf(kind)}?${new URLSearchParams({ where, page: String(page) }).toString()}`),
    headers: headersOf(books),
    answer: answerOf(kind),
  })
  const there = found.map((element) => [ownIdIn(element, kind), idIn(element, kind)] as const)
  return { there: new Map(there), isLast: found.length < PAGE_SIZE }
}

const Lines = v.object({ LineItems: v.array(v.object({ Description: v.optional(v.nullable(v.string()), '') })) })

/** Reads our id: the key itself, or of a bill under its own number the last words of its line. */
function ownIdIn(element: Element, kind: DocumentKind): string {
  const key = textIn(element, DOCUMENTS[kind].key).toLowerCase()
  if (kind !== 'Bills' || isUuid(key)) return key
  const described = v.is(Lines, element) ? (element.LineItems[0]?.Description ?? '') : ''
  return /\(([0-9a-f-]{36})\)\s*$/i.exec(described)?.[1]?.toLowerCase() ?? ''
}

export type Put = { readonly externalId: string } | { readonly refused: string }

const REFUSAL_CHARACTERS_MAX = 500

/**
 * Puts documents; answers an outcome for each, in order. Idempotent for six minutes, also concurrently, for the same
 * documents in the same books after the same earlier tries.
 */
export async function putDocuments(
  books: BooksAccess,
  kind: DocumentKind,
  documents: readonly object[],
  after: readonly (string | null)[],
): Promise<Put[]> {
  const body = { [pathOf(kind)]: documents }
  const key = createHash('sha256')
    .update(JSON.stringify([books.tenantId, after, body]))
    .digest('hex')
  const made = await ask({
    method: 'PUT',
    url: urlOf(`${pathOf(kind)}?summarizeErrors=false`),
    headers: { ...headersOf(books), 'idempotency-key': key },
    body,
    answer: v.pipe(answerOf(kind), v.length(documents.length, 'must have one for each')),
  })
  return made.map((element) => outcomeOf(kind, element))
}

function outcomeOf(kind: DocumentKind, element: Element): Put {
  const errors = element.ValidationErrors ?? []
  if (
    element.StatusAttributeString === 'ERROR' ||
    element.HasErrors ||
    element.HasValidationErrors ||
    errors.length > 0
  ) {
    const said = errors.map(({ Message }) => Message).join(' ') || 'Xero refused it.'
    return { refused: sanitize(said, REFUSAL_CHARACTERS_MAX) }
  }
  return { externalId: idIn(element, kind) }
}
