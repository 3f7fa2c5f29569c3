/** Checks of a pooler before Postgres: its connections must keep what the service relies on. */
import { unusable } from '../platform/live.ts'
import { config } from '../platform/config.ts'
import { SESSION, openPool } from './postgres/sql.ts'

type Pool = ReturnType<typeof openPool>

/**
 * Requires connections that keep their session: its settings, its prepared statements, its locks. Throws
 * UnusableConfiguration otherwise: times would be of another zone, plans of tables that have grown, and locks of another
 * process. Lost statements are thrown as Postgres refuses them (26000, 42P05; start-faults.ts).
 */
export async function requireSessions(): Promise<void> {
  // pools of one connection: `reserve` of the driver waits forever for a new one without `fetch_types`
  const [one, other] = [openPool(config.databaseUrl, 1), openPool(config.databaseUrl, 1)]
  try {
    // the first twice: a pooler that takes its sessions in turn gives it two
    const [before, now, next] = [await backendOf(one), await backendOf(one), await backendOf(other)]
    if (before !== now || now === next) throw unusable([SHARED])
    await requireSettings(one)
    await requireSettings(other)
    for (const [busy, free] of [
      [one, other],
      [other, one],
    ] as const) {
      await busy`begin`
      await free`begin` // outside a transaction the driver prepares a lost statement again
      await requireSettings(free)
      await free`rollback`
      await busy`rollback`
    }
    if ((await backendOf(one)) !== before || (await backendOf(other)) !== next) throw unusable([SHARED])
  } finally {
    await Promise.all([one.end({ timeout: 1 }), other.end({ timeout: 1 })])
  }
}

const SHARED =
  'DATABASE_URL: a pooler gives a connection another session of Postgres for each transaction. ' +
  'Name Postgres itself, or let the pooler keep sessions (pgbouncer: pool_mode = session)'

/** Names the process of Postgres behind a connection; by a statement that is not prepared. */
async function backendOf(session: Pool): Promise<number | undefined> {
  const [row] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`.simple()
  return row?.pid
}

async function requireSettings(session: Pool): Promise<void> {
  const dropped = await session<{ name: string }[]>`
    select name from unnest(${Object.keys(SESSION)}::text[], ${Object.values(SESSION)}::text[]) as given (name, value)
    where current_setting(name) is distinct from value`
  if (dropped.length === 0) return
  const names = dropped.map(({ name }) => name).join(', ')
  throw unusable([
    `DATABASE_URL: a pooler drops settings of our sessions (${names}). ` +
      'Name Postgres itself, or set them there: alter role … set',
  ])
}
