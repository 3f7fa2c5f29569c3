/** Guard of the start: a partner is not left out while something is under way there. */
import { UnusableConfiguration } from '../../platform/live.ts'
import { config } from '../../platform/config.ts'
import { sql } from '../../db/postgres/sql.ts'

type UnderWay = { readonly workflow: string; readonly connection: string; readonly count: number }

const NOUNS: Readonly<Record<string, string>> = { payment: 'payments', deposit: 'deposits', cover: 'covers' }

/** Requires a connection for all that is under way. Throws with how many there are at which partner. */
export async function requireConnections(): Promise<void> {
  const rows = await sql<UnderWay[]>`
    select workflow, connection, count from count_at_connections() where connection is not null`
  const faults = rows.flatMap(({ workflow, connection, count }) =>
    config.connections.some(({ name }) => name === connection)
      ? []
      : [
          `${connection} is not connected, and has ${count} open ${NOUNS[workflow] ?? workflow}: ` +
            'connect it as closed until they have ended.',
        ],
  )
  if (faults.length > 0) throw new UnusableConfiguration(faults.join('\n'))
}
