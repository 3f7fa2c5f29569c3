/** The custodian: coins on their chains. Until it broadcasts, it takes back what it was told to pay. */
import { endpointOf } from './http.ts'
import { type MoneyPartnerClient, moneyClient } from './money-client.ts'

export const custodian: MoneyPartnerClient = moneyClient(endpointOf('custodian'))
