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
import { type Bound, runCommand } from './command.ts'
import { Download, type RefusalPage } from './http.ts'
import { type ParamsOf, paramsOf } from './parameters.ts'
import type {
  Always,
  AnyContext,
  Binding,
  Cacheable,
  Changed,
  Context,
  Inside,
  Limit,
  Message,
  Method,
  Read,
  Route,
  Sent,
  StepUpRule,
  Upload,
  Without,
} from './route.ts'

type Schema = v.GenericSchema
/** Context members of an operation that belongs to an organization. */
type Owned = Context<'org' | 'read' | 'write'>

/** Declaration so far; `route` is what the edge, the document and the rules read. */
type Declared = {
  readonly route: Omit<Route, 'handle' | 'returns' | 'summary'> & Partial<Route>
  readonly find?: ((context: AnyContext) => Promise<object>) | undefined
  readonly prepare?: ((context: AnyContext) => Promise<object>) | undefined
  readonly bound?: Bound | undefined
  readonly deletes?: boolean
  readonly checksItself?: boolean
  readonly repeatable?: boolean
}

/**
 * Builder of an operation. `Has` is the context of its functions so far, `Answer` is what it answers. Each step adds to
 * them; `does` ends the declaration. A step can only read what is declared before it.
 */
class Operation<Has, Answer, Changes extends boolean> {
  constructor(private readonly declared: Declared) {}

  says(summary: string, note?: string) {
    return this.#with<Has, Answer>({ summary, ...(note !== undefined && { note }) })
  }

  open() {
    return this.#with<Omit<Has, 'person'>, Answer>({ credential: 'none' })
  }

  programs(scope?: ApiKeyScope) {
    return this.#with<Omit<Has, 'person'>, Answer>({ credential: 'session or key', ...(scope && { scope }) })
  }

  sandbox() {
    return this.#with<Omit<Has, 'person'>, Answer>({ credential: 'sandbox' })
  }

  /** Lets delegates with this access call it: never what needs a step-up. */
  delegates(this: Without<'stepUpId', Has, Operation<Has, Answer, Changes>>, access: DelegateAccess) {
    return this.#with<Has & { readonly delegable?: true }, Answer>({ delegate: access })
  }

  /** Only takes power away, or stops something: allowed to a session that has proved nothing but a mailbox. */
  stops() {
    return this.#with<Has, Answer>({ stops: true })
  }

  /** Names the thing that gives the organization: `{kind_id}` of the path, or a field of the body. */
  of(kind: LocatedKind, where: string | { readonly body: string } = `${kind}_id`) {
    const owner = typeof where === 'string' ? { kind, param: where } : { kind, body: where.body }
    return this.#with<Has & Owned, Answer>({ owner })
  }

  /**
   * Needs the permission; of several, any is enough. A command checks it again inside its transaction, under the lock
   * of the memberships, unless it `checksItself()`.
   */
  can(this: Operation<Has & Owned, Answer, Changes>, ...permissions: readonly [Permission, ...Permission[]]) {
    return this.#with<Has, Answer>({ can: permissions.length === 1 ? permissions[0] : permissions })
  }

  /** Leaves the second check to the command, which makes it under its own locks. */
  checksItself() {
    return this.#with<Has, Answer>({}, { checksItself: true })
  }

  /** Answers `not_found` instead of `forbidden` to callers without the permission. */
  concealed() {
    return this.#with<Has, Answer>({ concealed: true })
  }

  /** Needs the role of an owner. A command checks it again as `can` does. */
  onlyOwner(this: Operation<Has & Owned, Answer, Changes>) {
    return this.#with<Has, Answer>({ only: 'owner' })
  }

