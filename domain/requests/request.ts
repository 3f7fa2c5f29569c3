/** Requests to the API as their organization sees them: who called what, and what was answered. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { PageQuery, TimeFilters } from '../pagination.ts'
import { describe, integer, model, nullableText, timestamp, uuid } from '../text.ts'

export const REQUEST_DAYS = 7
/** Most characters of the name of a caller's program that are kept. */
export const USER_AGENT_KEPT = 100
/** Most requests that one page looks through for those that fit its filters. */
export const SCANNED_MAX = 20_000

const CREDENTIAL_KINDS = ['session', 'api_key', 'delegate'] as const
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'errors'] as const

/** Form of a request id, of a caller or our own. */
export const REQUEST_ID = /^[\w.:-]{1,128}$/

export const LoggedRequest = model('LoggedRequest', {
  id: uuid,
  request_id: describe(v.string(), 'Id that the answer named: of the caller, or our own.'),
  received_at: describe(timestamp, 'Instant of its arrival.'),
  credential_kind: describe(v.picklist(CREDENTIAL_KINDS), 'Kind of the credential; a SCIM token counts as an API key.'),
  credential_id: describe(v.nullable(uuid), 'Id of the API key, the delegate or the SCIM token; null: a session.'),
  credential_name: describe(nullableText, 'Name of the API key, the delegate or the SCIM token; null: a session.'),
  user_id: describe(v.nullable(uuid), 'Person of the session or the delegate; null: an API key or a SCIM token.'),
  operation: describe(v.string(), 'Operation of this document.'),
  method: describe(v.string(), 'Method of HTTP.'),
  path: describe(v.string(), 'Path with the names of its parameters.'),
  status: describe(integer, 'Status of the answer; 499: the caller hung up.'),
  error_type: describe(nullableText, '`error.type` of the answer.'),
  milliseconds: describe(integer, 'Time until the answer began.'),
  user_agent: describe(nullableText, 'Name of the program, shortened.'),
})
export type LoggedRequest = v.InferOutput<typeof LoggedRequest>

const statusCode = v.pipe(
  v.string(),
  v.regex(/^[1-5]\d\d$/, 'must be a status of HTTP'),
  v.metadata({ jsonSchema: { type: 'integer', minimum: 100, maximum: 599 } }),
  v.transform(Number),
)
const word = v.pipe(v.string(), v.regex(/^\w{1,100}$/, 'must be one word'))

export const requestId = v.pipe(v.string(), v.regex(REQUEST_ID, 'must be the id of a request'))

export const RequestFilters = v.object({
  ...PageQuery,
  ...TimeFilters,
  request_id: v.optional(requestId),
  status: v.optional(statusCode),
  status_class: v.optional(v.picklist(STATUS_CLASSES)),
  error_type: v.optional(word),
  operation: v.optional(word),
  api_key_id: v.optional(id<'api_key'>()),
  delegate_id: v.optional(id<'delegate'>()),
  user_id: v.optional(id<'user'>()),
})
export type RequestFilters = v.InferOutput<typeof RequestFilters>
