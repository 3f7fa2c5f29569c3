/** Virtual IBANs of a bank by files: one for each receiving account, from a list that the bank has given. */
import { readFile } from 'node:fs/promises'
import { isValidIBAN } from 'ibantools'
import type { ConnectionName } from '../../domain/partner.ts'
import { lockBankAccount } from '../../db/postgres/locks.ts'
import { transaction } from '../../db/postgres/sql.ts'
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
