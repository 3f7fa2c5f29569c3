/** What an operation is. A route is data; router, OpenAPI and the rules tests read the same list. */
import type * as v from 'valibot'
import type { Claim } from '../../db/idempotency.ts'
import type { Actor, Origin, Person } from '../../domain/actor.ts'
import type { StepUpId } from '../../domain/ids.ts'
import type { Located } from '../../domain/located.ts'
import type { ApiKeyScope } from '../../domain/organizations/api-key.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import type { Permission } from '../../domain/permissions.ts'
import type { RateLimitPolicy } from '../../domain/rate-limit.ts'
import type { TransactionOptions, Reader, Tx } from '../../db/sql.ts'
import { createOnce } from './create-once.ts'
import type { PreparedJson, RefusalPage } from './http.ts'

/** Where every operation lives, but those of an operator. */
export const API_ROOT = '/api/v1'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Schema = v.GenericSchema

/**
 * `none`: anybody. `session`: a person. `session or key`: also an API key with the scope. `sandbox`: the sandbox token.
 */
export type Credential = 'none' | 'session' | 'session or key' | 'sandbox'

/** Where the organization comes from: a path parameter, or one field of the body, that names a thing of it. */
export type Owner =
  | { readonly kind: Located; readonly param: string }
  | { readonly kind: Located; readonly body: string }

/** A multipart/form-data body with one file in this field. */
export type Upload = { readonly field: string; readonly maxBytes: number }

/** A request as it was sent, for whoever checks a signature of it. */
export type Message = { readonly body: Uint8Array; readonly headers: Headers }

/** A body that is read as it comes, with the headers. */
export type Sent = { readonly pieces: AsyncIterable<Uint8Array>; readonly headers: Headers }

/** What every handler gets beside what was asked. */
type Always = {
  readonly requestId: string
  /** The network address and the program of the caller. */
  readonly origin: Origin
  readonly actor: Actor
  /** The bearer as it came, for sign-out. */
  readonly bearer: string | undefined
}

/** What a handler gets when its route declares it. */
type Declared = {
  /** The person, on routes with a session. */
  readonly person: Person
  /** The membership, on routes with an owner. */
  readonly org: Membership
  /** One statement for the owner. */
  readonly read: Reader
  /** One transaction for the owner. */
  readonly write: <Result>(work: (tx: Tx) => Promise<Result>, manner?: TransactionOptions) => Promise<Result>
  /** The id of what the operation makes, and the claim to take in the transaction that makes it; not on GET. */
  readonly claim: Claim
  /** The bytes of the file, on routes with an upload. */
  readonly file: Buffer
  /** The body byte for byte with the headers, on `raw` routes. */
  readonly message: Message
  /** The body as it comes, on `raw: 'stream'` routes. */
  readonly sent: Sent
  /** The verified step-up that releases this very request, on routes with `stepUp`; null when none is needed. */
  readonly stepUpId: StepUpId | null
}

/**
 * What a function needs of its handler's context, and of what was asked: `Context<'read' | 'person', { body: NewPayment
 * }>`. It serves the routes that declare this much.
 */
export type Context<Needed extends keyof (Always & Declared), Input = unknown> = Pick<Always & Declared, Needed> & Input

/** Parameters, query and body as their schemas made them. */
type Asked<P, Q, B> = { readonly params: P; readonly query: Q; readonly body: B }

/** A context as it is built for any route: what the route does not declare may be missing. */
export type AnyContext = Always &
  Asked<unknown, unknown, unknown> & { readonly [Key in keyof Declared]: Declared[Key] | undefined } & {
    readonly found?: unknown
  }

/** Counts a request under a policy of all processes by what it is about; not at all if that is null. */
export type Limit<C> = { readonly policy: RateLimitPolicy; readonly key: (context: C) => string | null }

