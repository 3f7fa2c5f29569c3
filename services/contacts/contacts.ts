/** Payment contacts: read and listed. */
import type { PaymentContact, PaymentContactFilters } from '../../domain/contacts/contact.ts'
import { refuse } from '../../domain/errors.ts'
import type { ContactId } from '../../domain/ids.ts'
import type { Page } from '../../domain/pagination.ts'
import { equalTo, withWords } from '../../db/postgres/filters.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'
import { externalColumns, type ExternalSearch, isExternal } from '../external.ts'
import { type SealedAddress, addressAt, openAddressForDisplay } from './addresses.ts'
import { isIncomplete } from './incomplete.ts'
import {
  type DestinationRow,
  contactOf,
  destinationMembers,
  maskDestination,
  wholeDestinations,
} from './destinations.ts'

type ContactRow = Omit<PaymentContact, 'destinations' | 'payee_address'> & {
  destinations: DestinationRow[]
  payee_address: SealedAddress | null
}

const selectContact = (): Fragment => sql`
  select payment_contacts.id, payment_contacts.organization_id, name, payment_contacts.type, email, tag, status,
    approval_request_id, next_name as becomes_name, one_time, created_by, payment_contacts.inserted_at,
    ${externalColumns(sql`payment_contacts`)},
    ${addressAt(sql`payment_contacts.payee_address_id`)} as payee_address,
    (select coalesce(jsonb_agg(jsonb_build_object(${destinationMembers(sql`d`, sql`c`)}) order by d.inserted_at, d.id), '[]')
      from (${contactOf(sql`payment_contacts`)}) c
      join payment_destinations d on d.payment_contact_id = c.id and d.deleted_at is null) as destinations
  from payment_contacts
  where payment_contacts.deleted_at is null`

/** Reads a contact with masked destinations; refuses `not_found`, also for a deleted one. */
export async function findContact(reader: Reader, id: ContactId): Promise<PaymentContact> {
  return maskContact(await findRow(reader, id))
}

/** Reads a contact with whole coordinates, for the request that has just given them. */
export async function findCreatedContact(reader: Reader, id: ContactId): Promise<PaymentContact> {
  const row = await findRow(reader, id)
  const destinations = await wholeDestinations(reader, row.destinations)
  return { ...row, payee_address: openAddressForDisplay(row.payee_address), destinations }
}

async function findRow(reader: Reader, id: ContactId): Promise<ContactRow> {
  const row = await first(
    reader<ContactRow>(sql`
      ${selectContact()} and payment_contacts.id = ${id}
      and payment_contacts.organization_id = ${reader.organizationId}`),
  )
  return row ?? refuse('not_found')
}

const maskContact = (row: ContactRow): PaymentContact => ({
  ...row,
  payee_address: openAddressForDisplay(row.payee_address),
  destinations: row.destinations.map(maskDestination),
})

/** Lists contacts, newest first, without deleted and one-time ones; `q` looks in name and email. */
export async function listContacts(
  reader: Reader,
  filters: PaymentContactFilters & ExternalSearch,
): Promise<Page<PaymentContact>> {
  const { destination_type: paidBy, currency, q, incomplete } = filters
  const destination = sql`
    and exists (select from payment_destinations o
      where o.payment_contact_id = payment_contacts.id and o.deleted_at is null
      ${paidBy ? sql`and o.type = ${paidBy}` : sql``} ${currency ? sql`and o.currency = ${currency}` : sql``})`
  const select = sql`
    ${selectContact()} and not one_time ${withWords(q, [sql`name`, sql`email`])}
    ${equalTo('payment_contacts', filters, ['tag', 'type', 'status'])}
    ${paidBy || currency ? destination : sql``}
    ${isExternal(sql`payment_contacts`, filters)}
    ${incomplete === undefined ? sql`` : sql`and ${incomplete ? sql`` : sql`not`} ${isIncomplete(sql`payment_contacts`)}`}`
  const page = await pageOf<ContactRow>(reader, 'payment_contacts', filters, select)
  return { ...page, data: page.data.map(maskContact) }
}
