/** Findings about files of banks, for operators. */
import type { Finding } from '../../domain/audit/audit.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { sql } from '../../db/postgres/sql.ts'

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
