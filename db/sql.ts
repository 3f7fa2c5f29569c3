/** The pool, and the only three ways to an organization's rows: read(), inOrganization(), asSystem(). */
import postgres from 'postgres'
import type { Actor } from './model/actor.ts'
import type { OrganizationId } from './model/ids.ts'
import { config } from './config.ts'
import { arrayTypes } from './sql-arrays.ts'
import { type Wakes, announce, sendWakes } from './wakes.ts'

export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Runs a query for one organization: as one statement of its own, or inside a transaction. */
export type Reader = {
  readonly organizationId: OrganizationId
  <Row extends object>(query: Fragment): Promise<Row[]>
}

/** A transaction that takes wakes (`wake()`, wakes.ts). Only transaction() and what stands on it make one. */
export type Transaction = postgres.TransactionSql & { readonly wakes: Wakes }

declare const branded: unique symbol
/** A transaction that speaks for one organization. Only inOrganization() and asSystem() make one. */
export type Tx = Transaction & {
  readonly [branded]: true
  readonly organizationId: OrganizationId
  readonly actor: Actor
  readonly correlationId: string | null
}

const instant = {
  serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
  parse: (text: string) => `${text.slice(0, 10)}T${text.slice(11).replace('+00', '')}Z`,
}

const pool = postgres(config.databaseUrl, {
  max: config.databasePoolSize,
  idle_timeout: 60,
  connect_timeout: 5,
  backoff: reconnectSeconds,
  onnotice: () => {},
  connection: { application_name: 'business-finance-service', TimeZone: 'UTC' },
  fetch_types: false, // see arrayTypes()
  types: {
    ...arrayTypes({ write: (value) => instant.serialize(value as Date | string), read: instant.parse }),
    instant: { to: 1184, from: [1184], ...instant },
    day: { to: 1082, from: [1082], serialize: (value: string) => value, parse: (text: string) => text },
  },
})

/**
 * Numerics and int8 arrive as strings, dates as `YYYY-MM-DD`, instants as ISO 8601 in UTC with microseconds. Rows arrive
 * whole and from the first one on, also in the statement after one that failed in the middle of its rows.
 */
export const sql: typeof pool = new Proxy(pool, {
  apply(target, self, args) {
    const made = Reflect.apply(target, self, args) as Partial<Pick<Settling, 'resolve' | 'reject'>>
    const { resolve, reject } = made
    if (resolve && reject) made.resolve = (rows) => settle(rows, resolve, reject)
    return made
  },
})

/** What of the driver's query is settled with its rows. */
type Settling = { resolve: (rows: unknown) => void; reject: (error: Error) => void }

/**
 * postgres.js 3.4.9 goes on counting rows where a statement failed or its connection was lost in the middle of them, so that
 * the next answer on that connection begins with as many holes. Within transactions `begin` and `rollback` stand between.
 */
function settle(rows: unknown, resolve: Settling['resolve'], reject: Settling['reject']): void {
  if (!Array.isArray(rows) || rows.length === 0 || 0 in rows) return resolve(rows)
  rows.splice(
    0,
    rows.findIndex((_, index) => index in rows),
  )
  const { count } = rows as unknown as postgres.RowList<postgres.Row[]>
  if (rows.length === count) return resolve(rows)
  reject(Object.assign(new Error('an answer of Postgres is not whole'), { code: 'CONNECTION_CLOSED' }))
}

/** Pause before a lost connection is made again. The driver's own grows to 20 s, long after Postgres is back. */
function reconnectSeconds(failures: number): number {
  return Math.min(0.05 * failures, 0.5)
}

/** One statement, one organization. The setting dies with the statement; without the gate no row is visible. */
export function read<Row extends object>(organizationId: OrganizationId, query: Fragment): Promise<Row[]> {
  return sql<Row[]>`
    select r.* from (select set_config('app.organization_id', ${organizationId}, true) as org offset 0) gate,
    lateral (select * from (${query}) q offset length(gate.org) - 36) r`
}

