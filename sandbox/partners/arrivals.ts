/** Names of deposits that the sandbox makes: as the driver of their connection will name them. */
import { type Money, toMinor } from '../../domain/money/money.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { config } from '../../platform/config.ts'
import { isOfDriver } from '../../platform/connections.ts'
import { depositIdAt } from '../../domain/bank-files/entry-ids.ts'
import { nameDeposits } from '../../services/partner-orders/their-ids.ts'
import { referenceOfArrival } from '../db/deposits.ts'
import { WIRE_FROM } from '../db/increase/transfers.ts'
import { idOf } from './increase/ids.ts'

type ArrivalName = {
  readonly partnerDepositId: string
  readonly reference: string | null
  /** Id in the books of the stand-ins. */
  readonly bookedAs: string
}

/** Names a deposit: by our id, at Increase by the id of its transfer, or at a bank by files by what its entry will say. */
export async function nameArrival(partner: ConnectionName, id: string, amount: Money): Promise<ArrivalName> {
  const connection = config.connections.find(({ name }) => name === partner)
  if (connection && isOfDriver(connection, 'increase')) {
    const isWire = toMinor(amount) >= toMinor({ ...amount, amount: WIRE_FROM })
    const theirId = idOf(isWire ? 'inbound_wire_transfer' : 'inbound_ach_transfer', id)
    const [partnerDepositId = id] = await nameDeposits(partner, [theirId])
    return { partnerDepositId, reference: null, bookedAs: id }
  }
  const byId = { partnerDepositId: id, reference: null, bookedAs: id }
  if (!connection || !isOfDriver(connection, 'iso20022')) return byId
  const account = connection.settings.accounts.find(({ currency }) => currency === amount.currency)
  if (!account) return byId
  const reference = referenceOfArrival(partner, id)
  const partnerDepositId = depositIdAt(partner, account.iban, { reference, amount })
  return { partnerDepositId, reference, bookedAs: partnerDepositId }
}
