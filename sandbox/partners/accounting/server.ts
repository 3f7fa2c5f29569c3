import type { IncomingMessage, ServerResponse } from 'node:http'
import { REQUEST_FAULTS, type Fault } from '../../../domain/sandbox/sandbox.ts'
import { expire, findAccess, isConnected } from '../../db/accounting-access.ts'
import { countCall } from '../../db/accounting-books.ts'
import { takeFault } from '../../db/faults.ts'
import { isUuid } from '../../../domain/ids.ts'
import { misbehave, readText } from '../http.ts'
import { type Answer, limitAnswer, notFound, problem, send } from './answers.ts'
import { type BooksRequest, answerBooks } from './books.ts'
import { authorize, connections, dropConnection, revocation, token } from './identity.ts'

const MAX_BODY_BYTES = 3_500_000
const RETRY_AFTER_SECONDS = 1
const BOOKS = '/api.xro/2.0/'
const CONNECTIONS = '/connections'

type RequestParts = Omit<BooksRequest, 'tenantId' | 'scopes'>

export async function serveAccounting(
  path: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await readText(request, MAX_BODY_BYTES)
  if (text === undefined) return send(response, { status: 413, body: '' })
  const asked = { method: request.method ?? '', path, query, headers: request.headers, text }
  // a browser asks for consent: faults of API requests do not hit it
  if (path === '/identity/connect/authorize' && asked.method === 'GET') {
    return send(response, await authorize(query, await takes('declined_consent')))
  }
  const possible = REQUEST_FAULTS.filter((fault) => fault !== 'ambiguous' || asked.method !== 'GET')
  const fault = await takeFault('accounting', possible)
  if (fault === 'down') return void response.socket?.destroy()
  if (fault === 'error') return send(response, broken())
  if (fault === 'rate_limited') return send(response, limitAnswer('minute', RETRY_AFTER_SECONDS))
  const answer = await answerTo(asked)
  return fault ? misbehave(fault, answer, response) : send(response, answer)
}

const takes = async (fault: Fault): Promise<boolean> => (await takeFault('accounting', [fault])) !== undefined

/** Count of broken answers: 500 and 503 in turn. */
let brokenCount = 0
const broken = (): Answer =>
  problem((brokenCount += 1) % 2 === 1 ? 500 : 503, 'An error occurred in Xero. Please try again later.')

async function answerTo(asked: RequestParts): Promise<Answer> {
  const { method, path, headers, text } = asked
  const form = new URLSearchParams(text)
  if (method === 'POST' && path === '/connect/token') {
    const refused = form.get('grant_type') === 'refresh_token' && (await takes('refused_refresh'))
    return token(form, headers.authorization, refused)
  }
  if (method === 'POST' && path === '/connect/revocation') return revocation(form, headers.authorization)
  return answerBearer(asked)
}

async function answerBearer(asked: RequestParts): Promise<Answer> {
  const { method, path, query, headers } = asked
  const secret = headers.authorization?.match(/^Bearer (?:[\w-]+\.){2}([\w-]+)$/)?.[1]
  const access = secret === undefined ? undefined : await findAccess(secret)
  if (secret === undefined || !access) return problem(401, 'AuthenticationUnsuccessful')
  if (access.expiredAt !== null) return expiredToken(access.expiredAt)
  if (path === CONNECTIONS && method === 'GET') return connections(access.person_id, query.get('authEventId'))
  if (path.startsWith(`${CONNECTIONS}/`) && method === 'DELETE') {
    return dropConnection(access.person_id, path.slice(CONNECTIONS.length + 1))
  }
  if (!path.startsWith(BOOKS)) return notFound
  if (await takes('expired_token')) return expiredToken(await expire(secret))
  const tenantId = headers['xero-tenant-id']
  const isOpen = typeof tenantId === 'string' && isUuid(tenantId) && (await isConnected(access.person_id, tenantId))
  if (!isOpen) return problem(403, 'AuthenticationUnsuccessful')
  const request = { ...asked, path: path.slice(BOOKS.length), tenantId, scopes: access.scope.split(' ') }
  return withinLimits(request)
}

const expiredToken = (at: string): Answer =>
  problem(401, `TokenExpired: token expired at ${at.slice(0, 19).replace('T', ' ')}`)

/** Counts the call and answers it, unless a limit refuses; the answer names what is left. */
async function withinLimits(request: BooksRequest): Promise<Answer> {
  const { problem: which, retrySeconds, minuteLeft, dayLeft } = await countCall(request.tenantId)
  const { headers, ...answered } = which ? limitAnswer(which, retrySeconds) : await answerBooks(request)
  const left = { 'x-minlimit-remaining': String(minuteLeft), 'x-daylimit-remaining': String(dayLeft) }
  return { ...answered, headers: { ...headers, ...left } }
}
