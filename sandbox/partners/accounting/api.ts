/** The Accounting API of the stand-in: what is in the books of one tenant, and what is posted to them. */
import type { IncomingHttpHeaders } from 'node:http'
import { hashOf } from '../../../db/idempotency.ts'
import { isUuid } from '../../../domain/ids.ts'
import { type Answered, type Books, type Item, inBooks } from '../../db/accounting-books.ts'
import { takeFault } from '../../db/faults.ts'
import { readJson } from '../http.ts'
import { type Answer, exception, msDate, notFound, problem } from './answers.ts'
import { bankTransactions, bankTransfers } from './bank-transactions.ts'
import { accountsOf } from './chart.ts'
import { type Body, type Draft, type Kind, type Outcome, draftOf, textOf } from './documents.ts'
import { invoices, payments } from './invoices.ts'
import { contacts, manualJournals } from './ledger.ts'
import { parseWhere, valueAt } from './where.ts'

const KINDS: readonly Kind[] = [bankTransactions, bankTransfers, contacts, invoices, manualJournals, payments]
const KEY_MAX = 128
/** Characters in JSON that Postgres does not keep: zero, and halves of others. */
const UNKEPT = /\\u(0000|d[89a-f])/i
/** Who does not ask for JSON gets XML from Xero, which is not spoken here. */
const inXml: Answer = { status: 406, body: 'Only JSON is spoken here, and only to who accepts application/json' }

/** A request of an app that may look at these books; `path` is without what leads to them. */
export type AskedOfBooks = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly tenantId: string
  readonly scopes: readonly string[]
}

/** Answers what is asked of the books; a key that comes with another request is refused. */
export async function askBooks(asked: AskedOfBooks): Promise<Answer> {
  const { method, tenantId, headers } = asked
  const [resource = '', id, ...rest] = asked.path.split('/')
  if (rest.length > 0) return notFound
  if (!headers.accept?.includes('json')) return inXml
  const fixed = FIXED.get(resource)
  if (fixed && method === 'GET') {
    if (!allows(asked.scopes, ['accounting.settings'], method)) return problem(401, 'AuthorizationUnsuccessful')
    return answerOf(await inBooks(tenantId, null, async (books) => fixed(books, asked, id)))
  }
  const kind = KINDS.find(({ type }) => type === resource)
  if (!kind || !['GET', 'PUT', 'POST'].includes(method)) return notFound
  if (!allows(asked.scopes, kind.scopes, method)) return problem(401, 'AuthorizationUnsuccessful')
  if (method === 'GET') return answerOf(await inBooks(tenantId, null, (books) => read(books, kind, asked, id)))
  const json = readJson(asked.text)
  if (json.malformed || UNKEPT.test(JSON.stringify(json.body))) {
    return exception(14, 'PostDataInvalidException', 'JSON for post data was invalid')
  }
  const key = headers['idempotency-key']
  if (typeof key === 'string' && key.length > KEY_MAX) {
    return exception(10, 'ValidationException', `The idempotency key must not be longer than ${KEY_MAX} characters`)
  }
  const request = [method, asked.path, asked.query.toString(), json.body]
  const keyed = typeof key === 'string' && key ? { key, requestHash: hashOf(request) } : null
  return answerOf(await inBooks(tenantId, keyed, (books) => write(books, kind, asked, { id, body: json.body })))
}

const answerOf = (answered: Answered | 'other'): Answer =>
  answered === 'other'
    ? exception(10, 'ValidationException', 'The idempotency key was used with a different request')
    : answered

const allows = (scopes: readonly string[], wanted: readonly string[], method: string): boolean =>
  wanted.some((scope) => scopes.includes(scope) || (method === 'GET' && scopes.includes(`${scope}.read`)))

/** The frame of all that is answered. */
const framed = (books: Books, members: Body): Answered => ({
  status: 200,
  body: {
    Id: crypto.randomUUID(),
    Status: 'OK',
    ProviderName: 'Business Finance Service',
    DateTimeUTC: msDate(books.now),
    ...members,
  },
})

/** What nobody posts here. */
type Fixed = (books: Books, asked: AskedOfBooks, id: string | undefined) => Answered
const FIXED: ReadonlyMap<string, Fixed> = new Map<string, Fixed>([
  ['Organisation', organisation],
  ['Accounts', accounts],
])

function organisation(books: Books): Answered {
  const organisation = {
    OrganisationID: books.tenantId,
    Name: books.name,
    LegalName: books.name,
    PaysTax: true,
    Version: 'GLOBAL',
    OrganisationType: 'COMPANY',
    BaseCurrency: books.baseCurrency,
    CountryCode: 'DE',
    IsDemoCompany: true,
    OrganisationStatus: 'ACTIVE',
    FinancialYearEndDay: 31,
    FinancialYearEndMonth: 12,
    CreatedDateUTC: msDate(books.madeAt),
    Timezone: 'UTC',
    Edition: 'BUSINESS',
    Class: 'PREMIUM',
  }
  return framed(books, { Organisations: [organisation] })
}

function accounts(books: Books, { query }: AskedOfBooks, id: string | undefined): Answered {
  const all = accountsOf(books.tenantId).map((account) => ({ ...account, UpdatedDateUTC: msDate(books.madeAt) }))
  if (id !== undefined) {
    const found = all.filter((account) => account.AccountID === id.toLowerCase())
    return found.length > 0 ? framed(books, { Accounts: found }) : notFound
  }
  const where = query.get('where')
  const test = where ? parseWhere(where) : () => true
  return test ? framed(books, { Accounts: all.filter(test) }) : unreadable
}

