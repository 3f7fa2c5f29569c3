/** Settings of banks by files. */
import type { BankAccount } from '../../domain/bank-files/messages.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { type Connection, isOfDriver } from '../../platform/connections.ts'
import type { Iso20022Settings } from '../../platform/drivers/iso20022.ts'
import { config } from '../../platform/config.ts'

export type FileBank = Connection<Iso20022Settings>

/** Connections to banks by files. */
export const FILE_BANKS: readonly FileBank[] = config.connections.filter((one): one is FileBank =>
  isOfDriver(one, 'iso20022'),
)

/** Finds a bank by files. Throws if there is none of the name. */
export function fileBank(name: ConnectionName): FileBank {
  const found = FILE_BANKS.find((one) => one.name === name)
  if (!found) throw new Error(`no bank by files ${name}`)
  return found
}

/** Finds our account in a currency. Throws without one. */
export function accountIn({ settings }: FileBank, currency: string): BankAccount {
  const account = settings.accounts.find((one) => one.currency === currency)
  if (!account) throw new Error(`no account in ${currency}`)
  return account
}

/** Finds our account by its IBAN, as the bank writes it. */
export const ownAccount = ({ settings }: FileBank, iban: string): BankAccount | undefined =>
  settings.accounts.find((one) => one.iban === iban.replaceAll(' ', ''))