  /** Refuses while the organization is paused, except an idempotent replay. */
  movesMoney(this: Operation<Has & Owned, Answer, Changes>) {
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

  takes<S extends Schema>(body: S) {
    return this.#with<Has & { readonly body: v.InferOutput<S> }, Answer>({ body })
  }

  uploads(upload: Upload) {
    return this.#with<Has & { readonly file: Buffer }, Answer>({ upload })
  }

  raw() {
    return this.#with<Has & { readonly message: Message }, Answer>({ raw: true })
  }

  streams() {
    return this.#with<Has & { readonly sent: Sent }, Answer>({ raw: 'stream' })
  }

  /** Needs a fresh step-up: for this very request, or for five minutes of this session. */
  proved<Found = undefined>(
    this: Without<'delegable', Has, Operation<Has & { readonly person: Person }, Answer, true>>,
    mode: 'once' | 'window',
    bind?: (context: Has) => Promise<Binding<Answer & object, Found>>,
    rest: Pick<StepUpRule<Has, object, Found>, 'unlessJustProved' | 'weakens'> = {},
  ) {
    type Proved = { readonly stepUpId: StepUpId | null; readonly found: Found | undefined }
    // the binding gets the context that was declared before it
    const rule = { mode, ...(bind && { bind }), ...rest } as unknown as NonNullable<Route['stepUp']>
    return this.#with<Has & Proved, Answer>({ stepUp: rule })
  }

  answers<S extends Schema>(returns: S, status: Route['status'] = 200) {
    return this.#with<Has, v.InferInput<S>>({ returns, status })
  }

  /** Answers bytes of this media type; `filename` for downloads: plain ASCII without quotes. */
  bytes(produces: string, filename?: (params: Has extends { readonly params: infer P } ? P : never) => string) {
    const named = filename && { filename: filename as unknown as (params: unknown) => string }
    return this.#with<Has, Uint8Array>({ returns: v.instance(Uint8Array), produces, ...named })
  }

  downloads(produces: string) {
    return this.#with<Has, Download>({ returns: v.instance(Download), produces })
  }

  /** Answers an object that renders itself in this media type: a page, a live stream. */
  produces<S extends Schema>(produces: string, returns: S) {
    return this.#with<Has, v.InferInput<S>>({ returns, produces })
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

  /** Takes an Idempotency-Key as the id of a decision, without making a row of its own. */
  keyed() {
    return this.#with<Has, Answer>({ keyed: true })
  }

  /** Repeats after a lost connection, too: by its claim the work knows what it did before. */
  repeatable() {
    return this.#with<Has, Answer>({}, { repeatable: true })
  }

  /** Lets caches keep the answer; JSON gets an ETag. */
  cached(cacheable: Cacheable) {
    return this.#with<Has, Answer>({ cacheable })
  }

  atRoot() {
    return this.#with<Has, Answer>({ root: true })
  }

  refusesBy(refusalPage: RefusalPage) {
    return this.#with<Has, Answer>({ refusalPage })
  }

  /** Prepares the work without a transaction: reads, calls to partners, hashing. Its result joins the context. */
  prepares<Prepared extends object>(prepare: (context: Has) => Promise<Prepared>) {
    return this.#with<Has & Prepared, Answer>({}, { prepare: prepare as unknown as Declared['prepare'] })
  }

  /** Runs the transactions of the work within a limit, which may make them wait for their turn. */
  bounded(bound: Bound) {
    return this.#with<Has, Answer>({}, { bound })
  }

  /**
   * Ends the declaration. The work of a command is one transaction; that of an organization is repeated if Postgres
   * breaks it off, and after a lost connection if the repeat finds or sets the same, or is `repeatable()`.
   */
  does(work: Changes extends true ? (context: Inside<Has>) => Changed<Answer> : (context: Has) => Read<Answer>): Route {
    const { route, find, prepare, bound, deletes = false, checksItself = false, repeatable = false } = this.declared
    const untyped = work as unknown as (context: AnyContext) => Promise<object>
    if (route.method === 'get') return this.#route('query', untyped)
    const can = checksItself ? [] : [route.can ?? []].flat()
    const only = checksItself ? undefined : route.only
    // PUT and PATCH set values: twice is the same as once
    const sets = (route.method === 'put' || route.method === 'patch') && !route.stepUp
    const repeatsIfLost = find !== undefined || route.keyed === true || sets || repeatable
    const command = { can, only, find, prepare, bound, deletes, repeatsIfLost, work: untyped }
    return this.#route('command', (context) => runCommand(command, context))
  }

  /** Ends the declaration of a POST that only reads. */
  asks(work: (context: Has) => Read<Answer>): Route {
    return this.#route('query', work as unknown as (context: AnyContext) => Promise<object>)
  }

  /** Ends the declaration of an operation with several transactions of its own, or none. */
  handles(work: (context: Has) => Read<Answer>): Route {
    return this.#route('by hand', work as unknown as (context: AnyContext) => Promise<object>)
  }

  /** Answers an idempotent replay by `find`; the work takes the claim where it makes the row. */
  replays(find: (context: Has) => Promise<Answer>) {
    return this.#with<Has, Answer>({ replay: find as unknown as (context: AnyContext) => Promise<object> })
  }

  #route(shape: Route['shape'], handle: Route['handle']): Route {
    const { route } = this.declared
    const { path, returns, summary } = route
    if (!returns || summary === undefined) throw new Error(`${path} has no answer or no summary`)
    return { ...route, params: paramsOf(path, route.params), returns, summary, shape, handle } as Route
  }

  #with<NextHas, NextAnswer>(route: Partial<Route>, rest: Omit<Declared, 'route'> = {}) {
    return new Operation<NextHas, NextAnswer, Changes>({
      ...this.declared,
      ...rest,
      route: { ...this.declared.route, ...route },
    })
  }
}

type Begun<Path extends string> = Always & { readonly person: Person; readonly params: ParamsOf<Path> }

/** Declares operations under one tag of the document: queries read, commands change. By default they need a session. */
export function operations(tag: string) {
  const begin = (method: Method, path: string, operationId: string): Declared => ({
    route: { method, path, operationId, tag, credential: 'session', status: 200, shape: 'query' },
  })
  return {
    query: <const Path extends string>(path: Path, operationId: string) =>
      new Operation<Begun<Path>, never, false>(begin('get', path, operationId)),
    command: <const Path extends string>(method: Exclude<Method, 'get'>, path: Path, operationId: string) =>
      new Operation<Begun<Path> & { readonly claim: Claim }, never, true>(begin(method, path, operationId)),
  }
}
