/** Balances of connections, as they answered last. */
import * as v from 'valibot'
import { decimalOf, digitsAt } from '../../domain/money/decimal.ts'
import { decimalsOf } from '../../domain/money/money.ts'
import { instant } from '../../domain/pagination.ts'
import { first, sql } from '../../db/postgres/sql.ts'

/** Money at a connection at an instant of its own clock; `network` of a coin. */
export type ConnectionBalance = {
  readonly currency: string
  readonly network: string | null
  readonly amount: string
  readonly as_of: string
}

/** Tells whether the books can compare it: of an instant that there is, and of no less than the smallest unit. */
export const isComparable = ({ currency, amount, as_of }: ConnectionBalance): boolean =>
  v.is(instant, as_of) && digitsAt(decimalOf(amount), decimalsOf(currency)) !== null

export type BalanceAnswer = {
  /** Null if it knows no balances. */
  readonly balances: readonly ConnectionBalance[] | null
  readonly asked_at: string
}

/** Reads the clock before a connection is asked: what is booked later may not be in its answer. */
export async function beginAsking(): Promise<string> {
  const row = await first(sql<{ at: string }[]>`select business_now()::text as at`)
  if (!row) throw new Error('the clock answered nothing')
  return row.at
}

export async function storeBalances(
  connection: string,
  askedAt: string,
  balances: readonly ConnectionBalance[] | null,
): Promise<void> {
  await sql`
    insert into partner_balances as b (connection, balances, asked_at)
    values (${connection}, ${balances && sql.json([...balances])}, ${askedAt}::text::timestamptz)
    on conflict (connection) do update
    set balances = excluded.balances, asked_at = excluded.asked_at, failed_at = null
    where b.asked_at < excluded.asked_at`
}

/** Marks a connection without an answer: its former one proves nothing any more. */
export async function recordNoAnswer(connection: string, askedAt: string): Promise<void> {
  await sql`
    insert into partner_balances (connection, balances, asked_at, failed_at)
    values (${connection}, '[]', ${askedAt}::text::timestamptz, business_now())
    on conflict (connection) do update set failed_at = business_now()`
}
