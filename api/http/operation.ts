/** Declares operations step by step: `command('post', path, id).of(owner).can(permission).takes(Body).answers(Thing).does(work)`. */
import * as v from 'valibot'
import type { Claim } from '../../services/idempotency.ts'
import type { Person } from '../../domain/people/actor.ts'
import type { RefusalType } from '../../domain/errors.ts'
import type { StepUpId } from '../../domain/ids.ts'
import type { LocatedKind } from '../../domain/located.ts'
import type { ApiKeyScope } from '../../domain/organizations/api-key.ts'
import type { DelegateAccess } from '../../domain/people/delegate.ts'
import type { Permission } from '../../domain/permissions.ts'
import { Deleted } from '../../domain/text.ts'
import { type TransactionBinding, runCommand } from './command.ts'
import { Download, Live, Page, type RefusalPage } from './http.ts'
import { type ParamsOf, paramsOf } from './parameters.ts'
import type {
  CommonContext,
  AnyContext,
  Binding,
  Cacheable,
  ChangeResult,
  Context,
  OperationDeclaration,
  InsideContext,
  Limit,
  Message,
  Method,
  ReadResult,
  Route,
  SentBody,
  StepUpRule,
  Lacking,
} from './route.ts'

type Schema = v.GenericSchema
/** Context members of an operation that belongs to an organization. */
type OwnedContext = Context<'org' | 'read' | 'write'>

/** Body or answer that is no JSON: what it adds to the route, and the part that the work gets or answers. */
type Form<Adds extends keyof Route, Part> = { readonly route: Pick<Route, Adds>; readonly part?: Part }
type BodyForm<Part> = Form<'upload' | 'raw' | 'pool', Part>
type AnswerForm<Part> = Form<'returns' | 'produces' | 'refusalPage', Part>
type PartOf<Body> = Body extends Schema
  ? { readonly body: v.InferOutput<Body> }
  : Body extends BodyForm<infer Part>
    ? Part
    : never

/** Takes a file of a form, in this field. */
export const upload = (field: string, maxBytes: number): BodyForm<{ readonly file: Buffer }> => ({
  route: { upload: { field, maxBytes } },
})

/** Body as it came, to verify its signature. */
export const raw: BodyForm<{ readonly message: Message }> = { route: { raw: true } }

/** Body of any length as it comes; a mail has places of its own, and comes within a minute. */
export const stream: BodyForm<{ readonly sent: SentBody }> = { route: { raw: 'stream' } }
export const mail: BodyForm<{ readonly sent: SentBody }> = { route: { raw: 'stream', pool: 'mails' } }

/** Name of a file of bytes for downloads: plain ASCII without quotes. */
type FilenameOf<Has> = (params: Has extends { readonly params: infer Params } ? Params : never) => string

/** Answers bytes of this media type. */
export const bytes = (produces: string): AnswerForm<Uint8Array> => ({
  route: { returns: v.instance(Uint8Array), produces },
})

/** Answers a file of this media type, under its own name. */
export const download = (produces: string, refusalPage?: RefusalPage): AnswerForm<Download> => ({
  route: { returns: v.instance(Download), produces, ...(refusalPage && { refusalPage }) },
})

/** Answers a page for people with a browser; `refusalPage` shows them what is refused. */
export const page = (refusalPage?: RefusalPage): AnswerForm<Page> => ({
  route: { returns: v.instance(Page), produces: 'text/html', ...(refusalPage && { refusalPage }) },
})

/** Server-sent events. */
export const live: AnswerForm<Live> = { route: { returns: v.instance(Live), produces: 'text/event-stream' } }

const CREDENTIALS = { anyone: 'none', programs: 'session or key', sandbox: 'sandbox' } as const

/**
 * Builder of an operation. `Has` is the context of its functions so far, `Answer` is what it answers. Each step adds to
 * them; `does` ends the declaration. A step can only read what is declared before it.
 */
class Operation<Has, Answer, Shape extends Route['shape']> {
  constructor(private readonly declared: OperationDeclaration) {}

  says(summary: string, note?: string) {
    return this.#with<Has, Answer>({ summary, ...(note !== undefined && { note }) })
  }

  /** Lets anyone call it, programs with an API key beside people, or the sandbox token alone. */
  for(...[caller, scope]: readonly ['anyone' | 'sandbox'] | readonly ['programs', scope?: ApiKeyScope]) {
    return this.#with<Omit<Has, 'person'>, Answer>({ credential: CREDENTIALS[caller], ...(scope && { scope }) })
  }

  /** Lets delegates with this access call it: never what needs a step-up. */
  delegates(this: Lacking<'stepUpId', Has, Operation<Has, Answer, Shape>>, access: DelegateAccess) {
    return this.#with<Has & { readonly delegable?: true }, Answer>({ delegate: access })
  }

