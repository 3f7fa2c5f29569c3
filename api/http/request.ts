/** Carries out the order of a request for one route: who, shape, claim, organization, permission, step-up, deed. */
import type { Context as HonoContext } from 'hono'
import * as v from 'valibot'
import { authenticateApiKey, touchApiKey } from '../../db/organizations/api-key-authentication.ts'
import { isReviewer } from '../../db/approvals/policies.ts'
import { type Claim, claimFor, claimedHash, sameBody } from '../../db/idempotency.ts'
import { config } from '../../db/config.ts'
import { log } from '../../db/log.ts'
import type { Actor, Person } from '../../db/model/actor.ts'
import { Refusal, refuse } from '../../db/model/errors.ts'
import { isUuid } from '../../db/model/ids.ts'
import { type Permission, can } from '../../db/model/permissions.ts'
import { authenticate, touchSession } from '../../db/people/sessions.ts'
import { inOrganization, readerOf } from '../../db/sql.ts'
import { limitCredential, limitRoute } from './limits.ts'
import type { Context, Membership, Message, Route } from './route.ts'
import { type Input, queryOf, readInput } from './input.ts'
import { requireStepUp } from '../step-up/step-up.ts'
import { parse } from './validation.ts'

export type Env = { Variables: { requestId: string; address: string; route?: string } }
export type Http = HonoContext<Env>

const OUTPUT_SAMPLE = 100 // in production one answer in a hundred is checked against its schema
let answers = 0

/** Answers one request on one route; refusals are thrown. */
export async function perform(route: Route, http: Http): Promise<Response> {
  if (config.live && route.credential === 'sandbox') refuse('route_not_found')
  const input = await readInput(route, http)
  const { actor, membership, touched } = await identify(route, http, input)
  try {
    const shaped = shape(route, http, input)
    const context = await contextOf(
      route,
      http,
      { ...shaped, file: input.file, message: input.message },
      actor,
      membership,
    )
    await limitRoute(http, route, context)
    const answer = await answerOf(route, context, membership)
    if (route.status === 204) return http.body(null, 204)
    const kept = cacheHeaders(route)
    if (!route.produces) return http.json(checked(route, answer) as object, route.status, kept)
    const named = route.filename && `inline; filename="${route.filename(context.params)}"`
    const shown = named && { 'content-disposition': named }
    const headers = { ...kept, 'content-security-policy': INERT, 'content-type': route.produces, ...shown }
    // a route that produces bytes answers them
    return http.body(answer as Uint8Array<ArrayBuffer>, route.status, headers)
  } finally {
    await touched
  }
}

const REFERENCE_MAX_AGE_SECONDS = 300
const FOR_GOOD_SECONDS = 31_536_000
/** Bytes that people sent are shown as what they are, and never run as a page. */
const INERT = "default-src 'none'; sandbox"

/** Only what a route answers is kept by caches, never its refusals. */
function cacheHeaders({ cacheable }: Route): Record<string, string> {
  if (cacheable === 'immutable') return { 'cache-control': `public, max-age=${FOR_GOOD_SECONDS}, immutable` }
  return cacheable ? { 'cache-control': `public, max-age=${REFERENCE_MAX_AGE_SECONDS}` } : {}
}

type Identified = { actor: Actor; membership: Membership | null; touched: Promise<void> }

/** Bearer → actor, with the membership that the owner of the route gives, in one statement. */
async function identify(route: Route, http: Http, input: Input): Promise<Identified> {
  const nobody = { actor: { kind: 'system' } as const, membership: null, touched: Promise.resolve() }
  if (route.credential === 'sandbox') {
    if (config.sandboxToken && http.req.header('x-sandbox-token') !== config.sandboxToken) refuse('not_authenticated')
    return nobody
  }
  if (route.credential === 'none') return nobody
  const bearer = bearerOf(http)
  if (carriesApiKey(http)) {
    if (route.credential === 'session') refuse('api_key_not_permitted')
    return identifyProgram(http, bearer ?? '', ownerOf(route, input))
  }
  if (!bearer) refuse('not_authenticated')
  const found = await authenticate(bearer, ownerOf(route, input))
  if (!found) refuse('not_authenticated')
  // a deed that was done is never answered as an error because its session could not be prolonged
  const touched = touchSession(found).catch((error: unknown) => log.warn({ err: error }, 'session was not prolonged'))
  await limitCredential(http, found.person.sessionId)
  return { actor: found.person, membership: found.membership, touched }
}

