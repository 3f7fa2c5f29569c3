/** Copies of an organization's rows, by SQL alone: for what depends on their number, and not on what is in them. */
import { owner } from './database.ts'

type Column = { readonly name: string; readonly type: string; readonly isUnique: boolean }

const MARK = 'c10e0000-0000-4000-8000-'
/** Columns of words that a constraint lists: copies have the same, also where they are part of a unique key. */
const LISTED = ['rail', 'currency', 'kind', 'type']
/** Tables whose rows are few for each organization by their constraints. */
const FEW = ['api_keys', 'ledger_accounts']

/** Finds tables of organizations with an id for each row, and the columns that are written. */
const findTables = () => owner<{ table: string; columns: Column[] }[]>`
  select c.relname as table, json_agg(json_build_object('name', a.attname, 'type', a.atttypid::regtype::text,
    'isUnique', exists (
      select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any (i.indkey::int2[])))) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attgenerated = '' and c.relname <> all (${FEW})
    and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'organization_id')
    and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'id' and o.atttypid = 'uuid'::regtype)
  group by c.relname`

/** Writes `count` copies of one row of each table of an organization. */
export async function insertClones(organizationId: string, count: number): Promise<void> {
  for (const { table, columns } of await findTables()) {
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    await owner.begin(async (tx) => {
      await tx`set local session_replication_role = 'replica'` // without foreign keys and triggers
      await tx.unsafe(
        `insert into "${table}" (${names}) select ${columns.map(valueOf).join(', ')}
         from (select * from "${table}" where organization_id = $1 limit 1) t, generate_series(1, $2::int) n`,
        [organizationId, count],
      )
    })
  }
  await owner`analyze`
}

/** Deletes all copies, since they are no valid books. */
export async function deleteClones(): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = 'replica'`
    for (const { table } of await findTables()) await tx`delete from ${tx(table)} where id::text like ${`${MARK}%`}`
  })
}

/** Makes the expression of a copy's value: another one where the table wants it unique. */
function valueOf({ name, type, isUnique }: Column): string {
  const same = `t."${name}"`
  if (name === 'id') return `('${MARK}' || lpad(to_hex(n), 12, '0'))::uuid`
  if (!isUnique || name === 'organization_id' || LISTED.includes(name)) return same
  const others: Readonly<Record<string, string>> = {
    uuid: `case when ${same} is not null then gen_random_uuid() end`,
    text: `${same} || n`,
    bigint: `${same} + n`,
    integer: `${same} + n`,
    bytea: `${same} || convert_to(n::text, 'UTF8')`,
  }
  return others[type] ?? same
}
