/** Covers: each exchange opens our own position, and its cover closes that at the rates desk. */
import { askAgain } from '../../db/processes/asking.ts'
import { deskOf, pauseOf, pauseOfDesk } from '../connections/pauses.ts'
import { config } from '../../platform/config.ts'
import { setCause, latestEvent } from '../events.ts'
import { type Leg, credit, debit, post, system } from '../ledger/ledger.ts'
import { coverMoves } from '../../domain/covers/events.ts'
import { refuse } from '../../domain/errors.ts'
import { type CoverStatus, coverFlow } from '../../domain/covers/flow.ts'
import { type ConnectionName, DEFAULT_DESK } from '../../domain/partner.ts'
import { deskOfNewCovers } from './desks.ts'
import type { CoverId, EventId } from '../../domain/ids.ts'
import { isZero, moneyOf } from '../../domain/money/money.ts'
import { type OpenPosition, type Trade, resultsOf } from '../../domain/covers/trade.ts'
import { type Tx, first, sql, values } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'

/** Makes the legs of an exchange in our own position. Their caller calls openCover() in the same transaction. */
export const openingLegs = (opened: OpenPosition | undefined): Leg[] =>
  opened ? [credit(system('fx'), opened.sell), debit(system('fx'), opened.buy)] : []

/** Makes the legs of the trade: the desk has what we sold and owes us what we bought; the difference is our result. */
function closingLegs({ connection, ...position }: Position, trade: Trade): Leg[] {
  const [fx, desk, result] = [system('fx'), system(clearingOfDesk(connection)), system('fx_result')]
  const results = resultsOf(position, trade).filter((money) => !isZero(money))
  return [
    debit(fx, position.sell),
    credit(desk, trade.sold),
    debit(desk, trade.bought),
    credit(fx, position.buy),
    ...results.map((money) => credit(result, money)),
  ]
}

/** Names the kind of a desk's account, of what it owes us and we owe it. */
export const clearingOfDesk = (connection: ConnectionName): 'desk' | `desk:${string}` =>
  connection === DEFAULT_DESK ? 'desk' : `desk:${connection}`

export type NewCover = OpenPosition & {
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
      connection: deskOfNewCovers(),
    })}`
  wake(tx, coverFlow, { ids: [id], why: 'opened', status: 'open' })
}

type Position = OpenPosition & { readonly connection: ConnectionName }
type Cover = Position & {
  readonly status: CoverStatus
  readonly tradeId: string
  readonly openedBy: EventId
  /** Share of a confirmed dealing of operators. */
  readonly dealt: Dealt | null
  /** Reason of the pause of the desk: nothing is traded there. */
  readonly paused: string | null
}
export type Dealt = Trade & { readonly dealingId: string }

type CoverRow = Pick<Cover, 'status' | 'tradeId' | 'openedBy' | 'connection' | 'paused'> &
  Record<'sell_amount' | 'sell_currency' | 'buy_amount' | 'buy_currency', string> & {
    readonly dealing_id: string | null
    readonly sold_amount: string | null
    readonly bought_amount: string | null
    readonly settles_on: string | null
  }

/** Finds one cover; with `lock`, nothing else moves it until the transaction ends. Refuses `not_found`. */
export async function findCover(tx: Tx, id: CoverId, { lock = false } = {}): Promise<Cover> {
  const [row] = await tx<CoverRow[]>`
    select c.status, c.trade_id as "tradeId", c.opened_by as "openedBy", ${deskOf(sql`c`)} as connection,
      ${pauseOf(deskOf(sql`c`))} as paused, c.sell_amount, c.sell_currency, c.buy_amount, c.buy_currency, d.dealing_id, d.sold_amount, d.bought_amount, g.settles_on
    from covers c left join dealt_covers d on d.cover_id = c.id and d.confirmed
    left join cover_dealings g on g.id = d.dealing_id
    where c.id = ${id} ${lock ? sql`for no key update of c` : sql``}`
  if (!row) refuse('not_found')
  const [sell, buy] = [moneyOf(row.sell_amount, row.sell_currency), moneyOf(row.buy_amount, row.buy_currency)]
  const { status, tradeId, openedBy, connection, paused, dealing_id: dealingId, settles_on: settlesOn } = row
  const [sold, bought] = [row.sold_amount, row.bought_amount]
  const dealt =
    dealingId !== null && sold !== null && bought !== null
      ? { dealingId, settlesOn, sold: moneyOf(sold, sell.currency), bought: moneyOf(bought, buy.currency) }
      : null
  return { status, tradeId, openedBy, connection, paused, sell, buy, dealt }
}

/**
 * Records the trade of the rates desk, in the books, too; a repeat changes nothing. What operators have dealt for the
 * cover comes first, and without that null is refused.
 */
export async function closeCover(tx: Tx, id: CoverId, traded: Trade | null): Promise<void> {
  await findCover(tx, id, { lock: true })
  // a statement of its own: a dealing that was confirmed while this waited for the lock is seen
  const { status, openedBy, tradeId, dealt, paused: _, ...position } = await findCover(tx, id)
  if (status === 'covered') return
  const trade = dealt ?? traded
  if (!trade) throw new Error(`cover ${id} is neither traded nor dealt`)
  await setCause(tx, openedBy)
  await transition(tx, coverMoves, id, {
    events: ['close'],
    cause: dealt ? `dealing:${dealt.dealingId}` : `trade:${tradeId}`,
    set: sql`sold_amount = ${trade.sold.amount}, bought_amount = ${trade.bought.amount},
      settles_on = ${trade.settlesOn}, dealing_id = ${dealt?.dealingId ?? null}`,
  })
  await post(tx, [{ key: `cover:${id}`, organizationId: tx.organizationId, legs: closingLegs(position, trade) }])
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

const isOver = (positionUsd: number): boolean => positionUsd > config.fxPositionLimitUsd

export const isOverLimit = async (): Promise<boolean> => isOver(await openPositionUsd())

/**
 * Throws `service_unavailable` while the desk is paused, or our position is over its limit.
 * The position counts committed covers: exchanges that were quoted before may still take it further.
 */
export async function requireOpenDesk(): Promise<void> {
  const row = await first(sql<{ value: string; paused: string | null }[]>`
    select open_position_usd() as value, ${pauseOfDesk()} as paused`)
  if (!row || row.paused !== null || isOver(Number(row.value)))
    refuse('service_unavailable', { reason: 'exchange_paused', retry_after_seconds: 60 })
}
