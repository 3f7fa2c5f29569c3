/** HTTP app: routes, and the one edge where errors become answers. */
import { randomUUID } from 'node:crypto'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { config } from '../platform/config.ts'
import { accessLog, log } from '../platform/log.ts'
import { inSpan } from '../platform/traces.ts'
import { KeyUnknown, unreadableRefusal } from '../platform/encryption.ts'
import { REFUSALS, Refusal, refuse } from '../domain/errors.ts'
import { REQUEST_ID } from '../domain/requests/request.ts'
import { codeOf } from '../db/postgres/driver.ts'
import { isOutage } from '../db/postgres/outages.ts'
import { COMMON_HEADERS, envelope } from './envelope.ts'
import { callerAddress } from './http/address.ts'
import { mountDocs } from './openapi/docs.ts'
import { limitAddress, setRateLimitHeaders } from './http/limits.ts'
import { HungUp, discardBody } from './http/input.ts'
import { observe } from './metrics.ts'
import { mountOperations } from './operator.ts'
import type { Env, Http } from './http/http.ts'
import { perform } from './http/request.ts'
import { noteAnswer } from './requests/note.ts'
import { MCP_PATH, mountMcp } from './mcp/mcp.ts'
import { mountScim } from './scim/protocol.ts'
import { API_ROOT, type Route } from './http/route.ts'

/** Headers that pages of another origin may read (CORS). */
const EXPOSED = [
  'content-disposition',
  'etag',
  'x-request-id',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'www-authenticate',
] as const
/** Paths that pages of known origins may call: with `/mcp` all that leads a client of it to a token. */
const OPEN_PATHS = [`${API_ROOT}/*`, '/files/*', MCP_PATH, '/.well-known/*', '/oauth/token'] as const

/** Converts a path to the router's notation; a suffix such as `.png` is part of its parameter there. */
const honoPath = (route: Route): string =>
  (route.root ? '' : API_ROOT) +
  route.path.replaceAll(/\{(\w+)\}(\.\w+)?/g, (_, name: string, ending?: string) =>
    ending ? `:${name}{[^/]+\\${ending}}` : `:${name}`,
  )

const methodOf = ({ method }: Route): string => method.toUpperCase()

/** Groups routes by path, fixed words before parameters: the router takes the first path that fits. */
function byPath(routes: readonly Route[]): [path: string, ofPath: Route[]][] {
  const paths = new Map<string, Route[]>()
  for (const route of routes) paths.set(honoPath(route), [...(paths.get(honoPath(route)) ?? []), route])
  const rank = (path: string) => path.replaceAll(/:\w+/g, '\uffff')
  return [...paths].toSorted(([one], [other]) => (rank(one) < rank(other) ? -1 : 1))
}

export function createApp(routes: readonly Route[]): Hono<Env> {
  const app = new Hono<Env>()
  app.use('*', begin)
  if (config.corsOrigins.length > 0)
    for (const path of OPEN_PATHS) app.use(path, cors({ origin: [...config.corsOrigins], exposeHeaders: [...EXPOSED] }))
  app.use('*', async (http, next) => {
    if (!http.env.quiet) await limitAddress(http)
    await next()
  })
  app.use('/i/*', async (http, next) => {
    http.header('x-robots-tag', 'noindex, nofollow, noarchive')
    http.header('cross-origin-opener-policy', 'same-origin')
    await next()
  })
  mountOperations(app)
  mountDocs(app, routes)
  mountMcp(app, routes)
  mountScim(app)
  for (const [path, ofPath] of byPath(routes)) {
    for (const route of ofPath) app.on(methodOf(route), path, (http) => answer(route, http))
    app.all(path, (http) => {
      const allowed = ofPath.map(methodOf)
      http.header('allow', allowed.join(', '))
      refuse('method_not_allowed', { allowed })
    })
  }
  app.notFound(() => refuse('route_not_found'))
  app.onError(toAnswer)
  return app
}

async function answer(route: Route, http: Http): Promise<Response> {
  http.set('route', `${route.method.toUpperCase()} ${route.path}`)
  http.set('operation', route)
  if (route.refusalPage) http.set('refusalPage', route.refusalPage)
  if (route.refusalForm) http.set('refusalForm', route.refusalForm)
  return perform(route, http)
}

