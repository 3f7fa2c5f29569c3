/** Payment batches: found, listed and counted. */
import type { Batch, BatchFilters } from '../../domain/batches/batch.ts'
import type { Reviewer } from '../../domain/approvals/requirements.ts'
import { refuse } from '../../domain/errors.ts'
import { underWay } from '../../domain/flow.ts'
import { type PaymentState, paymentFlow } from '../../domain/payments/flow.ts'
import type { BatchId } from '../../domain/ids.ts'
import { moneyOf } from '../../domain/money/money.ts'
import type { Page } from '../../domain/pagination.ts'
import { isReviewed } from '../approvals/pending.ts'
import { externalColumns, type ExternalSearch, isExternal } from '../external.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type ScheduleRow, selectSchedule, toSchedule } from '../schedules/schedule.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../../db/postgres/sql.ts'

type Sum = { amount: string; currency: string }

type BatchRecord = Omit<Batch, 'totals' | 'fees' | 'schedule'> & {
  totals: Sum[]
  fees: Sum[]
  schedule: ScheduleRow | null
}

/** Selects the counts of the payments `p` that have succeeded and failed. */
const countsOfEnded = (p: Fragment): Fragment => sql`
  count(*) filter (where ${p}.status = 'succeeded')::int as succeeded,
  count(*) filter (where has_ended_unpaid(${p}.status))::int as failed`

const selectBatch = (): Fragment => sql`
  select b.id, b.organization_id, b.name, b.status, b.approval_request_id,
    case when b.status = 'importing' then b.importing_file_id else b.file_id end as file_id, b.rows_total, b.rows_valid,
    b.rows_invalid, b.rows_skipped, coalesce(b.rows_succeeded, now.succeeded) as rows_succeeded,
    coalesce(b.rows_failed, now.failed) as rows_failed,
    case when b.status = 'importing' then b.rows_imported
      when b.status not in ('draft', 'awaiting_approval') then b.rows_skipped
        + coalesce(b.rows_succeeded + b.rows_failed, now.succeeded + now.failed) else 0 end as rows_processed,
    b.rows_empty, b.columns_empty, b.import_error, b.totals, b.fees, b.created_by, b.inserted_at,
    b.submitted_at, b.execute_on, ${externalColumns(sql`b`)}, ${selectSchedule(sql`b.approval_request_id`)} as schedule
  from payment_batches cross join lateral (select payment_batches.*) b
  cross join lateral (
    select ${countsOfEnded(sql`p`)} from payments p where p.payment_batch_id = b.id and b.rows_succeeded is null) now
  where b.deleted_at is null`

/** Builds the condition on batches `b`: the person created or submitted them, or their approval names the person. */
export const ownBatches = (b: Fragment, reviewer: Reviewer): Fragment => sql`
  (${b}.created_by = ${reviewer.userId} or ${b}.submitted_by = ${reviewer.userId} or exists (
    select from approvals a join approval_waits w on w.id = a.wait_id
    where a.target_id = ${b}.id and a.target_type = 'payment_batch'
      and ${isReviewed(sql`w`, reviewer, sql`a`)}))`

/** Reads a batch of the reader's organization; with `own`, only if that person sees it. Throws `not_found`. */
export async function findBatch(reader: Reader, id: string, own?: Reviewer): Promise<Batch> {
  const row = await first(
    reader<BatchRecord>(sql`
      ${selectBatch()} and b.id = ${id} and b.organization_id = ${reader.organizationId}
      ${own ? sql`and ${ownBatches(sql`b`, own)}` : sql``}`),
  )
  return row ? toBatch(row) : refuse('not_found')
}

/** Throws `not_found` unless the batch exists and, with `own`, that person sees it. */
export async function requireBatch(reader: Reader, id: string, own?: Reviewer): Promise<void> {
  const found = await reader(sql`
    select b.id from payment_batches b
    where b.id = ${id} and b.organization_id = ${reader.organizationId} and b.deleted_at is null
      ${own ? sql`and ${ownBatches(sql`b`, own)}` : sql``}`)
  if (found.length === 0) refuse('not_found')
}

