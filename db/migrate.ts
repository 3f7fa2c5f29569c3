/** Migrations: append-only SQL files, applied once each, in order, under an advisory lock, with checksums. */
import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'

const folder = new URL('./migrations/', import.meta.url)
const LOCK = 7_340_021 // any fixed number: two starts at once wait for each other
const LOCK_TIMEOUT = '5s' // a migration never holds up a running service for longer

export type Migration = { name: string; sql: string; checksum: string }

/** The migrations this build knows, in the order they apply. */
export async function knownMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Applies what is missing as the owner and sets the app role's password. Returns the names applied.
 * Throws when an applied migration was edited since, or when the database is ahead of this build by an unknown name.
 */
export async function migrate(ownerUrl: string, appPassword: string): Promise<string[]> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} })
  try {
    await sql`select pg_advisory_lock(${LOCK})`
    await sql`create table if not exists migrations
      (name text primary key, checksum text not null, applied_at timestamptz not null default now())`
    const done = new Map((await sql`select name, checksum from migrations`).map((row) => [row.name, row.checksum]))
    const applied: string[] = []
    for (const migration of await knownMigrations()) {
      const checksum = done.get(migration.name)
      if (checksum === migration.checksum) continue
      if (checksum) throw new Error(`Migration ${migration.name} was changed after it was applied`)
      await apply(sql, migration)
      applied.push(migration.name)
    }
    await sql.unsafe(`alter role business_finance_app password '${appPassword.replaceAll("'", "''")}'`)
    await sql`grant select on migrations to business_finance_app`
    return applied
  } finally {
    await sql.end()
  }
}

async function apply(sql: postgres.Sql, migration: Migration): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    await tx.unsafe(migration.sql)
    await tx`insert into migrations (name, checksum) values (${migration.name}, ${migration.checksum})`
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_APP_PASSWORD: appPassword } = process.env
  if (!ownerUrl || !appPassword) {
    console.error('MIGRATION_DATABASE_URL and DATABASE_APP_PASSWORD are required')
    process.exit(1)
  }
  const applied = await migrate(ownerUrl, appPassword)
  console.log(applied.length ? `Applied ${applied.join(', ')}` : 'Nothing to apply')
}
