/** Gates in the database: a statement waits at one, in its transaction, until the test opens it. */
import postgres from 'postgres'
import { owner } from '../database.ts'
import { until } from '../until.ts'

/** Moments of one transaction each: of a request, or of a look or step of a run. */
export type Moment = 'create' | 'decide' | 'settle' | 'look'

/**
 * A write that passes a gate, such as `insert on payments`, with an optional condition. `of`: column that names those for
 * whom a gate is closed.
 */
type Write = { readonly on: string; readonly when?: string; readonly of?: 'organization_id' | 'connection' }

/** Makes each of these writes pass the gate of its moment; all gates are open. */
export async function installGates<Name extends string = Moment>(writes: Partial<Record<Name, Write>>): Promise<void> {
  const all = Object.entries(writes) as [Name, Write][] // of the record
  const triggers = all.map(
    ([moment, { of = 'organization_id', on, when }]) =>
      `create trigger ${moment}_gate before ${on} for each row ${when ? `when (${when})` : ''}
        execute function pass_gate_by_${of}('${moment}');`,
  )
  const functions = [...new Set(all.map(([, { of = 'organization_id' }]) => of))].map(
    (column) => `
    create function pass_gate_by_${column}() returns trigger language plpgsql
    set lock_timeout = 0 -- who stands at a gate waits for the test, and for nobody whose lock could be given up
    as $$
    begin
      perform pg_advisory_xact_lock_shared(hashtextextended(tg_argv[0] || new.${column}, 0));
      return new;
    end $$;`,
  )
  await owner.unsafe([...functions, ...triggers].join('\n'))
}

export type Gate = { waiting: (patienceMs?: number) => Promise<number>; open: () => Promise<void> }

/** Closes a gate for one organization or connection. `waiting` returns the backend of the transaction that reached it. */
export async function closeGate(moment: string, of: string): Promise<Gate> {
  const session = postgres(process.env['MIGRATION_DATABASE_URL'] ?? '', { max: 1, onnotice: () => {} })
  const [keeper] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`
  await session`select pg_advisory_lock(hashtextextended(${moment + of}, 0))`
  return {
    waiting: (patienceMs) =>
      until(
        `somebody to ${moment}`,
        async () => {
          const [waiter] = await owner<{ pid: number }[]>`
            select pid from pg_stat_activity where wait_event = 'advisory' and ${keeper?.pid ?? 0} = any (pg_blocking_pids(pid))`
          return waiter?.pid
        },
        patienceMs,
      ),
    open: () => session.end({ timeout: 1 }),
  }
}
