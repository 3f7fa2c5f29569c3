/** Accounting API of the stand-in: accounts of a tenant, and documents that are put and found again. */
import type { IncomingHttpHeaders } from 'node:http'
import { hashOf } from '../../../services/idempotency.ts'
import { type BooksAnswer, type Body, type Books, inBooks } from '../../db/accounting-books.ts'
import { takeFault } from '../../db/faults.ts'
import { readJson } from '../http.ts'
import { TAX_RATES, accountsOf, trackingOf } from './chart.ts'
import { KINDS, type Kind, type Outcome } from './documents.ts'
import { draftOf } from './lines.ts'
import { type Answer, notFound, problem } from './answers.ts'

const KEY_MAX = 128
const PAGE_SIZE = 100
/** Characters of JSON that Postgres rejects: NUL, and lone surrogates. */
const UNKEPT = /\\u(0000|d[89a-f])/i
/** Only supported filter: `Reference=="…" OR Reference=="…"`. */
const WHERE = /^(\w+)=="[^"]*"(?: OR \1=="[^"]*")*$/
const ACCOUNTS_SCOPE = 'accounting.settings.read'
export const BOOKS_SCOPES: readonly string[] = [...new Set([ACCOUNTS_SCOPE, ...KINDS.map(({ scope }) => scope)])]

export type BooksRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly tenantId: string
  readonly scopes: readonly string[]
}

/** Answers a request to the books as Xero would; supports only the resources that we use. */
export async function answerBooks(request: BooksRequest): Promise<Answer> {
  const { method, path, query, headers, tenantId, scopes } = request
  const kind = KINDS.find(({ type }) => type === path)
  const settings = settingsOf(path, tenantId)
  const isKnown = settings ? method === 'GET' : kind && (method === 'GET' || method === 'PUT')
  if (!isKnown) return notFound
  if (!headers.accept?.includes('json')) return { status: 406, body: 'Only JSON is spoken here' }
  if (!scopes.includes(kind?.scope ?? ACCOUNTS_SCOPE)) return problem(401, 'AuthorizationUnsuccessful')
  if (!kind) return { status: 200, body: settings }
  if (method === 'PUT') return put(request, kind)
  const where = query.get('where') ?? ''
  if (!WHERE.test(where)) return exception(16, 'QueryParseException', 'The where clause could not be read')
  return answerOf(await inBooks(tenantId, null, (books) => find(books, kind, where, pageOf(query))))
}

/** Finds the settings of a path, which are the same in the books of every tenant. */
function settingsOf(path: string, tenantId: string): object | undefined {
  if (path === 'Accounts') return { Accounts: accountsOf(tenantId) }
  if (path === 'TaxRates') return { TaxRates: TAX_RATES }
  return path === 'TrackingCategories' ? { TrackingCategories: trackingOf(tenantId) } : undefined
}

/** Reads the number of the page, from 1. */
const pageOf = (query: URLSearchParams): number => Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1)

async function find(books: Books, { type }: Kind, where: string, page: number): Promise<BooksAnswer> {
  const [field = ''] = where.split('==')
  const wanted = new Set(Array.from(where.matchAll(/"([^"]*)"/g), ([, value]) => value))
  const found = (await books.list(type)).filter((body) => wanted.has(String(body[field])))
  return { status: 200, body: { [type]: found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) } }
}

async function put({ path, query, headers, text, tenantId }: BooksRequest, kind: Kind): Promise<Answer> {
  const json = readJson(text)
  if (json.malformed || UNKEPT.test(JSON.stringify(json.body))) {
    return exception(14, 'PostDataInvalidException', 'JSON for post data was invalid')
  }
  if (query.get('summarizeErrors') !== 'false') return invalid('Only summarizeErrors=false is spoken here')
  const key = headers['idempotency-key']
  if (typeof key === 'string' && key.length > KEY_MAX) {
    return invalid(`The idempotency key must not be longer than ${KEY_MAX} characters`)
  }
  const keyed =
    typeof key === 'string' && key ? { key, requestHash: hashOf([path, query.toString(), json.body]) } : null
  return answerOf(await inBooks(tenantId, keyed, (books) => postAll(books, kind, draftOf(json.body))))
}

/** Posts documents one by one: a refused one does not stop the others. */
async function postAll(books: Books, kind: Kind, sent: Body): Promise<BooksAnswer> {
  const list = sent[kind.type]
  const drafts = (Array.isArray(list) ? list : [sent]).map(draftOf)
  const partial = drafts.length > 1 && (await takeFault('accounting', ['partial_failure'])) !== undefined
  const outcomes: Outcome[] = []
  for (const [index, draft] of drafts.entries()) {
    const isRefused = partial && index % 2 === 1
    if (isRefused) outcomes.push({ body: draft, errors: ['The organisation does not take this at the moment'] })
    else outcomes.push(await kind.post(books, draft))
  }
  return { status: 200, body: { [kind.type]: outcomes.map(outcomeBody) } }
}

const outcomeBody = ({ body, errors }: Outcome): Body => ({
  ...body,
  StatusAttributeString: errors.length > 0 ? 'ERROR' : 'OK',
  ValidationErrors: errors.map((message) => ({ Message: message })),
})

/** The refusal of the books; 10 is Xero's number of a validation, 14 of a body, 16 of a filter. */
const exception = (number: number, type: string, message: string): Answer => ({
  status: 400,
  body: { ErrorNumber: number, Type: type, Message: message },
})

const invalid = (message: string): Answer => exception(10, 'ValidationException', message)

const answerOf = (answered: BooksAnswer | 'other'): Answer =>
  answered === 'other' ? invalid('The idempotency key was used with a different request') : answered
