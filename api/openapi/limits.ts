/** Rate limits in the OpenAPI document. */
import { GENERAL_RATE_LIMITS, RATE_LIMITS, type RateLimit, isQuiet } from '../../domain/rate-limit.ts'
import { FALLBACKS_MAX, FALLBACK_POLICY, FALLBACK_WINDOW_MINUTES } from '../../domain/step-up/step-up.ts'
import { API_KEYS_MAX } from '../../domain/organizations/api-key.ts'
import { APPROVAL_CREDENTIALS_MAX } from '../../domain/step-up/step-up.ts'
import { MAX_DESTINATIONS } from '../../domain/destinations/destination.ts'
import { ORGANIZATION_LIMIT_DEFAULT } from '../../domain/people/person.ts'
import { PASSKEYS_MAX } from '../../domain/factors/passkey.ts'
import { PHONE_NUMBERS_MAX } from '../../domain/factors/phone-number.ts'
import type { Route } from '../http/route.ts'

type Json = { readonly [key: string]: unknown }

export const limitHeaders: Json = {
  Policy: {
    description:
      'The policies that counted the request, a list: name, `q` how many in `w` seconds ' +
      '(draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"credential";q=600;w=60, "codes_sent";q=20;w=3600',
  },
  Limit: {
    description: 'The same policies in the same order: name, `r` how many are left for the next `t` seconds.',
    schema: { type: 'string' },
    example: '"credential";r=599;t=60, "codes_sent";r=19;t=3600',
  },
  RetryAfter: { description: 'Seconds to wait before a repeat.', schema: { type: 'integer', minimum: 0 } },
}

/** References to the headers for the remaining quota, and on a refusal for the wait. */
export const rateLimitHeaders: Json = {
  'ratelimit-policy': { $ref: '#/components/headers/Policy' },
  ratelimit: { $ref: '#/components/headers/Limit' },
}
export const retryAfter: Json = { 'retry-after': { $ref: '#/components/headers/RetryAfter' } }

/** Tells if a successful answer has the remaining quota: every answer to a credential does. */
export const tellsLimits = ({ credential, limits = [] }: Route): boolean =>
  credential === 'session' || credential === 'session or key' || limits.some(({ policy }) => !isQuiet(policy))

/** Describes the limits of an operation beside the general ones. */
export function limitsOf({ limits = [] }: Route): { extension?: Json[]; sentence?: string } {
  if (limits.length === 0) return {}
  const told = limits.map(({ policy }) => `\`${policy}\`, ${amount(RATE_LIMITS[policy])}`)
  return {
    extension: limits.map(({ policy }) => {
      const { points, windowSeconds } = RATE_LIMITS[policy]
      return { policy, quota: points, window_seconds: windowSeconds }
    }),
    sentence: `Limits beside the general ones: ${told.join('; ')}.`,
  }
}

const tooMany = 'unprocessable_entity'
const QUANTITIES = [
  [API_KEYS_MAX, 'active API keys of an organization', 'api_key_limit_reached'],
  [
    ORGANIZATION_LIMIT_DEFAULT,
    'organizations that a person owns, if Me says nothing else',
    'organization_limit_reached',
  ],
  [MAX_DESTINATIONS, 'destinations of a contact', tooMany],
  [PASSKEYS_MAX, 'passkeys of a person', tooMany],
  [PHONE_NUMBERS_MAX, 'phone numbers of a person', tooMany],
  [APPROVAL_CREDENTIALS_MAX, 'approval devices of a person', tooMany],
].map(([most, things, type]) => `| ${most} | ${things} | \`${type}\` |`)

/** Writes the limits section of the introduction: a table of policies, and the caps on counts. */
export function limitsSection(): string {
  const rows = Object.entries<RateLimit>({ ...GENERAL_RATE_LIMITS, ...RATE_LIMITS }).map(
    ([policy, limit]) => `| \`${policy}\` | ${amount(limit)} | ${limit.counts} |`,
  )
  const fallbacks =
    `| \`${FALLBACK_POLICY}\` | ${FALLBACKS_MAX} in ${FALLBACK_WINDOW_MINUTES} minutes, in test too ` +
    '| other methods of step-up that one person asks for |'
  return [
    '## Limits',
    'Every answer to a credential tells in `RateLimit` what is left of each policy that counted the request. Past a ' +
      'limit the answer is 429 `rate_limited` with `Retry-After` and `details.policy`, also for the right password or ' +
      'code. A network is an IPv4 address or an IPv6 /64. The test environment allows ten times as many.',
    ['| Policy | Limit | What is counted |', '|---|---|---|', ...rows, fallbacks].join('\n'),
    'Of some things there may be so many at a time: one more is refused with 422, and `details` tells the limit. A list ' +
      'in a body that is longer than its schema says is 400.',
    ['| Most | Of what | Past it |', '|---|---|---|', ...QUANTITIES].join('\n'),
  ].join('\n\n')
}

const amount = ({ points, windowSeconds }: RateLimit): string => `${points} ${WINDOWS[windowSeconds]}`
const WINDOWS: Readonly<Record<number, string>> = { 60: 'a minute', 3600: 'an hour', 86_400: 'a day' }

/** Lists the headers of an answer beside `x-request-id`, which every answer has: the introduction says so. */
export function answerHeaders(route: Route, tagged: boolean) {
  const headers = {
    ...(tellsLimits(route) && rateLimitHeaders),
    ...(tagged && { etag: { $ref: '#/components/headers/ETag' } }),
  }
  return Object.keys(headers).length > 0 ? { headers } : {}
}
