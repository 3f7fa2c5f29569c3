/** Covers: each exchange opens our own position, and its cover closes that at the rates desk. */
import { askAgain } from '../../db/processes/asking.ts'
import { config } from '../../platform/config.ts'
import { setCause, latestEvent } from '../events.ts'
import { type Leg, credit, debit, post, system } from '../ledger/ledger.ts'
import { coverMoves } from '../../domain/covers/events.ts'
import { refuse } from '../../domain/errors.ts'
import { type CoverStatus, coverFlow } from '../../domain/covers/flow.ts'
import type { CoverId, EventId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { type Tx, first, sql, values } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'

/** Position that an exchange opens: what came in is to be sold, and what went out is to be bought. */
export type OpenCover = { readonly sell: Money; readonly buy: Money }

/** Makes the legs of an exchange in our own position. Their caller calls openCover() in the same transaction. */
export const openingLegs = (opened: OpenCover | undefined): Leg[] =>
  opened ? [credit(system('fx'), opened.sell), debit(system('fx'), opened.buy)] : []

/** Makes the legs of the trade: the desk has what we sold and owes us what we bought. */
const closingLegs = ({ sell, buy }: OpenCover): Leg[] => [
  debit(system('fx'), sell),
  credit(system('desk'), sell),
  debit(system('desk'), buy),
  credit(system('fx'), buy),
]

export type NewCover = OpenCover & {
  readonly id: CoverId
  /** Key of the transfer that has the legs. */
  readonly transferKey: string
  /** The swap or payment whose latest event, of this transaction, has opened it. */
  readonly openedBy: string
  /** Id of the trade at the desk. It stays the same if the database is restored and the exchange repeated. */
  readonly tradeId: string
  /** Value in US dollars when its rate was quoted. */
  readonly valueUsd: string
}

/** Writes the cover of a transfer of this transaction; its run closes it after the commit. */
export async function openCover(tx: Tx, { id, sell, buy, ...cover }: NewCover): Promise<void> {
  await tx`
    insert into covers ${values({
      id,
      organization_id: tx.organizationId,
      transfer_key: cover.transferKey,
      trade_id: cover.tradeId,
      opened_by: latestEvent(tx, cover.openedBy),
      sell_amount: sell.amount,
      sell_currency: sell.currency,
      buy_amount: buy.amount,
      buy_currency: buy.currency,
      value_usd: cover.valueUsd,
      status: 'open',
    })}`
  wake(tx, coverFlow, { ids: [id], why: 'opened', status: 'open' })
}

type Cover = OpenCover & { readonly status: CoverStatus; readonly tradeId: string; readonly openedBy: EventId }

type CoverRow = Pick<Cover, 'status' | 'tradeId' | 'openedBy'> &
  Record<'sell_amount' | 'sell_currency' | 'buy_amount' | 'buy_currency', string>

/** Finds one cover; with `lock`, nothing else moves it until the transaction ends. Refuses `not_found`. */
export async function findCover(tx: Tx, id: CoverId, { lock = false } = {}): Promise<Cover> {
  const [row] = await tx<CoverRow[]>`
    select status, trade_id as "tradeId", opened_by as "openedBy", sell_amount, sell_currency, buy_amount, buy_currency
    from covers where id = ${id} ${lock ? sql`for no key update` : sql``}`
  if (!row) refuse('not_found')
  const { sell_amount, sell_currency, buy_amount, buy_currency, ...cover } = row
  return { ...cover, sell: moneyOf(sell_amount, sell_currency), buy: moneyOf(buy_amount, buy_currency) }
}

/** Records the trade of the rates desk, in the books, too; a repeat changes nothing. */
export async function closeCover(tx: Tx, id: CoverId): Promise<void> {
  const cover = await findCover(tx, id, { lock: true })
  if (cover.status === 'covered') return
  await setCause(tx, cover.openedBy)
  await transition(tx, coverMoves, id, { events: ['close'], cause: `trade:${cover.tradeId}` })
  await post(tx, [{ key: `cover:${id}`, organizationId: tx.organizationId, legs: closingLegs(cover) }])
}

/** Records a refused trade of the rates desk, and its reason; it is asked again after a pause. */
export async function noteUncovered(tx: Tx, id: CoverId, note: string): Promise<void> {
  await tx`${askAgain('covers', config.partnerPollSeconds, note)} where id = ${id} and status = 'open'`
  wake(tx, coverFlow, { ids: [id], why: 'asked' })
}

/** Reads the value of our own position in US dollars; opposite covers of a currency offset each other. */
export async function openPositionUsd(): Promise<number> {
  const row = await first(sql<{ value: string }[]>`select open_position_usd() as value`)
  return Number(row?.value ?? 0)
}

export const isOverLimit = async (): Promise<boolean> => (await openPositionUsd()) > config.fxPositionLimitUsd

/**
 * Throws `service_unavailable` while our own position is over `FX_POSITION_LIMIT_USD`. It counts committed covers:
 * exchanges that were quoted before may still take it further.
 */
export async function requirePositionWithinLimit(): Promise<void> {
  if (await isOverLimit()) refuse('service_unavailable', { reason: 'exchange_paused', retry_after_seconds: 60 })
}