/** An API key is known by its prefix, whatever else is wrong with it. */
const carriesApiKey = (http: Http): boolean => /^Bearer svc_/i.test(http.req.header('authorization') ?? '')

/**
 * API key → program, with the role that it has in its own organization. That the organization is not available is told
 * before what has become of the key.
 */
async function identifyProgram(http: Http, bearer: string, owner: Owner | null): Promise<Identified> {
  const key = await authenticateApiKey(bearer)
  const unavailable = key !== undefined && key.membership.status !== 'active'
  if (!key || (key.revoked && !unavailable)) refuse('invalid_api_key')
  await limitCredential(http, key.program.apiKeyId)
  if (unavailable) refuse('organization_unavailable')
  const touched = touchApiKey(key).catch((error: unknown) => log.warn({ err: error }, 'the use of a key was not noted'))
  const { organizationId } = key.membership
  const own = owner?.kind === 'organization' && owner.id.toLowerCase() === organizationId
  return { actor: key.program, membership: own ? key.membership : null, touched }
}

/** The bearer of the request, or undefined. */
export function bearerOf(http: Http): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(http.req.header('authorization') ?? '')?.[1]
}

type Owner = { kind: string; id: string }

function ownerOf(route: Route, input: Input): Owner | null {
  const { owner } = route
  if (!owner) return null
  // A body of the wrong shape is refused before the owner is looked at.
  const id = 'param' in owner ? input.params[owner.param] : (input.json as Record<string, unknown> | null)?.[owner.body]
  return isUuid(id) ? { kind: owner.kind, id } : null
}

const NO_OBJECT = { path: '', code: 'object', message: 'must be an object' }

type Shaped = {
  params: unknown
  query: unknown
  body: unknown
  file?: Uint8Array | undefined
  message?: Message | undefined
}

function shape(route: Route, http: Http, input: Input): Shaped {
  const params = route.params ? parse(route.params, input.params) : undefined
  const query = route.query ? parse(route.query, queryOf(http)) : undefined
  input.fault?.()
  if (route.body && Array.isArray(input.json)) refuse('invalid_request', { errors: [NO_OBJECT] }) // valibot takes a list for an object
  return { params, query, body: route.body ? parse(route.body, input.json) : undefined }
}

async function contextOf(
  route: Route,
  http: Http,
  shaped: Shaped,
  actor: Actor,
  membership: Membership | null,
): Promise<Context<any, any, any>> {
  // a malformed one is refused on every creation, also where a repeat is harmless or must make another secret
  const given = route.replay || route.keyed || route.status === 201 ? idempotencyKeyOf(http) : undefined
  const key = route.replay || route.keyed ? given : undefined
  let claim: Claim | undefined
  const requestId = http.get('requestId')
  const org = () => membership ?? refuse('not_found')
  return {
    requestId,
    origin: { address: http.get('address'), userAgent: userAgentOf(http) },
    actor,
    get person(): Person {
      if (actor.kind !== 'user') throw new Error(`${route.path} has no session`)
      return actor
    },
    bearer: bearerOf(http),
    params: shaped.params,
    query: shaped.query,
    body: shaped.body,
    get file() {
      if (!shaped.file) throw new Error(`${route.path} takes no file`)
      return shaped.file
    },
    get message() {
      if (!shaped.message) throw new Error(`${route.path} takes no message`)
      return shaped.message
    },
    get org() {
      return org()
    },
    get read() {
      return readerOf(org().organizationId)
    },
    write: (work, manner) => inOrganization(actor, org().organizationId, work, { correlationId: requestId, ...manner }),
    get claim() {
      const { params = null, body = null } = shaped
      return (claim ??= claimFor(claimantOf(actor), route.method, route.path, key, { params, body }))
    },
    stepUpId: null,
  }
}

