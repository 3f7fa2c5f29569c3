/** Who asks: nobody in particular, a person by a session, a program by an API key. */
import { timingSafeEqual } from 'node:crypto'
import { authenticateApiKey, touchApiKey } from '../../db/organizations/api-keys.ts'
import { config } from '../../platform/config.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { log } from '../../platform/log.ts'
import type { Actor } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { Located } from '../../domain/located.ts'
import { isUuid } from '../../domain/ids.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import { authenticate, authenticateRecently, membershipOf, touchSession } from '../../db/people/sessions.ts'
import type { Http } from './http.ts'
import { limitCredential } from './limits.ts'
import type { Owner, Route } from './route.ts'

/**
 * Who asks, and what they are in the organization that the request is about. `touched` ends when their use is noted.
 */
export type Caller = {
  readonly actor: Actor
  readonly membership: Membership | null
  readonly touched: Promise<void>
}

/**
 * Bearer → actor, with the membership that an owner in the path gives, in one statement. Nothing of the body is read:
 * that is for callers who are known.
 */
export async function identify(route: Route, http: Http): Promise<Caller> {
  const nobody = { actor: { kind: 'system' } as const, membership: null, touched: Promise.resolve() }
  if (route.credential === 'sandbox') {
    const { sandboxToken: expected } = config
    if (expected && !isSecret(http.req.header('x-sandbox-token'), expected)) refuse('not_authenticated')
    return nobody
  }
  if (route.credential === 'none') return nobody
  const bearer = bearerOf(http)
  const owner = route.owner && 'param' in route.owner ? ownerOf(route.owner, http.req.param(route.owner.param)) : null
  if (carriesApiKey(http)) {
    if (route.credential === 'session') refuse('api_key_not_permitted')
    return identifyProgram(http, bearer ?? '', owner)
  }
  if (!bearer) refuse('not_authenticated')
  const found = await (isSameForAll(route) ? authenticateRecently(bearer) : authenticate(bearer, owner))
  if (!found) refuse('not_authenticated')
  // a deed that was done is never answered as an error because its session could not be prolonged
  const touched = touchSession(found).catch((error: unknown) => log.warn({ err: error }, 'session was not prolonged'))
  await limitCredential(http, found.person.sessionId)
  return { actor: found.person, membership: found.membership, touched }
}

/** Reference data: who has it may keep it for a day, so a session may be over for a second. */
const isSameForAll = ({ owner, cacheable }: Route): boolean => !owner && cacheable === 'private for a day'

/** The person's membership that an owner in the body gives; null if the route has none, or the person is none. */
export async function membershipByBody({ owner }: Route, { actor }: Caller, json: unknown): Promise<Membership | null> {
  if (!owner || !('body' in owner) || actor.kind !== 'user') return null
  // A body of the wrong shape is refused before the membership is looked at; whatever it is, it may have members.
  const named = ownerOf(owner, (json as Readonly<Record<string, unknown>> | null | undefined)?.[owner.body])
  return named && membershipOf(actor.userId, named)
}

/** An API key is known by its prefix, whatever else is wrong with it. */
const carriesApiKey = (http: Http): boolean => /^Bearer svc_/i.test(http.req.header('authorization') ?? '')

/**
 * API key → program, with the role that it has in its own organization. That the organization is not available is told
 * before what has become of the key.
 */
async function identifyProgram(http: Http, bearer: string, owner: Named | null): Promise<Caller> {
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

/** Whether it is that one, in a time that tells nothing of how much of it is right. */
export const isSecret = (given: string | undefined, expected: string): boolean =>
  timingSafeEqual(tokenHash(given ?? ''), tokenHash(expected))

type Named = { kind: Located; id: string }

const ownerOf = ({ kind }: Owner, id: unknown): Named | null => (isUuid(id) ? { kind, id } : null)
