/** The general limits, in memory: a configured number a minute, divided by the processes. */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { config } from '../db/config.ts'
import { refuse } from '../db/model/errors.ts'
import type { Http } from './request.ts'

const WINDOW_SECONDS = 60

const addresses = new RateLimiterMemory({ points: config.rateLimitAddressPerMinute, duration: WINDOW_SECONDS })
const credentials = new RateLimiterMemory({ points: config.rateLimitPerMinute, duration: WINDOW_SECONDS })

/** Counts a request of a network address; refuses `rate_limited` beyond the limit. */
export async function limitAddress(http: Http): Promise<void> {
  const used = await addresses.penalty(http.get('address'))
  if (over(addresses, used)) refuseMore(http, 'address', addresses, used)
}

/** Counts a request of a credential, tells it what is left in the answer's headers; refuses `rate_limited` beyond. */
export async function limitCredential(http: Http, key: string): Promise<void> {
  const used = await credentials.penalty(key)
  tell(http, 'credential', credentials, used)
  if (over(credentials, used)) refuseMore(http, 'credential', credentials, used)
}

// penalty() counts like consume(), but returns the count where that would reject.
const over = (limiter: RateLimiterMemory, used: RateLimiterRes): boolean => used.consumedPoints > limiter.points

const secondsLeft = (used: RateLimiterRes): number => Math.max(1, Math.ceil(used.msBeforeNext / 1000))

/** `RateLimit-Policy` and `RateLimit` as structured fields (draft-ietf-httpapi-ratelimit-headers). */
function tell(http: Http, policy: string, limiter: RateLimiterMemory, used: RateLimiterRes): void {
  http.header('ratelimit-policy', `"${policy}";q=${limiter.points};w=${WINDOW_SECONDS}`)
  http.header('ratelimit', `"${policy}";r=${used.remainingPoints};t=${secondsLeft(used)}`)
}

function refuseMore(http: Http, policy: string, limiter: RateLimiterMemory, used: RateLimiterRes): never {
  tell(http, policy, limiter, used)
  refuse('rate_limited', { retry_after_seconds: secondsLeft(used) })
}
