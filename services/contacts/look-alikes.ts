/** Payees whose names look like another one's: approvers of a new payee, and of a payment to a new account, see them. */
import type { Alike } from '../../domain/contacts/approval-action.ts'
import { type NameLook, isNearName, lookOf } from '../../domain/contacts/near-names.ts'
import type { ContactId } from '../../domain/ids.ts'
import { skeletonOf } from '../../domain/skeleton.ts'
import { type Reader, sql } from '../../db/postgres/sql.ts'

/** Contacts and payments to look at, the newest first: an organization may have very many. */
const LOOKED_AT_MAX = 1000
const ALIKE_MAX = 5

type NameRow = { readonly payment_contact_id: string; readonly name: string }

/** Lists names of payees, each as a contact has it, or as a payment named it; the newest of either. */
const listNames = async (reader: Reader): Promise<readonly NameRow[]> => {
  const [contacts, paid] = await Promise.all([
    reader<NameRow>(sql`
      select id as payment_contact_id, name from payment_contacts
      where organization_id = ${reader.organizationId} and deleted_at is null and not one_time
      order by inserted_at desc, id desc limit ${LOOKED_AT_MAX}`),
    reader<NameRow>(sql`
      select distinct payment_contact_id, name from (
        select payment_contact_id, destination_name as name from payments
        where organization_id = ${reader.organizationId} order by inserted_at desc, id desc limit ${LOOKED_AT_MAX}) p`),
  ])
  return [...contacts, ...paid]
}

/**
 * Finds payees whose name looks like this one, or is the same: those that were paid under it, and other contacts, each
 * once.
 */
export async function findAlike(reader: Reader, id: ContactId, name: string): Promise<Alike[]> {
  const looks = skeletonOf(name)
  if (looks === '') return []
  const [byPayment, others] = await Promise.all([
    reader<NameRow>(sql`
      select payment_contact_id, destination_name as name from payments
      where organization_id = ${reader.organizationId} and payee_key = ${looks} and payment_contact_id <> ${id}
      order by inserted_at desc limit ${LOOKED_AT_MAX}`),
    listNames(reader),
  ])
  const own = lookOf(name)
  const near = others.filter((one) => one.payment_contact_id !== id && isNearName(own, lookOf(one.name)))
  const names = new Map([...byPayment, ...near].map((one) => [one.payment_contact_id, one.name]))
  return [...names].slice(0, ALIKE_MAX).map(([contact, called]) => ({ payment_contact_id: contact, name: called }))
}

type PayeeName = { readonly payment_contact_id: string | null; readonly name: string }

/** Tells if one of these payees looks like another payee under another name; its own name is no other one. */
export async function looksLikeAnother(reader: Reader, payees: readonly PayeeName[]): Promise<boolean> {
  if (payees.length === 0) return false
  const known = (await listNames(reader)).map((one) => ({ ...one, ...lookOf(one.name) }))
  return payees.some(({ payment_contact_id: id, name }) => {
    const own: NameLook = lookOf(name)
    return known.some((one) => one.payment_contact_id !== id && one.name !== name && isNearName(own, one))
  })
}
