/** Rate limits: the general ones in memory of each process, those that routes name shared by all. */
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { config } from '../../platform/config.ts'
import type { Details } from '../../domain/errors.ts'
import { domainOf } from '../../domain/identity-providers/domains.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import {
  GENERAL_RATE_LIMITS,
  RATE_LIMITS,
  type RateCount,
  type RateLimitPolicy,
  isQuiet,
} from '../../domain/rate-limit.ts'
import { FALLBACKS_MAX, FALLBACK_POLICY, FALLBACK_WINDOW_MINUTES } from '../../domain/step-up/step-up.ts'
import { passwordWeakness } from '../../platform/passwords.ts'
import { countOne, quotaOf, refuseOver, toRateCount } from '../../services/rate-limits.ts'
import { networkOf } from './address.ts'
import type { Http } from './http.ts'
import type { AnyContext, Context, Limit, Route } from './route.ts'

// configured for all processes together; each of them counts its share
const { address, credential, organization } = GENERAL_RATE_LIMITS
const GENERAL = {
  address: { points: config.rateLimitAddressPerMinute, windowSeconds: address.windowSeconds },
  credential: { points: config.rateLimitPerMinute, windowSeconds: credential.windowSeconds },
  organization: { points: config.rateLimitOrganizationPerMinute, windowSeconds: organization.windowSeconds },
}
type GeneralPolicy = keyof typeof GENERAL
/** Quota for the headers; the step-ups themselves count. */
const FALLBACK_QUOTA = { points: FALLBACKS_MAX, windowSeconds: FALLBACK_WINDOW_MINUTES * 60 }

const inMemory = (policy: GeneralPolicy) =>
  new RateLimiterMemory({ points: GENERAL[policy].points, duration: GENERAL[policy].windowSeconds })
const limiters = {
  address: inMemory('address'),
  credential: inMemory('credential'),
  organization: inMemory('organization'),
}

/** Counts a request of the caller's network; refuses `rate_limited` beyond the limit. */
export async function limitAddress(http: Http): Promise<void> {
  const count = await countInMemory('address', networkOf(http.get('address')))
  if (count.over) refuseOver(count)
}

/** Counts a request of a credential, and sets its headers; refuses `rate_limited` beyond the limit. */
export async function limitCredential(http: Http, key: string): Promise<void> {
  const count = await countInMemory('credential', key)
  if (count.over) refuseOver(count)
  setHeadersOf(http, count)
}

/** Counts a request of a member to their organization; refuses `rate_limited` beyond the limit. */
export async function limitOrganization(organizationId: OrganizationId): Promise<void> {
  const count = await countInMemory('organization', organizationId)
  if (count.over) refuseOver(count)
}

// penalty() counts like consume(), but returns the count where that would reject
const countInMemory = async (policy: GeneralPolicy, key: string): Promise<RateCount> =>
  toRateCount(policy, GENERAL[policy], await limiters[policy].penalty(key))

/**
 * Counts a request under the limits that its route names, in order. The first exhausted one refuses `rate_limited`; the
 * later ones do not count.
 */
export async function limitRoute(http: Http, route: Route, context: AnyContext): Promise<void> {
  for (const { policy, key } of route.limits ?? []) {
    const of = key(context)
    if (of === null) continue
    const count = await countOne(policy, of)
    if (count.over) refuseOver(count)
    if (!isQuiet(policy)) setHeadersOf(http, count)
  }
}

/** Sets the headers of the policy that a refusal names. */
export function setRateLimitHeaders(http: Http, details: Details | undefined): void {
  const { policy, retry_after_seconds: secondsLeft } = details ?? {}
  if (typeof policy !== 'string' || typeof secondsLeft !== 'number') return
  if (isGeneral(policy)) setHeadersOf(http, { policy, ...GENERAL[policy], left: 0, secondsLeft })
  if (policy === FALLBACK_POLICY) setHeadersOf(http, { policy, ...FALLBACK_QUOTA, left: 0, secondsLeft })
  if (isShared(policy)) setHeadersOf(http, { policy, ...quotaOf(policy), left: 0, secondsLeft })
}

const isGeneral = (policy: string): policy is GeneralPolicy => Object.hasOwn(GENERAL, policy)
const isShared = (policy: string): policy is RateLimitPolicy => Object.hasOwn(RATE_LIMITS, policy)

/**
 * Appends `RateLimit-Policy` and `RateLimit`, with one member for each policy that counted. Both are lists of
 * structured fields (draft-ietf-httpapi-ratelimit-headers).
 */