/**
 * What a step-up of this route is bound to, and what the handler may have of what was read for it; or the answer when
 * the deed is done already. `needless` says that this request asks for none as things stand; the deed's transaction
 * looks again. Without a binding it is the organization of the operation, or the person.
 */
export type Binding<Answer, Found = undefined> =
  | { readonly answer: Answer }
  | { readonly target: string; readonly summary?: string; readonly needless?: boolean; readonly found?: Found }

/** Asks a fresh proof of identity: for this very request, or for five minutes of this session. */
export type StepUpRule<C, Answer, Found, Mode = 'once' | 'window'> = {
  readonly mode: Mode
  /** A session that signed in within the last minutes has just proved it, and is not asked again. */
  readonly unlessJustSignedIn?: boolean
  readonly bind?: (context: C) => Promise<Binding<Answer, Found>>
}

type Raw = true | 'stream'

/** What is the same whatever the types of an operation are. */
type Plain = {
  /** Under /api/v1 unless `root`; parameters in braces as in OpenAPI. */
  readonly path: string
  readonly root?: boolean
  readonly operationId: string
  readonly summary: string
  readonly tag: string
  /** The API key scope of a `session or key` route. */
  readonly scope?: ApiKeyScope
  /** The permission that it needs; of several any lets in, and the handler asks for the right one. */
  readonly can?: Permission | readonly Permission[]
  /** To whom lacks the permission its things do not exist: `not_found` instead of `forbidden`. */
  readonly concealed?: boolean
  /** A rule over roles: only an owner may. */
  readonly only?: 'owner'
  /** Whether the operation moves money: refused while the organization is paused, unless a `replay` answers it. */
  readonly movesMoney?: boolean
  /** The media type of an answer that is bytes and not JSON: `handle` answers a Uint8Array, or a Download. */
  readonly produces?: string
  /** The page of a refusal, if people open it in a browser who know nothing of the API. */
  readonly refusalPage?: RefusalPage
  /** What nothing else of the route tells, in a sentence for the OpenAPI document. */
  readonly note?: string
  /** Statuses of refusals that nothing else of the route tells, for the OpenAPI document. */
  readonly refuses?: readonly (403 | 404 | 409 | 410 | 413 | 415 | 422)[]
  /** Takes an Idempotency-Key without making a row of its own: the key becomes the id of the decision. */
  readonly keyed?: boolean
  /**
   * Whether the answer may be kept by caches: some minutes, or for good if the path names one thing for ever, or by the
   * caller's own cache alone, for a minute or for a day. JSON that may be kept has an ETag.
   */
  readonly cacheable?: boolean | 'immutable' | 'private' | 'private for minutes' | 'private for a day'
}

type Status = 200 | 201 | 202 | 204

/** An operation, whatever its types: what the edge and the OpenAPI document work with. */
export type Route = Plain & {
  readonly method: Method
  readonly credential: Credential
  readonly status: Status
  readonly owner?: Owner
  readonly stepUp?: StepUpRule<AnyContext, object, unknown>
  /** Beside the general limits, in this order. */
  readonly limits?: readonly Limit<AnyContext>[]
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  readonly upload?: Upload
  /** Takes the body as it was sent; as a stream of any length if it says so, of which nothing is kept. */
  readonly raw?: Raw
  readonly returns: Schema
  /** What an answer of bytes is called when it is kept as a file: plain ASCII without quotes. */
  readonly filename?: (params: unknown) => string
  /** Answers a request again whose key has made its row. Its presence turns on Idempotency-Key. */
  readonly replay?: (context: AnyContext) => Promise<object>
  readonly handle: (context: AnyContext) => Promise<object>
}

/** How an operation does its deed: as `handle` says, or by making one row for its claim. */
type Deed<C, Answer> =
  | {
      readonly handle: (context: C) => Promise<Answer>
      readonly replay?: (context: C) => Promise<Answer>
      readonly create?: undefined
    }
  | {
      readonly handle?: undefined
      /** Makes the row; false when another request has its claim. */
      readonly create: (context: C & Pick<Declared, 'claim'>) => Promise<boolean>
      /** The row of the claim, whichever request made it. */
      readonly replay: (context: C & Pick<Declared, 'claim'>) => Promise<Answer>
    }

