/** How often somebody may ask: the general limits in memory of each process, those that routes name shared by all. */
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { config } from '../../platform/config.ts'
import type { Details } from '../../domain/errors.ts'
import {
  GENERAL_RATE_LIMITS,
  RATE_LIMITS,
  type RateCount,
  type RateLimitPolicy,
  isQuiet,
} from '../../domain/rate-limit.ts'
import { FALLBACKS_MAX, FALLBACK_POLICY, FALLBACK_WINDOW_MINUTES } from '../../domain/step-up/step-up.ts'
import { passwordWeakness } from '../../db/sign-in/passwords.ts'
import { countOne, quotaOf, refuseOver, toRateCount } from '../../db/rate-limits.ts'
import { networkOf } from './address.ts'
import type { Http } from './http.ts'
import type { AnyContext, Context, Limit, Route } from './route.ts'

// Configured for all processes together; each of them counts its share.
const { address, credential } = GENERAL_RATE_LIMITS
const GENERAL = {
  address: { points: config.rateLimitAddressPerMinute, windowSeconds: address.windowSeconds },
  credential: { points: config.rateLimitPerMinute, windowSeconds: credential.windowSeconds },
}
type GeneralPolicy = keyof typeof GENERAL
/** Counted by the step-ups themselves. */
const FALLBACK_QUOTA = { points: FALLBACKS_MAX, windowSeconds: FALLBACK_WINDOW_MINUTES * 60 }

const inMemory = (policy: GeneralPolicy) =>
  new RateLimiterMemory({ points: GENERAL[policy].points, duration: GENERAL[policy].windowSeconds })
const limiters = { address: inMemory('address'), credential: inMemory('credential') }

/** Counts a request of the caller's network; refuses `rate_limited` beyond the limit. */
export async function limitAddress(http: Http): Promise<void> {
  const count = await countInMemory('address', networkOf(http.get('address')))
  if (count.over) refuseOver(count)
}

/** Counts a request of a credential, tells it what is left in the answer's headers; refuses `rate_limited` beyond. */
export async function limitCredential(http: Http, key: string): Promise<void> {
  const count = await countInMemory('credential', key)
  if (count.over) refuseOver(count)
  setHeadersOf(http, count)
}

// penalty() counts like consume(), but returns the count if that would reject.
const countInMemory = async (policy: GeneralPolicy, key: string): Promise<RateCount> =>
  toRateCount(policy, GENERAL[policy], await limiters[policy].penalty(key))

/**
 * Counts a request under the limits that its route names, one after the other: beyond the first that is used up it is
 * refused `rate_limited` and counts under no other.
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

/** Tells under which policy a request was refused, if the refusal names one. */
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
 * `RateLimit-Policy` and `RateLimit`, lists of structured fields with one member for each policy that counted the
 * request (draft-ietf-httpapi-ratelimit-headers).
 */
function setHeadersOf(http: Http, { policy, points, windowSeconds, left, secondsLeft }: Omit<RateCount, 'over'>): void {
  http.header('ratelimit-policy', `"${policy}";q=${points};w=${windowSeconds}`, { append: true })
  http.header('ratelimit', `"${policy}";r=${left};t=${secondsLeft}`, { append: true })
}

type From = Context<'origin'>
type Of<Body> = { readonly body: Body }
type Signed = Context<'person'>

/** All ways in from one network. It stands first: what it refuses costs no account and no recipient anything. */
export const signInsPerNetwork: Limit<From> = {
  policy: 'sign_in_network',
  key: ({ origin }) => networkOf(origin.address),
}

/** What customers open without signing in, from one network. */
export const publicPages: Limit<From> = { policy: 'public_pages', key: ({ origin }) => networkOf(origin.address) }

/** Sign-ins to one account, known or not, from one network: nobody can lock it for somebody elsewhere. */
export const signIns: Limit<From & Of<{ email: string }>> = {
  policy: 'sign_in',
  key: ({ origin, body }) => `${networkOf(origin.address)} ${body.email}`,
}

/** Codes for one sign-in. */
export const signInCodes: Limit<Of<{ challenge_token: string }>> = {
  policy: 'codes',
  key: ({ body }) => body.challenge_token,
}

/** Codes for one thing that a session has to prove; a stranger's tries at it are counted as the stranger's. */
export const stepUpCodes: Limit<Signed & { readonly params: { id: string } }> = {
  policy: 'codes',
  key: ({ person, params }) => `${person.sessionId} ${params.id}`,
}

/** Mails that anybody can have sent to an address, known or not. */
export const mails: Limit<Of<{ email: string }>> = { policy: 'mails', key: ({ body }) => body.email }

/**
 * The same for a sign-up: one that its password rules out mails nobody, so whoever looks for a better one is not
 * stopped.
 */
export const signUpMails: Limit<Of<{ email: string; password: string }>> = {
  policy: 'mails',
  key: (context) => (passwordWeakness(context.body.password, context.body.email) === null ? mails.key(context) : null),
}

/** Codes for the authenticator that a session sets up. */
export const setupCodes: Limit<Signed> = { policy: 'codes', key: ({ person }) => `${person.sessionId} totp_setup` }

/** Codes for the phone numbers that a person adds. */
export const phoneCodes: Limit<Signed> = { policy: 'codes', key: ({ person }) => `${person.userId} phone_number` }

/** Passwords that are checked for a signed-in person. */
export const passwordChecks: Limit<Signed> = { policy: 'password_check', key: ({ person }) => person.userId }

/** Pictures of people and organizations, each of which may take the decoder ten seconds. */
export const pictures: Limit<Signed> = { policy: 'pictures', key: ({ person }) => person.userId }

/** Files that are written, each of which may keep a processor busy for minutes. */
export const exportFiles: Limit<Signed> = { policy: 'exports', key: ({ person }) => person.userId }

/** Slots, each of which takes up to 10 MB of storage for a day. */
export const uploadSlots: Limit<Signed> = { policy: 'uploads', key: ({ person }) => person.userId }

/** Bills, the file of each of which may keep a processor busy for a minute. */
export const newBills: Limit<Signed> = { policy: 'bills', key: ({ person }) => person.userId }

/** Bills that are read again. */
export const extractions: Limit<Signed> = { policy: 'extractions', key: ({ person }) => person.userId }

/** Files of batches, which are read row by row. */
export const imports: Limit<Signed> = { policy: 'imports', key: ({ person }) => person.userId }

/** Consents to an accounting program, each of which is kept until it is used or over. */
export const consents: Limit<Signed> = { policy: 'consents', key: ({ person }) => person.userId }

/** Calls that invite: each address that is invited is answered whether it has an account. */
export const invitationCalls: Limit<Signed> = { policy: 'invitations', key: ({ person }) => person.userId }
