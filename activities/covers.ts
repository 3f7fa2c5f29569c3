/** Step of a cover at the rates desk. Idempotent: the desk knows the trade's id. */
import { closeCover, findCover, noteUncovered } from '../services/covers/covers.ts'
import { log } from '../platform/log.ts'
import type { CoverId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { organizationOf } from '../db/processes/views.ts'
import { partnerRefusal } from '../partners/http.ts'
import { putTrade } from '../partners/rates.ts'
import { repeatsAtOnce } from './repeats.ts'

/** Trades what an exchange opened, and records the trade or the desk's refusal. Does nothing if it is covered. */
export async function tradeCover(ref: ProcessRef<CoverId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const { status, tradeId, sell, buy } = await asSystem(organizationId, (tx) => findCover(tx, id))
  if (status === 'covered') return
  try {
    await putTrade(tradeId, { sell, buy })
  } catch (error) {
    const refusal = partnerRefusal(error)
    if (!refusal && repeatsAtOnce(error)) throw error
    if (!refusal) log.warn({ err: error, cover_id: id, trade_id: tradeId }, 'the rates desk gave no clear answer')
    const note = refusal ? `refused: ${refusal.code}` : 'gave no clear answer'
    return asSystem(organizationId, (tx) => noteUncovered(tx, id, note))
  }
  await asSystem(organizationId, (tx) => closeCover(tx, id))
}
