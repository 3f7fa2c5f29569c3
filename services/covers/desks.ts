/** Desks by their connections: which one covers an exchange, and which of them trade. */
import { config } from '../../platform/config.ts'
import { isOfDriver } from '../../platform/connections.ts'
import { findConnection } from '../connections/connections.ts'
import { type ConnectionName, DEFAULT_DESK } from '../../domain/partner.ts'

/** Names the connection whose rate an exchange has, and that covers it; null for the desk of old, as rows have it. */
export const deskOfNewCovers = (): ConnectionName | null => {
  const name = config.partners.rates?.name ?? DEFAULT_DESK
  return name === DEFAULT_DESK ? null : name
}

/** Tells if a desk trades there; covers of others wait for operators. */
export const isTraded = (connection: ConnectionName): boolean => {
  const found = findConnection(connection)
  return found !== undefined && !isOfDriver(found, 'ecb')
}

/** Lists connections whose covers wait for operators. */
export const listUntraded = (): ConnectionName[] =>
  config.connections.filter(({ kind, name }) => kind === 'rates' && !isTraded(name)).map(({ name }) => name)
