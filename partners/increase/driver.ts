/** Driver `increase`: a bank in dollars (https://increase.com), by the types of its client. docs/drivers/increase.md. */
import type { IncreaseSettings } from '../../platform/drivers/increase.ts'
import type { MoneyDriver } from '../driver.ts'
import type { PartnerEndpoint } from '../http.ts'
import { accountsAt } from './accounts.ts'
import { readCallback } from './callbacks.ts'
import { callsOf } from './calls.ts'
import { depositsAt } from './deposits.ts'
import { entitiesAt } from './entities.ts'
import { payoutsAt } from './payouts.ts'
import { DOLLARS } from './words.ts'

export type IncreaseConnection = {
  readonly endpoint: PartnerEndpoint
  readonly callbackSecret: string | null
  readonly settings: IncreaseSettings
}

/** Keys are unique at Increase for ever, and its lists are found by them. */
const CAPABILITIES = {
  cancels: true,
  checksPayees: false,
  knowsBalances: true,
  keysKept: 'ever',
  absenceSureAfterSeconds: 0,
  givesVersions: false,
  debitsSent: true,
  instant: [DOLLARS],
} as const

/** Makes the driver of a connection. */
export function increaseDriver({ endpoint, callbackSecret, settings }: IncreaseConnection): MoneyDriver {
  const at = callsOf(endpoint, settings)
  return {
    describe: () => CAPABILITIES,
    ...payoutsAt(at),
    ...depositsAt(at),
    ...accountsAt(at),
    ...(settings.verifies && entitiesAt(at)),
    readCallback: (callback) => readCallback(callbackSecret, callback),
  }
}
