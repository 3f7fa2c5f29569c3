/** Health of the database: reachable, and migrated as far as this build knows. */
import { listMigrations } from './migrate.ts'
import { sql } from './postgres/sql.ts'

export async function pingDatabase(): Promise<boolean> {
  await sql`select 1`
  return true
}

export async function pendingMigrations(): Promise<string[]> {
  const [known, done] = await Promise.all([listMigrations(), sql<{ name: string }[]>`select name from migrations`])
  const applied = new Set(done.map((row) => row.name))
  return known.map((migration) => migration.name).filter((name) => !applied.has(name))
}