/** A reader whose every query is one statement for one organization. */
export function readerOf(organizationId: OrganizationId): Reader {
  const reader = <Row extends object>(query: Fragment) => read<Row>(organizationId, query)
  return Object.assign(reader, { organizationId })
}

/** The same reader inside a transaction, so that a query function serves both. */
export function within(tx: Tx): Reader {
  // The caller names the row type of its own query.
  const reader = async <Row extends object>(query: Fragment) => (await tx`${query}`) as unknown as Row[]
  return Object.assign(reader, { organizationId: tx.organizationId })
}

/** What the driver says when an established connection is gone. */
const CONNECTION_LOST = new Set(['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

/** Whether a failure means that Postgres went away in the middle, and not that it refused something. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CONNECTION_LOST.has(String(error.code))

/**
 * One transaction: all of it happens, or nothing. `work` talks to nobody but `tx`. Its last statement sends the wakes that
 * were noted on it; once it has committed, they are announced.
 *
 * Where the connection is lost the transaction is over, and nothing is said on it any more: postgres.js 3.4.9 would write its
 * `rollback` to a socket that is gone, which ends the process, or to the connection's next user (porsager/postgres#1208). For
 * the same reason nothing is said on it once `work` has ended: of several things done at once one may refuse while another
 * still goes on.
 */
export async function transaction<Result>(
  work: (tx: Transaction) => Promise<Result>,
  organizationId: OrganizationId | null = null,
): Promise<Result> {
  const state = { over: false }
  const wakes: Wakes = new Map()
  const { result, changed } = (await sql.begin(async (plain) => {
    try {
      const tx = Object.assign(silentOnceOver(plain, state), { wakes })
      const done = await work(tx)
      state.over = true
      return { result: done, changed: await sendWakes(plain, wakes, organizationId) }
    } catch (error) {
      state.over = true
      if (isConnectionLost(error)) await new Promise(() => {}) // begin() itself rejects when the connection closes
      throw error
    }
    // postgres.js unwraps arrays of promises in its type; `work` returns settled values.
  })) as { result: Result; changed: Parameters<typeof announce>[0] }
  announce(changed)
  return result
}

/** The same `tx`, which refuses to send anything when it is over: its connection is another's then. */
function silentOnceOver(tx: postgres.TransactionSql, state: { readonly over: boolean }): postgres.TransactionSql {
  const check = () => {
    if (state.over) throw new Error('the transaction is over')
  }
  return new Proxy(tx, {
    apply(target, self, args) {
      check()
      return Reflect.apply(target, self, args) as unknown
    },
    get(target, name, receiver) {
      if (name === 'unsafe') check()
      return Reflect.get(target, name, receiver) as unknown
    },
  })
}

/** How a transaction of an organization behaves beside others. */
export type Manner = {
  /** What its events carry: the request that asked for it. */
  readonly correlationId?: string | null
  /** It gives up a lock that is not let go by then: SQLSTATE 55P03. */
  readonly lockTimeoutMs?: number
}

/** One transaction for one organization: all of it happens, or nothing. The setting goes out with the first statement. */
export async function inOrganization<Result>(
  actor: Actor,
  organizationId: OrganizationId,
  work: (tx: Tx) => Promise<Result>,
  { correlationId = null, lockTimeoutMs }: Manner = {},
): Promise<Result> {
  return transaction(async (plain) => {
    // This is the place where the brand is given: the setting below makes it true.
    const tx = Object.assign(plain, { organizationId, actor, correlationId }) as unknown as Tx
    const waits = lockTimeoutMs === undefined ? sql`` : sql`, set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`
    const setting = plain`select set_config('app.organization_id', ${organizationId}, true) ${waits}`.execute()
    const [, done] = await Promise.all([setting, work(tx)])
    return done
  }, organizationId)
}

/** The same for a workflow, which acts for the service itself. */
export function asSystem<Result>(organizationId: OrganizationId, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return inOrganization({ kind: 'worker' }, organizationId, work)
}

/** The first row, or undefined. */
export const first = async <Row>(rows: Promise<readonly Row[]>): Promise<Row | undefined> => (await rows)[0]
