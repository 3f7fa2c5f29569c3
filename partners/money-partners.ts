/** Partners that move money outside of the service, by name. */
import type { MoneyPartner } from '../domain/callbacks/partner.ts'
import { endpointOf } from './http.ts'
import { type MoneyPartnerClient, moneyClient } from './money-client.ts'

export {
  type PartnerDeposit,
  type MoneyPartnerClient,
  type PartnerPage,
  isAnotherAmount,
  isUnknownMoney,
} from './money-client.ts'
export type { UnreadableRecord } from './schemas.ts'

/** The bank cannot take back a payout; the custodian can until it broadcasts. */
const CLIENTS: Readonly<Record<MoneyPartner, MoneyPartnerClient>> = {
  bank: moneyClient(endpointOf('bank')),
  custodian: moneyClient(endpointOf('custodian')),
}

/** The client of a partner; `partnerOf(rail)` names the one of a rail. */
export const moneyPartner = (name: MoneyPartner): MoneyPartnerClient => CLIENTS[name]