  /** Only takes power away, or stops something: allowed to a session that has proved nothing but a mailbox. */
  stops() {
    return this.#with<Has, Answer>({ stops: true })
  }

  /** Reaches nothing beyond the company of a session that its provider opened: allowed in one. */
  keepsToCompany() {
    return this.#with<Has, Answer>({ keepsToCompany: true })
  }

  /** Names the thing that gives the organization: `{kind_id}` of the path, or a field of the body. */
  of(kind: LocatedKind, where: string | { readonly body: string } = `${kind}_id`) {
    const owner = typeof where === 'string' ? { kind, param: where } : { kind, body: where.body }
    return this.#with<Has & OwnedContext, Answer>({ owner })
  }

  /**
   * Needs one of the permissions. A command checks again inside its transaction, under the lock of the memberships, unless it
   * `checksItself()`. `concealed` answers `not_found`; `decides` refuses those from whom `approvals.review` was taken.
   */
  can(
    this: Operation<Has & OwnedContext, Answer, Shape>,
    needed: Permission | readonly [Permission, ...Permission[]],
    how?: 'concealed' | 'decides',
  ) {
    return this.#with<Has, Answer>({ can: needed, ...(how && { [how]: true }) })
  }

  /** Leaves the second check to the command, which makes it under its own locks. */
  checksItself() {
    return this.#with<Has, Answer>({}, { checksItself: true })
  }

  /** Needs the role of an owner, as `can` does; `from anywhere` takes one from outside of the organization's networks. */
  onlyOwner(this: Operation<Has & OwnedContext, Answer, Shape>, where?: 'from anywhere') {
    return this.#with<Has, Answer>({ only: 'owner', ...(where && { fromAnywhere: true }) })
  }

  /** Refuses while the organization is paused, except an idempotent replay. */
  movesMoney(this: Operation<Has & OwnedContext, Answer, Shape>) {
    return this.#with<Has, Answer>({ movesMoney: true })
  }

  /** Counts under these limits, in this order, beside the general ones. */
  limited(...limits: readonly Limit<Has>[]) {
    return this.#with<Has, Answer>({ limits: limits as readonly Limit<never>[] as readonly Limit<AnyContext>[] })
  }

  refuses(...types: readonly RefusalType[]) {
    return this.#with<Has, Answer>({ refuses: types })
  }

