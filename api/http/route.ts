/** What every request goes through, in order. A route is data; router, OpenAPI and the rules tests read the same list. */
import type * as v from 'valibot'
import type { Claim } from '../../db/idempotency.ts'
import type { Actor, Origin, Person } from '../../db/model/actor.ts'
import type { ApiKeyScope } from '../../db/model/organizations/api-key.ts'
import type { Membership } from '../../db/model/organizations/member.ts'
import type { Permission } from '../../db/model/permissions.ts'
import type { RateLimitPolicy } from '../../db/model/rate-limit.ts'
import type { Manner, Reader, Tx } from '../../db/sql.ts'

/** Where every operation lives, but those of an operator. */
export const API_ROOT = '/api/v1'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Schema = v.GenericSchema
type Output<S> = S extends Schema ? v.InferOutput<S> : undefined

/** `none`: anybody. `session`: a person. `session or key`: also an API key with the scope. `sandbox`: the sandbox token. */
export type Credential = 'none' | 'session' | 'session or key' | 'sandbox'

/** Kinds of things that locate() finds the organization of. */
export type Located =
  | 'organization'
  | 'payment'
  | 'payment_contact'
  | 'payment_destination'
  | 'payment_quote'
  | 'transaction'
  | 'deposit'
  | 'swap'
  | 'swap_quote'

/** Where the organization comes from: a path parameter, or one field of the body, that names a thing of it. */
export type Owner =
  | { readonly kind: Located; readonly param: string }
  | { readonly kind: Located; readonly body: string }

/** The caller's membership, as the request found it. */
export type { Membership }

/** What a handler gets. `actor` is a person on session routes; `org` and `read` are there on routes with an owner. */
export type Context<P, Q, B> = {
  readonly requestId: string
  /** The network address and the program of the caller. */
  readonly origin: Origin
  readonly actor: Actor
  /** The person; throws on routes without a session. */
  readonly person: Person
  /** The bearer as it came, for sign-out. */
  readonly bearer: string | undefined
  readonly params: P
  readonly query: Q
  readonly body: B
  /** The bytes of the file; throws on routes without an upload. */
  readonly file: Uint8Array
  /** The body byte for byte with the headers; throws on routes that are not `raw`. */
  readonly message: Message
  /** The membership; throws on routes without an owner. */
  readonly org: Membership
  /** One statement for the caller's organization. */
  readonly read: Reader
  /** One transaction for the caller's organization. */
  readonly write: <Result>(work: (tx: Tx) => Promise<Result>, manner?: Manner) => Promise<Result>
  /** The id of what a creating operation makes, and the claim to take in the transaction that makes it. */
  readonly claim: Claim
  /** The verified step-up that releases this very request, on routes with `stepUp`. */
  readonly stepUpId: string | null
  /** What the step-up's binding has found for the handler. */
  readonly found?: unknown
}

/** A request as it was sent, for whoever checks a signature of it. */
export type Message = { readonly body: Uint8Array; readonly headers: Headers }

/** Counts a request under a policy of all processes by what it is about; not at all where that is null. */
export type Limit<C> = { readonly policy: RateLimitPolicy; readonly key: (context: C) => string | null }

/**
 * What a step-up of this route is bound to, or the answer where the deed is done already. `needless` says that this request
 * asks for none as things stand; the deed's transaction looks again.
 */
export type Binding<Answer> =
  | { target: string; summary?: string; needless?: boolean; found?: unknown }
  | { answer: Answer }

export type Route<P = any, Q = any, B = any, Answer = any> = {
  readonly method: Method
  /** Under /api/v1 unless `root`; parameters in braces as in OpenAPI. */
  readonly path: string
  readonly root?: boolean
  readonly operationId: string
  readonly summary: string
  readonly tag: string
  readonly credential: Credential
  /** The API key scope of a `session or key` route. */
  readonly scope?: ApiKeyScope
  readonly can?: Permission
  /** To whom lacks the permission its things do not exist: `not_found` instead of `forbidden`. */
  readonly concealed?: boolean
  /** A rule over roles: only an owner may. */
  readonly only?: 'owner'
  readonly owner?: Owner
  /** Whether the operation moves money: refused while the organization is paused. */
  readonly movesMoney?: boolean
  /** Asks a fresh proof of identity: for this very request, or for five minutes of this session. */
  readonly stepUp?: {
    readonly mode: 'once' | 'window'
    /** A session that signed in within the last minutes has just proved it, and is not asked again. */
    readonly unlessJustSignedIn?: boolean
    readonly bind?: (context: Context<P, Q, B>) => Promise<Binding<Answer>>
  }
  /** Beside the general limits, in this order. */
  readonly limits?: readonly Limit<Context<P, Q, B>>[]
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  /** Takes multipart/form-data with one file in this field instead of JSON; the handler gets it as `file`. */
  readonly upload?: { readonly field: string; readonly maxBytes: number }
  /** Takes up to 64 KiB of body as it was sent; the handler gets it as `message`, and looks at it itself. */
  readonly raw?: boolean
  readonly returns: Schema
  /** The media type of an answer that is bytes and not JSON: `handle` answers a Uint8Array. */
  readonly produces?: string
  /** What such an answer is called when it is kept as a file: plain ASCII without quotes. */
  readonly filename?: (params: P) => string
  readonly status: 200 | 201 | 202 | 204
  /** What nothing else of the route tells, in a sentence for the OpenAPI document. */
  readonly note?: string
  /** Statuses of refusals that nothing else of the route tells, for the OpenAPI document. */
  readonly refuses?: readonly (403 | 404 | 409 | 410 | 413 | 415)[]
  /** On creating operations: answers a request again whose key has made its row. Its presence turns on Idempotency-Key. */
  readonly replay?: (context: Context<P, Q, B>) => Promise<Answer>
  /** Takes an Idempotency-Key without making a row of its own: the key becomes the id of the decision. */
  readonly keyed?: boolean
  /** Whether the answer may be kept by caches: some minutes, or for good where the path names one thing for ever. */
  readonly cacheable?: boolean | 'immutable'
  readonly handle: (context: Context<P, Q, B>) => Promise<Answer>
}

type Declared<P, Q, B, A extends Schema> = Omit<
  Route<Output<P>, Output<Q>, Output<B>, v.InferInput<A>>,
  'params' | 'query' | 'body' | 'returns' | 'status' | 'credential'
> & {
  readonly credential?: Credential
  readonly status?: 200 | 201 | 202 | 204
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly returns: A
}

/** Declares an operation. A session is asked for, and 200 answered, unless said otherwise. */
export function route<
  A extends Schema,
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
>(declaration: Declared<P, Q, B, A>): Route {
  return { credential: 'session', status: 200, ...declaration } as Route
}
