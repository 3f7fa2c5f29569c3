/** How many rows a batch has, and what they come to. */
import { type Tx, sql } from '../sql.ts'

/**
 * Writes on a batch how many rows it has of each status, and the sums of the valid ones by currency: the one way, for
 * whoever has changed rows in this transaction. The caller has locked the batch. Fees are those of a submitted one.
 */
export async function recount(tx: Tx, id: string): Promise<void> {
  const sums = (column: string) => sql`
    coalesce(jsonb_agg(jsonb_build_object('amount', c.${sql(column)}::text, 'currency', c.currency) order by c.currency)
      filter (where c.valid > 0 and c.${sql(column)} > 0), '[]')`
  await tx`
    update payment_batches b
    set rows_total = n.total, rows_valid = n.valid, rows_invalid = n.invalid, rows_skipped = n.skipped,
      totals = n.totals, fees = case when b.status in ('draft', 'importing') then '[]' else n.fees end
    from (
      select coalesce(sum(c.total), 0)::int as total, coalesce(sum(c.valid), 0)::int as valid,
        coalesce(sum(c.invalid), 0)::int as invalid, coalesce(sum(c.skipped), 0)::int as skipped,
        ${sums('amount')} as totals, ${sums('fee_amount')} as fees
      from (
        select currency, count(*) as total, count(*) filter (where status = 'valid') as valid,
          count(*) filter (where status = 'invalid') as invalid, count(*) filter (where status = 'skipped') as skipped,
          sum(amount) filter (where status = 'valid') as amount, sum(fee_amount) filter (where status = 'valid') as fee_amount
        from payment_batch_rows where payment_batch_id = ${id} group by currency) c) n
    where b.id = ${id}`
}
