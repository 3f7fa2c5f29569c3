/** Bills that may be one and the same, and bank details that a supplier did not have before. */
import type { Duplicate } from '../../domain/bills/bill.ts'
import type { BillId } from '../../domain/ids.ts'
import { type Fragment, type Reader, type Tx, sql } from '../sql.ts'

/** Whether two bills are of one supplier: by the tax ids if both have one, else by the names. */
const sameSupplier = (a: Fragment, b: Fragment): Fragment => sql`
  case when ${a}.tax_key is not null and ${b}.tax_key is not null then ${a}.tax_key = ${b}.tax_key
    else ${a}.name_key = ${b}.name_key end`

/** So many say enough: a file that is handed in a thousand times costs no more each time. */
const DUPLICATES_MAX = 20

/** Other bills that may be this one, the 20 oldest, each with the surest reason. Cancelled ones do not count. */
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

/**
 * Whether an account is none of those that the supplier's earlier bills name, that the bill's contact is paid at, or
 * that its own payments went to before a person typed the account; false if there is nothing to compare it with.
 * Earlier is what was there when a person typed it. A bill whose own account was new vouches for it only once it is
 * paid. The fingerprints are those of one account under every key; none are of no account.
 */
export async function isNewAccount(tx: Tx, id: BillId, fingerprints: readonly string[]): Promise<boolean> {
  if (fingerprints.length === 0) return false
  const [found] = await tx<{ differs: boolean }[]>`
    with own as (select decode(f, 'hex') as fingerprint from unnest(${[...fingerprints]}::text[]) f),
    before as (
      select o.fingerprint from bills b join bills o on o.organization_id = b.organization_id and o.id <> b.id
        and o.status <> 'cancelled' and (o.inserted_at, o.id) < (coalesce(b.bank_changed_at, b.inserted_at), b.id)
        and (o.tax_key = b.tax_key or o.name_key = b.name_key) and ${sameSupplier(sql`o`, sql`b`)}
      where b.id = ${id} and o.fingerprint is not null and (not o.bank_details_differ
        or exists (select from payments p where p.id = o.payment_id and p.status = 'succeeded'))
    ), paid_at as (
      select d.fingerprint from bills b join payment_destinations d on d.payment_contact_id = b.payment_contact_id
        and d.type = 'bank' and d.deleted_at is null and not d.pending
      where b.id = ${id}
    ), paid_before as (
      select d.fingerprint from bills b join payments p on p.bill_id = b.id and p.inserted_at < b.bank_changed_at
        join payment_destinations d on d.id = p.destination_id and d.type = 'bank'
      where b.id = ${id}
    )
    select (exists (select from before) and not exists (select from before join own using (fingerprint)))
      or (exists (select from paid_at) and not exists (select from paid_at join own using (fingerprint)))
      or (exists (select from paid_before) and not exists (select from paid_before join own using (fingerprint))) as differs`
  return found?.differs ?? false
}

/**
 * Whether an account is new to the organization: no payment to it has succeeded, and no contact has had it for so many
 * hours. The fingerprints are those of one account under every key; none are of no account.
 */
export async function isUnknownAccount(tx: Tx, fingerprints: readonly string[], hours: number): Promise<boolean> {
  if (fingerprints.length === 0) return false
  const [known] = await tx`
    select d.id from payment_destinations d join payment_contacts c on c.id = d.payment_contact_id
    where d.organization_id = ${tx.organizationId} and d.type = 'bank'
      and d.fingerprint in (select decode(f, 'hex') from unnest(${[...fingerprints]}::text[]) f)
      and (exists (select from payments p where p.destination_id = d.id and p.status = 'succeeded')
        or (not c.one_time and c.status = 'active' and c.deleted_at is null and d.deleted_at is null and not d.pending
          and d.inserted_at <= business_now() - make_interval(hours => ${hours})))
    limit 1`
  return !known
}
