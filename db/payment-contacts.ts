/** Everything said to Postgres about payment contacts and the destinations they are paid at. */
import { refuse } from './model/errors.ts'
import type { DestinationId, OrganizationId } from './model/ids.ts'
import { type Reader, first, sql } from './sql.ts'

/** Whom a payment to a contact would reach: its default destination. */
export type Payee = {
  name: string
  contact_status: 'active' | 'pending_approval' | 'archived'
  tag: string | null
  type: 'svc_id' | 'bank' | 'crypto'
  destination_id: DestinationId
  /** What the payment shows for ever, whatever the contact is called later. */
  destination_name: string
  /** Null for a destination outside the service. */
  payee_organization_id: OrganizationId | null
  svc_id: string | null
}

/**
 * The contact's default destination: the one marked so, else the first made. Refuses `not_found` for a contact that is
 * unknown, deleted or another organization's, and `destination_missing` where there is nothing to pay to.
 */
export async function payeeOf(reader: Reader, contactId: string): Promise<Payee> {
  const payee = await first(
    reader<Payee | (Payee & { destination_id: null })>(sql`
      select c.name, c.status as contact_status, c.tag, c.name as destination_name, d.type, d.id as destination_id,
        d.payee_organization_id, d.svc_id
      from payment_contacts c
      left join lateral (
        select p.id, p.type, p.payee_organization_id, p.svc_id from payment_destinations p
        where p.payment_contact_id = c.id and p.deleted_at is null
        order by p.is_default desc, p.inserted_at, p.id limit 1
      ) d on true
      where c.id = ${contactId} and c.organization_id = ${reader.organizationId} and c.deleted_at is null`),
  )
  if (!payee) refuse('not_found')
  return payee.destination_id === null ? refuse('destination_missing') : payee
}
