/** Payment batches: found and listed. */
import type { Batch } from '../model/batches/batch.ts'
import type { Reviewer } from '../model/approvals/requirements.ts'
import { refuse } from '../model/errors.ts'
import { moneyOf } from '../model/money/money.ts'
import { type Fragment, type Reader, first, sql } from '../sql.ts'
import { ownBatches } from './visibility.ts'

type Sum = { amount: string; currency: string }

type BatchRecord = Omit<Batch, 'totals' | 'fees'> & { totals: Sum[]; fees: Sum[] }

/** What becomes of a row, of `payment_batch_rows r`: of one that has a payment, what becomes of that. */
export const rowStatus = (): Fragment => sql`
  case when r.payment_id is null then r.status else (
    select case when p.status = 'succeeded' then 'succeeded'
      when p.status in ('failed', 'cancelled', 'reversed') then 'failed' else 'processing' end
    from payments p where p.id = r.payment_id) end`

const selectBatch = (): Fragment => sql`
  select b.id, b.organization_id, b.name, b.status, b.approval_request_id, b.file_id, b.rows_total, b.rows_valid,
    b.rows_invalid, b.rows_skipped, coalesce(b.rows_succeeded, now.succeeded) as rows_succeeded,
    coalesce(b.rows_failed, now.failed) as rows_failed,
    case when b.status = 'importing' then b.rows_imported
      when b.status not in ('draft', 'awaiting_approval') then b.rows_skipped
        + coalesce(b.rows_succeeded + b.rows_failed, now.succeeded + now.failed) else 0 end as rows_processed,
    b.import_error, b.totals, b.fees, b.created_by, b.inserted_at,
    b.submitted_at
  from payment_batches b
  cross join lateral (
    select count(*) filter (where p.status = 'succeeded')::int as succeeded,
      count(*) filter (where p.status in ('failed', 'cancelled', 'reversed'))::int as failed
    from payments p where p.payment_batch_id = b.id and b.rows_succeeded is null) now
  where b.deleted_at is null`

/** One batch of the reader's organization; with `own`, only if that person sees it. Refuses `not_found`. */
export async function findBatch(reader: Reader, id: string, own?: Reviewer): Promise<Batch> {
  const row = await first(
    reader<BatchRecord>(sql`
      ${selectBatch()} and b.id = ${id} and b.organization_id = ${reader.organizationId}
      ${own ? sql`and ${ownBatches(own)}` : sql``}`),
  )
  return row ? toBatch(row) : refuse('not_found')
}

const toBatch = (row: BatchRecord): Batch => ({ ...row, totals: row.totals.map(toMoney), fees: row.fees.map(toMoney) })
const toMoney = ({ amount, currency }: Sum) => moneyOf(amount, currency)
