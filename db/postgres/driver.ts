/**
 * Faults of postgres.js 3.4.9, and what is done about each; to be removed when they are fixed:
 *
 * - After a statement that ended in the middle of its rows, the next answer begins with holes (porsager/postgres#1119,
 *   #1181): `withWholeAnswers`.
 * - After a lost connection, `begin` writes its `rollback` to a socket that is gone, which ends the process, or to the
 *   connection's next user (#1208); statements sent once a transaction has ended reach that next user too: `begin`.
 * - A connection that closes with a write pending never writes less than a kilobyte again, and each of its next users
 *   waits for `connect_timeout`: its first message is made longer (`LONG_START` of sql.ts).
 * - Between the error of a socket and its close, statements still go to it, and wait forever: sockets that report both
 *   at once (socket.ts).
 * - A `begin` that finds `max_pipeline` statements ahead of it on its connection runs, but the connection goes on serving
 *   others, inside that transaction: no number is reached (`ANY_PIPELINE` of sql.ts).
 * - With `fetch_types`, a connection that ends while it opens ends the process (#1192): `arrayTypes`, driver-arrays.ts.
 */
import type postgres from 'postgres'

type Settlers = { resolve: (rows: unknown) => void; reject: (error: Error) => void }

/** Wraps the pool so that rows arrive whole. `failed` sees each error of a statement or of a transaction. */
export function withWholeAnswers<Pool extends postgres.Sql>(pool: Pool, failed: (error: unknown) => void): Pool {
  const begin = (transaction: Parameters<Pool['begin']>[1]) => {
    const begun = pool.begin(transaction)
    begun.catch(failed)
    return begun
  }
  return new Proxy(pool, {
    apply(target, self, args) {
      const made = Reflect.apply(target, self, args) as Partial<Settlers>
      const { resolve, reject } = made
      if (resolve && reject) {
        made.resolve = (rows) => settle(rows, { resolve, reject })
        made.reject = (error) => {
          failed(error)
          reject(error)
        }
      }
      return made
    },
    get: (target, name) => (name === 'begin' ? begin : (Reflect.get(target, name) as unknown)),
  })
}

/** Removes the holes at the beginning of an answer after a broken one; transactions do not have them. */
function settle(rows: unknown, { resolve, reject }: Settlers): void {
  if (!Array.isArray(rows) || rows.length === 0 || 0 in rows) return resolve(rows)
  rows.splice(
    0,
    rows.findIndex((_, index) => index in rows),
  )
  const { count } = rows as unknown as postgres.RowList<postgres.Row[]>
  if (rows.length === count) return resolve(rows)
  reject(Object.assign(new Error('an answer of Postgres is not whole'), { code: 'CONNECTION_CLOSED' }))
}

const CONNECTION_LOST = new Set(['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])

/** Finds the code of an error: a SQLSTATE, or one of the driver or of Node; empty if it has none. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

const UNIQUE_VIOLATION = '23505'

/** Names the unique index that refused a row; undefined for another error. */
export function refusingIndexOf(error: unknown): string | undefined {
  if (codeOf(error) !== UNIQUE_VIOLATION) return undefined
  const { constraint_name: name = '' } = error as { readonly constraint_name?: string } // Postgres sends it
  return name
}

/** Tells if the connection was lost, rather than a statement refused. */
export const isConnectionLost = (error: unknown): boolean => CONNECTION_LOST.has(codeOf(error))

/**
 * Runs one transaction of `work` and then `last`, which goes out with the commit: if it fails, the commit rolls back.
 * Sends no statement after a lost connection, and none of `work` after it ended or failed: of concurrent statements one
 * may fail while another chain continues. `last` sends what it sends at once (`.execute()`), before the commit.
 */
export async function begin<Done, Said>(
  pool: postgres.Sql,
  work: (tx: postgres.TransactionSql) => Promise<Done>,
  last: (tx: postgres.TransactionSql) => Promise<Said>,
): Promise<{ done: Done; said: Said }> {
  const state = { over: false }
  const transaction = async (tx: postgres.TransactionSql) => {
    try {
      const done = await work(silentOnceOver(tx, state))
      state.over = true
      const said = last(tx)
      said.catch(() => {}) // awaited below, once the transaction has ended
      return { done, said }
    } catch (error) {
      state.over = true
      if (isConnectionLost(error)) await new Promise(() => {}) // the driver itself rejects when the connection closes
      throw error
    }
  }
  // postgres.js unwraps arrays of promises in its type; both functions return settled values.
  const { done, said } = (await pool.begin(transaction)) as { done: Done; said: Promise<Said> }
  return { done, said: await said }
}

/** Wraps `tx` so that it sends nothing after its end, when its connection belongs to another. */
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
