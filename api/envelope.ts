/** Envelope of every refusal, also of requests that never reach the app. */
import { config } from '../platform/config.ts'
import type { Refusal } from '../domain/errors.ts'
import { NO_PAGE_CSP } from './http/http.ts'

export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': NO_PAGE_CSP,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  ...(config.live && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
}

export const envelope = ({ type, message, details, stepUp }: Refusal, requestId: string) => ({
  error: { type, message, request_id: requestId, ...(details && { details }), ...(stepUp && { step_up: stepUp }) },
})
