/** Health of the database: reachable, and migrated as far as this build knows. */
import { listMigrations } from './migrate.ts'
import { ReadOnlyError } from './postgres/outages.ts'
import { sql, transaction } from './postgres/sql.ts'

/** Asks if Postgres answers and takes writes. Throws ReadOnlyError otherwise, upon which the pool leaves the server. */
export const pingDatabase = (): Promise<boolean> =>
  transaction(async (tx) => {
    const [server] = await tx<{ read_only: boolean }[]>`
      select current_setting('transaction_read_only')::boolean as read_only` // on for a standby, too
    if (server?.read_only) throw new ReadOnlyError()
    return true
  })

export async function pendingMigrations(): Promise<string[]> {
  const [known, done] = await Promise.all([listMigrations(), sql<{ name: string }[]>`select name from migrations`])
  const applied = new Set(done.map((row) => row.name))
  return known.map((migration) => migration.name).filter((name) => !applied.has(name))
}
