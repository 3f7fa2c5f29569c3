/** Covers: each exchange opens our own position, and its cover closes that at the rates desk. */
import { askAgain } from '../asking.ts'
import { config } from '../../platform/config.ts'
import { causedBy, latestEvent } from '../events.ts'
import { type Leg, credit, debit, post, system } from '../ledger/ledger.ts'
import { coverMoves } from '../../domain/covers/events.ts'
import { refuse } from '../../domain/errors.ts'
import { type CoverStatus, coverFlow } from '../../domain/flows/cover.ts'
import type { CoverId, EventId } from '../../domain/ids.ts'
import { type Money, moneyOf } from '../../domain/money/money.ts'
import { type Tx, sql } from '../sql.ts'
import { transition } from '../transition.ts'
import { wake } from '../wakes.ts'

/** What an exchange leaves with us: what came in is to be sold, and what went out is to be bought. */
export type Opened = { readonly sell: Money; readonly buy: Money }

/** The legs of an exchange in our own position. Whoever posts them calls `openCover()` in the same transaction. */
export const openingLegs = ({ sell, buy }: Opened): Leg[] => [credit(system('fx'), sell), debit(system('fx'), buy)]

/** The trade: the desk has what we sold and owes us what we bought, and our own position is as it was before. */
const closingLegs = ({ sell, buy }: Opened): Leg[] => [
  debit(system('fx'), sell),
  credit(system('desk'), sell),
  debit(system('desk'), buy),
  credit(system('fx'), buy),
]

export type NewCover = Opened & {
  readonly id: CoverId
  /** The key of the transfer that has the legs. */
  readonly transferKey: string
  /** The swap or payment whose latest event, of this transaction, has opened it. */
  readonly openedBy: string
  /** Under which the desk trades, once: it stays the same if the database is restored and the exchange repeated. */
  readonly tradeId: string
  /** What it was worth in US dollars when its rate was quoted. */
  readonly valueUsd: string
}

/** Notes that a transfer of this transaction has opened our own position; its process closes it after the commit. */
export async function openCover(tx: Tx, { id, sell, buy, ...cover }: NewCover): Promise<void> {
  await tx`
    insert into covers (id, organization_id, transfer_key, trade_id, opened_by, sell_amount, sell_currency, buy_amount,
      buy_currency, value_usd, status)
    values (${id}, ${tx.organizationId}, ${cover.transferKey}, ${cover.tradeId}, ${latestEvent(tx, cover.openedBy)},
      ${sell.amount}, ${sell.currency}, ${buy.amount}, ${buy.currency}, ${cover.valueUsd}, 'open')`
  wake(tx, coverFlow, { ids: [id], why: 'opened', status: 'open' })
}

export type Cover = Opened & {
  readonly status: CoverStatus
  readonly tradeId: string
  readonly openedBy: EventId
}

/** One cover; with `lock`, nobody else moves it until the transaction ends. Refuses `not_found`. */
export async function findCover(tx: Tx, id: CoverId, { lock }: { lock?: boolean } = {}): Promise<Cover> {
  const [row] = await tx<
    {
      status: CoverStatus
      trade_id: string
      opened_by: EventId
      sell_amount: string
      sell_currency: string
      buy_amount: string
      buy_currency: string
    }[]
  >`
    select status, trade_id, opened_by, sell_amount, sell_currency, buy_amount, buy_currency from covers
    where id = ${id} ${lock ? sql`for no key update` : sql``}`
  if (!row) refuse('not_found')
  return {
    status: row.status,
    tradeId: row.trade_id,
    openedBy: row.opened_by,
    sell: moneyOf(row.sell_amount, row.sell_currency),
    buy: moneyOf(row.buy_amount, row.buy_currency),
  }
}

/** Records that the rates desk has traded, in the books too; a repeat changes nothing. */
export async function closeCover(tx: Tx, id: CoverId): Promise<void> {
  const cover = await findCover(tx, id, { lock: true })
  if (cover.status === 'covered') return
  await causedBy(tx, cover.openedBy)
  await transition(tx, coverMoves, id, { events: ['close'], cause: `trade:${cover.tradeId}` })
  await post(tx, [{ key: `cover:${id}`, organizationId: tx.organizationId, legs: closingLegs(cover) }])
}

/** The rates desk did not trade, for the reason that the note gives: it is asked again after a pause. */
export async function noteUncovered(tx: Tx, id: CoverId, note: string): Promise<void> {
  await tx`${askAgain('covers', config.partnerPollSeconds, note)} where id = ${id} and status = 'open'`
  wake(tx, coverFlow, { ids: [id], why: 'asked' })
}