const unreadable = exception(16, 'QueryParseException', 'The where clause could not be read')

const PAGE_SIZE = 100
const PAGE_SIZE_MAX = 1000

/** One document, or those that the filters find; lists without pages leave out the lines. */
async function read(
  books: Books,
  kind: Kind,
  { query, headers }: AskedOfBooks,
  id: string | undefined,
): Promise<Answered> {
  const all = (await books.list(kind.type)).map(shown)
  if (id !== undefined) {
    const [wanted, number] = [id.toLowerCase(), decoded(id)]
    const found = all.filter(
      (body) => body[kind.id] === wanted || (kind.type === 'Invoices' && body['InvoiceNumber'] === number),
    )
    return found.length > 0 ? framed(books, { [kind.type]: found }) : notFound
  }
  const where = query.get('where')
  const test = where ? parseWhere(where) : () => true
  if (!test) return unreadable
  const since = Date.parse(textOf(headers['if-modified-since']))
  const found = all.filter(
    (body) =>
      test(body) &&
      !(Number(valueAt(body, 'UpdatedDateUTC')) < since) &&
      LISTED.every(([name, path]) => isListed(query.get(name), valueAt(body, path === 'id' ? kind.id : path))),
  )
  const ordered = sorted(found, query.get('order'))
  if (!query.has('page')) {
    return framed(books, { [kind.type]: ordered.map(withoutLines) })
  }
  const size = Math.min(Math.max(Number(query.get('pageSize')) || PAGE_SIZE, 1), PAGE_SIZE_MAX)
  const page = Math.max(Number(query.get('page')) || 1, 1)
  return framed(books, {
    pagination: { page, pageSize: size, pageCount: Math.ceil(ordered.length / size), itemCount: ordered.length },
    [kind.type]: ordered.slice((page - 1) * size, page * size),
  })
}

const withoutLines = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'LineItems'))

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Filters by lists of values, and what they are of. */
const LISTED = [
  ['IDs', 'id'],
  ['InvoiceNumbers', 'InvoiceNumber'],
  ['ContactIDs', 'Contact.ContactID'],
  ['Statuses', 'Status'],
  ['References', 'Reference'],
] as const
const isListed = (list: string | null, value: unknown): boolean => !list || list.split(',').includes(String(value))

function sorted(bodies: Body[], order: string | null): Body[] {
  const [, path, descending] = /^([\w.]+)(?:\s+(DESC|ASC))?$/i.exec(order ?? '') ?? []
  if (path === undefined) return bodies
  const sign = descending?.toUpperCase() === 'DESC' ? -1 : 1
  return bodies.toSorted((a, b) => {
    const [left, right] = [valueAt(a, path) ?? '', valueAt(b, path) ?? '']
    return sign * (left < right ? -1 : Number(left > right))
  })
}

const shown = ({ body, updated_at: at }: Item): Body => ({ ...body, UpdatedDateUTC: msDate(Date.parse(at)) })

type Written = { readonly id: string | undefined; readonly body: unknown }

/**
 * Posts documents one by one: those that are well are posted, whatever is wrong with others. Without
 * `summarizeErrors=false` the answer then tells of the others alone.
 */
async function write(books: Books, kind: Kind, asked: AskedOfBooks, { id, body }: Written): Promise<Answered> {
  const sent = draftOf(body)
  const list = sent[kind.type]
  const drafts = (Array.isArray(list) ? list : [sent]).map(draftOf)
  const partial = drafts.length > 1 && (await takeFault('accounting', ['partial_failure'])) !== undefined
  const outcomes: Outcome[] = []
  for (const [index, draft] of drafts.entries()) {
    const refused = partial && index % 2 === 1
    const known = textOf(id ?? draft[kind.id]).toLowerCase()
    if (refused) outcomes.push({ body: draft, errors: ['The organisation does not take this at the moment'] })
    else if (known) outcomes.push(await change(books, kind, known, draft))
    else outcomes.push(await kind.post(books, draft, asked.method === 'POST'))
  }
  if (asked.query.get('summarizeErrors') === 'false')
    return framed(books, { [kind.type]: outcomes.map((o) => judged(kind, o)) })
  const wrong = outcomes.filter(({ errors }) => errors.length > 0)
  if (wrong.length === 0) return framed(books, { [kind.type]: outcomes.map((outcome) => posted(books, outcome.body)) })
  const message = 'A validation exception occurred'
  const elements = wrong.map((outcome) => judged(kind, outcome))
  return { status: 400, body: { ErrorNumber: 10, Type: 'ValidationException', Message: message, Elements: elements } }
}

/** Changes the status of a document; nothing else of it is changed here. */
async function change(books: Books, kind: Kind, id: string, draft: Draft): Promise<Outcome> {
  const known = isUuid(id) ? await books.find(kind.type, id) : undefined
  if (!known) return { body: draft, errors: ['The document could not be found'] }
  const moved = await kind.move?.(books, known.body, textOf(draft['Status']))
  return moved ? { body: moved, errors: [] } : { body: known.body, errors: ['This document cannot be edited'] }
}

const posted = (books: Books, body: Body): Body => ({ ...body, UpdatedDateUTC: msDate(books.now) })

/** A document with what became of it. */
const judged = (kind: Kind, { body, errors }: Outcome): Body => ({
  ...body,
  [kind.type === 'Invoices' ? 'HasErrors' : 'HasValidationErrors']: errors.length > 0,
  StatusAttributeString: errors.length > 0 ? 'ERROR' : 'OK',
  ValidationErrors: errors.map((message) => ({ Message: message })),
})
