/** Lines of a bill as they are coded: its own, or one of its whole amount. */
import type { LineItem } from '../../domain/bills/line-item.ts'
import type { Labels } from '../../domain/coding/label.ts'
import { type CodedLine, type SavedLine, findCounting, linesOf } from '../../domain/coding/lines.ts'
import { refuse } from '../../domain/errors.ts'
import type { BillId } from '../../domain/ids.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

/** Bill with what its coding needs. */
export type CodedBill = {
  readonly status: string
  readonly currency: string | null
  /** Key of its supplier; null if neither tax id nor name is known. */
  readonly supplier: string | null
  readonly lines: readonly CodedLine[]
  /** True while its payment, or the batch with it, waits for approval. */
  readonly is_asked: boolean
}

type Row = Pick<CodedBill, 'status' | 'currency' | 'supplier' | 'is_asked'> & {
  readonly amount: string | null
  readonly line_items: readonly LineItem[]
}

const isAsked = (bill: Fragment): Fragment => sql`(
  exists (select from payments p where p.id = ${bill}.payment_id and p.status = 'awaiting_approval')
  or exists (select from payment_batch_rows r join payment_batches b on b.id = r.payment_batch_id
    where r.bill_id = ${bill}.id and r.status <> 'skipped' and b.status = 'awaiting_approval'))`

/** Reads a bill for its coding. Refuses `not_found`. */
export async function findCodedBill(reader: Reader, id: BillId): Promise<CodedBill> {
  const row = await first(
    reader<Row>(sql`
      select status, currency, amount::text as amount, coalesce(tax_key, name_key) as supplier, line_items,
        ${isAsked(sql`bills`)} as is_asked
      from bills where id = ${id} and organization_id = ${reader.organizationId}`),
  )
  if (!row) refuse('not_found')
  const { amount, line_items: items, ...bill } = row
  return { ...bill, lines: linesOf(items, row.currency, amount) }
}

/** Reads the codings that people saved of the lines of a bill. */
export const readSaved = (reader: Reader, id: BillId): Promise<SavedLine[]> =>
  reader<SavedLine>(sql`
    select line, amount::text as amount, description, parts from bill_codings
    where bill_id = ${id} and organization_id = ${reader.organizationId}`)

/** Coding of a bill as rules compare it. */
export type ComparedCoding = {
  readonly labels: Labels
  readonly account_codes: readonly string[]
  /** Lines with a part that has no account. */
  readonly uncoded: readonly number[]
}

/** Reads the coding of a bill as rules compare it: what people saved of lines as they are. Refuses `not_found`. */
export async function readComparedCoding(reader: Reader, id: BillId): Promise<ComparedCoding> {
  const [{ lines }, saved] = await Promise.all([findCodedBill(reader, id), readSaved(reader, id)])
  const counting = findCounting(lines, saved)
  const parts = [...counting.values()].flat()
  const isCoded = (some: SavedLine['parts'] = []) => some.length > 0 && some.every((part) => part.account_code !== null)
  return {
    labels: parts.flatMap(({ labels }) => labels),
    account_codes: [...new Set(parts.flatMap((part) => part.account_code ?? []))],
    uncoded: lines.map(({ line }) => line).filter((line) => !isCoded(counting.get(line))),
  }
}

/** Selects the labels of lines of a bill, as far as people saved them. */
export const selectLabels = (bill: Fragment): Fragment => sql`
  coalesce((select jsonb_agg(l) from coding_parts(${bill}) c cross join lateral jsonb_array_elements(c.labels) l), '[]')`

/** Selects the accounts of lines of a bill, as far as people saved them. */
export const selectAccounts = (bill: Fragment): Fragment => sql`
  coalesce((select jsonb_agg(distinct c.account_code) from coding_parts(${bill}) c where c.account_code is not null), '[]')`