function setHeadersOf(http: Http, { policy, points, windowSeconds, left, secondsLeft }: Omit<RateCount, 'over'>): void {
  http.header('ratelimit-policy', `"${policy}";q=${points};w=${windowSeconds}`, { append: true })
  http.header('ratelimit', `"${policy}";r=${left};t=${secondsLeft}`, { append: true })
}

type From = Context<'origin'>
type Of<Body> = { readonly body: Body }
type SignedInContext = Context<'person'>

/** Sign-ins of all kinds from one network. It comes first: a refusal costs no account and no recipient anything. */
export const signInsPerNetwork: Limit<From> = {
  policy: 'sign_in_network',
  key: ({ origin }) => networkOf(origin.address),
}

export const publicPages: Limit<From> = { policy: 'public_pages', key: ({ origin }) => networkOf(origin.address) }

/** Sign-ins to one account, known or not, from one network: a stranger cannot lock it for its owner elsewhere. */
export const signIns: Limit<From & Of<{ email: string }>> = {
  policy: 'sign_in',
  key: ({ origin, body }) => `${networkOf(origin.address)} ${body.email}`,
}

/** Sign-ins begun at the provider of a domain, known or not: it is asked for its description at each. */
export const signInsPerDomain: Limit<Of<{ email: string }>> = {
  policy: 'provider_sign_ins',
  key: ({ body }) => domainOf(body.email),
}

export const signInCodes: Limit<Of<{ challenge_token: string }>> = {
  policy: 'codes',
  key: ({ body }) => body.challenge_token,
}

/** Codes for one proof of a session; a stranger's tries count as the stranger's. */
export const stepUpCodes: Limit<SignedInContext & { readonly params: { id: string } }> = {
  policy: 'codes',
  key: ({ person, params }) => `${person.sessionId} ${params.id}`,
}

/** Mails to an address, known or not, that anyone can trigger. */
export const mails: Limit<Of<{ email: string }>> = { policy: 'mails', key: ({ body }) => body.email }

/** Mails of a sign-up. A weak password sends no mail and does not count, so a person can look for a better one. */
export const signUpMails: Limit<Of<{ email: string; password: string }>> = {
  policy: 'mails',
  key: (context) => (passwordWeakness(context.body.password, context.body.email) === null ? mails.key(context) : null),
}

export const setupCodes: Limit<SignedInContext> = {
  policy: 'codes',
  key: ({ person }) => `${person.sessionId} totp_setup`,
}

export const phoneCodes: Limit<SignedInContext> = {
  policy: 'codes',
  key: ({ person }) => `${person.userId} phone_number`,
}

export const passwordChecks: Limit<SignedInContext> = { policy: 'password_check', key: ({ person }) => person.userId }

/** Pictures and files of codes, each of which may take their reader ten seconds. */
export const pictures: Limit<SignedInContext> = { policy: 'pictures', key: ({ person }) => person.userId }

/** Exports, each of which may keep a processor busy for minutes. */
export const exportFiles: Limit<SignedInContext> = { policy: 'exports', key: ({ person }) => person.userId }

/** Rehearsals, each of which reads the requests of up to a year. */
export const rehearsals: Limit<SignedInContext> = { policy: 'rehearsals', key: ({ person }) => person.userId }

/** Slots, each of which takes up to 10 MB of storage for a day. */
export const uploadSlots: Limit<SignedInContext> = { policy: 'uploads', key: ({ person }) => person.userId }

/** New bills, each file of which may keep a processor busy for a minute. */
export const newBills: Limit<SignedInContext> = { policy: 'bills', key: ({ person }) => person.userId }

export const extractions: Limit<SignedInContext> = { policy: 'extractions', key: ({ person }) => person.userId }

export const imports: Limit<SignedInContext> = { policy: 'imports', key: ({ person }) => person.userId }

export const consents: Limit<SignedInContext> = { policy: 'consents', key: ({ person }) => person.userId }

/** Programs, each of which may be looked up at an address of the caller's choice. */
export const clients: Limit<SignedInContext> = { policy: 'clients', key: ({ person }) => person.userId }

/** Calls that invite: each answer reveals which addresses have an account. */
export const invitationCalls: Limit<SignedInContext> = { policy: 'invitations', key: ({ person }) => person.userId }

/** Questions to the bank about the holder of an account that is only validated. */
export const payeeChecks: Limit<SignedInContext & Of<{ check_payee: boolean }>> = {
  policy: 'payee_checks',
  key: ({ person, body }) => (body.check_payee ? person.userId : null),
}
