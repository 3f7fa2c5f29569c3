/** Payees whose names look like another one's: approvers of a new payee see them. */
import type { Alike } from '../../domain/contacts/approval-action.ts'
import type { ContactId } from '../../domain/ids.ts'
import { skeletonOf } from '../../domain/skeleton.ts'
import type { Tx } from '../../db/postgres/sql.ts'

/** Contacts and payments to look at, the newest first: an organization may have very many. */
const LOOKED_AT_MAX = 1000
const ALIKE_MAX = 5

type NameRow = { readonly payment_contact_id: string; readonly name: string }

/**
 * Finds payees whose name looks like this one, or is the same: those that were paid under it, and other contacts, each
 * once.
 */
export async function findAlike(tx: Tx, id: ContactId, name: string): Promise<Alike[]> {
  const looks = skeletonOf(name)
  if (looks === '') return []
  const paid = tx<NameRow[]>`
    select payment_contact_id, destination_name as name from payments
    where organization_id = ${tx.organizationId} and payee_key = ${looks} and payment_contact_id <> ${id}
    order by inserted_at desc limit ${LOOKED_AT_MAX}`
  const contacts = tx<NameRow[]>`
    select id as payment_contact_id, name from payment_contacts
    where organization_id = ${tx.organizationId} and id <> ${id} and deleted_at is null and not one_time
    order by inserted_at desc, id desc limit ${LOOKED_AT_MAX}`
  const [byPayment, others] = await Promise.all([paid, contacts])
  const alike = [...byPayment, ...others.filter((one) => skeletonOf(one.name) === looks)]
  const names = new Map(alike.map((one) => [one.payment_contact_id, one.name]))
  return [...names].slice(0, ALIKE_MAX).map(([contact, called]) => ({ payment_contact_id: contact, name: called }))
}
