import type { MoneyPartner } from '../domain/partner.ts'
import { endpointOf } from './http.ts'
import { type MoneyPartnerClient, moneyClient } from './money-client.ts'

export { type PartnerDeposit, type MoneyPartnerClient, isAnotherAmount, isUnknownMoney } from './money-client.ts'
export type { UnreadableRecord } from './schemas.ts'

/** Clients by partner. The bank never takes back a payout; the custodian does until it broadcasts. */
const CLIENTS: Readonly<Record<MoneyPartner, MoneyPartnerClient | null>> = {
  bank: clientOf('bank'),
  custodian: clientOf('custodian'),
}

function clientOf(name: MoneyPartner): MoneyPartnerClient | null {
  const endpoint = endpointOf(name)
  return endpoint && moneyClient(endpoint)
}

/** Finds the client of a partner. Throws if none is connected: then nothing is asked of it, and none starts that has to be. */
export function moneyPartner(name: MoneyPartner): MoneyPartnerClient {
  const client = CLIENTS[name]
  if (!client) throw new Error(`no ${name} is connected`)
  return client
}
