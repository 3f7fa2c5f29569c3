/** Check that row-level security binds the role of the service's connections. */
import { config } from '../../platform/config.ts'
import { unusable } from '../../platform/live.ts'
import { log } from '../../platform/log.ts'
import { sql } from './sql.ts'

/**
 * Checks the user of DATABASE_URL. A user without row-level security would see all organizations: live throws
 * UnusableConfiguration; test switches to the service's role (db/postgres/sql.ts), and warns.
 */
export async function requireBoundRole(): Promise<void> {
  const [unbound] = await sql<{ name: string }[]>`
    select rolname as name from pg_roles where rolname = session_user and (rolsuper or rolbypassrls)`
  if (!unbound) return
  const fault =
    `DATABASE_URL: row-level security does not bind the user ${unbound.name}, who would see every organization. ` +
    'Name business_finance_app, whose password is set by DATABASE_APP_PASSWORD when migrations run'
  if (config.live) throw unusable([fault])
  log.warn(
    { user: unbound.name },
    'the database user is not bound by row-level security; acting as business_finance_app',
  )
}
