/** Bills that may be the same: one file, number and supplier, or amount and date. */
import type { Duplicate } from '../../domain/bills/bill.ts'
import type { BillId } from '../../domain/ids.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'

/** Compares the suppliers of two bills: by tax ids if both have one, else by names. */
export const sameSupplier = (a: Fragment, b: Fragment): Fragment => sql`
  case when ${a}.tax_key is not null and ${b}.tax_key is not null then ${a}.tax_key = ${b}.tax_key
    else ${a}.name_key = ${b}.name_key end`

/** Limit of duplicates: a file uploaded a thousand times costs no more each time. */
const DUPLICATES_MAX = 20

/** Finds bills that may be the same, the 20 oldest, with the surest reason. Cancelled ones do not count. */
export const findDuplicates = (reader: Reader, id: BillId): Promise<Duplicate[]> =>
  reader<Duplicate>(sql`
    select o.id as bill_id, case when o.file_sha256 = b.file_sha256 then 'same_file'
      when o.number_key = b.number_key and ${sameSupplier(sql`o`, sql`b`)} then 'same_number'
      else 'same_amount_and_date' end as reason
    from bills b join bills o on o.organization_id = b.organization_id and o.id <> b.id and o.status <> 'cancelled'
    where b.id = ${id} and b.organization_id = ${reader.organizationId} and (
      o.file_sha256 = b.file_sha256
      or (o.tax_key = b.tax_key or o.name_key = b.name_key) and ${sameSupplier(sql`o`, sql`b`)}
        and (o.number_key = b.number_key
          or (o.amount = b.amount and o.currency = b.currency and o.issue_date = b.issue_date)))
    order by o.inserted_at, o.id limit ${DUPLICATES_MAX}`)
