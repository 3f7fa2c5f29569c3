import type { MoneyPartner } from '../domain/partner.ts'
import { endpointOf } from './http.ts'
import { type MoneyPartnerClient, moneyClient } from './money-client.ts'

export { type PartnerDeposit, type MoneyPartnerClient, isAnotherAmount, isUnknownMoney } from './money-client.ts'
export type { UnreadableRecord } from './schemas.ts'

/** Clients by partner. The bank never takes back a payout; the custodian does until it broadcasts. */
const CLIENTS: Readonly<Record<MoneyPartner, MoneyPartnerClient>> = {
  bank: moneyClient(endpointOf('bank')),
  custodian: moneyClient(endpointOf('custodian')),
}

export const moneyPartner = (name: MoneyPartner): MoneyPartnerClient => CLIENTS[name]
