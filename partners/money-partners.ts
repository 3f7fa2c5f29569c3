/** Registry of connections that move money: each has a driver, with what stands around every driver. */
import { type MoneyPartner, MONEY_PARTNERS } from '../domain/partner.ts'
import { railOf } from '../domain/rails.ts'
import { config } from '../platform/config.ts'
import { type CheckedDriver, checkAnswers } from './answers.ts'
import { endpointOf } from './http.ts'
import { httpDriver } from './http/driver.ts'

/** Drivers by connection; `null` where none is connected. */
const DRIVERS: ReadonlyMap<string, CheckedDriver | null> = new Map(
  MONEY_PARTNERS.map((name) => [name, driverOf(name)] as const),
)

function driverOf(name: MoneyPartner): CheckedDriver | null {
  const endpoint = endpointOf(name)
  if (!endpoint) return null
  const callbackSecret = config.partners[name]?.callbackSecret ?? null
  return checkAnswers(name, httpDriver({ endpoint, rail: railOf(name), callbackSecret }))
}

/** Finds the driver of a connection; null if there is none. */
export const findMoneyPartner = (name: string): CheckedDriver | null => DRIVERS.get(name) ?? null

/** Finds the driver of a connection. Throws if there is none: then nothing is asked of it, and none starts that has to be. */
export function moneyPartner(name: MoneyPartner): CheckedDriver {
  const driver = findMoneyPartner(name)
  if (!driver) throw new Error(`no ${name} is connected`)
  return driver
}
