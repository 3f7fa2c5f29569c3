/** Who asks: nobody in particular, a person by a session, a program by an API key. */
import { timingSafeEqual } from 'node:crypto'
import { authenticateApiKey, touchApiKey } from '../../db/organizations/api-key-authentication.ts'
import { config } from '../../db/config.ts'
import { tokenHash } from '../../db/encryption.ts'
import { log } from '../../db/log.ts'
import type { Actor } from '../../db/model/actor.ts'
import { refuse } from '../../db/model/errors.ts'
import type { Located } from '../../db/model/located.ts'
import { isUuid } from '../../db/model/ids.ts'
import type { Membership } from '../../db/model/organizations/member.ts'
import { authenticate, touchSession } from '../../db/people/sessions.ts'
import type { Http } from './http.ts'
import type { Input } from './input.ts'
import { limitCredential } from './limits.ts'
import type { Route } from './route.ts'

/**
 * Who asks, and what they are in the organization that the request is about. `touched` ends when their use is noted.
 */
export type Caller = {
  readonly actor: Actor
  readonly membership: Membership | null
  readonly touched: Promise<void>
}

/** Bearer → actor, with the membership that the owner of the route gives, in one statement. */
export async function identify(route: Route, http: Http, input: Input): Promise<Caller> {
  const nobody = { actor: { kind: 'system' } as const, membership: null, touched: Promise.resolve() }
  if (route.credential === 'sandbox') {
    const { sandboxToken: expected } = config
    if (expected && !isSecret(http.req.header('x-sandbox-token'), expected)) refuse('not_authenticated')
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
async function identifyProgram(http: Http, bearer: string, owner: Owner | null): Promise<Caller> {
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

type Owner = { kind: Located; id: string }

function ownerOf(route: Route, input: Input): Owner | null {
  const { owner } = route
  if (!owner) return null
  const json = input.json as Readonly<Record<string, unknown>> | null | undefined // whatever it is, it may have members
  // A body of the wrong shape is refused before the owner is looked at.
  const id = 'param' in owner ? input.params[owner.param] : json?.[owner.body]
  return isUuid(id) ? { kind: owner.kind, id } : null
}
