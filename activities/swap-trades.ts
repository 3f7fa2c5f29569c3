/** What the workflow of a swap asks of the rates desk. It may be repeated: the desk knows the swap's id. */
import { asSystem } from '../db/sql.ts'
import { swapCover } from '../db/swaps.ts'
import { partnerRefusal } from './partners/http.ts'
import { putTrade } from './partners/rates.ts'
import type { SwapRef } from './swaps.ts'

/**
 * Closes our own position of a swap: sells what came in and buys what went out. Answers `executed`, or the code with which
 * the desk refused, for the time being: `market_closed` on a weekend that began meanwhile.
 * @public the workflow calls it by its proxy
 */
export async function tradeSwap({ organizationId, swapId }: SwapRef): Promise<string> {
  const { sell, buy } = await asSystem(organizationId, (tx) => swapCover(tx, swapId))
  try {
    await putTrade(swapId, { sell, buy })
    return 'executed'
  } catch (error) {
    const refusal = partnerRefusal(error)
    if (refusal) return refusal.code
    throw error
  }
}
