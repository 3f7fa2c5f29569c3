/** SCIM 2.0 over HTTP at `/scim/v2` (RFC 7644): for identity providers with a token of the organization, and for no one else. */
import type { Hono } from 'hono'
import { log } from '../../platform/log.ts'
import { Refusal, refuse } from '../../domain/errors.ts'
import type { ScimTokenId } from '../../domain/ids.ts'
import { refuseScim, scimErrorOf } from '../../domain/scim/errors.ts'
import { SCIM_ROOT } from '../../domain/scim/resources.ts'
import { SCIM_TOKEN_PREFIX } from '../../domain/scim/token.ts'
import { type AuthenticatedToken, authenticateScimToken, touchScimToken } from '../../services/scim/tokens.ts'
import { inOrganization, readerOf } from '../../db/postgres/sql.ts'
import { bearerOf } from '../http/caller.ts'
import { BRIEF_LOCKS, repeating } from '../http/command.ts'
import type { Env, Http } from '../http/http.ts'
import { MAX_JSON_BYTES, jsonOf, readBody } from '../http/input.ts'
import { limitCredential, limitOrganization } from '../http/limits.ts'
import { discoveryEndpoints } from './discovery.ts'
import { groupEndpoints } from './groups.ts'
import type { ScimEndpoint, ScimRequest } from './request.ts'
import { userEndpoints } from './users.ts'

const ENDPOINTS: readonly ScimEndpoint[] = [...discoveryEndpoints, ...userEndpoints, ...groupEndpoints]

const SEARCH = 'A filter is sent in the address: searches by POST are not supported.'
/** Optional parts of the protocol that are not there, with what to do instead. */
const NOT_SUPPORTED = [
  ['/Bulk', 'Bulk is not supported: send one request for each resource.'],
  ['/Me', 'A token is no person: /Me is not supported.'],
  ['/.search', SEARCH],
  ['/Users/.search', SEARCH],
  ['/Groups/.search', SEARCH],
] as const

/** Mounts the endpoints. Every answer below the address has the form and the type of SCIM, also a refusal. */
export function mountScim(app: Hono<Env>): void {
  app.use(`${SCIM_ROOT}/*`, async (http, next) => {
    http.set('refusalForm', SCIM_FORM)
    await next()
    const { headers } = http.res
    if (headers.get('content-type')?.startsWith('application/json')) headers.set('content-type', SCIM_TYPE)
  })
  for (const [path, detail] of NOT_SUPPORTED) {
    app.all(SCIM_ROOT + path, async (http) => {
      await identify(http)
      return http.json(notSupported(detail), 501) // RFC 7644, section 3.12
    })
  }
  for (const path of new Set(ENDPOINTS.map((one) => one.path))) {
    const ofPath = ENDPOINTS.filter((one) => one.path === path)
    const address = `${SCIM_ROOT}${path.replace('{id}', ':id')}`
    for (const one of ofPath) app.on(one.method.toUpperCase(), address, (http) => answer(one, http))
    app.all(address, (http) => {
      const allowed = ofPath.map(({ method }) => method.toUpperCase())
      http.header('allow', allowed.join(', '))
      refuse('method_not_allowed', { allowed })
    })
  }
}

const SCIM_TYPE = 'application/scim+json; charset=utf-8'
const SCIM_FORM = { of: scimErrorOf }

const notSupported = (detail: string) => ({ ...scimErrorOf(new Refusal('route_not_found', { detail })), status: '501' })

async function answer(endpoint: ScimEndpoint, http: Http): Promise<Response> {
  const path = SCIM_ROOT + endpoint.path
  http.set('route', `${endpoint.method.toUpperCase()} ${path}`)
  http.set('operation', { operationId: `scim_${endpoint.name}`, method: endpoint.method, path, root: true })
  const token = await identify(http)
  // a committed request is never answered as an error because its use could not be noted
  const touched = touchScimToken(token).catch((error: unknown) =>
    log.warn({ err: error }, 'the use of a SCIM token could not be recorded'),
  )
  try {
    const { status, resource } = await endpoint.handle(await requestOf(endpoint, http, token))
    if (!resource || status === 204) return http.body(null, 204)
    const location = (resource['meta'] as { location?: string } | undefined)?.location
    if (status === 201 && location) http.header('location', location)
    return http.json(resource, status)
  } finally {
    await touched
  }
}

/** Authenticates a SCIM token, and counts the request. Refuses any other credential, `not_authenticated`. */
async function identify(http: Http): Promise<AuthenticatedToken> {
  const bearer = bearerOf(http) ?? ''
  const token = await authenticateScimToken(bearer)
  if (!token || token.isGone)
    return refuse('not_authenticated', {
      detail: bearer.startsWith(SCIM_TOKEN_PREFIX)
        ? 'This token is unknown, or was revoked.'
        : 'A SCIM token of the organization is needed as a bearer; no other credential is taken here.',
    })
  http.set('caller', { scim_token_id: token.id })
  http.set('organization', token.organizationId)
  await limitCredential(http, token.id)
  await limitOrganization(token.organizationId)
  return token
}

const BODIES: ReadonlySet<string> = new Set(['post', 'put', 'patch'])

async function requestOf({ method }: ScimEndpoint, http: Http, token: AuthenticatedToken): Promise<ScimRequest> {
  const { organizationId, id: tokenId } = token
  const correlationId = http.get('requestId')
  return {
    tokenId,
    id: http.req.param('id') ?? '',
    body: BODIES.has(method) ? await bodyOf(http, tokenId) : undefined,
    query: (name) => queryOf(http, name),
    read: readerOf(organizationId),
    write: async (work) => {
      const manner = { correlationId, ...BRIEF_LOCKS }
      const refused = await repeating(() => inOrganization({ kind: 'system' }, organizationId, work, manner))
      if (refused instanceof Refusal) throw refused
    },
  }
}

/** Reads a body of SCIM; application/json is taken, too (RFC 7644, section 3.1). */
async function bodyOf(http: Http, tokenId: ScimTokenId): Promise<unknown> {
  const type = http.req.header('content-type') ?? ''
  if (!/^application\/(?:scim\+)?json\s*(;|$)/i.test(type))
    refuse('unsupported_media_type', { detail: 'The type of the body has to be application/scim+json.' })
  const body = await readBody(http, tokenId, MAX_JSON_BYTES)
  return jsonOf(body, 'application/json')
}

/** Reads a parameter of the query, in any case; refuses one that comes twice. */
function queryOf(http: Http, name: string): string | undefined {
  const given = Object.entries(http.req.queries()).filter(([key]) => key.toLowerCase() === name.toLowerCase())
  const values = given.flatMap(([, all]) => all)
  if (values.length > 1) refuseScim('invalidValue', `The parameter ${name} comes twice.`)
  return values[0]
}
