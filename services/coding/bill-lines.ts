/** Lines of a bill as they are coded: its own, or one of its whole amount. */
import type { LineItem } from '../../domain/bills/line-item.ts'
import { type CodedLine, linesOf } from '../../domain/coding/lines.ts'
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
}

type Row = Pick<CodedBill, 'status' | 'currency' | 'supplier'> & {
  readonly amount: string | null
  readonly line_items: readonly LineItem[]
}

/** Reads a bill for its coding; `lock` is of one that is coded now. Refuses `not_found`. */
export async function findCodedBill(reader: Reader, id: BillId, lock: Fragment = sql``): Promise<CodedBill> {
  const row = await first(
    reader<Row>(sql`
      select status, currency, amount::text as amount, coalesce(tax_key, name_key) as supplier, line_items from bills
      where id = ${id} and organization_id = ${reader.organizationId} ${lock}`),
  )
  if (!row) refuse('not_found')
  const { amount, currency, line_items: items, status, supplier } = row
  return { status, currency, supplier, lines: linesOf(items, currency, amount) }
}
