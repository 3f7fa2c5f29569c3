/** Operations as data: the router, the OpenAPI document and the rules tests read the same list. */
import type * as v from 'valibot'
import type { Claim } from '../../db/idempotency.ts'
import type { Actor, Origin, Person } from '../../domain/actor.ts'
import type { StepUpId } from '../../domain/ids.ts'
import type { Located } from '../../domain/located.ts'
import type { ApiKeyScope } from '../../domain/organizations/api-key.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import type { Permission } from '../../domain/permissions.ts'
import type { RateLimitPolicy } from '../../domain/rate-limit.ts'
import type { Reader, Transaction, TransactionOptions, Tx } from '../../db/sql.ts'
import type { RefusalType } from '../../domain/errors.ts'
import type { RefusalPage } from './http.ts'

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
export type Always = {
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
    readonly tx?: Tx | Transaction
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

/**
 * How long caches may keep an answer: some minutes, or for good if the path names one thing for ever, or the caller's
 * own cache alone, for a minute, minutes or a day.
 */
export type Cacheable = true | 'immutable' | 'private' | 'private for minutes' | 'private for a day'

type Status = 200 | 201 | 202 | 204

/** An operation: what the edge, the OpenAPI document and the rules tests work with. */
export type Route = {
  /** How it does its work: reads, one transaction of the pipeline, or transactions of its own. */
  readonly shape: 'query' | 'command' | 'by hand'
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
  /** Refusals that nothing else of the declaration implies. */
  readonly refuses?: readonly RefusalType[]
  /** Takes an Idempotency-Key without making a row of its own: the key becomes the id of the decision. */
  readonly keyed?: boolean
  /** Whether caches may keep the answer. JSON that they may keep has an ETag. */
  readonly cacheable?: Cacheable
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
  readonly raw?: true | 'stream'
  readonly returns: Schema
  /** What an answer of bytes is called when it is kept as a file: plain ASCII without quotes. */
  readonly filename?: (params: unknown) => string
  /** Answers a request again whose key has made its row. Its presence turns on Idempotency-Key. */
  readonly replay?: (context: AnyContext) => Promise<object>
  readonly handle: (context: AnyContext) => Promise<object>
}
