/** Restore of our database to an earlier instant, while the provider keeps what it did. */
import { owner } from './service.ts'

/** Tables that a restore leaves alone: time goes on, and the schema is the same. */
const KEEPS = new Set(['business_clock', 'migrations', 'conform_stops'])

type Column = { readonly table: string; readonly columns: string }

/** Copies all rows; `restore` puts them back, whatever was written since. */
export async function takeBackup(): Promise<{ restore: () => Promise<void> }> {
  const tables = await listTables()
  const copies = tables.map(
    ({ table, columns }) => `create table backup."${table}" as select ${columns} from "${table}"`,
  )
  await owner.unsafe(['drop schema if exists backup cascade', 'create schema backup', ...copies].join(';\n'))
  return { restore: () => putBack(tables) }
}

/** Puts all rows back in one transaction; triggers and references rest meanwhile. */
async function putBack(tables: readonly Column[]): Promise<void> {
  const names = tables.map(({ table }) => `"${table}"`)
  const rows = tables.map(
    ({ table, columns }) =>
      `insert into "${table}" (${columns}) overriding system value select ${columns} from backup."${table}"`,
  )
  await owner.begin((tx) =>
    tx.unsafe(['set local session_replication_role = replica', `truncate ${names.join(', ')}`, ...rows].join(';\n')),
  )
}

/** Lists tables with their stored columns, without those that Postgres computes. */
async function listTables(): Promise<readonly Column[]> {
  const rows = await owner<Column[]>`
    select c.relname as table, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`
  return rows.filter(({ table }) => !KEEPS.has(table))
}
