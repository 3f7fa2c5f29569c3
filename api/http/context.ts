import { claimFor, idByKey } from '../../services/idempotency.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { inOrganization, readerOf } from '../../db/postgres/sql.ts'
import { type Caller, bearerOf, originOf } from './caller.ts'
import type { Http } from './http.ts'
import { type Input, queryOf } from './input.ts'
import { requireKnownParameters } from './parameters.ts'
import type { AnyContext, CommonContext, Route } from './route.ts'
import { parse } from './validation.ts'

/**
 * Builds the context of a request from the declarations of its route. Refuses `invalid_request` with every fault of the
 * shape, `unknown_parameter`, a fault of the body, and `idempotency_key_invalid`.
 */
export function contextOf(route: Route, http: Http, input: Input, { actor, membership }: Caller): AnyContext {
  const { params, query, body } = shape(route, http, input)
  // a malformed key is refused on every creation, even if a repeat is harmless or must make another secret
  const given = route.replay || route.keyed || route.status === 201 ? idempotencyKeyOf(http) : undefined
  const key = route.replay || route.keyed ? given : undefined
  const requestId = http.get('requestId')
  return {
    requestId,
    origin: originOf(http),
    actor,
    person: actor.kind === 'user' ? actor : undefined,
    bearer: bearerOf(http),
    params,
    query,
    body,
    file: input.file,
    message: input.message,
    sent: input.sent,
    org: membership ?? undefined,
    read: membership ? readerOf(membership.organizationId) : undefined,
    write: membership
      ? (work, manner) =>
          inOrganization(actor, membership.organizationId, work, { correlationId: requestId, ...manner })
      : undefined,
    claim:
      route.method === 'get'
        ? undefined
        : claimFor(claimantOf(actor), route.method, route.path, key, { params: params ?? null, body: body ?? null }),
    stepUpId: undefined,
  }
}

type CheckedInput = Pick<AnyContext, 'params' | 'query' | 'body'>

function shape(route: Route, http: Http, input: Input): CheckedInput {
  const params = route.params ? parse(route.params, http.req.param()) : undefined
  requireKnownParameters(route, http.req.url)
  const query = route.query ? parse(route.query, queryOf(http)) : undefined
  input.fault?.()
  return { params, query, body: route.body ? parse(route.body, input.json) : undefined }
}

function claimantOf(actor: Actor): string {
  if (actor.kind === 'user') return actor.userId
  return actor.kind === 'api_key' ? actor.apiKeyId : 'sandbox'
}

type KeyFilter = { readonly idempotency_key?: string | undefined }

/**
 * Completes the filters of a list: an Idempotency-Key becomes the ids that the caller's own requests to these operations
 * have made with it. Keys belong to their caller: a colleague's key finds nothing.
 */
export const searchOf = <Filters extends KeyFilter>(
  { actor, query }: Pick<CommonContext, 'actor'> & { readonly query: Filters },
  ...paths: readonly string[]
): Filters & { readonly ids?: readonly string[] } => {
  const { idempotency_key: key } = query
  return key === undefined
    ? query
    : { ...query, ids: paths.map((path) => idByKey(claimantOf(actor), 'post', path, key)) }
}

function idempotencyKeyOf(http: Http): string | undefined {
  const key = http.req.header('idempotency-key')
  if (key === undefined) return undefined
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) refuse('idempotency_key_invalid')
  return key
}
