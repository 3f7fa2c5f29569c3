/** Step of a cover at the rates desk. Idempotent: the desk knows the trade's id. */
import { closeCover, findCover, noteUncovered } from '../services/covers/covers.ts'
import { type OpenPosition, type Trade, isNearMarket, isNearQuote, keepsPromise } from '../domain/covers/trade.ts'
import { log } from '../platform/log.ts'
import type { ConnectionName } from '../domain/partner.ts'
import { isTraded } from '../services/covers/desks.ts'
import type { CoverId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { organizationOf } from '../db/processes/views.ts'
import { partnerRefusal } from '../partners/http.ts'
import { askRateAt, tradesAt } from '../partners/rates.ts'
import { repeatsAtOnce } from './repeats.ts'

/**
 * Trades what an exchange opened, and records the trade or the desk's refusal. What operators dealt is recorded without
 * the desk. Does nothing if it is covered, or the desk is paused.
 */
export async function tradeCover(ref: ProcessRef<CoverId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const { status, tradeId, dealt, connection, paused, sell, buy } = await asSystem(organizationId, (tx) =>
    findCover(tx, id),
  )
  if (status === 'covered') return
  if (dealt) return asSystem(organizationId, (tx) => closeCover(tx, id, null))
  if (!isTraded(connection) || paused !== null) return
  const answer = await askDesk(ref, { connection, tradeId, sell, buy })
  await asSystem(organizationId, (tx) =>
    typeof answer === 'string' ? noteUncovered(tx, id, answer) : closeCover(tx, id, answer),
  )
}

type AskedCover = OpenPosition & { readonly connection: ConnectionName; readonly tradeId: string }

/** Asks the desk for the trade; answers it, or why there is none that is booked. */
async function askDesk({ id }: ProcessRef<CoverId>, cover: AskedCover): Promise<Trade | string> {
  const { connection, tradeId, ...position } = cover
  try {
    const trade = await tradesAt(connection).putTrade(tradeId, { ...position, fixed: 'buy' })
    if (await isBelievable(connection, position, trade)) return trade
    log.error({ cover_id: id, trade_id: tradeId }, 'the rates desk traded too far from what was quoted')
    return 'traded too far from what was quoted'
  } catch (error) {
    const refusal = partnerRefusal(error)
    if (!refusal && repeatsAtOnce(error)) throw error
    if (!refusal) log.warn({ err: error, cover_id: id, trade_id: tradeId }, 'the rates desk gave no clear answer')
    return refusal ? `refused: ${refusal.code}` : 'gave no clear answer'
  }
}

/** Tells if a trade is one that a desk may make; asks for the present rate only if it is far from the quote. */
async function isBelievable(connection: ConnectionName, position: OpenPosition, trade: Trade): Promise<boolean> {
  if (!keepsPromise(position, trade)) return false
  if (isNearQuote(position, trade)) return true
  const { rate } = await askRateAt(connection, position.sell.currency, position.buy.currency)
  return isNearMarket(trade, rate)
}
