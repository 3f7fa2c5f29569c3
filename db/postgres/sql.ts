/** Pool, and the only ways to rows of an organization: read(), inSnapshot(), inOrganization(), speakFor(). */
import postgres from 'postgres'
import { type Actor, delegateOf } from '../../domain/people/actor.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { config } from '../../platform/config.ts'
import { inSpan } from '../../platform/traces.ts'
import { arrayTypes } from './driver-arrays.ts'
import { begin, withWholeAnswers } from './driver.ts'
import { isReadOnly } from './outages.ts'
import { socketsTo } from './socket.ts'
import { type Wakes, announce, sendWakes } from './wakes.ts'

export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Lists the columns and the values of a row for an insert; a value may be a fragment. */
export const values = (row: Readonly<Record<string, postgres.ParameterOrFragment<never>>>) =>
  sql(row as Record<string, string>) // the driver's type takes no fragments

/** Runner of queries alone. The caller names the row type of its own query. */
export type Rows = <Row extends object>(query: Fragment) => Promise<Row[]>

/** Runner of queries for one organization: each its own statement, or inside a transaction. */
export type Reader = Rows & { readonly organizationId: OrganizationId }

/** Transaction that takes wakes (`wake()`, wakes.ts). Only transaction() and its callers make one. */
export type Transaction = postgres.TransactionSql & { readonly wakes: Wakes }

declare const brand: unique symbol
/** Transaction that speaks for one organization. Only inOrganization(), asSystem() and speakFor() make one. */
export type Tx = Transaction & {
  readonly [brand]: true
  readonly organizationId: OrganizationId
  readonly actor: Actor
  readonly correlationId: string | null
}

const instant = {
  serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
  parse: (text: string) => `${text.slice(0, 10)}T${text.slice(11).replace('+00', '')}Z`,
}

/**
 * Planner settings. Sessions keep plans, and statistics are older than the rows: a plan for a short table would later
 * read all of a long one. So rows are always found by an index; no request is worth several processes or JIT. A
 * connection plans a statement once: authentication was planned at each call, 0.31 ms of Postgres instead of 0.08. A
 * function that needs more sets it itself.
 */
const PLANS = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
}

/** Role that row-level security binds: in test even a superuser takes it; live refuses one (db/postgres/bound-role.ts). */
const ROLE = config.live ? {} : { role: 'business_finance_app' }

/** Settings that each session begins with, and that the service relies on (db/sessions.ts). */
export const SESSION: Readonly<Record<string, string>> = { TimeZone: 'UTC', ...PLANS, ...ROLE }

/** Blank options: the first message of a connection is longer than a kilobyte (db/postgres/driver.ts). */
export const LONG_START = { options: ' '.repeat(1024) }

/** Limit of statements on a connection: none, since a limit can break a transaction (db/postgres/driver.ts). */
const ANY_PIPELINE = { max_pipeline: Infinity }

/**
 * Opens a pool: numerics and int8 as strings, dates as `YYYY-MM-DD`, instants as ISO 8601 in UTC. It leaves a server that
 * refuses a write as read-only, for the next address of the URL, or for the same one once that is writable again.
 */
export function openPool(url: string, max = config.databasePoolSize) {
  const { options, leave } = socketsTo(url)
  const pool = postgres(url, {
    ...options,
    ...ANY_PIPELINE,
    max,
    idle_timeout: 60,
    connect_timeout: 5,
    backoff: reconnectSeconds,
    onnotice: () => {},
    connection: { application_name: 'business-finance-service', ...LONG_START, ...SESSION },
    fetch_types: false, // see arrayTypes()
    types: {
      ...arrayTypes({ write: (value) => instant.serialize(value as Date | string), read: instant.parse }),
      instant: { to: 1184, from: [1184], ...instant },
      day: { to: 1082, from: [1082], serialize: (value: string) => value, parse: (text: string) => text },
    },
  })
  return withWholeAnswers(pool, (error) => {
    if (isReadOnly(error)) leave()
  })
}

/** Pool of the primary, which every read and write uses that does not ask for the replica. */
export const sql = openPool(config.databaseUrl)

/** Pool of a read replica; null without `DATABASE_REPLICA_URL`. It connects when it is first used. */
export const replica = config.databaseReplicaUrl === undefined ? null : openPool(config.databaseReplicaUrl)

/** Ends all connections, after five seconds for what is under way. */
export const endPools = (): Promise<unknown> =>
  Promise.all([sql, ...(replica ? [replica] : [])].map((pool) => pool.end({ timeout: 5 })))

let observeWait: (seconds: number) => void = () => {}

/** Sets what is given the time that each transaction waited for a connection of the pool. */
export function observeWaits(observe: (seconds: number) => void): void {
  observeWait = observe
}

/** Returns the pause before a reconnect. The driver's own grows to 20 s, long after Postgres is back. */
function reconnectSeconds(failures: number): number {
  return Math.min(0.05 * failures, 0.5)
}

/** Runs one statement for one organization. The setting ends with the statement; without it no row is visible. */
export function read<Row extends object>(organizationId: OrganizationId, query: Fragment): Promise<Row[]> {
  return inGate<Row>(organizationId, query)
}

/** Runs such a statement, and answers each column as the bytes that Postgres sent: long texts that go on as they are. */
export async function readBytes(
  organizationId: OrganizationId,
  query: Fragment,
): Promise<readonly (Buffer | null)[][]> {
  return inGate(organizationId, query).raw()
}

