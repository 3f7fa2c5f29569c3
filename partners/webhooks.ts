/** Delivery of an event to a webhook endpoint: a public address, bounded time and size. */
import { NAMES, type Names } from '../platform/network/resolution.ts'
import { type FailureReason, type Limits, call } from './guarded.ts'
import { sanitize } from './http.ts'

/** Outcome of a call. `answered` has any status and 1,000 characters on one line; `ms` is the duration. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string; readonly ms: number }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly text: string; readonly ms: number }

type SignedRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

const TEXT_MAX = 1000
const USER_AGENT = 'business-finance-service-webhooks/1'

/** Posts JSON; throws for nothing that a receiver does. */
export async function post(
  url: string,
  sent: SignedRequest,
  names: Names = NAMES,
  limits: Limits = {},
): Promise<Outcome> {
  const startedAt = performance.now()
  const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...sent.headers }
  const answer = await call(url, { method: 'POST', headers, body: sent.body }, names, limits)
  const ms = Math.round(performance.now() - startedAt)
  if (answer.kind === 'failed') return { ...answer, ms }
  return { kind: 'answered', status: answer.status, text: sanitize(answer.body.toString(), TEXT_MAX), ms }
}