/** Whose Idempotency-Keys these are. */
function claimantOf(actor: Actor): string {
  if (actor.kind === 'user') return actor.userId
  return actor.kind === 'api_key' ? actor.apiKeyId : 'sandbox'
}

const USER_AGENT_CHARACTERS_MAX = 200

/** What the caller's program says it is, for people to recognize it by; whatever else it may be, it is short text. */
function userAgentOf(http: Http): string | null {
  const text = (http.req.header('user-agent') ?? '').replaceAll(/[^\x20-\x7e]/g, '').trim()
  return text.slice(0, USER_AGENT_CHARACTERS_MAX) || null
}

function idempotencyKeyOf(http: Http): string | undefined {
  const key = http.req.header('idempotency-key')
  if (key === undefined) return undefined
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) refuse('idempotency_key_invalid')
  return key
}

async function answerOf(
  route: Route,
  context: Context<unknown, unknown, unknown>,
  membership: Membership | null,
): Promise<unknown> {
  const claimed = route.method !== 'get' && context.claim.keyed ? await claimedHash(context.claim.id) : undefined
  if (claimed !== undefined && !sameBody(claimed, context.claim.bodyHash)) refuse('idempotency_key_reused')
  if (route.owner) checkOrganization(route, membership)
  if (claimed !== undefined && route.replay) return route.replay(context)
  checkScope(route, context.actor)
  if (route.can && membership && !(await mayDo(route.can, context, membership))) {
    if (route.concealed) refuse('not_found')
    refuse('forbidden', { permission: route.can })
  }
  if (route.only && membership?.role !== route.only) refuse('forbidden', { role: route.only })
  if (!route.stepUp) return route.handle(context)
  const bound = route.stepUp.bind ? await route.stepUp.bind(context) : { target: targetOf(context, route) }
  if ('answer' in bound) return bound.answer
  const asked = bound.needless ? Promise.resolve(null) : requireStepUp(route, context, bound)
  const stepUpId = await asked.catch(async (error: unknown) => {
    // Used up since by the same person's same request: what that one did is the answer.
    const done = await route.stepUp?.bind?.(context)
    if (done && 'answer' in done) return done
    throw error
  })
  if (stepUpId && typeof stepUpId !== 'string') return stepUpId.answer
  try {
    return await route.handle(Object.assign(Object.create(context), { stepUpId, found: bound.found }) as typeof context)
  } catch (error) {
    // Used up by another request in the meantime: the caller gets a fresh challenge, as if there had been none.
    if (error instanceof Refusal && error.type === 'step_up_required') await requireStepUp(route, context, bound)
    throw error
  }
}

/** A role holds its keys; to review is also for members whom a policy names. */
async function mayDo(key: Permission, { actor, read }: Context<unknown, unknown, unknown>, { role }: Membership) {
  if (can(role, key)) return true
  return key === 'approvals.review' && actor.kind === 'user' && isReviewer(read, actor.userId, role)
}

/** Of an organization's operation the organization, of a person's own the person. */
const targetOf = (context: Context<unknown, unknown, unknown>, route: Route): string =>
  route.owner ? `organization:${context.org.organizationId}` : `user:${context.person.userId}`

function checkOrganization(route: Route, membership: Membership | null): void {
  if (!membership || membership.status === 'banned' || membership.status === 'deleted') refuse('not_found')
  if (route.movesMoney && membership.status === 'paused') refuse('organization_unavailable')
}

/** A program may what its key's scopes say; a person needs none. */
function checkScope({ scope }: Route, actor: Actor): void {
  if (actor.kind !== 'api_key') return
  if (!scope || !actor.scopes.includes(scope)) refuse('api_scope_missing', { scope })
}

/** The answer is what the contract says: always in tests and development, a sample in production. */
function checked(route: Route, answer: unknown): unknown {
  answers += 1
  if (config.production && answers % OUTPUT_SAMPLE !== 0) return answer
  const result = v.safeParse(route.returns, answer)
  if (!result.success) {
    const faults = result.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`).join('; ')
    throw new Error(`${route.operationId} answers out of contract: ${faults}`)
  }
  return answer
}
