/** The bank: payments and deposits in currencies. It cannot take back what it was told to pay. */
import { endpointOf } from './http.ts'
import { type MoneyPartnerClient, moneyClient } from './money-client.ts'

export const bank: MoneyPartnerClient = moneyClient(endpointOf('bank'))
