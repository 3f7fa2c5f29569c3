/** Dealings: what operators traded for covers that no desk trades. One proposes it, and another confirms it. */
import type { CoverStatus } from '../../domain/covers/flow.ts'
import { coverFlow } from '../../domain/covers/flow.ts'
import { type DealtAmounts, shareDealing } from '../../domain/covers/dealing.ts'
import type { OpenPosition } from '../../domain/covers/trade.ts'
import { refuse } from '../../domain/errors.ts'
import { type CoverId, type DealingId, type OrganizationId, type UserId, newId } from '../../domain/ids.ts'
import { isOnCalendar } from '../../domain/instants.ts'
import { type Money, canonicalMoney, moneyOf } from '../../domain/money/money.ts'
import type { SecurityEventType } from '../../domain/people/security-event.ts'
import { type Transaction, first, sql, transaction, values } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { type Operator, proveOperator } from '../factors/operator-proof.ts'
import { recordSecurityEvent } from '../people/security-log.ts'

export type NewDealing = DealtAmounts & {
  readonly covers: readonly CoverId[]
  /** Day on which both amounts are exchanged; null if they were already. */
  readonly settlesOn: string | null
  readonly reason: string
}

/** A dealing as operators see it. */
export type Dealing = DealtAmounts & {
  readonly id: DealingId
  readonly settlesOn: string | null
  readonly reason: string
  readonly proposedBy: UserId
  readonly proposer: string
  readonly status: 'proposed' | 'unsettled' | 'done' | 'withdrawn'
  readonly covers: number
  /** Difference to what the covers were quoted at, in each currency; above zero is a gain. */
  readonly results: readonly Money[]
  readonly since: string
}

/**
 * Proposes what was dealt for open covers, of whichever organizations. Refuses `not_found`, `invalid_state` for a cover
 * that is closed or in another dealing, and as shareDealing() and proveOperator() do.
 */
export async function proposeDealing({ covers, ...dealt }: NewDealing, operator: Operator): Promise<Dealing> {
  const id: DealingId = newId()
  const [sold, bought] = [canonicalMoney(dealt.sold), canonicalMoney(dealt.bought)]
  if (dealt.settlesOn !== null && !isOnCalendar(dealt.settlesOn))
    refuse('unprocessable_entity', { reason: 'no_such_day' })
  return transaction(async (tx) => {
    const userId = await proveOperator(tx, operator)
    const locked = await lockCovers(tx, covers)
    await requireUndealt(tx, covers)
    const shares = shareDealing(locked, { sold, bought })
    await tx`insert into cover_dealings ${values({
      id,
      sold_amount: sold.amount,
      sold_currency: sold.currency,
      bought_amount: bought.amount,
      bought_currency: bought.currency,
      settles_on: dealt.settlesOn,
      reason: dealt.reason,
      proposed_by: userId,
    })}`
    const rows = locked.map(({ id: coverId }, place) => ({
      cover_id: coverId,
      sold: shares[place]?.sold.amount,
      bought: shares[place]?.bought.amount,
    }))
    await tx`
      insert into dealt_covers (dealing_id, cover_id, sold_amount, bought_amount)
      select ${id}, r.cover_id, r.sold, r.bought
      from jsonb_to_recordset(${sql.json(rows)}) r (cover_id uuid, sold numeric, bought numeric)`
    await recordDecision(tx, userId, 'dealing.proposed', id)
    return readDealing(tx, id)
  })
}

/**
 * Confirms what another operator has proposed; the run of each cover books its share. Refuses `not_found`,
 * `requester_cannot_approve` to the operator who proposed it, `invalid_state` if it is decided or a cover was traded
 * meanwhile, and as proveOperator() does.
 */
export const confirmDealing = (id: DealingId, operator: Operator): Promise<Dealing> =>
  decide(id, operator, 'dealing.confirmed', async (tx, { proposedBy }, userId) => {
    if (proposedBy === userId) refuse('requester_cannot_approve')
    const ids = await tx<{ id: CoverId }[]>`select cover_id as id from dealt_covers where dealing_id = ${id}`
    const covers = await lockCovers(
      tx,
      ids.map((row) => row.id),
    )
    const confirmed = await tx`
      update cover_dealings set confirmed_by = ${userId}, confirmed_at = business_now()
      where id = ${id} and confirmed_at is null and withdrawn_at is null returning id`
    if (confirmed.length === 0) return false
    await tx`update dealt_covers set confirmed = true where dealing_id = ${id}`
    for (const { id: coverId, organizationId } of covers) {
      wake(tx, coverFlow, { ids: [coverId], why: 'dealt', organizationId })
    }
    return true
  })

/** Withdraws a proposal; any operator may. Refuses `not_found`, `invalid_state`, and as proveOperator() does. */
export const withdrawDealing = (id: DealingId, operator: Operator): Promise<Dealing> =>
  decide(id, operator, 'dealing.withdrawn', async (tx) => {
    const withdrawn = await tx`
      update cover_dealings set withdrawn_at = business_now()
      where id = ${id} and confirmed_at is null and withdrawn_at is null returning id`
    return withdrawn.length === 1
  })

