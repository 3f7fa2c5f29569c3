/** Everything said to Postgres about the feed: money that came or went. */
import { timeRange } from './filters.ts'
import { refuse } from './model/errors.ts'
import type { TransactionId, UserId } from './model/ids.ts'
import { moneyOf } from './model/money.ts'
import type { Page } from './model/page.ts'
import type { Transaction, TransactionFilters } from './model/transaction.ts'
import { paged, refuseCursor } from './page.ts'
import { type Fragment, type Reader, first, sql } from './sql.ts'

type TransactionRow = Omit<Transaction, 'amount' | 'running_balance'> & {
  amount: string
  currency: string
  running_balance: string | null
}

const selectTransaction = (reader: Reader): Fragment => sql`
  select t.id, t.organization_id, t.type, t.direction, t.amount, t.currency, t.running_balance, t.counterparty,
    t.description, t.payment_id, t.deposit_id, t.swap_id, t.bill_id, t.status, t.category, t.internal_notes,
    t.occurred_at, t.posted_at
  from transactions t where t.organization_id = ${reader.organizationId}`

/** One row of the feed; with `creator`, only where that person caused it. Refuses `not_found`. */
export async function findTransaction(reader: Reader, id: TransactionId, creator?: UserId): Promise<Transaction> {
  const row = await first(
    reader<TransactionRow>(sql`${selectTransaction(reader)} and t.id = ${id} ${causedBy(creator)}`),
  )
  return row ? toTransaction(row) : refuse('not_found')
}

const causedBy = (creator: UserId | undefined): Fragment => (creator ? sql`and t.created_by = ${creator}` : sql``)

/**
 * The feed, newest first in the order of the ledger, pending rows before all posted ones; with `creator`, only what
 * that person caused. `from` and `to` go by the posting, or by when it occurred while it is pending.
 */
export async function listTransactions(
  reader: Reader,
  filters: TransactionFilters,
  creator?: UserId,
): Promise<Page<Transaction>> {
  const { limit, cursor } = filters
  const rows = await reader<TransactionRow>(sql`
    ${selectTransaction(reader)} ${causedBy(creator)} ${matching(filters)}
    ${
      cursor
        ? sql`and (t.feed_at, t.seq, t.id) < (select c.feed_at, c.seq, c.id from transactions c
            where c.id = ${cursor} and c.organization_id = ${reader.organizationId})`
        : sql``
    }
    order by t.feed_at desc, t.seq desc, t.id desc limit ${limit + 1}`)
  if (rows.length === 0 && cursor && !(await isInFeed(reader, cursor))) refuseCursor()
  const page = paged(rows, limit)
  return { ...page, data: page.data.map(toTransaction) }
}

const matching = (f: TransactionFilters): Fragment => sql`
  ${f.type ? sql`and t.type = ${f.type}` : sql``}
  ${f.direction ? sql`and t.direction = ${f.direction}` : sql``}
  ${f.currency ? sql`and t.currency = ${f.currency}` : sql``}
  ${f.status ? sql`and t.status = ${f.status}` : sql``}
  ${timeRange(sql`coalesce(t.posted_at, t.occurred_at)`, f)}
  ${f.amount_min ? sql`and t.amount >= ${f.amount_min}::numeric` : sql``}
  ${f.amount_max ? sql`and t.amount <= ${f.amount_max}::numeric` : sql``}
  ${f.payment_contact_id ? sql`and t.payment_contact_id = ${f.payment_contact_id}` : sql``}
  ${f.q ? sql`and position(lower(${f.q}) in lower(concat_ws(' ', t.counterparty, t.description, t.internal_notes))) > 0` : sql``}`

async function isInFeed(reader: Reader, id: string): Promise<boolean> {
  const rows = await reader(sql`
    select id from transactions where id = ${id} and organization_id = ${reader.organizationId}`)
  return rows.length === 1
}

function toTransaction({ currency, ...row }: TransactionRow): Transaction {
  const money = (amount: string) => moneyOf(amount, currency)
  return {
    ...row,
    amount: money(row.amount),
    running_balance: row.running_balance === null ? null : money(row.running_balance),
  }
}