/** Lists batches, newest first; with `own`, only those that the person sees. */
export async function listBatches(
  reader: Reader,
  filters: BatchFilters & ExternalSearch,
  own?: Reviewer,
): Promise<Page<Batch>> {
  const { status } = filters
  const page = await pageOf<BatchRecord>(
    reader,
    'payment_batches',
    filters,
    sql`${selectBatch()} ${own ? sql`and ${ownBatches(sql`b`, own)}` : sql``} ${status ? sql`and b.status = ${status}` : sql``}
      ${isExternal(sql`b`, filters)}`,
  )
  return { ...page, data: page.data.map(toBatch) }
}

const toBatch = (row: BatchRecord): Batch => ({
  ...row,
  totals: row.totals.map(toMoney),
  fees: row.fees.map(toMoney),
  schedule: row.schedule && toSchedule(row.schedule, STATES_OF_PAYMENT[row.status] ?? 'succeeded'),
})

/** State of a payment whose schedule is as far as that of a batch. */
const STATES_OF_PAYMENT: Readonly<Partial<Record<Batch['status'], PaymentState>>> = {
  awaiting_approval: 'awaiting_approval',
  processing: 'scheduled',
}

const toMoney = ({ amount, currency }: Sum) => moneyOf(amount, currency)

/** Selects the rail of the next row of a batch to be paid; no row if none is left. */
export const nextRow = (batch: Fragment): Fragment => sql`
  select r.rail from payment_batch_rows r
  where r.payment_batch_id = ${batch}.id and r.status = 'valid' and r.row_number > ${batch}.rows_begun
  order by r.row_number limit 1`

/** Counts the payments of a batch that have not ended. */
export async function countUnderWay(reader: Reader, id: BatchId): Promise<number> {
  const [counted] = await reader<{ n: number }>(sql`
    select count(*)::int as n from payments where payment_batch_id = ${id} and status = any (${underWay(paymentFlow)})`)
  return counted?.n ?? 0
}

/** Counts the payments of a batch that their partner has not taken yet. */
export async function countUntaken(reader: Reader, id: BatchId): Promise<number> {
  const [counted] = await reader<{ n: number }>(sql`
    select count(*)::int as n from payments where payment_batch_id = ${id} and status = 'submitted'`)
  return counted?.n ?? 0
}

/** Counts the payments of a batch that have ended, by outcome. */
export async function countEnded(
  reader: Reader,
  id: BatchId,
): Promise<{ readonly succeeded: number; readonly failed: number }> {
  const [ended] = await reader<{ succeeded: number; failed: number }>(sql`
    select ${countsOfEnded(sql`p`)} from payments p where p.payment_batch_id = ${id}`)
  if (!ended) throw new Error('an aggregate answers a row')
  return ended
}

/** Skips the rows of a batch that have no payment. The caller has locked the batch. */
export async function skipRows(tx: Tx, id: BatchId): Promise<void> {
  await tx`
    update payment_batch_rows set status = 'skipped', updated_at = business_now()
    where payment_batch_id = ${id} and status in ('valid', 'invalid') and payment_id is null`
  await recount(tx, id)
}

/**
 * Writes counts by status and sums by currency on a batch whose rows have changed. The caller has locked the batch.
 * Fees are those of a submitted one.
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

/** Counts the rows of a batch that pay a bank without an address of the payee. */
export const withoutAddress = (batch: Fragment): Fragment => sql`
  (select count(*)::int from payment_batch_rows r where r.payment_batch_id = ${batch} and r.status = 'valid'
    and r.rail = 'fiat' and r.address_fingerprint is null and r.payee_address_id is null)`

/** Counts the rows of a batch that pay an account which a contact has under another name. */
export const differingHolders = (batch: Fragment): Fragment => sql`
  (select count(*)::int from payment_batch_rows r
    where r.payment_batch_id = ${batch} and r.status = 'valid' and r.known_as is not null)`

/** Counts the rows of a batch that pay bills. */
export const billsOf = (batch: Fragment): Fragment => sql`
  (select count(*)::int from payment_batch_rows r
    where r.payment_batch_id = ${batch} and r.bill_id is not null and r.status = 'valid')`

/** Sums the credit notes that are set against bills of a batch, as json by currency. */
export const creditsOf = (batch: Fragment): Fragment => sql`
  (select coalesce(json_agg(json_build_object('amount', s.amount::text, 'currency', s.currency) order by s.currency), '[]')
    from (select sum(c.amount) as amount, r.currency from payment_batch_rows r join payment_batch_credits c on c.row_id = r.id
      where r.payment_batch_id = ${batch} and r.bill_id is not null and r.status = 'valid' group by r.currency) s)`