/** Builds such a statement: the gate sets the organization before a row is read. */
const inGate = <Row extends object>(organizationId: OrganizationId, query: Fragment) => sql<Row[]>`
  select r.* from (select set_config('app.organization_id', ${organizationId}, true) as org offset 0) gate,
  lateral (select * from (${query}) q offset length(gate.org) - 36) r`

/** Makes a reader whose every query is one statement for one organization. */
export function readerOf(organizationId: OrganizationId): Reader {
  const reader = <Row extends object>(query: Fragment) => read<Row>(organizationId, query)
  return Object.assign(reader, { organizationId })
}

/**
 * Runs read-only work whose queries all see the instant of the first one. It holds a connection, and keeps deleted rows
 * from vacuum.
 */
export function inSnapshot<Result>(
  organizationId: OrganizationId,
  work: (reader: Reader) => Promise<Result>,
  on: postgres.Sql = sql,
): Promise<Result> {
  return transaction(async (tx) => {
    await Promise.all([
      tx`set transaction isolation level repeatable read, read only`.execute(),
      tx`select set_config('app.organization_id', ${organizationId}, true)`.execute(),
    ])
    return work(Object.assign(rowsOf(tx), { organizationId }))
  }, on)
}

/** Makes a reader inside a transaction, so that a query function serves both. */
export const within = (tx: Tx): Reader => Object.assign(rowsOf(tx), { organizationId: tx.organizationId })

/** Makes a runner inside a transaction, which may have no organization. */
export const rowsOf =
  (tx: Transaction): Rows =>
  async <Row extends object>(query: Fragment) =>
    (await tx`${query}`) as unknown as Row[] // the caller names the row type of its own query

/** Fault of a transaction that another is about to change the ground of: its command is repeated. */
export class OvertakenError extends Error {
  readonly code = '40001' // as a serialization failure of Postgres
}

/**
 * Runs one transaction, all or nothing. `work` uses `tx` alone. The last statement writes the noted wakes, which are
 * announced after the commit.
 */
export async function transaction<Result>(
  work: (tx: Transaction) => Promise<Result>,
  on: postgres.Sql = sql,
): Promise<Result> {
  return inSpan('transaction', {}, async (span) => {
    const wakes: Wakes = new Map()
    const askedAt = performance.now()
    const run = (tx: postgres.TransactionSql) => {
      observeWait((performance.now() - askedAt) / 1000)
      return work(Object.assign(tx, { wakes }))
    }
    const { done, said } = await begin(
      on,
      (tx) => (span ? span.inside(() => run(tx)) : run(tx)),
      (tx: postgres.TransactionSql & Partial<Tx>) => sendWakes(tx, wakes, tx.organizationId ?? null, span?.traceparent),
    )
    if (span) for (const { follows } of said) span.follows(follows)
    announce(said)
    return done
  })
}

export type TransactionOptions = {
  /** Correlation id of its events: the request behind it. */
  readonly correlationId?: string | null
  /** Longest wait for a lock: SQLSTATE 55P03 after it. */
  readonly lockTimeoutMs?: number
}

/** Runs one transaction for one organization. The setting goes out with the first statement. */
export async function inOrganization<Result>(
  actor: Actor,
  organizationId: OrganizationId,
  work: (tx: Tx) => Promise<Result>,
  { correlationId = null, lockTimeoutMs }: TransactionOptions = {},
): Promise<Result> {
  return transaction(async (plain) => {
    const tx = brandTx(plain, { organizationId, actor, correlationId })
    const waits = lockTimeoutMs === undefined ? sql`` : sql`, set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`
    const setting = plain`
      select set_config('app.organization_id', ${organizationId}, true) ${waits} ${delegateSetting(actor)}`.execute()
    const [, done] = await Promise.all([setting, work(tx)])
    return done
  })
}

export type Speaker = Pick<Tx, 'organizationId' | 'actor' | 'correlationId'>

/** Sets the organization of a transaction that began without one, until its end. */
export async function speakFor(plain: Transaction, speaker: Speaker): Promise<Tx> {
  const { organizationId, actor } = speaker
  await plain`select set_config('app.organization_id', ${organizationId}, true) ${delegateSetting(actor)}`
  return brandTx(plain, speaker)
}

/** Names the delegate of a transaction: events carry it, and it may decide nothing. */
function delegateSetting(actor: Actor): Fragment {
  const delegate = delegateOf(actor)
  return delegate ? sql`, set_config('app.delegate', ${`${delegate.kind}:${delegate.id}`}, true)` : sql``
}

// callers make the brand true by the setting
const brandTx = (plain: Transaction, speaker: Speaker): Tx => Object.assign(plain, speaker) as unknown as Tx

/** Runs a transaction for the service itself, as workflows do. */
export function asSystem<Result>(organizationId: OrganizationId, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return inOrganization({ kind: 'worker' }, organizationId, work)
}

/**
 * Sets if the commit waits for the disk (the default). Otherwise a crash of Postgres may lose it: only for work that is
 * repeated and writes no event.
 */
export const waitForDisk = (tx: Transaction, waits: boolean): Promise<unknown> =>
  tx`select set_config('synchronous_commit', ${waits ? 'on' : 'off'}, true)`.execute()

/** Returns the first row, or undefined. */
export const first = async <Row>(rows: Promise<readonly Row[]>): Promise<Row | undefined> => (await rows)[0]
