/** Our own position: what open covers have us hold of some currencies, and owe of others. */
import { config } from '../../platform/config.ts'
import { refuse } from '../../domain/errors.ts'
import { first, sql } from '../sql.ts'

/** What it is worth in US dollars; opposite covers of a currency offset each other. */
export async function openPositionUsd(): Promise<number> {
  const row = await first(sql<{ value: string }[]>`select open_position_usd() as value`)
  return Number(row?.value ?? 0)
}

/** Whether it is worth more than `FX_POSITION_LIMIT_USD`. */
export const isOverLimit = async (): Promise<boolean> => (await openPositionUsd()) > config.fxPositionLimitUsd

/**
 * Refuses `service_unavailable` while our own position is over its limit. What is committed counts: exchanges that were
 * quoted before, or are carried out in this moment, may still take it further.
 */
export async function refuseOverLimit(): Promise<void> {
  if (await isOverLimit()) refuse('service_unavailable', { reason: 'exchange_paused', retry_after_seconds: 60 })
}
