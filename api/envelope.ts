/** How every answer looks that is a refusal, also where no request was read and the app never heard of it. */
import { config } from '../platform/config.ts'
import type { Refusal } from '../domain/errors.ts'

/** The headers of every answer. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  ...(config.live && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
}

/** The body of a refusal. */
export const envelope = ({ type, message, details, stepUp }: Refusal, requestId: string) => ({
  error: { type, message, request_id: requestId, ...(details && { details }), ...(stepUp && { step_up: stepUp }) },
})
