/** Rates of exchange, and trades at them, at the connections that serve them. */
import { now } from '../platform/clock.ts'
import { config } from '../platform/config.ts'
import { type Connection, isOfDriver } from '../platform/connections.ts'
import { ecbRates } from './ecb/rates.ts'
import { deskRates } from './http/rates.ts'
import { type PartnerEndpoint, endpointOf } from './http.ts'
import type { ConnectionName } from '../domain/partner.ts'
import type { Rate, RatesDriver, TradingDesk } from './rates-driver.ts'

/** Makes the driver of a connection that serves rates. */
const driverOf = (connection: Connection, endpoint: PartnerEndpoint): RatesDriver =>
  isOfDriver(connection, 'ecb') ? ecbRates(endpoint, { now }) : deskRates(endpoint)

const drivers: ReadonlyMap<ConnectionName, RatesDriver> = new Map(
  config.connections
    .filter(({ kind }) => kind === 'rates')
    .map((one) => [one.name, driverOf(one, endpointOf(one))] as const),
)

/** Finds the desk that trades at a connection. Throws for one that trades nothing, or is not there. */
export function tradesAt(connection: ConnectionName): TradingDesk {
  const desk = drivers.get(connection)?.trades
  if (!desk) throw new Error(`nobody trades at the connection ${connection}`)
  return desk
}

/** Asks for a rate at a connection, as patiently as for a trade. */
export function askRateAt(connection: ConnectionName, source: string, target: string): Promise<Rate> {
  const driver = drivers.get(connection)
  if (!driver) throw new Error(`no rates at the connection ${connection}`)
  return driver.askRate(source, target)
}

const { rates } = config.partners

/** Tells if a source of rates is connected: without one nothing is exchanged, and no rate is asked for. */
export const hasRates = rates !== null

/**
 * Asks for a rate, with a timeout of half a request, because a person waits for it. Deposits of coins ask within the
 * queues of those who move money, few at once.
 */
export const askRate: RatesDriver['askRate'] = rates ? impatient(rates).askRate : neverAsked

function impatient(connection: Connection): RatesDriver {
  const endpoint = endpointOf(connection)
  const movers = config.connections.filter(({ kind }) => kind === 'crypto').map(({ name }) => name)
  return driverOf(connection, {
    ...endpoint,
    queues: [...new Set([...endpoint.queues, 'custodian', ...movers])],
    timeoutMs: Math.min(endpoint.timeoutMs, Math.ceil(config.requestDeadlineMs / 2)),
  })
}

function neverAsked(): never {
  throw new Error('no rates are connected')
}
