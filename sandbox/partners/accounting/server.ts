/** The stand-in of the accounting program: Xero's paths, its limits and its faults. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { REQUEST_FAULTS, type Fault } from '../../../domain/sandbox/sandbox.ts'
import { expire, findAccess, isConnected } from '../../db/accounting-access.ts'
import { type Counted, countCall } from '../../db/accounting-books.ts'
import { takeFault } from '../../db/faults.ts'
import { isUuid } from '../../../domain/ids.ts'
import { misbehave, readText } from '../http.ts'
import { type Answer, limited, notFound, problem, send } from './answers.ts'
import { askBooks } from './api.ts'
import { authorize, connections, discovery, dropConnection, revocation, token } from './identity.ts'

const MAX_BODY_BYTES = 3_500_000
const AT_ONCE = 5
const RETRY_AFTER_SECONDS = 1
const BOOKS = '/api.xro/2.0/'

/** A request, without what leads to this partner. */
type Asked = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** Answers one request as Xero would, or misbehaves if it has a fault. */
export async function serveAccounting(
  path: string,
  query: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = await readText(request, MAX_BODY_BYTES)
  if (text === undefined) return send(response, { status: 413, body: '' })
  const asked = { method: request.method ?? '', path, query, headers: request.headers, text }
  // a person's browser asks for consent, and is spared what happens to machines
  if (path === '/identity/connect/authorize' && asked.method === 'GET') {
    return send(response, await authorize(query, await takes('declined_consent')))
  }
  const possible = REQUEST_FAULTS.filter((fault) => fault !== 'ambiguous' || asked.method !== 'GET')
  const fault = await takeFault('accounting', possible)
  if (fault === 'down') return void response.socket?.destroy()
  if (fault === 'error') return send(response, broken())
  if (fault === 'rate_limited') return send(response, limited('minute', RETRY_AFTER_SECONDS))
  const answer = await answerTo(asked)
  return fault ? misbehave(fault, answer, response) : send(response, answer)
}

const takes = async (fault: Fault): Promise<boolean> => (await takeFault('accounting', [fault])) !== undefined

/** 500 and 503 in turn. */
let brokenCount = 0
const broken = (): Answer =>
  (brokenCount += 1) % 2 === 1
    ? problem(500, 'An error occurred in Xero. Check the API Status page for current service status.')
    : problem(503, 'The Organisation for this access token is not currently available. Please try again later.')

async function answerTo(asked: Asked): Promise<Answer> {
  const { method, path, headers } = asked
  switch (`${method} ${path}`) {
    case 'GET /.well-known/openid-configuration':
      return discovery()
    case 'POST /connect/token': {
      const form = new URLSearchParams(asked.text)
      const refused = form.get('grant_type') === 'refresh_token' && (await takes('refused_refresh'))
      return token(form, headers.authorization, refused)
    }
    case 'POST /connect/revocation':
      return revocation(new URLSearchParams(asked.text), headers.authorization)
    default:
      return answerBearer(asked)
  }
}

async function answerBearer(asked: Asked): Promise<Answer> {
  const { method, path, query, headers } = asked
  const secret = headers.authorization?.match(/^Bearer (?:[\w-]+\.){2}([\w-]+)$/)?.[1]
  const access = secret === undefined ? undefined : await findAccess(secret)
  if (secret === undefined || !access) return problem(401, 'AuthenticationUnsuccessful')
  if (access.expiredAt !== null) return tooLate(access.expiredAt)
  if (path === '/connections' && method === 'GET') return connections(access.person_id, query.get('authEventId'))
  if (path.startsWith('/connections/') && method === 'DELETE') {
    return dropConnection(access.person_id, path.slice('/connections/'.length))
  }
  if (!path.startsWith(BOOKS)) return notFound
  if (await takes('expired_token')) return tooLate(await expire(secret))
  const tenantId = headers['xero-tenant-id']
  const isOpen = typeof tenantId === 'string' && isUuid(tenantId) && (await isConnected(access.person_id, tenantId))
  if (!isOpen) return problem(403, 'AuthenticationUnsuccessful')
  return withinLimits(tenantId, () =>
    askBooks({ ...asked, path: path.slice(BOOKS.length), tenantId, scopes: access.scope.split(' ') }),
  )
}

const tooLate = (expiredAt: string): Answer =>
  problem(401, `TokenExpired: token expired at ${expiredAt.slice(0, 19).replace('T', ' ')}`)

const underWay = new Map<string, number>()

/** Counts the call. How many are under way is known to this process alone: a call ends with the process it is at. */
async function withinLimits(tenantId: string, answer: () => Promise<Answer>): Promise<Answer> {
  const before = underWay.get(tenantId) ?? 0
  if (before >= AT_ONCE) return limited('concurrent')
  underWay.set(tenantId, before + 1)
  try {
    const counted = await countCall(tenantId)
    const { problem: which, retrySeconds } = counted
    const { headers, ...answered } = which ? limited(which, retrySeconds) : await answer()
    return { ...answered, headers: { ...headers, ...remaining(counted) } }
  } finally {
    const left = (underWay.get(tenantId) ?? 1) - 1
    if (left === 0) underWay.delete(tenantId)
    else underWay.set(tenantId, left)
  }
}

const remaining = ({ minuteLeft, dayLeft }: Counted) => ({
  'x-minlimit-remaining': String(minuteLeft),
  'x-daylimit-remaining': String(dayLeft),
})
