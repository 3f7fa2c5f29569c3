/** Coding of a contact, set by a person: proposed for each line of its bills. */
import { canonicalJson } from '../../domain/canonical.ts'
import type { ContactCoding, NewContactCoding } from '../../domain/coding/coding.ts'
import { contactEvents } from '../../domain/contacts/events.ts'
import { refuse } from '../../domain/errors.ts'
import type { BillId, ContactId } from '../../domain/ids.ts'
import type { Person } from '../../domain/people/actor.ts'
import { newCause, record } from '../events.ts'
import { holdCodes } from '../labels/labels.ts'
import { type Reader, type Tx, first, sql, within } from '../../db/postgres/sql.ts'
import { findUnknown, readCodes } from './codes.ts'

const NONE: ContactCoding = { account_code: null, tax_code: null, labels: [] }

/** Reads the coding of a contact; an empty one if none was set. */
export const findContactCoding = async (reader: Reader, id: ContactId): Promise<ContactCoding> =>
  (await first(
    reader<ContactCoding>(sql`
      select account_code, tax_code, labels from contact_codings
      where payment_contact_id = ${id} and organization_id = ${reader.organizationId}`),
  )) ?? NONE

/** Sets the coding of a contact; an empty one takes it away. Refuses `invalid_coding` with field and reason. */
export async function setContactCoding(tx: Tx, person: Person, id: ContactId, wanted: NewContactCoding): Promise<void> {
  await holdCodes(tx)
  await tx`select from payment_contacts where id = ${id} for no key update`
  const before = await findContactCoding(within(tx), id)
  if (canonicalJson(before) === canonicalJson(wanted)) return
  const unknown = findUnknown(await readCodes(within(tx)), wanted)
  if (unknown) refuse('invalid_coding', { field: unknown, reason: 'unknown_code' })
  const { account_code: account, labels, tax_code: tax } = wanted
  if (canonicalJson(wanted) === canonicalJson(NONE))
    await tx`delete from contact_codings where payment_contact_id = ${id}`
  else
    await tx`
      insert into contact_codings (organization_id, payment_contact_id, account_code, tax_code, labels, coded_by)
      values (${tx.organizationId}, ${id}, ${account}, ${tax}, ${sql.json(labels)}, ${person.userId})
      on conflict (payment_contact_id) do update set account_code = excluded.account_code, tax_code = excluded.tax_code,
        labels = excluded.labels, coded_by = excluded.coded_by, coded_at = business_now()`
  await record(tx, contactEvents.updated, { subjectId: id, cause: newCause(), payload: { changed: ['coding'] } })
}

/**
 * Finds the coding of the contact of a bill: the one that it names, else the one that is paid at its account, else the one
 * that the latest bill of the supplier named.
 */
export const findRuleOfBill = (reader: Reader, id: BillId): Promise<ContactCoding | undefined> =>
  first(
    reader<ContactCoding>(sql`
      select c.account_code, c.tax_code, c.labels
      from bills b
      cross join lateral (
        select 1 as place, b.payment_contact_id as contact_id
        union all
        select 2, d.payment_contact_id from payment_destinations d
        where d.organization_id = ${reader.organizationId} and d.account_id = b.account_id
        union all
        (select 3, e.payment_contact_id from bills e
        where e.organization_id = ${reader.organizationId} and e.payment_contact_id is not null
          and (e.tax_key = b.tax_key or (b.tax_key is null and e.name_key = b.name_key))
        order by e.inserted_at desc, e.id desc limit 1)) n
      join contact_codings c on c.payment_contact_id = n.contact_id
      where b.id = ${id} and b.organization_id = ${reader.organizationId}
        and c.organization_id = ${reader.organizationId}
      order by n.place limit 1`),
  )