const COMMON = Object.entries(COMMON_HEADERS)

/** Sets the request id and the missing common headers; writes the access log. */
async function begin(http: Http, next: () => Promise<void>): Promise<void> {
  const started = performance.now()
  const given = http.req.header('x-request-id')
  const requestId = given && REQUEST_ID.test(given) ? given : randomUUID()
  http.set('requestId', requestId)
  const direct = getConnInfo(http).remote.address
  http.set('address', callerAddress(direct, http.req.header('x-forwarded-for'), config.trustedProxyHops))
  await inRequest(http, requestId, next)
  const { headers } = http.res
  headers.set('x-request-id', requestId)
  for (const [name, value] of COMMON) if (!headers.has(name)) headers.set(name, value)
  if (http.env.quiet) return
  const ms = performance.now() - started
  noteAnswer(http, ms)
  const route = http.get('route') ?? 'unmatched'
  observe(route, http.res.status, ms / 1000)
  const refused = http.get('refused')
  const seen = { request_id: requestId, route, status: http.res.status, ...(refused && { refused }) }
  accessLog.info({ ...seen, ...http.get('caller'), ms: Math.round(ms * 10) / 10 }, 'request')
}

/** Runs a request in a span. Its caller's trace is linked, not continued; one of our own pages is nested in the page. */
const inRequest = (http: Http, requestId: string, next: () => Promise<void>): Promise<void> =>
  inSpan(
    'request',
    {
      kind: 'server',
      attributes: { request_id: requestId, 'http.request.method': http.req.method },
      ...(!http.env.quiet && { after: [http.req.header('traceparent')] }),
    },
    async (span) => {
      await next()
      const route = http.get('route') ?? 'unmatched'
      span?.span.updateName(route).setAttributes({ 'http.route': route, 'http.response.status_code': http.res.status })
    },
  )

/** Status in logs and metrics of a caller who hung up during the upload of the body. */
const HUNG_UP = 499

/** Converts an error to its envelope, after the rest of the body is read. A bug never shows its cause. */
async function toAnswer(error: Error, http: Http): Promise<Response> {
  if (error instanceof HungUp) return new Response(null, { status: HUNG_UP })
  const requestId = http.get('requestId')
  const refusal = refusalOf(error)
  http.set('refused', refusal.type)
  if (refusal.type === 'internal_error') log.error({ err: error, request_id: requestId }, 'bug')
  if (isOutage(error)) log.warn({ err: error, request_id: requestId }, 'Postgres is away, full or read-only')
  if (error instanceof KeyUnknown) {
    const route = http.get('route') ?? 'unmatched'
    log.error({ err: error, request_id: requestId, route }, 'data that a request needs could not be decrypted')
  }
  const isTooSlow = refusal.details?.['reason'] === 'too_slow'
  if (isTooSlow || !(await discardBody(http))) http.header('connection', 'close')
  const [status] = REFUSALS[refusal.type]
  if (status === 429) setRateLimitHeaders(http, refusal.details)
  if (status === 401) http.header('www-authenticate', 'Bearer')
  const retryAfter = refusal.details?.['retry_after_seconds'] ?? (status === 503 || status === 429 ? 1 : null)
  if (typeof retryAfter === 'number') http.header('retry-after', String(retryAfter))
  const refusalPage = http.get('refusalPage')
  if (refusalPage) {
    const shown = status === 400 ? 404 : status // an address that cannot be parsed does not exist
    return (await refusalPage(shown)).toResponse(http, shown)
  }
  return http.json(http.get('refusalForm')?.of(refusal) ?? envelope(refusal, requestId), status)
}

/** Serialization failure, deadlock, and storage that does not answer. */
const RETRYABLE_ERROR_CODES = new Set(['40001', '40P01', 'STORAGE_AWAY'])

/**
 * Maps outages (storage, Postgres, deadlock, missing key) to a refusal that can be retried. Any
 * other unknown error is a bug.
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof KeyUnknown) return unreadableRefusal('sealed_unreadable')
  return new Refusal(
    RETRYABLE_ERROR_CODES.has(codeOf(error)) || isOutage(error) ? 'service_unavailable' : 'internal_error',
  )
}
