/** Bills by their due dates: which are open, in which order, and what they come to. */
import { type BillSums, DUE_TIMES, WEEK_DAYS } from '../../domain/bills/bill.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Order } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'
import { holdsBill, usesCredits } from '../run-rows/membership.ts'

/** Selects the day by which bills are overdue, in UTC. */
export const today = (): Fragment => sql`(select business_now()::date)`

/** Tells if a bill is still to be paid: until a payment of it has succeeded. */
export const isOpen = (b: Fragment): Fragment => sql`(${b}.status <> 'cancelled' and ${b}.not_payable is null
  and not exists (select from payments p where p.id = ${b}.payment_id and p.status = 'succeeded'))`

/** Tells if a bill may be paid by what it says, and no run pays it: what is left to be judged is its payee. */
export const isPayable = (b: Fragment): Fragment => sql`(${b}.status = 'extracted' and ${b}.not_payable is null
  and ${isWhole(b)} and ${b}.amount > 0 and not exists (
    select from payment_batch_rows r where r.bill_id = ${b}.id and ${holdsBill(sql`r`)}))`

/** Tells if a bill is a credit note that a run can use. */
export const isUsableCredit = (b: Fragment): Fragment => sql`(${b}.status = 'extracted'
  and ${b}.not_payable = 'credit_note' and ${isWhole(b)} and ${b}.amount <> 0 and not exists (
    select from payment_batch_credits k join payment_batch_rows r on r.id = k.row_id
    where k.bill_id = ${b}.id and ${usesCredits(sql`r`)}))`

const isWhole = (b: Fragment): Fragment => sql`${b}.amount is not null and ${b}.currency is not null
  and not ${b}.sender_is_unknown and (${b}.file_id is null or ${b}.bill_number is not null)`

/** Order by due date, those without one last; the index `bills_by_due` has the same expression. */
export const BY_DUE_DATE: Order = { key: (b) => sql`coalesce(${b}.due_date, 'infinity'::date)`, isRising: true }

type Sum = {
  readonly today: string
  /** Null beside `today` alone: there is no open bill. */
  readonly due: BillSums['data'][number]['due'] | null
  readonly count: number
  readonly reading: number
  readonly currency: string | null
  readonly total: string | null
}

/** Sums the open bills by the time at which they are due, and by currency; credit is no part of a sum. */
export async function sumBills(reader: Reader): Promise<BillSums> {
  const rows = await reader<Sum>(sql`
    select t.today::text, b.due, b.currency, count(b.id)::int as count,
      count(b.id) filter (where b.status = 'extracting')::int as reading, sum(b.amount) filter (where b.amount > 0) as total
    from (select ${today()} as today) t left join lateral (
      select b.id, b.status, b.amount, b.currency, case when b.due_date is null then 'unknown'
        when b.due_date < t.today then 'overdue' when b.due_date < t.today + ${WEEK_DAYS}::int then 'week'
        else 'later' end as due
      from bills b where b.organization_id = ${reader.organizationId} and not b.sender_is_unknown
        and ${isOpen(sql`b`)}) b on true
    group by 1, 2, 3 order by b.currency`)
  const add = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0)
  const data = DUE_TIMES.map((due) => {
    const of = rows.filter((row) => row.due === due)
    const totals = of.flatMap(({ currency, total: amount }): Money[] =>
      currency && amount ? [{ amount, currency }] : [],
    )
    return { due, count: add(of.map(({ count }) => count)), totals }
  })
  return { today: rows[0]?.today ?? '', reading: add(rows.map(({ reading }) => reading)), data }
}
