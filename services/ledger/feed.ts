/** The only writer of the feed's rows. A row is pending until its money moves, or posted at once. */
import type { Transaction } from '../../domain/accounts/transaction.ts'
import type { Money } from '../../domain/money/money.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import { type Transfer, post } from './ledger.ts'

type Cell = Fragment | string | null

export type FeedRow = {
  /** A new one otherwise. */
  readonly id?: Fragment
  readonly type: Transaction['type'] | Fragment
  readonly counterparty?: Cell
  readonly description: Cell
  readonly paymentId?: Cell
  readonly contactId?: Cell
  readonly depositId?: Cell
  readonly swapId?: Cell
  readonly billId?: Cell
  readonly adjustmentId?: Cell
  readonly createdBy?: Cell
  /** Amount and currency that were kept of what came back. */
  readonly charges?: readonly [Cell, Cell]
}

/** The money of a pending row, which has no posting yet. */
type ExpectedEntry = { readonly direction: Transaction['direction'] } & { readonly [Part in keyof Money]: Cell }

const columns = (): Fragment => sql`
  id, organization_id, type, direction, status, amount, currency, running_balance, posted_at, seq, counterparty,
  description, payment_id, payment_contact_id, deposit_id, swap_id, bill_id, adjustment_id, created_by,
  charges_amount, charges_currency`

const cellsOf = (row: FeedRow): Fragment => sql`
  ${row.counterparty ?? null}, ${row.description}, ${row.paymentId ?? null}, ${row.contactId ?? null},
  ${row.depositId ?? null}, ${row.swapId ?? null}, ${row.billId ?? null}, ${row.adjustmentId ?? null}, ${row.createdBy ?? null},
  ${row.charges?.[0] ?? null}, ${row.charges?.[1] ?? null}`

const idOf = ({ id }: FeedRow): Fragment => id ?? sql`uuidv7()`

/** Makes a statement that writes pending rows: one, or one for each row of `from`. */
export const pendingRows = (tx: Tx, row: FeedRow & ExpectedEntry, from: Fragment = sql``): Fragment => sql`
  insert into transactions (${columns()})
  select ${idOf(row)}, ${tx.organizationId}, ${row.type}, ${row.direction}, 'pending', ${row.amount}, ${row.currency},
    null, null, 0, ${cellsOf(row)}
  ${from}`

/** Makes a statement over `posting` that writes a row for each of the organization; `join` brings what cells read. */
export const insertPosted = (tx: Tx, row: FeedRow, join: Fragment = sql``): Fragment => sql`
  insert into transactions (${columns()})
  select ${idOf(row)}, posting.organization_id, ${row.type}, case when posting.amount < 0 then 'out' else 'in' end,
    'posted', abs(posting.amount), posting.currency, posting.total, posting.posted_at, posting.feed_seq, ${cellsOf(row)}
  from posting ${join}
  where posting.organization_id = ${tx.organizationId}`

/** Makes a statement over `posting` that posts the organization's matching pending rows `t`. */
export const postPending = (tx: Tx, match: (t: Fragment) => Fragment): Fragment => sql`
  update transactions t
  set status = 'posted', running_balance = posting.total, posted_at = posting.posted_at, seq = posting.feed_seq
  from posting
  where posting.organization_id = ${tx.organizationId} and t.organization_id = ${tx.organizationId}
    and t.status = 'pending' and ${match(sql`t`)}`

/** Makes a statement that takes the organization's pending rows `t` out of the feed: no money moves. */
export const discardRows = (tx: Tx, match: (t: Fragment) => Fragment): Fragment => sql`
  update transactions t set discarded_at = business_now()
  where t.organization_id = ${tx.organizationId} and t.status = 'pending' and t.discarded_at is null and ${match(sql`t`)}`

/** Makes an expression over the ids of rows that were posted: what follows from them, in the same statement. */
type Follower = (rows: Fragment) => Fragment

/**
 * Posts a transfer together with its rows of the feed, one for each leg of the organization: new rows, or pending ones
 * that match. All of it happens, or nothing. Refuses `insufficient_funds`.
 */
export async function postToFeed(
  tx: Tx,
  transfer: Transfer,
  row: FeedRow | { readonly pending: (t: Fragment) => Fragment },
  follow?: Follower,
): Promise<void> {
  const rows = 'pending' in row ? postPending(tx, row.pending) : insertPosted(tx, row)
  const followed = follow ? sql`, ${follow(sql`array_agg(fed.id)`)}` : sql``
  const [fed] = await post<{ count: number }>(
    tx,
    [transfer],
    (postings) => sql`
      with posting as materialized (${postings}), fed as (${rows} returning id)
      select count(*)::int as count ${followed} from fed`,
  )
  const legs = transfer.legs.filter(({ organization }) => organization === tx.organizationId).length
  if (fed?.count !== legs) throw new Error(`${transfer.key} wrote ${fed?.count} rows to the feed, and not ${legs}`)
}
