/** Bills that may be the same: one file, number and supplier or amount, or amount and date of a supplier. */
import type { Duplicate } from '../../domain/bills/bill.ts'
import type { BillId } from '../../domain/ids.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'
import { sameSupplier } from './suppliers.ts'

/** Limit of duplicates: a file uploaded a thousand times costs no more each time. */
const DUPLICATES_MAX = 20
/** Fewest signs of a number that few other suppliers give to a bill of the same amount. */
const NUMBER_MIN = 4

const sameNumber = (a: Fragment, b: Fragment): Fragment =>
  sql`${a}.number_key = ${b}.number_key and is_same_number(${a}.bill_number, ${b}.bill_number)`
const sameAmount = (a: Fragment, b: Fragment): Fragment =>
  sql`${a}.amount = ${b}.amount and ${a}.currency = ${b}.currency`

/**
 * Finds bills that may be the same, the 20 oldest, with the surest reason. Cancelled ones do not count, nor those of senders
 * whom nobody has accepted: a stranger would keep the real bill from being paid. Number and amount count whatever the supplier is called, and whatever its tax id is: a short number only on the same day. Each part is
 * found by an index of its own, also among the bills of a supplier with many.
 */
export const findDuplicates = (reader: Reader, id: BillId): Promise<Duplicate[]> =>
  reader<Duplicate>(sql`
    with b as materialized (select * from bills where id = ${id} and organization_id = ${reader.organizationId}),
    found as (
      select o.id from b join bills o on o.organization_id = b.organization_id and o.file_sha256 = b.file_sha256
      union
      select o.id from b join bills o on o.organization_id = b.organization_id and ${sameNumber(sql`o`, sql`b`)}
      union
      select o.id from b join bills o on o.organization_id = b.organization_id and o.issue_date = b.issue_date
        and ${sameAmount(sql`o`, sql`b`)}
    )
    select o.id as bill_id, case when o.file_sha256 = b.file_sha256 then 'same_file'
      when ${sameNumber(sql`o`, sql`b`)} then 'same_number' else 'same_amount_and_date' end as reason
    from b cross join found join bills o on o.id = found.id
    where o.id <> b.id and o.status <> 'cancelled' and not o.sender_is_unknown and (
      o.file_sha256 = b.file_sha256 or ${sameSupplier(sql`o`, sql`b`)}
      or (${sameNumber(sql`o`, sql`b`)} and ${sameAmount(sql`o`, sql`b`)}
        and (length(b.number_key) >= ${NUMBER_MIN} or o.issue_date = b.issue_date)))
    order by o.inserted_at, o.id limit ${DUPLICATES_MAX}`)
