/** Connections to partners that move money, by name and by what they serve. */
import type { Connection } from '../../platform/connections.ts'
import { config } from '../../platform/config.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { type Clearing, type PartnerRail, type Rail, clearingOf } from '../../domain/rails.ts'

/** A connection that moves money on a rail. */
export type MoneyConnection = Connection & { readonly kind: PartnerRail }

const isMoney = (one: Connection): one is MoneyConnection => one.kind === 'fiat' || one.kind === 'crypto'

/** Connections that move money, in the order of the configuration. */
export const MONEY_CONNECTIONS: readonly MoneyConnection[] = config.connections.filter(isMoney)

/** Connections whose movements are in our books: they are reconciled, and can be paused. Others have none. */
export const BOOKED_CONNECTIONS: readonly Connection[] = config.connections.filter(
  ({ kind }) => kind !== 'messages' && kind !== 'screening',
)

const BY_NAME = new Map(config.connections.map((one) => [one.name, one]))

export const findConnection = (name: ConnectionName): Connection | undefined => BY_NAME.get(name)

/** Finds the rail of a connection. Throws for one that is not configured: nothing is booked for it. */
export function railOf(name: ConnectionName): PartnerRail {
  const found = findConnection(name)
  if (!found || !isMoney(found)) throw new Error(`no connection ${name} that moves money`)
  return found.kind
}

/** Names the kind of the clearing account of a connection. */
export const clearingAt = (name: ConnectionName): Clearing => clearingOf({ rail: railOf(name), connection: name })

/** Money of a rail: a currency at a bank; a coin, on one network or on any. */
export type MoneyOfRail = { readonly rail: PartnerRail; readonly currency: string; readonly network?: string | null }

/** Tells whether a connection serves money on its rail. */
export function serves({ kind, serves: served }: Connection, { rail, currency, network = null }: MoneyOfRail): boolean {
  if (kind !== rail) return false
  if (served === null) return true
  return served.some((one) => {
    const [code, on = null] = one.split('/')
    return code === currency && (network === null || on === network)
  })
}

/** Finds the connection that gets new payments and accounts of this money: the first open one that serves it. */
export const connectionFor = (money: MoneyOfRail): MoneyConnection | undefined =>
  MONEY_CONNECTIONS.find((one) => !one.closed && serves(one, money))

/** Names the connection of a new payment; null by service ID, and if none serves its money. */
export const nameConnection = ({
  rail,
  ...money
}: Omit<MoneyOfRail, 'rail'> & { readonly rail: Rail }): ConnectionName | null =>
  rail === 'svc_id' ? null : (connectionFor({ rail, ...money })?.name ?? null)
