/** Files of banks and what is wrong with them, for operators. */
import type { Finding } from '../../domain/audit/audit.ts'
import { bankFileFlow } from '../../domain/bank-files/flow.ts'
import { refuse } from '../../domain/errors.ts'
import type { BankFileId } from '../../domain/ids.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { decrypt } from '../../platform/encryption.ts'
import { type Fragment, first, sql, transaction } from '../../db/postgres/sql.ts'
import { move } from '../../db/processes/transition.ts'

/** File as operators see it: nothing of its content. */
export type ListedFile = {
  readonly id: BankFileId
  readonly connection: string
  readonly direction: 'out' | 'in'
  readonly name: string
  readonly status: string
  readonly kind: string | null
  readonly currency: string | null
  readonly count: number | null
  readonly sum: string | null
  readonly byte_size: string | null
  readonly sha256: string | null
  readonly faults: readonly string[]
  readonly inserted_at: string
}

const files = (condition: Fragment): Fragment => sql`
  select id, connection, direction, name, status, kind, currency, count, sum, byte_size, sha256, faults, inserted_at
  from bank_files where ${condition}`

/** Lists the latest files, newest first. */
export const listFiles = (most: number): Promise<ListedFile[]> => sql<ListedFile[]>`
  ${files(sql`true`)} order by inserted_at desc, id desc limit ${most}`

/** Finds a file, and counts its payments by status. Refuses `not_found`. */
export async function describeFile(id: BankFileId) {
  const file = await first(sql<ListedFile[]>`${files(sql`id = ${id}`)}`)
  if (!file) refuse('not_found')
  const payments = await sql<{ status: string; count: number }[]>`
    select status, count(*)::int as count from bank_payments where file_id = ${id} group by 1 order by 1`
  return { file, payments: [...payments] }
}

/** Opens the bytes of a file. Refuses `not_found` for one that has none. */
export async function bytesOfFile(id: BankFileId): Promise<Buffer> {
  const row = await first(sql<{ sealed: Buffer | null }[]>`select sealed from bank_files where id = ${id}`)
  if (!row?.sealed) refuse('not_found')
  return decrypt(row.sealed)
}

/** Has a file of a bank read once more; books nothing twice. Refuses `invalid_state` for one without bytes of its own. */
export const readAgain = (id: BankFileId): Promise<void> =>
  transaction(async (tx) => {
    const [file] = await tx<{ status: string; has_bytes: boolean }[]>`
      select status, sealed is not null as has_bytes from bank_files where id = ${id} and direction = 'in'`
    if (!file) refuse('not_found')
    const isMoved = file.has_bytes && (await move(tx, bankFileFlow, id, { event: 'read_again' }))
    if (!isMoved && file.status !== 'fetched') refuse('invalid_state', { current: file.status, allowed: [] })
  })

/** Prefix of the checks. */
export const BANK_FILE_CHECKS = 'bank_file_'

/** Lists what is wrong with files, and days of accounts without a statement. */
export const listFindings = async (): Promise<Finding[]> => {
  const rows = await sql<Finding[]>`
    select 'bank_file_' || case f.status when 'on_hold' then 'not_acknowledged' when 'unreadable' then 'unreadable'
      else split_part(w, ':', 1) end as check,
      f.connection || ':' || f.name || case when f.status in ('on_hold', 'unreadable') then ''
        else coalesce(':' || nullif(substr(w, strpos(w, ':') + 1), w), '') end as subject
    from bank_files f left join lateral unnest(f.faults) w on f.status not in ('on_hold', 'unreadable')
    where f.faults <> '{}' or f.status in ('unreadable', 'on_hold')
    union all
    select 'bank_file_statement_missing', b.connection || ':' || b.account || ' before ' || b.day
    from bank_balances b, lateral (select p.amount from bank_balances p
      where p.connection = b.connection and p.account = b.account and p.day < b.day order by p.day desc limit 1) last
    where b.opening is not null and b.opening <> last.amount
    union all
    select 'bank_file_' || e.errand || '_impossible', d.connection || ':' || e.fault
    from bank_folders d, lateral (values ('upload', d.upload_fault), ('fetch', d.fetch_fault)) e (errand, fault)
    where e.fault is not null`
  return [...rows]
}

/** Errand for which the folder of a bank is visited. */
export type Errand = 'upload' | 'fetch'

/** Stores by what fault visits to a folder fail, null for none; answers whether that is new. */
export async function noteErrand(connection: ConnectionName, errand: Errand, fault: string | null): Promise<boolean> {
  const column = errand === 'upload' ? sql`upload_fault` : sql`fetch_fault`
  const noted =
    fault === null
      ? await sql`
          update bank_folders d set ${column} = null where connection = ${connection} and d.${column} is not null returning connection`
      : await sql`
          insert into bank_folders as d (connection, ${column}) values (${connection}, ${fault})
          on conflict (connection) do update set ${column} = excluded.${column}
          where d.${column} is distinct from excluded.${column} returning connection`
  return noted.length > 0
}
