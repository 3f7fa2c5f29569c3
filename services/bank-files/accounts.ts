/** Accounts at a bank by files: their virtual IBANs, one for each receiving account, and their balances. */
import { readFile } from 'node:fs/promises'
import { isValidIBAN } from 'ibantools'
import type { AccountReport } from '../../domain/bank-files/messages.ts'
import type { StoredBalance } from '../../domain/bank-files/records.ts'
import type { BankFileId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { lockBankAccount } from '../../db/postgres/locks.ts'
import { sql, transaction } from '../../db/postgres/sql.ts'
import { fileBank } from './settings.ts'

/** Takes the next virtual IBAN of the list for an account, the same again for the same id; null if none is left. */
export async function takeVirtualIban(connection: ConnectionName, id: string): Promise<string | null> {
  const { virtualIbans: path } = fileBank(connection).settings
  if (path === null) throw new Error(`the connection ${connection} has no virtual IBANs`)
  const listed = (await readFile(path, 'utf8')).split(/\r?\n/).map((line) => line.replaceAll(' ', ''))
  const ibans = listed.filter((line) => isValidIBAN(line))
  return transaction(async (tx) => {
    await lockBankAccount(tx, connection, 'virtual IBANs')
    const [known] = await tx<{ iban: string }[]>`
      select iban from bank_virtual_ibans where connection = ${connection} and receiving_account_id = ${id}`
    if (known) return known.iban
    const taken = await tx<{ iban: string }[]>`
      select iban from bank_virtual_ibans where connection = ${connection} and iban = any (${ibans}::text[])`
    const used = new Set(taken.map(({ iban }) => iban))
    const iban = ibans.find((one) => !used.has(one))
    if (!iban) return null
    await tx`insert into bank_virtual_ibans (connection, iban, receiving_account_id) values (${connection}, ${iban}, ${id})`
    return iban
  })
}

/** Statement of an account in a file. */
type ReadStatement = {
  readonly connection: ConnectionName
  readonly fileId: BankFileId
  readonly report: AccountReport
}

/**
 * Stores the closing balance of a statement; of one in pages, that of its last page. A balance that the entries contradict
 * is a finding alone: the bank corrects it, often under the same instant.
 */
export async function bookBalance({ connection, fileId, report }: ReadStatement): Promise<void> {
  const { opening, closing, account, contradictions, createdAt, page } = report
  if (report.kind !== 'statement' || !closing || page?.isLast === false || contradictions.includes('Bal')) return
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
