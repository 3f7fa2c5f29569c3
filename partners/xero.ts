/** Books in Xero: accounts, and documents that are found again by our ids. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Account } from '../domain/accounting/integration.ts'
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

/** Lists accounts that can be posted to. A bank account without a code is named by its id. */
export async function listAccounts(books: BooksAccess): Promise<Account[]> {
  const { Accounts: all } = await ask({
    method: 'GET',
    url: urlOf('Accounts'),
    headers: headersOf(books),
    answer: AccountsAnswer,
  })
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

export const DOCUMENTS = {
  BankTransactions: { id: 'BankTransactionID', key: 'Reference' },
  Invoices: { id: 'InvoiceID', key: 'Reference' },
  CreditNotes: { id: 'CreditNoteID', key: 'Reference' },
  Bills: { id: 'InvoiceID', key: 'InvoiceNumber' }, // Xero keeps no reference of a bill
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

/** Finds Xero's ids of documents by our ids; missing ones are left out. */
export async function findDocuments(
  books: BooksAccess,
  kind: DocumentKind,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { key } = DOCUMENTS[kind]
  const where = ids.map((one) => `${key}=="${one}"`).join(' OR ')
  const found = await ask({
    method: 'GET',
    url: urlOf(`${pathOf(kind)}?${new URLSearchParams({ where, page: '1' }).toString()}`),
    headers: headersOf(books),
    answer: answerOf(kind),
  })
  return new Map(found.map((element) => [textIn(element, key).toLowerCase(), idIn(element, kind)]))
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
