/** The HTTP app: routes, and the one edge where what was thrown becomes an answer. */
import { randomUUID } from 'node:crypto'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import '../db/registries/approval-targets.ts' // approvals find what waits for them there
import { config } from '../db/config.ts'
import { accessLog, log } from '../db/log.ts'
import { REFUSALS, Refusal, refuse } from '../db/model/errors.ts'
import { isConnectionLost } from '../db/driver.ts'
import { callerAddress } from './http/address.ts'
import { mountDocs } from './openapi/docs.ts'
import { limitAddress, setRateLimitHeaders } from './http/limits.ts'
import { MAX_JSON_BYTES, MAX_STRANGERS_JSON_BYTES, MULTIPART_OVERHEAD_BYTES } from './http/input.ts'
import { observe } from './metrics.ts'
import { mountOperations } from './operator.ts'
import type { Env, Http } from './http/http.ts'
import { perform } from './http/request.ts'
import { API_ROOT, type Route } from './http/route.ts'
import { routesOf } from './routes.ts'

/** What a page of another origin may read of an answer, beside the body. */
const EXPOSED = ['content-disposition', 'x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy'] as const

/** Path of a route in the router's notation. */
const honoPath = (route: Route): string => (route.root ? '' : API_ROOT) + route.path.replaceAll(/\{(\w+)\}/g, ':$1')

/** The whole service over HTTP. */
export function createApp(): Hono<Env> {
  const app = new Hono<Env>()
  const routes = routesOf(config)
  app.use('*', begin)
  app.use('*', async (http, next) => {
    await limitAddress(http)
    await next()
  })
  if (config.corsOrigins.length > 0)
    app.use(`${API_ROOT}/*`, cors({ origin: [...config.corsOrigins], exposeHeaders: [...EXPOSED] }))
  app.use('*', limitBody(routes))
  mountOperations(app)
  mountDocs(app, routes)
  const methods = new Map<string, string[]>()
  for (const route of routes) {
    const path = honoPath(route)
    methods.set(path, [...(methods.get(path) ?? []), route.method.toUpperCase()])
    app.on(route.method.toUpperCase(), path, (http) => answer(route, http))
  }
  for (const [path, allowed] of methods) {
    app.all(path, (http) => {
      http.header('allow', allowed.join(', '))
      refuse('method_not_allowed', { allowed })
    })
  }
  app.notFound(() => refuse('route_not_found'))
  app.onError((error, http) => toAnswer(error, http))
  return app
}

const DISCARDED_BYTES_MAX = 32 * 1024 * 1024

/** 1 MiB of JSON, 64 KiB from a stranger, or as much as the file of an upload may have. */
function limitBody(routes: readonly Route[]): (http: Http, next: () => Promise<void>) => Promise<Response | void> {
  const limit = (maxBytes: number, tell = maxBytes) => {
    const limited = bodyLimit({
      maxSize: maxBytes,
      onError: async (http) => {
        if (!(await discardBody(http))) http.header('connection', 'close')
        refuse('payload_too_large', { max_bytes: tell })
      },
    })
    // to ask for a body makes a whole Request, which costs a tenth of a read; HTTP itself keeps a body to its told
    // length
    return (http: Http, next: () => Promise<void>) => (declaredLength(http) <= maxBytes ? next() : limited(http, next))
  }
  const json = limit(MAX_JSON_BYTES)
  const strangers = limit(MAX_STRANGERS_JSON_BYTES)
  const special = routes.flatMap(({ upload, credential, body, raw, root, method, path }) => {
    const pattern = new RegExp(`^${root ? '' : API_ROOT}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    if (upload) {
      return [{ method, pattern, limited: limit(upload.maxBytes + MULTIPART_OVERHEAD_BYTES, upload.maxBytes) }]
    }
    return credential === 'none' && (body || raw) ? [{ method, pattern, limited: strangers }] : []
  })
  return (http, next) => {
    const { method, path } = http.req
    if (declaredLength(http) === 0) return next()
    const route = special.find((one) => one.method.toUpperCase() === method && one.pattern.test(path))
    return (route?.limited ?? json)(http, next)
  }
}

/** How long the body says that it is, 0 if there is none (RFC 9112, section 6); NaN for one that comes in chunks. */
const declaredLength = ({ req }: Http): number =>
  req.header('transfer-encoding') === undefined ? Number(req.header('content-length') ?? 0) : NaN

/**
 * Reads a body that is too large to its end and keeps nothing: most callers send all of it before they look at an
 * answer, and would see a broken connection instead. False if that is too much to read, or where no length was told.
 */
async function discardBody(http: Http): Promise<boolean> {
  const { body } = http.req.raw
  if (!body || body.locked || Number(http.req.header('content-length') ?? Infinity) > DISCARDED_BYTES_MAX) return false
  try {
    for await (const _ of body);
    return true
  } catch {
    return false // whoever sent it is gone
  }
}

async function answer(route: Route, http: Http): Promise<Response> {
  http.set('route', `${route.method.toUpperCase()} ${route.path}`)
  return perform(route, http)
}

/** Request id, access log, secure headers. */
async function begin(http: Http, next: () => Promise<void>): Promise<void> {
  const started = performance.now()
  const given = http.req.header('x-request-id')
  const requestId = given && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
  http.set('requestId', requestId)
  const direct = getConnInfo(http).remote.address
  http.set('address', callerAddress(direct, http.req.header('x-forwarded-for'), config.trustedProxyHops))
  http.header('x-request-id', requestId)
  http.header('x-content-type-options', 'nosniff')
  http.header('referrer-policy', 'no-referrer')
  http.header('cache-control', 'no-store')
  if (config.live) http.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
  await next()
  const ms = performance.now() - started
  const route = http.get('route') ?? 'unmatched'
  observe(route, http.res.status, ms / 1000)
  accessLog.info({ request_id: requestId, route, status: http.res.status, ms: Math.round(ms * 10) / 10 }, 'request')
}

/** The envelope of every error. A bug never tells what is inside. */
function toAnswer(error: Error, http: Http): Response {
  const requestId = http.get('requestId')
  const refusal = refusalOf(error)
  if (refusal.type === 'internal_error') log.error({ err: error, request_id: requestId }, 'bug')
  const [status] = REFUSALS[refusal.type]
  if (status === 429) setRateLimitHeaders(http, refusal.details)
  if (status === 401) http.header('www-authenticate', 'Bearer')
  const retryAfter = Number(refusal.details?.['retry_after_seconds'] ?? 1)
  if (status === 503 || status === 429) http.header('retry-after', String(retryAfter))
  return http.json(
    {
      error: {
        type: refusal.type,
        message: refusal.message,
        request_id: requestId,
        ...(refusal.details && { details: refusal.details }),
        ...(refusal.stepUp && { step_up: refusal.stepUp }),
      },
    },
    status,
  )
}

const RETRYABLE_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENOTFOUND', // a container that is stopped takes its name with it
  'EAI_AGAIN',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '40001',
  '40P01',
])

/** Postgres away, starting, full, or a deadlock that it broke: try again. Everything else unknown is a bug. */
function refusalOf(error: Error): Refusal {
  if (error instanceof Refusal) return error
  const code = 'code' in error ? String(error.code) : ''
  return new Refusal(
    RETRYABLE_ERROR_CODES.has(code) || isConnectionLost(error) ? 'service_unavailable' : 'internal_error',
  )
}
