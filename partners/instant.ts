/** Instant payments by bank: which connections carry them, and which accounts they reach. */
import { type Coordinates, payable } from '../domain/destinations/destination.ts'
import type { Money } from '../domain/money/money.ts'
import type { ConnectionName } from '../domain/partner.ts'
import { log } from '../platform/log.ts'
import { connectionFor } from '../services/connections/connections.ts'
import { findMoneyPartner } from './money-partners.ts'

/** Reason for which a payment cannot be instant. */
type Hindrance = 'not_served' | 'account_not_reached' | 'partner_away'

/** Tells whether a connection carries instant payments in a currency. */
export function carriesInstant(name: ConnectionName, currency: string): boolean {
  const currencies = findMoneyPartner(name)?.describe().instant ?? []
  return currencies === 'all' || currencies.includes(currency)
}

/** Finds why a payment to an account cannot be instant; null if it can. */
export async function whyNotInstant(coordinates: Coordinates, amount: Money): Promise<Hindrance | null> {
  const { currency } = amount
  const connection = connectionFor({ rail: 'fiat', currency })
  if (!connection || !carriesInstant(connection.name, currency)) return 'not_served'
  const reachesInstantly = findMoneyPartner(connection.name)?.reachesInstantly
  if (!reachesInstantly) return null
  try {
    return (await reachesInstantly(payable(coordinates), amount)) ? null : 'account_not_reached'
  } catch (error) {
    log.warn({ err: error, partner: connection.name }, 'the bank could not say if an instant payment arrives')
    return 'partner_away'
  }
}
