/** Has a partner open a receiving account. */
import { partnerOf } from '../db/model/partner.ts'
import type { ReceivingAccountStatus } from '../db/model/receiving-account-flow.ts'
import { findOpening, recordOpened } from '../db/receiving-accounts.ts'
import { asSystem, readerOf } from '../db/sql.ts'
import { moneyPartner } from './partners/money.ts'
import type { ReceivingAccountRef } from './receiving-accounts.ts'

/** Opens the account at its partner, and keeps what it says: who holds it, and its number, are in no history. */
export async function openReceivingAccount(ref: ReceivingAccountRef): Promise<ReceivingAccountStatus> {
  const { organizationId, accountId } = ref
  const { status, rail, currency, network, holder } = await findOpening(readerOf(organizationId), accountId)
  if (status === 'active') return status
  const request = network ? { network, coin: currency } : { currency, holder }
  const opened = await moneyPartner(partnerOf(rail)).openAccount(accountId, request)
  return asSystem(organizationId, (tx) => recordOpened(tx, accountId, opened))
}
