/** Refusals of an operation: implied by its declaration, and named by it. */
import type { RefusalType } from '../../domain/errors.ts'
import { knowsParameters } from '../http/parameters.ts'
import { type Route, reachesPerson } from '../http/route.ts'

/** Lists the refusal types of an operation; the document, docs/refusals.md and the tests read it. */
export function refusalsOf(route: Route): ReadonlySet<RefusalType> {
  return new Set([...impliesRefusals(route), ...(route.refuses ?? [])])
}

const OF_MARKED = ['delegate_address_not_allowed', 'organization_unavailable'] as const

/** Lists the refusals that the declaration of an operation implies. */
export function impliesRefusals(route: Route): RefusalType[] {
  const { credential, owner, can, only, movesMoney, method, status, params, query, body, upload, raw } = route
  const types: RefusalType[] = ['rate_limited', 'service_unavailable']
  const person = credential === 'session' || credential === 'session or key'
  if (knowsParameters(route)) types.push('unknown_parameter')
  if (credential !== 'none') types.push('not_authenticated')
  if (person && route.delegate) types.push(...OF_MARKED)
  if (person && (owner || route.delegate || credential === 'session or key')) types.push('ip_not_allowed')
  if (person && route.delegate !== 'read') types.push('delegate_not_permitted')
  if (credential === 'session') types.push('api_key_not_permitted')
  if (credential === 'session or key') types.push('invalid_api_key', 'api_scope_missing', 'organization_unavailable')
  if (params || query || body || upload) types.push('invalid_request')
  if (owner || params) types.push('not_found')
  if (person && (can || only || reachesPerson(route))) types.push('forbidden')
  if (movesMoney) types.push('organization_unavailable')
  if (body || upload || raw) types.push('malformed_request', 'payload_too_large', 'unsupported_media_type')
  if (method !== 'get' && status === 201) types.push('idempotency_key_invalid')
  if (route.replay || route.keyed) types.push('idempotency_key_invalid', 'idempotency_key_reused')
  if (route.stepUp) types.push('step_up_required', 'forbidden')
  return types
}