/**
 * Ends a confirmed dealing whose amounts were both exchanged: it is no longer in flight. Refuses `not_found`,
 * `invalid_state`, also before the day on which it settles, by UTC, and as proveOperator() does.
 */
export const settleDealing = (id: DealingId, operator: Operator): Promise<Dealing> =>
  decide(id, operator, 'dealing.settled', async (tx) => {
    const settled = await tx`
      update cover_dealings set settled_at = business_now()
      where id = ${id} and confirmed_at is not null and settled_at is null
        and settles_on <= (business_now() at time zone 'UTC')::date returning id`
    return settled.length === 1
  })

/** Lists dealings that wait for a second operator or for their settlement, oldest first. */
export const listDealings = async (most: number): Promise<Dealing[]> =>
  (
    await sql<DealingRow[]>`${selectDealings()}
      where g.withdrawn_at is null and (g.confirmed_at is null or g.settles_on is not null and g.settled_at is null)
      order by g.inserted_at, g.id limit ${most}`
  ).map(toDealing)

/** Decides about a dealing, whose change answers whether the dealing was in the right state. */
async function decide(
  id: DealingId,
  operator: Operator,
  type: SecurityEventType,
  change: (tx: Transaction, dealing: Dealing, userId: UserId) => Promise<boolean>,
): Promise<Dealing> {
  return transaction(async (tx) => {
    const userId = await proveOperator(tx, operator)
    const dealing = await readDealing(tx, id)
    const isChanged = await change(tx, dealing, userId)
    if (!isChanged) {
      const { status, settlesOn } = await readDealing(tx, id)
      refuse('invalid_state', { current: status, ...(status === 'unsettled' && { settles_on: settlesOn }) })
    }
    await recordDecision(tx, userId, type, id)
    return readDealing(tx, id)
  })
}

type LockedCover = OpenPosition & { readonly id: CoverId; readonly organizationId: OrganizationId }
type LockedRow = {
  readonly id: CoverId
  readonly organization_id: OrganizationId
  readonly status: CoverStatus
  readonly sell_amount: string
  readonly sell_currency: string
  readonly buy_amount: string
  readonly buy_currency: string
}

/** Locks open covers of several organizations, by their ids ascending. Refuses `not_found` and `invalid_state`. */
async function lockCovers(tx: Transaction, ids: readonly CoverId[]): Promise<LockedCover[]> {
  const rows = await tx<LockedRow[]>`
    select id, organization_id, status, sell_amount, sell_currency, buy_amount, buy_currency
    from lock_covers(${[...ids]}::uuid[])`
  if (rows.length < new Set(ids).size) refuse('not_found')
  const closed = rows.find(({ status }) => status !== 'open')
  if (closed) refuse('invalid_state', { cover_id: closed.id, current: closed.status })
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    sell: moneyOf(row.sell_amount, row.sell_currency),
    buy: moneyOf(row.buy_amount, row.buy_currency),
  }))
}

/** Refuses `invalid_state` for covers, locked by the caller, that another dealing has. */
async function requireUndealt(tx: Transaction, ids: readonly CoverId[]): Promise<void> {
  const [other] = await tx<{ dealing_id: DealingId }[]>`
    select d.dealing_id from dealt_covers d join cover_dealings g on g.id = d.dealing_id
    where d.cover_id = any (${[...ids]}::uuid[]) and g.withdrawn_at is null limit 1`
  if (other) refuse('invalid_state', { reason: 'dealt_already', dealing_id: other.dealing_id })
}

const recordDecision = (tx: Transaction, userId: UserId, type: SecurityEventType, id: DealingId): Promise<void> =>
  recordSecurityEvent(tx, { type, userId, origin: null, details: { dealing_id: id } })

type DealingRow = Omit<Dealing, 'sold' | 'bought' | 'results'> &
  Record<
    'sold_amount' | 'sold_currency' | 'bought_amount' | 'bought_currency' | 'sold_result' | 'bought_result',
    string
  >

const selectDealings = () => sql`
  select g.id, g.sold_amount, g.sold_currency, g.bought_amount, g.bought_currency, g.settles_on as "settlesOn", g.reason,
    g.proposed_by as "proposedBy", p.email as proposer, g.inserted_at as since,
    r.covers, r.sold_result, r.bought_result,
    case when g.withdrawn_at is not null then 'withdrawn' when g.confirmed_at is null then 'proposed'
      when g.settles_on is not null and g.settled_at is null then 'unsettled' else 'done' end as status
  from cover_dealings g join people p on p.id = g.proposed_by, dealing_results(g.id) r`

const toDealing = ({
  sold_amount,
  sold_currency,
  bought_amount,
  bought_currency,
  sold_result,
  bought_result,
  ...row
}: DealingRow): Dealing => ({
  ...row,
  sold: moneyOf(sold_amount, sold_currency),
  bought: moneyOf(bought_amount, bought_currency),
  results: [moneyOf(sold_result, sold_currency), moneyOf(bought_result, bought_currency)],
})

async function readDealing(tx: Transaction, id: DealingId): Promise<Dealing> {
  const row = await first(tx<DealingRow[]>`${selectDealings()} where g.id = ${id}`)
  return row ? toDealing(row) : refuse('not_found')
}
