/** Who moves money outside of the service, by name. */
import type { MoneyPartner } from '../domain/callbacks/partner.ts'
import { bank } from './bank.ts'
import { custodian } from './custodian.ts'
import type { MoneyPartnerClient } from './money-client.ts'

export {
  type PartnerDeposit,
  type MoneyPartnerClient,
  type PartnerPage,
  isAnotherAmount,
  isUnknownMoney,
} from './money-client.ts'
export type { UnreadableRecord } from './schemas.ts'

const CLIENTS: Readonly<Record<MoneyPartner, MoneyPartnerClient>> = { bank, custodian }

/** The client of a partner; `partnerOf(rail)` names the one of a rail. */
export const moneyPartner = (name: MoneyPartner): MoneyPartnerClient => CLIENTS[name]
