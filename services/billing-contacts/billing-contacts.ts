/** Billing contacts: read, listed, changed; and the copy that invoices embed. */
import { newCause, record } from '../events.ts'
import { withWords } from '../../db/postgres/filters.ts'
import type { Person } from '../../domain/people/actor.ts'
import type {
  BillingContact,
  BillingContactChange,
  BillingContactFilters,
  NewBillingContact,
} from '../../domain/billing-contacts/billing-contact.ts'
import { billingContactEvents } from '../../domain/billing-contacts/events.ts'
import { applyChange } from '../../domain/changes.ts'
import { refuse } from '../../domain/errors.ts'
import type { BillingContactId } from '../../domain/ids.ts'
import type { Page } from '../../domain/pagination.ts'
import { plain } from '../../domain/text.ts'
import { instantText } from '../../db/postgres/fragments.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../../db/postgres/sql.ts'

const instant = (column: string): Fragment => instantText(sql`billing_contacts.${sql(column)}`)

const contactJson = (): Fragment => sql`
  json_build_object('id', billing_contacts.id, 'organization_id', billing_contacts.organization_id,
    'company_name', billing_contacts.company_name,
    'address', billing_contacts.address, 'phone_number', billing_contacts.phone_number,
    'tax_id', billing_contacts.tax_id, 'emails', billing_contacts.emails,
    'postal_address', billing_contacts.postal_address, 'vat_id', billing_contacts.vat_id,
    'language', billing_contacts.language, 'deleted_at', ${instant('deleted_at')},
    'inserted_at', ${instant('inserted_at')}, 'updated_at', ${instant('updated_at')})`

/** Selects the contact that an invoice embeds, as JSON, also a deleted one; `id` is the column that names it. */
export const embeddedContact = (id: Fragment): Fragment =>
  sql`(select ${contactJson()} from billing_contacts where billing_contacts.id = ${id})`

type Row = { readonly id: string; readonly contact: BillingContact }

const selectContact = (): Fragment => sql`select billing_contacts.id, ${contactJson()} as contact from billing_contacts`

/** Reads a contact, also a deleted one. Refuses `not_found`. */
export async function findBillingContact(reader: Reader, id: BillingContactId): Promise<BillingContact> {
  const row = await first(
    reader<Row>(sql`${selectContact()}
      where billing_contacts.id = ${id} and billing_contacts.organization_id = ${reader.organizationId}`),
  )
  return row?.contact ?? refuse('not_found')
}

const textsOfSearch = (): Fragment[] => [
  sql`company_name`,
  sql`array_to_string(emails, ' ')`,
  sql`billing_contacts.tax_id`,
  sql`vat_id`,
]

/** Lists contacts that are not deleted, newest first; `q` looks in name, mail addresses and tax ids. */
export async function listBillingContacts(
  reader: Reader,
  filters: BillingContactFilters,
): Promise<Page<BillingContact>> {
  const select = sql`${selectContact()} where deleted_at is null ${withWords(filters.q, textsOfSearch())}`
  const page = await pageOf<Row>(reader, 'billing_contacts', filters, select)
  return { ...page, data: page.data.map(({ contact }) => contact) }
}

/**
 * Locks a contact and answers it: `share` if it must not be deleted or changed until the transaction ends, `change` to
 * do so. Refuses `not_found`, and `invalid_state` for a deleted one.
 */
export async function lockContact(
  tx: Tx,
  id: BillingContactId,
  how: 'share' | 'change' = 'share',
): Promise<BillingContact> {
  const [row] = await tx<Row[]>`
    ${selectContact()} where billing_contacts.id = ${id} for ${how === 'share' ? sql`share` : sql`no key update`}`
  if (!row) refuse('not_found')
  if (row.contact.deleted_at) refuse('invalid_state', { current: 'deleted', allowed: [], reason: 'contact_deleted' })
  return row.contact
}

type Details = Omit<BillingContact, 'id' | 'organization_id' | 'deleted_at' | 'inserted_at' | 'updated_at'>

const detailsOf = (given: NewBillingContact): Details => ({
  company_name: given.company_name,
  address: given.address ?? null,
  phone_number: given.phone_number ?? null,
  tax_id: given.tax_id ?? null,
  emails: given.emails ?? null,
  postal_address: given.postal_address ?? null,
  vat_id: given.vat_id ?? null,
  language: given.language,
})

const columnsOf = (details: Details) => ({
  ...details,
  postal_address: details.postal_address && sql.json(details.postal_address),
  words: plain([details.company_name, ...(details.emails ?? []), details.tax_id, details.vat_id].join(' ')),
})

export async function createBillingContact(
  tx: Tx,
  person: Person,
  id: BillingContactId,
  wanted: NewBillingContact,
): Promise<void> {
  const row = { id, organization_id: tx.organizationId, created_by: person.userId }
  await tx`insert into billing_contacts ${tx({ ...row, ...columnsOf(detailsOf(wanted)) })}`
  const payload = { company_name: wanted.company_name }
  await record(tx, billingContactEvents.created, { subjectId: id, cause: `request:${id}`, payload })
}

/**
 * Changes what is given, null empties; the event names what is another than before. Refuses `not_found`, and
 * `invalid_state` for a deleted contact.
 */
export async function changeBillingContact(tx: Tx, id: BillingContactId, change: BillingContactChange): Promise<void> {
  const {
    id: _id,
    organization_id: _organization,
    deleted_at: _deleted,
    inserted_at: _made,
    updated_at: _last,
    ...before
  } = await lockContact(tx, id, 'change')
  const { after, changed } = applyChange<Details>(before, change)
  if (changed.length === 0) return
  await tx`update billing_contacts set ${tx(columnsOf(after))}, updated_at = business_now() where id = ${id}`
  const named = changed.includes('company_name') && { company_name: after.company_name }
  await record(tx, billingContactEvents.updated, {
    subjectId: id,
    cause: newCause(),
    payload: { changed, ...named },
  })
}

/**
 * Deletes a contact: it stays in the invoices that it has, and gets no new one. Refuses `not_found`, and
 * `invalid_state` if it is deleted already.
 */
export async function deleteBillingContact(tx: Tx, id: BillingContactId): Promise<void> {
  await lockContact(tx, id, 'change')
  await tx`update billing_contacts set deleted_at = business_now(), updated_at = business_now() where id = ${id}`
  await record(tx, billingContactEvents.deleted, { subjectId: id, cause: newCause() })
}