type Output<S extends Schema> = [S] extends [never] ? undefined : v.InferOutput<S>
/** These keys of a context, if the route declares it. */
type If<Declaration, Keys extends keyof Declared> = [Declaration] extends [never] ? unknown : Pick<Declared, Keys>

/** What is known of a request before its organization has been looked at: enough to count it. */
type Counted<P extends Schema, Q extends Schema, B extends Schema, C> = Always &
  Asked<Output<P>, Output<Q>, Output<B>> &
  (C extends 'session' ? Pick<Declared, 'person'> : unknown)

/** What is known when the caller may do it. */
type Ready<P extends Schema, Q extends Schema, B extends Schema, M, C, O, U, R> = Counted<P, Q, B, C> &
  If<O, 'org' | 'read' | 'write'> &
  If<Exclude<M, 'get'>, 'claim'> &
  If<U, 'file'> &
  ([R] extends ['stream'] ? If<R, 'sent'> : If<R, 'message'>)

/** What a step-up adds to it. */
type Released<S, Found> = If<S, 'stepUpId'> & ([S] extends [never] ? unknown : { readonly found: Found | undefined })

/** Permission and role are looked up in a membership; a proof of identity comes from a person, for a deed. */
type Fitting<M, C, O> = ([O] extends [never]
  ? { readonly can?: never; readonly only?: never; readonly movesMoney?: never }
  : unknown) &
  ([C, M] extends ['session', Exclude<Method, 'get'>] ? unknown : { readonly stepUp?: never })

/**
 * Declares an operation. A session is asked for, and 200 answered, unless said otherwise. What a handler finds in its
 * context follows from the declaration: `person` from a session, `org`, `read` and `write` from an owner, `claim` from
 * any method but GET, `file` from `upload`, `message` or `sent` from `raw`, `stepUpId` from `stepUp`.
 *
 * The types are of what it answers, its method, parameters, query, body, credential, owner, upload, `raw`, the mode of
 * its step-up, and what that one's binding finds; `never` is what is not declared.
 */
export function route<
  A extends Schema,
  M extends Method,
  P extends Schema = never,
  Q extends Schema = never,
  B extends Schema = never,
  C extends Credential = 'session',
  O extends Owner = never,
  U extends Upload = never,
  R extends Raw = never,
  S extends 'once' | 'window' = never,
  Found = undefined,
>(
  declaration: Plain & {
    readonly method: M
    readonly credential?: C
    readonly status?: Status
    readonly owner?: O
    readonly params?: P
    readonly query?: Q
    readonly body?: B
    readonly upload?: U
    readonly raw?: R
    readonly returns: A
    readonly limits?: readonly Limit<Counted<P, Q, B, C>>[]
    readonly stepUp?: StepUpRule<Ready<P, Q, B, M, C, O, U, R>, v.InferInput<A>, Found, S>
    readonly filename?: (params: Output<P>) => string
  } & Fitting<M, C, O> &
    Deed<Ready<P, Q, B, M, C, O, U, R> & Released<S, Found>, v.InferInput<A> | PreparedJson>,
): Route {
  const { create, replay } = declaration
  const handle = create ? creating(create, replay) : declaration.handle
  // Types end here: a context is built as its route declares it, so these functions find in it what they read.
  return { credential: 'session', status: 200, ...declaration, handle } as unknown as Route
}

const creating =
  <C extends Pick<Declared, 'claim'>, Answer>(
    create: (context: C) => Promise<boolean>,
    find: (context: C) => Promise<Answer>,
  ) =>
  (context: C): Promise<Answer> =>
    createOnce(
      context.claim,
      () => create(context),
      () => find(context),
    )
