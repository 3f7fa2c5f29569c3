/** Deposits of a bank by files: credits of strangers on our accounts, and those that go back. */
import type { StoredDeposit, SenderOfDeposit, StoredPage } from '../../domain/bank-files/records.ts'
import { moneyOf } from '../../domain/money/money.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { decryptForRow } from '../../platform/encryption.ts'
import { type Fragment, first, sql } from '../../db/postgres/sql.ts'

type Row = {
  readonly id: string
  readonly account: string
  readonly amount: string
  readonly currency: string
  readonly sealed: Buffer
  readonly is_back: boolean
  readonly booked_at: string
  readonly seq: string
  readonly reference: string | null
}

/** Selects deposits; one that we send back is back once the bank has booked that. */
const deposits = (condition: Fragment): Fragment => sql`
  select p.id, p.account, p.amount, p.currency, p.sealed, p.seq, e.booked_at, e.reference,
    p.status = 'returned' or exists (select from bank_payments b
      where b.connection = p.connection and b.id = p.id and b.kind = 'return' and b.status = 'settled') as is_back
  from bank_entry_parts p join bank_entries e on e.id = p.entry_id
  where p.kind = 'deposit' and ${condition}`

function depositOf({ id, account, amount, currency, sealed, ...row }: Row): StoredDeposit & { readonly seq: string } {
  const { sender, reference } = decryptForRow(id, sealed) as {
    readonly sender: SenderOfDeposit
    readonly reference: string | null
  } // written by booking.ts
  const status = row.is_back ? 'returned' : 'received'
  const named = reference ?? row.reference
  return { id, account, amount: moneyOf(amount, currency), sender, reference: named, status, receivedAt: row.booked_at, seq: row.seq } // prettier-ignore
}

export async function findDeposit(connection: ConnectionName, id: string): Promise<StoredDeposit | null> {
  const row = await first(sql<Row[]>`${deposits(sql`p.connection = ${connection} and p.id = ${id}::uuid`)}`)
  return row ? depositOf(row) : null
}

/** Deposits of a page: senders write into it. */
const PAGE = 10

/** Lists deposits in the order in which they were booked here. */
export async function listDeposits(
  connection: ConnectionName,
  after: string | undefined,
): Promise<StoredPage<StoredDeposit>> {
  const rows = await sql<Row[]>`
    ${deposits(sql`p.connection = ${connection} and p.seq > ${after ?? '0'}::bigint`)} order by p.seq limit ${PAGE}`
  return { data: rows.map(depositOf), next: rows.length === PAGE ? (rows.at(-1)?.seq ?? null) : null }
}

/** Lists the deposits that a file tells of: each is looked at. */
export async function depositsOf(fileId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct p.id from bank_entry_mentions m join bank_entry_parts p on p.entry_id = m.entry_id
    where m.file_id = ${fileId} and p.kind = 'deposit'`
  return rows.map(({ id }) => id)
}
