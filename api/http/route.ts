/** Operations as data: the router, the OpenAPI document and the rules tests read the same list. */
import type * as v from 'valibot'
import type { Claim } from '../../services/idempotency.ts'
import type { Actor, Origin, Person } from '../../domain/people/actor.ts'
import type { StepUpId } from '../../domain/ids.ts'
import type { LocatedKind } from '../../domain/located.ts'
import type { ApiKeyScope } from '../../domain/organizations/api-key.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import type { Permission } from '../../domain/permissions.ts'
import type { RateLimitPolicy } from '../../domain/rate-limit.ts'
import type { Reader, Transaction, TransactionOptions, Tx } from '../../db/postgres/sql.ts'
import type { Refusal, RefusalType } from '../../domain/errors.ts'
import type { PaymentToConfirm } from '../../domain/step-up/payment-confirmation.ts'
import type { DelegateAccess } from '../../domain/people/delegate.ts'
import type { PreparedJson, RefusalForm, RefusalPage } from './http.ts'

/** Root of every operation, except those of an operator. */
export const API_ROOT = '/api/v1'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Schema = v.GenericSchema

/**
 * Credential of a route. `none`: anonymous. `session`: a person. `session or key`: also an API key with the scope.
 * `sandbox`: the sandbox token.
 */
export type Credential = 'none' | 'session' | 'session or key' | 'sandbox'

/** Source of the organization: a path parameter, or one field of the body, that names a thing of it. */
export type Owner =
  | { readonly kind: LocatedKind; readonly param: string }
  | { readonly kind: LocatedKind; readonly body: string }

export type Upload = { readonly field: string; readonly maxBytes: number }

/** Request as it was sent, to verify its signature. */
export type Message = { readonly body: Uint8Array; readonly headers: Headers }

/** Body as a stream, with the headers. */
export type SentBody = { readonly pieces: AsyncIterable<Uint8Array>; readonly headers: Headers }

/** Context of every handler beside the input. */
export type CommonContext = {
  readonly requestId: string
  readonly origin: Origin
  readonly actor: Actor
  /** Bearer as it came, for sign-out. */
  readonly bearer: string | undefined
}

/** Context that depends on the declarations of the route. */
type Declaration = {
  readonly person: Person
  readonly org: Membership
  /** Single statements for the owner. */
  readonly read: Reader
  /** Single transaction for the owner. */
  readonly write: <Result>(work: (tx: Tx) => Promise<Result>, manner?: TransactionOptions) => Promise<Result>
  /** Id of what the operation makes, and the claim for the transaction that makes it; not on GET. */
  readonly claim: Claim
  readonly file: Buffer
  readonly message: Message
  readonly sent: SentBody
  /** Verified step-up that releases this very request, on routes with `stepUp`; null when none is needed. */
  readonly stepUpId: StepUpId | null
}

/**
 * Part of a handler's context and input that a function needs; it serves every route that declares this much.
 * Example: `Context<'read' | 'person', { body: NewPayment }>`.
 */
export type Context<Needed extends keyof (CommonContext & Declaration), Input = unknown> = Pick<
  CommonContext & Declaration,
  Needed
> &
  Input

/** Context of a command's work: its transaction replaces the ways to open one. */
export type InsideContext<Has> = Omit<Has, 'write'> & {
  readonly tx: Has extends { readonly write: unknown } ? Tx : Transaction
}

export type ReadResult<Answer> = Promise<Answer | PreparedJson>

/** Answer of a command. A returned refusal is thrown after the commit, so that what was counted stays. */
export type ChangeResult<Answer> = Promise<Answer | PreparedJson | Refusal>

/** Builder whose declaration lacks a member of the context; never if it has it. */
export type Lacking<Name extends string, Has, This> = Name extends keyof Has ? never : This

type RequestInput<P, Q, B> = { readonly params: P; readonly query: Q; readonly body: B }

/** Context as it is built for any route: undeclared members may be missing. */
export type AnyContext = CommonContext &
  RequestInput<unknown, unknown, unknown> & { readonly [Key in keyof Declaration]: Declaration[Key] | undefined } & {
    readonly found?: unknown
    readonly tx?: Tx | Transaction
  }

/** Rate limit of a policy, counted by key; null does not count. */
export type Limit<C> = { readonly policy: RateLimitPolicy; readonly key: (context: C) => string | null }

/**
 * Target of a step-up, and data that was read for it, passed on to the handler; or the answer of a repeat. `needless`:
 * this request needs none as things stand; its transaction checks again. Without a binding the target is the
 * organization of the operation, or the person.
 */
export type Binding<Answer, Found = undefined> =
  | { readonly answer: Answer }
  | {
      readonly target: string
      /** Words that are confirmed; read late if only the challenge needs them. */
      readonly summary?: string | (() => Promise<string>)
      readonly payment?: PaymentToConfirm | null
      readonly needless?: boolean
      readonly found?: Found
    }

