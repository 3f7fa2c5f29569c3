/** `npm run migrate`: each numbered migration runs once; functions run whenever their text changes. */
import { createHash, randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { dumpSchema } from '../../../db/schema-dump.ts'
import { type Migration, UnknownSchema, listMigrations, migrate } from '../../../db/migrate.ts'
import { owner } from '../../support/database.ts'

const password = inject('appPassword')
const known = await listMigrations()
const names = known.map(({ name }) => name)
const migratedUrl = process.env['MIGRATION_DATABASE_URL'] ?? ''
const made: string[] = []
afterAll(async () => {
  for (const name of made) await owner`drop database ${owner(name)} with (force)`
})

/** The address of an empty database, or of a copy of a migrated one. */
async function database(template = 'template1'): Promise<string> {
  const name = `migrations_${randomBytes(6).toString('hex')}`
  await owner`create database ${owner(name)} template ${owner(template)}`
  made.push(name)
  return Object.assign(new URL(migratedUrl), { pathname: name }).href
}
const migrated = () => database(inject('template'))

function connect(url: string): postgres.Sql {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  onTestFinished(() => sql.end())
  return sql
}

const checksumOf = (sql: string) => createHash('sha256').update(sql).digest('hex')
const withText = (name: string, change: (sql: string) => string): Migration[] =>
  known.map((file) => {
    const sql = file.name === name ? change(file.sql) : file.sql
    return { ...file, sql, checksum: checksumOf(sql) }
  })

const canReceiveAll = (sql: string) =>
  sql.replace('coalesce((select is_there(o.status) from organizations o where o.id = organization), false)', 'true')

test('an empty database gets all of it once, however many migrate at once, and then nothing', async () => {
  const url = await database()
  const applied = await Promise.all([migrate(url, password), migrate(url, password)])
  expect(applied.toSorted((one, other) => other.length - one.length)).toEqual([names, []])
  expect(await migrate(url, password)).toEqual([])
  expect(await dumpSchema(url)).toBe(await dumpSchema(migratedUrl))
})

test('a file of functions that has changed, or was gone and comes back, is applied again, and nothing else is', async () => {
  const url = await migrated()
  const sql = connect(url)
  const canReceive = async () => (await sql`select can_receive(gen_random_uuid())`)[0]?.['can_receive'] as boolean
  expect(await canReceive()).toBe(false)
  const changed = withText('functions/organizations.sql', canReceiveAll)
  expect(await migrate(url, password, changed)).toEqual(['functions/organizations.sql'])
  expect(await canReceive()).toBe(true)
  expect(await migrate(url, password, changed)).toEqual([])
  expect(await migrate(url, password)).toEqual(['functions/organizations.sql'])
  expect(await canReceive()).toBe(false)
  expect(await dumpSchema(url)).toBe(await dumpSchema(migratedUrl))
  const fewer = known.filter(({ name }) => name !== 'functions/sandbox.sql')
  expect(await migrate(url, password, fewer)).toEqual([])
  expect(await migrate(url, password)).toEqual(['functions/sandbox.sql'])
})

test('functions that cannot be applied leave the database as it was', async () => {
  const url = await migrated()
  const broken = withText('functions/organizations.sql', (sql) => `${canReceiveAll(sql)}\nselect nonsense;`)
  await expect(migrate(url, password, broken)).rejects.toThrow('nonsense')
  expect(await dumpSchema(url)).toBe(await dumpSchema(migratedUrl))
  const [schema] = await connect(url)`
    select has_schema_privilege('business_finance_definer', 'public', 'create') as creates`
  expect(schema?.['creates']).toBe(false)
})

test('a database of an earlier line of migrations is refused with what to do, and left as it is', async () => {
  const url = await database()
  const sql = connect(url)
  await sql`create table migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())`
  const applied = '0001_foundation 0002_identity 0003_organizations 0004_ledger 0005_payments'.split(' ')
  const rows = applied.map((name) => ({ name: `${name}.sql`, checksum: checksumOf(name) }))
  await sql`insert into migrations ${sql(rows)}`
  const refused = await migrate(url, password).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(UnknownSchema)
  const unknown = '0002_identity.sql, 0003_organizations.sql, 0004_ledger.sql and 1 more. Nothing was changed.'
  for (const said of [unknown, 'begin with a new, empty database']) expect(String(refused)).toContain(said)
  const tables = await sql`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  expect(tables).toEqual([{ relname: 'migrations' }])
  expect(await sql`select from migrations`).toHaveLength(5)
})

test('a database of a later build is refused, and keeps the functions of that build', async () => {
  const url = await migrated()
  const later = withText('functions/organizations.sql', canReceiveAll)
  const next = { name: '9999_later.sql', sql: 'select 1', checksum: checksumOf('select 1'), repeatable: false }
  expect(await migrate(url, password, [...later, next])).toEqual(['functions/organizations.sql', '9999_later.sql'])
  await expect(migrate(url, password)).rejects.toThrow(UnknownSchema)
  expect((await connect(url)`select can_receive(gen_random_uuid())`)[0]?.['can_receive']).toBe(true)
})

test('a migration that was edited after it was applied is refused before anything is applied', async () => {
  const url = await migrated()
  const edited = withText('0018_sandbox.sql', (sql) => `${sql}\n`).map((file) =>
    file.name === 'functions/organizations.sql' ? { ...file, checksum: 'another' } : file,
  )
  const message = 'Migration 0018_sandbox.sql was changed after it was applied'
  await expect(migrate(url, password, edited)).rejects.toThrow(message)
  expect(await migrate(url, password)).toEqual([])
})

/** Makes an empty database whose owner is no superuser; answers its address for both. */
async function databaseOfOwner() {
  const role = `owner_${randomBytes(6).toString('hex')}`
  await owner.unsafe(`create role ${role} login createrole password 'owner'`)
  await owner.unsafe(`grant business_finance_definer, business_finance_app to ${role} with admin option, inherit false`)
  const url = new URL(await database())
  await owner`alter database ${owner(url.pathname.slice(1))} owner to ${owner(role)}`
  return { url: url.href, ownUrl: Object.assign(new URL(url), { username: role, password: 'owner' }).href }
}

test('an owner who is no superuser gives each account that there is one id, in all tables', async () => {
  const { url, ownUrl } = await databaseOfOwner()
  const before = known.filter(({ name }) => name < '0064')
  await migrate(ownUrl, password, before)
  const sql = connect(url)
  const [a, b, rest] = ['\\x01', '\\x02', '00000000-0000-4000-8000-0000000000']
  const organizations = [`${rest}01`, `${rest}02`]
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = 'replica'` // without foreign keys and triggers
    for (const id of organizations) {
      await tx`insert into organizations (id, name, svc_id, created_by) values (${id}, 'One', ${id.slice(-8)}, ${id})`
      for (const fingerprint of [a, a, b]) {
        await tx`insert into payment_destinations (organization_id, payment_contact_id, type, currency, sealed, fingerprint,
          created_by) values (${id}, ${id}, 'bank', 'EUR', '', ${fingerprint}::bytea, ${id})`
      }
      await tx`insert into bills (id, organization_id, status, fingerprint, created_by)
        values (${id}, ${id}, 'extracted', ${a}::bytea, ${id})`
      await tx`insert into payment_batches (id, organization_id, name, status, created_by)
        values (${id}, ${id}, 'One', 'awaiting_approval', ${id})`
      await tx`insert into payment_batch_rows (id, organization_id, payment_batch_id, row_number, line, sealed, status,
        errors, warnings, cell_errors, fingerprint) values (${id}, ${id}, ${id}, 1, 2, '', 'skipped', '[]', '[]', '[]',
        ${a}::bytea)`
    }
  })
  await migrate(ownUrl, password)
  const accounts = await sql<{ rows: number }[]>`
    select count(*)::int as rows from (select organization_id, account_id from payment_destinations
      union all select organization_id, account_id from bills
      union all select organization_id, account_id from payment_batch_rows) x
    where account_id is not null group by organization_id, account_id order by 1`
  expect(accounts.map(({ rows }) => rows)).toEqual([1, 1, 4, 4])
})

test('an owner who is no superuser migrates, and changes functions later', async () => {
  const { ownUrl } = await databaseOfOwner()
  expect(await migrate(ownUrl, password)).toEqual(names)
  const changed = withText('functions/organizations.sql', canReceiveAll)
  expect(await migrate(ownUrl, password, changed)).toEqual(['functions/organizations.sql'])
})

test('no function is called without a grant; those that see all organizations belong to the role that may, and fix their path', async () => {
  const open = owner`exists (select from aclexplode(p.proacl) a where a.grantee = 0)`
  const loose = owner`p.proowner <> 'business_finance_definer'::regrole
    or not coalesce(p.proconfig @> array['search_path=public, pg_temp'], false)`
  const faulty = await owner`
    select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = 'public'::regnamespace
      and (p.proacl is null or ${open} or p.prosecdef and (${loose}))`
  expect(faulty).toEqual([])
})
