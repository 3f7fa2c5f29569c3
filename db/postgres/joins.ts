/** Joins of sets whose size no statistics know: a table that was just filled, or has grown from nothing. */
import { type Transaction, sql } from './sql.ts'

/** Memory of one join: 50,000 rows of a file are hashed in 22 MB. */
const HASHED = sql`set_config('work_mem', '64MB', true)`

/**
 * Runs statements that join by hashes alone, whatever the planner expects of a table. A nested loop that expects one row
 * and finds 40,000 of them took a first import 77 s. Large tables stand in lateral queries with `offset 0`: these cannot
 * become a join, so each row is found by index.
 */
export async function joinByHash<Result>(tx: Transaction, work: () => Promise<Result>): Promise<Result> {
  await tx`select set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true), ${HASHED}`
  const result = await work()
  const reset = ['enable_nestloop', 'enable_mergejoin', 'work_mem'].map((name) => tx`set local ${sql(name)} to default`)
  await Promise.all(reset.map((one) => one.execute()))
  return result
}
