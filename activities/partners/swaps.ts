/** What the process of a swap asks of the rates desk. It may be repeated: the desk knows the swap's id. */
import { log } from '../../db/log.ts'
import type { SwapId } from '../../db/model/ids.ts'
import type { ProcessRef } from '../../db/model/process.ts'
import { organizationOf } from '../../db/processes.ts'
import { asSystem } from '../../db/sql.ts'
import { closePosition, noteUncovered, swapCover } from '../../db/swaps/swaps.ts'
import { partnerRefusal } from '../clients/http.ts'
import { putTrade } from '../clients/rates.ts'
import { repeatsAtOnce } from '../repeats.ts'

/**
 * Closes our own position of a swap: sells what came in and buys what went out, and records that, or why the desk did
 * not trade for the time being: `market_closed` on a weekend that began meanwhile. Nothing if it is covered.
 * @public the workflow calls it by its proxy
 */
export async function coverSwap(ref: ProcessRef): Promise<void> {
  const organizationId = organizationOf(ref)
  const id = ref.id as SwapId // the ref of a swap's process
  const { status, sell, buy } = await asSystem(organizationId, (tx) => swapCover(tx, id))
  if (status === 'covered') return
  try {
    await putTrade(id, { sell, buy })
  } catch (error) {
    const refusal = partnerRefusal(error)
    if (!refusal && repeatsAtOnce(error)) throw error
    if (!refusal) log.warn({ err: error, swap_id: id }, 'the rates desk gives no clear answer')
    const note = refusal ? `refused: ${refusal.code}` : 'gave no clear answer'
    return asSystem(organizationId, (tx) => noteUncovered(tx, id, note))
  }
  await asSystem(organizationId, (tx) => closePosition(tx, id))
}
