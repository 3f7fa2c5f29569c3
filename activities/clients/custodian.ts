/** The custodian: coins on their chains. Until it broadcasts, it takes back what it was told to pay. */
import { doorOf } from './http.ts'
import { type MoneyPartnerClient, moneyClient } from './money-client.ts'

export const custodian: MoneyPartnerClient = moneyClient(doorOf('custodian'))