  /** Reads parameters of the path that `PARAMETERS` does not know. */
  named<E extends v.ObjectEntries>({ entries }: { readonly entries: E }) {
    return this.#with<Has & { readonly params: v.InferOutput<v.ObjectSchema<E, undefined>> }, Answer>({
      params: v.object(entries),
    })
  }

  filters<S extends Schema>(query: S) {
    return this.#with<Has & { readonly query: v.InferOutput<S> }, Answer>({ query })
  }

  /** Takes a body: JSON of this schema, an `upload()`, `raw` or a `stream`. */
  takes<Body extends Schema | BodyForm<object>>(body: Body) {
    return this.#with<Has & PartOf<Body>, Answer>('route' in body ? body.route : { body })
  }

  /** Needs a fresh step-up: for this very request, or for five minutes of this session. */
  proved<Found = undefined>(
    this: Lacking<'delegable', Has, Operation<Has & { readonly person: Person; readonly claim: Claim }, Answer, Shape>>,
    mode: 'once' | 'window',
    bind?: (context: Has) => Promise<Binding<Answer & object, Found>>,
    rest: Pick<StepUpRule<Has, object, Found>, 'unlessJustProved' | 'weakens'> = {},
  ) {
    type Proved = { readonly stepUpId: StepUpId | null; readonly found: Found | undefined }
    // the binding gets the context that was declared before it
    const rule = { mode, ...(bind && { bind }), ...rest } as unknown as NonNullable<Route['stepUp']>
    return this.#with<Has & Proved, Answer>({ stepUp: rule })
  }

  /** Answers JSON of this schema, `bytes()`, a `download()`, a `page()` or what is `live`. */
  answers<S extends Schema>(returns: S, status?: Route['status']): Operation<Has, v.InferInput<S>, Shape>
  answers<Part>(returns: AnswerForm<Part>, filename?: FilenameOf<Has>): Operation<Has, Part, Shape>
  answers(returns: Schema | AnswerForm<unknown>, rest: Route['status'] | FilenameOf<never> = 200) {
    const form = 'route' in returns ? returns.route : { returns }
    if (typeof rest === 'number') return this.#with<Has, unknown>({ ...form, status: rest })
    return this.#with<Has, unknown>({ ...form, filename: rest as unknown as (params: unknown) => string })
  }

  /**
   * Makes one row for the request's claim and answers it by `find`, 201. Takes an Idempotency-Key: a repeat finds the
   * row that the first request made.
   */
  creates<S extends Schema>(
    returns: S,
    find: (context: Has & { readonly claim: Claim }) => Promise<v.InferInput<S>>,
    status: Route['status'] = 201,
  ) {
    const replay = find as unknown as (context: AnyContext) => Promise<object>
    return this.#with<Has & { readonly claim: Claim }, v.InferInput<S> | void>(
      { returns, status, replay },
      { find: replay },
    )
  }

  /** Deletes what the last parameter of the path names, and answers its id. */
  deletes() {
    return this.#with<Has, void>({ returns: Deleted }, { deletes: true })
  }

  /**
   * Says what a repeat finds. `row`: the row of its Idempotency-Key, which `find` answers; the work takes the claim where
   * it makes the row. `decision`: the decision with the key as its id. `same`: after a lost connection, by its claim,
   * what the work did before.
   */
  retries(...[repeat, find]: readonly ['row', (context: Has) => Promise<Answer>] | readonly ['decision' | 'same']) {
    if (repeat === 'same') return this.#with<Has, Answer>({}, { repeatable: true })
    return this.#with<Has, Answer>(find ? { replay: find as unknown as Route['handle'] } : { keyed: true })
  }

  /** Lets caches keep the answer; JSON gets an ETag. */
  cached(cacheable: Cacheable) {
    return this.#with<Has, Answer>({ cacheable })
  }

  atRoot() {
    return this.#with<Has, Answer>({ root: true })
  }

  /** Prepares the work without a transaction: reads, calls to partners, hashing. Its result joins the context. */
  prepares<Prepared extends object>(
    this: Operation<Has, Answer, 'command'>,
    prepare: (context: Has) => Promise<Prepared>,
  ) {
    return this.#with<Has & Prepared, Answer>({}, { prepare: prepare as unknown as OperationDeclaration['prepare'] })
  }

  /**
   * Ends the declaration. The work of a command is one transaction; that of an organization is repeated if Postgres
   * breaks it off, and after a lost connection if the repeat finds or sets the same, or `retries('same')`. `bound` may
   * make it wait for its turn.
   */
  does(
    work: Shape extends 'command'
      ? (context: InsideContext<Has>) => ChangeResult<Answer>
      : (context: Has) => ReadResult<Answer>,
    ...[bound]: Shape extends 'command' ? readonly [bound?: TransactionBinding] : readonly []
  ): Route {
    const { route, find, prepare, deletes = false, checksItself = false, repeatable = false } = this.declared
    const { method, path, returns, summary, shape } = route
    if (!returns || summary === undefined) throw new Error(`${path} has no answer or no summary`)
    const untyped = work as unknown as Route['handle']
    const own = { can: [route.can ?? []].flat(), only: route.only, decides: route.decides }
    const needs = checksItself ? { can: [] } : own
    // PUT and PATCH set values: twice is the same as once
    const sets = (method === 'put' || method === 'patch') && !route.stepUp
    const repeatsIfLost = find !== undefined || route.keyed === true || sets || repeatable
    const command = { ...needs, find, prepare, bound, deletes, repeatsIfLost, work: untyped }
    const handle: Route['handle'] = shape === 'command' ? (context) => runCommand(command, context) : untyped
    return { ...route, params: paramsOf(path, route.params), returns, summary, handle } as Route
  }

  #with<NextHas, NextAnswer>(route: Partial<Route>, rest: Omit<OperationDeclaration, 'route'> = {}) {
    return new Operation<NextHas, NextAnswer, Shape>({
      ...this.declared,
      ...rest,
      route: { ...this.declared.route, ...route },
    })
  }
}

type InitialContext<Path extends string> = CommonContext & { readonly person: Person; readonly params: ParamsOf<Path> }
type ClaimContext<Path extends string> = InitialContext<Path> & { readonly claim: Claim }
type Mutation = Exclude<Method, 'get'>

/**
 * Declares operations under one tag of the document: queries read, commands change in one transaction, and what is by
 * hand has several of its own, or none. By default they need a session.
 */
export function operations(tag: string) {
  const begin = (shape: Route['shape'], method: Method, path: string, operationId: string): OperationDeclaration => ({
    route: { method, path, operationId, tag, credential: 'session', status: 200, shape },
  })
  return {
    query: <const Path extends string>(path: Path, operationId: string, method: 'get' | 'post' = 'get') =>
      new Operation<InitialContext<Path>, never, 'query'>(begin('query', method, path, operationId)),
    command: <const Path extends string>(method: Mutation, path: Path, operationId: string) =>
      new Operation<ClaimContext<Path>, never, 'command'>(begin('command', method, path, operationId)),
    byHand: <const Path extends string>(method: Mutation, path: Path, operationId: string) =>
      new Operation<ClaimContext<Path>, never, 'by hand'>(begin('by hand', method, path, operationId)),
  }
}
