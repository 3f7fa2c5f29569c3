/** Checks of a pooler before Postgres: its connections must keep what the service relies on. */
import { unusable } from '../platform/live.ts'
import { config } from '../platform/config.ts'
import { SESSION, openPool } from './postgres/sql.ts'

/**
 * Requires connections that keep their settings and prepared statements. Throws UnusableConfiguration without the
 * settings: times would be of another zone, and plans of tables that have grown. Lost statements are thrown as Postgres
 * refuses them (26000, 42P05; start-faults.ts).
 */
export async function requireSessions(): Promise<void> {
  // pools of one connection: `reserve` of the driver waits forever for a new one without `fetch_types`
  const [one, other] = [openPool(config.databaseUrl, 1), openPool(config.databaseUrl, 1)]
  const check = async (session: typeof one) => {
    const dropped = await session<{ name: string }[]>`
      select name from unnest(${Object.keys(SESSION)}::text[], ${Object.values(SESSION)}::text[]) as given (name, value)
      where current_setting(name) is distinct from value`
    if (dropped.length === 0) return
    const names = dropped.map(({ name }) => name).join(', ')
    throw unusable([
      `DATABASE_URL: a pooler drops settings of our sessions (${names}). ` +
        'Name Postgres itself, or let the pooler set them when it connects',
    ])
  }
  try {
    await check(one)
    await check(other)
    for (const [busy, next] of [
      [one, other],
      [other, one],
    ] as const) {
      await busy`begin`
      await next`begin` // outside a transaction the driver prepares a lost statement again
      await check(next)
      await next`rollback`
      await busy`rollback`
    }
  } finally {
    await Promise.all([one.end({ timeout: 1 }), other.end({ timeout: 1 })])
  }
}
