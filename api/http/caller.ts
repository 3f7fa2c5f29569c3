/** Authentication of callers: anonymous, a person by a session, a program by an API key. */
import { timingSafeEqual } from 'node:crypto'
import { authenticateApiKey, touchApiKey } from '../../services/organizations/api-keys.ts'
import { config } from '../../platform/config.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { log } from '../../platform/log.ts'
import { type Actor, type Origin, type Person, onlyPrepares } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { LocatedKind } from '../../domain/located.ts'
import { type OrganizationId, isUuid } from '../../domain/ids.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import { isFor } from '../../domain/people/audience.ts'
import { type Restriction, isAllowedAddress } from '../../domain/people/delegate.ts'
import { requireAllowedNetwork } from '../../services/people/allowed-networks.ts'
import { refuseMailbox, requireNothingElsewhere } from '../../services/people/assurance.ts'
import { authenticate, authenticateRecently, membershipOf, touchSession } from '../../services/people/sessions.ts'
import type { Http } from './http.ts'
import { limitCredential } from './limits.ts'
import { type Owner, type Route, reachesPerson } from './route.ts'

/** Actor of a request, with their membership in its organization. `touched` ends when the use is recorded. */
export type Caller = {
  readonly actor: Actor
  readonly membership: Membership | null
  readonly touched: Promise<void>
}

/**
 * Authenticates the bearer, with the membership for an owner in the path, in one statement. The body is not read yet:
 * only known callers may send a large one.
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
    if (route.credential === 'session') return refuseProgram(route, http, bearer ?? '')
    return identifyProgram(http, bearer ?? '', owner)
  }
  if (!bearer) refuse('not_authenticated')
  const found = await (isSameForAll(route) ? authenticateRecently(bearer) : authenticate(bearer, owner))
  if (!found) refuse('not_authenticated')
  const { membership } = found
  const person = http.env.onPage ? { ...found.person, onPage: true as const } : found.person
  http.set('caller', { user_id: person.userId, ...(person.delegate && { delegate_id: person.delegate.id }) })
  nameOrganization(http, person.delegate?.organizationId ?? membership?.organizationId)
  if (person.delegate && !isFor(person.delegate.audience, http.env.audience ?? 'api'))
    refuse('not_authenticated', { reason: 'audience' })
  await requireNetwork(route, http, person, membership)
  if (person.delegate) requireMark(route, person.delegate, http, membership)
  if (person.company && reachesPerson(route)) await requireNothingElsewhere(person)
  if (http.env.quiet) return { actor: person, membership, touched: Promise.resolve() }
  // a committed request is never answered as an error because its session could not be prolonged
  const touched = touchSession(found).catch((error: unknown) =>
    log.warn({ err: error }, 'the use of a session could not be recorded'),
  )
  await limitCredential(http, person.sessionId)
  return { actor: person, membership, touched }
}

/** Names the organization that may read of the request; once, since a delegate has its own whatever is asked for. */
export function nameOrganization(http: Http, id: OrganizationId | undefined): void {
  if (id && !http.get('organization')) http.set('organization', id)
}

/**
 * Refuses `ip_not_allowed` from outside of the networks of the organization. A delegate belongs to one, whatever it asks
 * for.
 */
async function requireNetwork(route: Route, http: Http, person: Person, membership: Membership | null): Promise<void> {
  const [origin, { delegate }] = [originOf(http), person]
  if (delegate) {
    if (!route.owner && !route.delegate) return // refused anyway
    const { organizationId, allowList } = delegate
    await requireAllowedNetwork('delegates', allowList, { organizationId, origin, person })
  } else if (membership && !route.fromAnywhere) {
    const { organizationId, allowList } = membership
    await requireAllowedNetwork('sessions', allowList, { organizationId, origin, person })
  }
}

/** Refuses what a delegate may not do, before anything of the request is read. */
function requireMark({ delegate }: Route, given: Restriction, http: Http, membership: Membership | null): void {
  if (!delegate || (delegate === 'prepare' && given.access !== 'prepare')) refuse('delegate_not_permitted')
  if (!isAllowedAddress(http.get('address'), given.allowedAddresses)) refuse('delegate_address_not_allowed')
  if (membership && membership.status !== 'active') refuse('organization_unavailable')
}

