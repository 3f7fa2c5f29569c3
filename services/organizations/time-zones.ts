/** Time zones of organizations, as the database knows them. */
import { refuse } from '../../domain/errors.ts'
import type { Tx } from '../../db/postgres/sql.ts'

/** Refuses the name of a time zone that the database does not know. */
export async function requireTimeZone(tx: Tx, zone: string): Promise<void> {
  const [known] = await tx`select from pg_timezone_names where name = ${zone}`
  if (known) return
  const message = 'must be the name of a time zone such as Europe/Berlin, or UTC'
  refuse('invalid_request', { errors: [{ path: 'time_zone', code: 'unknown_time_zone', message }] })
}
