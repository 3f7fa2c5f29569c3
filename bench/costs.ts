/** Costs of a side of a pair since its start: processor time of its own processes, statements, rows, WAL. */
import { processorTimes } from './cpu.ts'
import { owner } from './owner.ts'

/** Milliseconds, statements, rows and bytes by name. */
export type Costs = Readonly<Record<string, number>>

/** Reads the costs of a side; `roots` are its process and that of its Postgres. */
export async function readCosts(roots: readonly number[]): Promise<Costs> {
  const [row] = await owner<{ statements: number; rows: number; wal: number }[]>`
    select sum(calls)::float8 as statements, sum(rows)::float8 as rows,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal
    from pg_stat_statements s join pg_roles r on r.oid = s.userid where r.rolname = 'business_finance_app'`
  if (!row) throw new Error('an aggregate has a row')
  const times = [...processorTimes(roots)]
  const processor = times.map(([label, ms]) => [`${label} ms`, ms] as const)
  const all = times.reduce((sum, [, ms]) => sum + ms, 0)
  return {
    ...Object.fromEntries(processor),
    'processor ms': all,
    statements: row.statements,
    rows: row.rows,
    'WAL bytes': row.wal,
  }
}