/** Refuses a delegate, or a session of a mailbox alone, that acknowledges something: a person answers for that. */
export function requireNothingAcknowledged({ actor }: Caller, json: unknown): void {
  if (actor.kind !== 'user' || !onlyPrepares(actor)) return
  const fields = Object.entries((json ?? {}) as Readonly<Record<string, unknown>>)
  const field = fields.find(([name, value]) => name.startsWith('acknowledge_') && value === true)?.[0]
  if (!field) return
  if (actor.mailboxUntil !== undefined) refuseMailbox(actor.mailboxUntil)
  refuse('delegate_not_permitted', { field })
}

/** Tells if a route answers reference data: callers may cache it for a day, so a session may be over for a second. */
const isSameForAll = ({ owner, cacheable }: Route): boolean => !owner && cacheable === 'private for a day'

/** Finds the person's membership for an owner in the body; null if the route has none, or they are no member. */
export async function membershipByBody(
  route: Route,
  http: Http,
  actor: Actor,
  json: unknown,
): Promise<Membership | null> {
  const { owner } = route
  if (!owner || !('body' in owner) || actor.kind !== 'user') return null
  // a body of the wrong shape is refused before the membership matters; any id in it may have members
  const named = ownerOf(owner, (json as Readonly<Record<string, unknown>> | null | undefined)?.[owner.body])
  const membership = named && (await membershipOf(actor, named))
  nameOrganization(http, membership?.organizationId)
  await requireNetwork(route, http, actor, membership)
  return membership
}

/** Tells if the bearer has the prefix of an API key, even of an invalid one. */
const carriesApiKey = (http: Http): boolean => /^Bearer svc_/i.test(http.req.header('authorization') ?? '')

/**
 * Authenticates an API key as a program, with its role in its own organization. An unavailable organization is reported
 * before a revoked key.
 */
async function identifyProgram(http: Http, bearer: string, owner: OwnerRef | null): Promise<Caller> {
  const key = await authenticateApiKey(bearer)
  const unavailable = key !== undefined && key.membership.status !== 'active'
  if (key) http.set('caller', { api_key_id: key.program.apiKeyId })
  nameOrganization(http, key?.membership.organizationId)
  if (!key || (key.revoked && !unavailable)) refuse('invalid_api_key')
  await requireNetworkOfKey(http, key.membership)
  await limitCredential(http, key.program.apiKeyId)
  if (unavailable) refuse('organization_unavailable')
  const touched = touchApiKey(key).catch((error: unknown) =>
    log.warn({ err: error }, 'the use of an API key could not be recorded'),
  )
  const { organizationId } = key.membership
  const own = owner?.kind === 'organization' && owner.id.toLowerCase() === organizationId
  return { actor: key.program, membership: own ? key.membership : null, touched }
}

/** Refuses a program where people alone may ask. Its key is authenticated for the log of its organization alone. */
async function refuseProgram({ owner }: Route, http: Http, bearer: string): Promise<never> {
  const key = await authenticateApiKey(bearer)
  if (key) http.set('caller', { api_key_id: key.program.apiKeyId })
  nameOrganization(http, key?.membership.organizationId)
  if (key && !key.revoked && owner) await requireNetworkOfKey(http, key.membership)
  refuse('api_key_not_permitted')
}

const requireNetworkOfKey = (http: Http, { organizationId, allowList }: Membership): Promise<void> =>
  requireAllowedNetwork('api_keys', allowList, { organizationId, origin: originOf(http), person: null })

/** Reads where a request comes from: the address of the caller, and the name of their program. */
export const originOf = (http: Http): Origin => ({ address: http.get('address'), userAgent: userAgentOf(http) })

const USER_AGENT_CHARACTERS_MAX = 200

/** Reads the name of the caller's program as short text, for people to recognize it by. */
function userAgentOf(http: Http): string | null {
  const text = (http.req.header('user-agent') ?? '').replaceAll(/[^\x20-\x7e]/g, '').trim()
  return text.slice(0, USER_AGENT_CHARACTERS_MAX) || null
}

export const bearerOf = (http: Http): string | undefined => bearerIn(http.req.header('authorization') ?? '')

/** Reads the token of an authorization header; undefined if it is none that a header can carry. */
export const bearerIn = (header: string): string | undefined => /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header)?.[1]

/** Compares secrets in constant time, which reveals no correct part. */
export const isSecret = (given: string | undefined, expected: string): boolean =>
  timingSafeEqual(tokenHash(given ?? ''), tokenHash(expected))

type OwnerRef = { kind: LocatedKind; id: string }

const ownerOf = ({ kind }: Owner, id: unknown): OwnerRef | null => (isUuid(id) ? { kind, id } : null)
