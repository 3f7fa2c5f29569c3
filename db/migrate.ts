/**
 * Applies the schema under an advisory lock, with checksums: `migrations/` are numbered files, each applied once, in
 * order; `functions/` are functions and triggers, one file for each room, applied again when its text changes.
 */
// first: it explains a start that fails in what is imported next
import { explainStart } from '../platform/start-faults.ts'
import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { lockMigrations } from './postgres/locks.ts'

const folders = {
  migrations: new URL('./migrations/', import.meta.url),
  functions: new URL('./functions/', import.meta.url),
}
const FUNCTIONS = 'functions/' // prefix of their recorded names
const LOCK_TIMEOUT = '5s' // a migration never blocks a running service for longer

/** File by its recorded name; that of functions includes their folder. */
export type Migration = { name: string; sql: string; checksum: string; repeatable: boolean }

/** Thrown for a database whose migrations this build does not know. */
export class UnknownSchema extends Error {}

/** Lists the files of this build in the order of application: numbered migrations, then functions. */
export async function listMigrations(): Promise<Migration[]> {
  const [numbered, functions] = await Promise.all([filesIn(folders.migrations), filesIn(folders.functions)])
  return [
    ...numbered.map((file) => ({ ...file, repeatable: false })),
    ...functions.map((file) => ({ ...file, name: `${FUNCTIONS}${file.name}`, repeatable: true })),
  ]
}

async function filesIn(folder: URL): Promise<Omit<Migration, 'repeatable'>[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/**
 * Applies missing and changed files, as the owner, and sets the app role's password. Returns their names. Throws
 * `UnknownSchema`, and changes nothing, if an applied migration was edited or is unknown to this build.
 */
export async function migrate(ownerUrl: string, appPassword: string, known?: readonly Migration[]): Promise<string[]> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} })
  try {
    await lockMigrations(sql)
    const missing = await missingOf(sql, known ?? (await listMigrations()))
    for (const migration of missing) await apply(sql, migration)
    await sql.unsafe(`alter role business_finance_app password '${appPassword.replaceAll("'", "''")}'`)
    await sql`grant select on migrations to business_finance_app`
    return missing.map(({ name }) => name)
  } finally {
    await sql.end()
  }
}

/** Finds the files to apply; compares everything before the first is applied. */
async function missingOf(sql: postgres.Sql, known: readonly Migration[]): Promise<Migration[]> {
  await sql`create table if not exists migrations
    (name text primary key, checksum text not null, applied_at timestamptz not null default now())`
  const rows = await sql<{ name: string; checksum: string }[]>`select name, checksum from migrations order by name`
  const done = new Map(rows.map((row) => [row.name, row.checksum]))
  const names = known.map(({ name }) => name)
  const unknown = [...done.keys()].filter((name) => !names.includes(name) && !name.startsWith(FUNCTIONS))
  if (unknown.length > 0) throw new UnknownSchema(refusal(unknown))
  const edited = known.find(
    ({ name, checksum, repeatable }) => !repeatable && done.has(name) && done.get(name) !== checksum,
  )
  if (edited) throw new UnknownSchema(`Migration ${edited.name} was changed after it was applied. ${WAYS_OUT}`)
  // a file of functions that this build lacks is applied again if it comes back
  await sql`delete from migrations where starts_with(name, ${FUNCTIONS}) and name <> all (${names})`
  return known.filter(({ name, checksum }) => done.get(name) !== checksum)
}

const refusal = (unknown: readonly string[]): string =>
  `This database has migrations that this build does not know: ${unknown.slice(0, 3).join(', ')}` +
  `${unknown.length > 3 ? ` and ${unknown.length - 3} more` : ''}. ${WAYS_OUT}`

const WAYS_OUT =
  'Nothing was changed. An earlier line of migrations made this database, from which there is no way to this one, or ' +
  'later code did: run that code, or begin with a new, empty database.'

/** Applies one file. Only during it may the role that reads across organizations create objects. */
async function apply(sql: postgres.Sql, { name, sql: text, checksum, repeatable }: Migration): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    if (repeatable) await tx`grant create on schema public to business_finance_definer`
    await tx.unsafe(text)
    await tx`reset role`
    if (repeatable) await tx`revoke create on schema public from business_finance_definer`
    await tx`insert into migrations (name, checksum) values (${name}, ${checksum})
      on conflict (name) do update set checksum = excluded.checksum, applied_at = excluded.applied_at`
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_APP_PASSWORD: appPassword } = process.env
  if (!ownerUrl || !appPassword) {
    console.error(
      'MIGRATION_DATABASE_URL and DATABASE_APP_PASSWORD are required: the address of the database as the owner of its ' +
        "tables, and the password that the service's role business_finance_app gets.",
    )
    process.exit(1)
  }
  try {
    const applied = await migrate(ownerUrl, appPassword)
    console.log(applied.length ? `Applied ${applied.join(', ')}` : 'Nothing to apply')
  } catch (error) {
    const words = error instanceof UnknownSchema ? error.message : explainStart(error, 'MIGRATION_DATABASE_URL')
    console.error(words ?? error)
    process.exit(1)
  }
}
