/** Findings about files of banks, for operators. */
import type { Finding } from '../../domain/audit/audit.ts'
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
    where b.opening is not null and b.opening <> last.amount`
  return [...rows]
}
