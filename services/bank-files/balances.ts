/** Balances of accounts at a bank by files. */
import type { AccountReport } from '../../domain/bank-files/messages.ts'
import type { StoredBalance } from '../../domain/bank-files/records.ts'
import type { BankFileId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { sql } from '../../db/postgres/sql.ts'

/** Statement of an account in a file. */
type ReadStatement = {
  readonly connection: ConnectionName
  readonly fileId: BankFileId
  readonly report: AccountReport
}

/** Stores the closing balance of a statement; of one in pages, that of its last page. */
export async function bookBalance({ connection, fileId, report }: ReadStatement): Promise<void> {
  const { opening, closing, account, createdAt, page } = report
  if (report.kind !== 'statement' || !closing || page?.isLast === false) return
  const { amount, day } = closing
  const asOf = createdAt.slice(0, 10) === day ? createdAt : `${day}T23:59:59.999Z`
  const opened = page === null || page.number === 1 ? (opening?.amount.amount ?? null) : null
  await sql`
    insert into bank_balances as b (connection, account, day, opening, amount, currency, as_of, file_id)
    values (${connection}, ${account}, ${day}, ${opened}, ${amount.amount}, ${amount.currency}, ${asOf}, ${fileId})
    on conflict (connection, account, day) do update
    set opening = excluded.opening, amount = excluded.amount, as_of = excluded.as_of, file_id = excluded.file_id
    where b.as_of <= excluded.as_of`
}

/** Lists the last balance of each account; null while there is none. */
export async function listBalances(connection: ConnectionName): Promise<StoredBalance[] | null> {
  const rows = await sql<{ amount: string; currency: string; as_of: string }[]>`
    select distinct on (account) amount, currency, as_of from bank_balances
    where connection = ${connection} order by account, day desc`
  if (rows.length === 0) return null
  return rows.map(({ amount, currency, as_of: asOf }) => ({ currency, asOf, amount: moneyOf(amount, currency).amount }))
}
