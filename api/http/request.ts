/** Order of a request for one route: caller, shape, claim, organization, permission, step-up, work. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { isReviewer } from '../../services/approvals/policies.ts'
import { refuseMailbox } from '../../services/people/assurance.ts'
import { findHash, hashMatches } from '../../services/idempotency.ts'
import { config } from '../../platform/config.ts'
import { refuse } from '../../domain/errors.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import { DECIDING, isRemoved, mayCall, mayDecide } from '../../domain/permissions.ts'
import { identify, membershipByBody, requireNothingAcknowledged } from './caller.ts'
import { contextOf } from './context.ts'
import { Download, type Http, Live, NO_SCRIPT_CSP, Page, PreparedJson } from './http.ts'
import { readInput } from './input.ts'
import { limitOrganization, limitRoute } from './limits.ts'
import type { AnyContext, Route } from './route.ts'
import { withStepUp } from './step-up-guard.ts'

export async function perform(route: Route, http: Http): Promise<Response> {
  const caller = await identify(route, http)
  try {
    const input = await readInput(route, http, caller.actor)
    requireNothingAcknowledged(caller, input.json)
    const membership = caller.membership ?? (await membershipByBody(route, http, caller.actor, input.json))
    const context = contextOf(route, http, input, { ...caller, membership })
    if (context.org) await limitOrganization(context.org.organizationId)
    await limitRoute(http, route, context)
    return toResponse(route, http, context, await respond(route, context))
  } finally {
    await caller.touched
  }
}

/** Checks what the caller may know and do, from the outside in, and does the work. */
async function respond(route: Route, context: AnyContext): Promise<object> {
  const replay = (await isRepeated(context)) ? route.replay : undefined
  requireOrganization(route, context, replay !== undefined)
  const { scope, only } = route
  const { actor, org } = context
  if (actor.kind === 'api_key' && !(scope && actor.scopes.includes(scope))) refuse('api_scope_missing', { scope })
  await requirePermission(route, context)
  if (only && org?.role !== only) refuse('forbidden', { role: only })
  requireProof(route, context)
  // below scope and permission: a caller who lost them does not see what they made
  if (replay) return replay(context)
  return route.stepUp ? withStepUp(route, route.stepUp, context) : route.handle(context)
}

/** Tells if a request with this Idempotency-Key has made its row; refuses `idempotency_key_reused` for another body. */
async function isRepeated({ claim }: AnyContext): Promise<boolean> {
  if (!claim?.keyed) return false
  const claimed = await findHash(claim.id)
  if (claimed === undefined) return false
  return hashMatches(claimed, claim.bodyHash) || refuse('idempotency_key_reused')
}

/** Hides an organization from non-members, and a deleted one. A paused one still answers idempotent replays. */
function requireOrganization({ owner, movesMoney }: Route, { org }: AnyContext, replays: boolean): void {
  if (!owner) return
  if (!org || isGone(org.status)) refuse('not_found')
  if (movesMoney && org.status === 'paused' && !replays) refuse('organization_unavailable')
}

/**
 * Checks the permission of the member; members whom a policy names may review, too. What a route only reads is not taken
 * with a permission to change it. A change that only a permission to read guards is left to members who may change.
 */
async function requirePermission(route: Route, context: AnyContext): Promise<void> {
  const { can: asked = [], concealed } = route
  const { org, read, person } = context
  const [permission, ...others] = [asked].flat()
  if (!permission || !org) return
  if (mayCall(org, route, [permission, ...others])) return
  const isTaken = route.method !== 'get' && isRemoved(org, permission)
  if (permission === 'approvals.review' && !isTaken && read && person && (await isReviewer(read, person.userId))) return
  if (concealed) refuse('not_found')
  refuse('forbidden', { permission: route.decides && !mayDecide(org) ? DECIDING : permission })
}

/**
 * Refuses what needs more proof than a mailbox to a session that has none. Such a session reads, prepares as a delegate
 * may, and stops; a step-up asks for its own proof.
 */
function requireProof({ can: asked, only, shape, delegate, stops, stepUp }: Route, { person }: AnyContext): void {
  if (!person?.mailboxUntil || !(asked || only) || shape === 'query' || delegate || stops || stepUp) return
  refuseMailbox(person.mailboxUntil)
}

const REFERENCE_MAX_AGE_SECONDS = 300
const IMMUTABLE_MAX_AGE_SECONDS = 31_536_000
const PRIVATE_MAX_AGE_SECONDS = 60
const DAY_SECONDS = 86_400

async function toResponse(route: Route, http: Http, { params }: AnyContext, answer: object): Promise<Response> {
  if (route.status === 204) return http.body(null, 204)
  if (answer instanceof Download || answer instanceof Live || answer instanceof Page) return answer.toResponse(http)
  if (answer instanceof PreparedJson) return answer.toResponse(http, cacheHeaders(route))
  if (!route.produces && !route.cacheable) return http.json(checkAnswer(route, answer), route.status)
  const kept = cacheHeaders(route)
  if (!route.produces) return tagByHash(checkAnswer(route, answer)).toResponse(http, kept)
  const named = route.filename && `inline; filename="${route.filename(params)}"`
  const shown = named && { 'content-disposition': named }
  const headers = { ...kept, 'content-security-policy': NO_SCRIPT_CSP, 'content-type': route.produces, ...shown }
  // a route that produces bytes answers them
  return http.body(answer as Uint8Array<ArrayBuffer>, route.status, headers)
}

/** Chooses the cache headers of an answer; refusals are never cached. */
function cacheHeaders({ cacheable }: Route): Record<string, string> {
  if (cacheable === 'immutable') return { 'cache-control': `public, max-age=${IMMUTABLE_MAX_AGE_SECONDS}, immutable` }
  if (cacheable === 'private')
    return { 'cache-control': `private, max-age=${PRIVATE_MAX_AGE_SECONDS}`, vary: 'authorization' }
  if (cacheable === 'private for minutes')
    return { 'cache-control': `private, max-age=${REFERENCE_MAX_AGE_SECONDS}`, vary: 'authorization' }
  if (cacheable === 'private for a day')
    return { 'cache-control': `private, max-age=${DAY_SECONDS}, immutable`, vary: 'authorization' }
  return cacheable ? { 'cache-control': `public, max-age=${REFERENCE_MAX_AGE_SECONDS}` } : {}
}

function tagByHash(answer: object): PreparedJson {
  const json = Buffer.from(JSON.stringify(answer))
  return new PreparedJson({ tag: createHash('sha256').update(json).digest('base64url'), json: () => json })
}

const OUTPUT_SAMPLE = 100 // in production one answer in a hundred is checked against its schema
let answers = 0

/** Checks the answer against the contract: always in tests and development, a sample in production. */
function checkAnswer(route: Route, answer: object): object {
  answers += 1
  if (config.production && answers % OUTPUT_SAMPLE !== 0) return answer
  const result = v.safeParse(route.returns, answer)
  if (!result.success) {
    const faults = result.issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`).join('; ')
    throw new Error(`${route.operationId} answers out of contract: ${faults}`)
  }
  return answer
}