/** Rule that asks for a fresh step-up: for this very request, or for five minutes of this session. */
export type StepUpRule<C, Answer, Found, Mode = 'once' | 'window'> = {
  readonly mode: Mode
  /** Exempts a session that signed in a moment ago, by more than the password. */
  readonly unlessJustProved?: boolean
  /** Changes how its person proves who they are, or who acts for them: a mailed code replaces no factor for it. */
  readonly weakens?: boolean
  readonly bind?: (context: C) => Promise<Binding<Answer, Found>>
}

/**
 * Cache lifetime of an answer: some minutes, or for good if the path names one thing for ever. `private`: the caller's
 * own cache alone, for a minute, minutes or a day.
 */
export type Cacheable = true | 'immutable' | 'private' | 'private for minutes' | 'private for a day'

type Status = 200 | 201 | 202 | 204

export type Route = {
  /** Form of the work: reads, one transaction of the pipeline, or transactions of its own. */
  readonly shape: 'query' | 'command' | 'by hand'
  /** Path under /api/v1 unless `root`; parameters in braces as in OpenAPI. */
  readonly path: string
  readonly root?: boolean
  readonly operationId: string
  readonly summary: string
  readonly tag: string
  readonly scope?: ApiKeyScope
  /** Permission that it needs; of several, any is enough, and the handler checks the right one. */
  readonly can?: Permission | readonly Permission[]
  /** Answers `not_found` instead of `forbidden` to callers without the permission. */
  readonly concealed?: boolean
  /** Ends a wait for a second look, or gives up money: not for members from whom `approvals.review` was taken. */
  readonly decides?: boolean
  readonly only?: 'owner'
  /** Refuses while the organization is paused, unless a `replay` answers. */
  readonly movesMoney?: boolean
  /** Media type of an answer in bytes: `handle` answers a Uint8Array, or a Download. */
  readonly produces?: string
  /** Access that a delegate needs; none may call it without this. */
  readonly delegate?: DelegateAccess
  /** Only takes power away, or stops something. */
  readonly stops?: boolean
  /** Reaches nothing beyond the company of a session that its provider opened. */
  readonly keepsToCompany?: boolean
  /** Takes sessions from outside of the networks of the organization. */
  readonly fromAnywhere?: boolean
  /** Page of a refusal, for people with a browser who do not know the API. */
  readonly refusalPage?: RefusalPage
  /** Form of a refusal by a standard, in place of our envelope. */
  readonly refusalForm?: RefusalForm
  /** Extra sentence for the OpenAPI document. */
  readonly note?: string
  /** Refusals that the declaration does not imply. */
  readonly refuses?: readonly RefusalType[]
  /** Takes an Idempotency-Key without making a row of its own: the key becomes the id of the decision. */
  readonly keyed?: boolean
  /** Cache lifetime; cacheable JSON has an ETag. */
  readonly cacheable?: Cacheable
  readonly method: Method
  readonly credential: Credential
  readonly status: Status
  readonly owner?: Owner
  readonly stepUp?: StepUpRule<AnyContext, object, unknown>
  /** Limits beside the general ones, in this order. */
  readonly limits?: readonly Limit<AnyContext>[]
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  readonly upload?: Upload
  /** Takes the body as it was sent, or as a stream of any length that is not buffered. */
  readonly raw?: true | 'stream'
  /** Places that a stream takes one of; those of files, if it names none. */
  readonly pool?: 'mails'
  /** Members of a form that is taken as it was sent, for the document. */
  readonly form?: Schema
  readonly returns: Schema
  /** Filename of an answer in bytes for downloads: plain ASCII without quotes. */
  readonly filename?: (params: unknown) => string
  /** Answers an idempotent replay, whose key has made its row. Its presence turns on Idempotency-Key. */
  readonly replay?: (context: AnyContext) => Promise<object>
  readonly handle: (context: AnyContext) => Promise<object>
}

/** Declaration so far; `route` is what the edge, the document and the rules read. */
export type OperationDeclaration = {
  readonly route: Omit<Route, 'handle' | 'returns' | 'summary'> & Partial<Route>
  readonly find?: ((context: AnyContext) => Promise<object>) | undefined
  readonly prepare?: ((context: AnyContext) => Promise<object>) | undefined
  readonly deletes?: boolean
  readonly checksItself?: boolean
  readonly repeatable?: boolean
}

/** Tells if an operation changes what is the person's own, in each of their organizations. */
export const reachesPerson = ({ owner, path, shape, credential, keepsToCompany }: Route): boolean =>
  credential.startsWith('session') && shape !== 'query' && !keepsToCompany && (!owner || path.startsWith('/me/'))
