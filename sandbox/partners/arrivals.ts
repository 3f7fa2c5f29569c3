/** Names of deposits that the sandbox makes: as the driver of their connection will name them. */
import type { Money } from '../../domain/money/money.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { config } from '../../platform/config.ts'
import { isOfDriver } from '../../platform/connections.ts'
import { depositIdAt } from '../../services/bank-files/deposit-ids.ts'
import { referenceOfArrival } from '../db/deposits.ts'

type ArrivalName = { readonly partnerDepositId: string; readonly reference: string | null }

/** Names a deposit: by our id, or at a bank by files by what its entry will say. */
export function nameArrival(partner: ConnectionName, id: string, amount: Money): ArrivalName {
  const connection = config.connections.find(({ name }) => name === partner)
  if (!connection || !isOfDriver(connection, 'iso20022')) return { partnerDepositId: id, reference: null }
  const account = connection.settings.accounts.find(({ currency }) => currency === amount.currency)
  if (!account) return { partnerDepositId: id, reference: null }
  const reference = referenceOfArrival(partner, id)
  return { partnerDepositId: depositIdAt(partner, account.iban, { reference, amount }), reference }
}
