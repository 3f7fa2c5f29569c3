/** Registry of connections that move money: each has a driver, with what stands around every driver. */
import type { ConnectionName } from '../domain/partner.ts'
import { isOfDriver } from '../platform/connections.ts'
import { MONEY_CONNECTIONS, type MoneyConnection } from '../services/connections/connections.ts'
import { type CheckedDriver, checkAnswers } from './answers.ts'
import type { MoneyDriver } from './driver.ts'
import { fireblocksDriver } from './fireblocks/driver.ts'
import { endpointOf } from './http.ts'
import { iso20022Driver } from './iso20022/driver.ts'
import { fileStoreOf } from '../services/bank-files/store.ts'
import { httpDriver } from './http/driver.ts'
import { increaseDriver } from './increase/driver.ts'
import { useOurIds } from './our-ids.ts'

const DRIVERS: ReadonlyMap<ConnectionName, CheckedDriver> = new Map(
  MONEY_CONNECTIONS.map((one) => [one.name, checkAnswers(one.name, useOurIds(one.name, driverOf(one)))]),
)

function driverOf(connection: MoneyConnection): MoneyDriver {
  const { kind: rail, callbackSecret } = connection
  if (isOfDriver(connection, 'http')) {
    const { keysKeptHours, instant, verifies } = connection.settings
    return httpDriver({ endpoint: endpointOf(connection), rail, callbackSecret, keysKeptHours, instant, verifies })
  }
  if (isOfDriver(connection, 'fireblocks')) return fireblocksDriver(endpointOf(connection), connection.settings)
  if (isOfDriver(connection, 'iso20022')) {
    const { name: party, settings } = connection
    return iso20022Driver({ party, settings, store: fileStoreOf(connection) })
  }
  if (isOfDriver(connection, 'increase'))
    return increaseDriver({ endpoint: endpointOf(connection), callbackSecret, settings: connection.settings })
  throw new Error(`the driver ${connection.settings.driver} is not built`)
}

/** Finds the driver of a connection; null if there is none. */
export const findMoneyPartner = (name: ConnectionName): CheckedDriver | null => DRIVERS.get(name) ?? null

/** Finds the driver of a connection. Throws if there is none: then nothing is asked of it, and none starts that has to be. */
export function moneyPartner(name: ConnectionName): CheckedDriver {
  const driver = findMoneyPartner(name)
  if (!driver) throw new Error(`no connection ${name}`)
  return driver
}
