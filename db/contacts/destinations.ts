/** Destinations of payment contacts: checked, written, found, listed. */
import { type Account, fingerprintsOf, decryptCoordinates, encryptCoordinates } from './destination-encryption.ts'
import { log } from '../../platform/log.ts'
import { BANK_COORDINATES } from '../../domain/contacts/bank-requirements.ts'
import { errorsOf, refuseFaults } from '../../domain/contacts/check.ts'
import { canonicalCoordinates, checkCoordinates } from '../../domain/contacts/coordinates.ts'
import { refuse } from '../../domain/errors.ts'
import {
  type ApprovalId,
  type ContactId,
  type DestinationId,
  type OrganizationId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import type { Page } from '../../domain/pagination.ts'
import {
  type Coordinates,
  type Destination,
  type DestinationFilters,
  type DestinationType,
  type NewDestination,
  coordinatesIn,
  currencyOf,
  masked,
  payeeInWords,
} from '../../domain/contacts/destination.ts'
import { pageOf } from '../pagination.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../sql.ts'

/** A destination that was checked and may be written, if the contact has no such account yet. */
export type Prepared = {
  readonly id: DestinationId
  readonly destination: NewDestination
  readonly account: Account
  /** Under each key, the one that is kept first. */
  readonly fingerprints: readonly [string, ...string[]]
}

type Given = { readonly destination: NewDestination; readonly id?: DestinationId; readonly path: string }

/**
 * Checks destinations of a request and gives each an id, in their order. `path` is where one stands in the body, with a
 * dot at its end. Refuses `invalid_bank_details` with every fault, and `unknown_handle` and `same_account` with the
 * path of the field.
 */
export async function prepareDestinations(tx: Tx, given: readonly Given[]): Promise<Prepared[]> {
  refuseFaults(
    given.flatMap(({ destination, path }) =>
      destination.type === 'svc_id' ? [] : errorsOf(checkCoordinates(destination), path),
    ),
  )
  const payees = await resolveHandles(tx, given)
  return given.map(({ destination, id }, index) => {
    const canonical = destination.type === 'svc_id' ? destination : canonicalCoordinates(destination)
    const { type } = destination
    const account = { type, coordinates: coordinatesIn(canonical), payee_organization_id: payees[index] ?? null }
    const fingerprints = fingerprintsOf(tx.organizationId, account)
    return { id: id ?? newId(), destination: canonical, account, fingerprints }
  })
}

/** The organization that each destination means, in their order; null for one outside the service. */
async function resolveHandles(tx: Tx, given: readonly Given[]): Promise<(OrganizationId | null)[]> {
  const handles = given.map(({ destination }) => (destination.type === 'svc_id' ? destination.svc_id : null))
  if (handles.every((handle) => handle === null)) return handles.map(() => null)
  const resolved = await tx<{ organization_id: OrganizationId | null }[]>`
    select r.organization_id from unnest(${handles}::text[]) with ordinality h (handle, position)
    left join lateral resolve_handle(h.handle) r on true order by h.position`
  return resolved.map(({ organization_id: payee }, index) => {
    const handle = handles[index]
    if (!handle) return null
    const details = { path: `${given[index]?.path ?? ''}svc_id`, svc_id: handle }
    if (!payee) refuse('unknown_handle', details)
    if (payee === tx.organizationId) refuse('same_account', details)
    return payee
  })
}

/** Of the contact's destinations that are the same account. */
export async function sameAccountIn(tx: Tx, contactId: ContactId, { fingerprints }: Prepared): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from payment_destinations
    where payment_contact_id = ${contactId} and deleted_at is null and ${sameAs(fingerprints)}
    order by inserted_at, id`
  return rows.map(({ id }) => id)
}

const sameAs = (fingerprints: readonly string[]): Fragment =>
  sql`fingerprint in (select decode(f, 'hex') from unnest(${[...fingerprints]}::text[]) f)`

type Written = {
  readonly contactId: ContactId
  readonly creator: UserId
  readonly approvalId: ApprovalId | null
  /** Not paid at before the approval is given. */
  readonly pending: boolean
}

/** One statement; their ids stand in the order that they were given in. */
export async function insertDestinations(tx: Tx, prepared: readonly Prepared[], to: Written): Promise<void> {
  const rows = prepared.map(({ id, destination, account, fingerprints: [fingerprint] }) => ({
    id,
    type: destination.type,
    label: destination.label ?? null,
    svc_id: destination.type === 'svc_id' ? destination.svc_id : null,
    payee_organization_id: account.payee_organization_id,
    is_default: destination.default && !to.pending,
    currency: currencyOf(destination),
    sealed: account.coordinates && encryptCoordinates(id, account.coordinates).toString('hex'),
    fingerprint,
  }))
  await tx`
    insert into payment_destinations (id, organization_id, payment_contact_id, type, label, svc_id,
      payee_organization_id, is_default, currency, sealed, fingerprint, pending, approval_request_id, created_by)
    select d.id, ${tx.organizationId}, ${to.contactId}, d.type, d.label, d.svc_id, d.payee_organization_id, d.is_default,
      d.currency, decode(d.sealed, 'hex'), decode(d.fingerprint, 'hex'), ${to.pending}, ${to.approvalId}, ${to.creator}
    from jsonb_to_recordset(${sql.json(rows)}) d (id uuid, type text, label text, svc_id text,
      payee_organization_id uuid, is_default boolean, currency text, sealed text, fingerprint text)`
}

/** The destination that a contact is paid at: the one marked so, else the first made; null if there is none. */
export const defaultOf = (contactId: Fragment): Fragment => sql`
  (select t.id from payment_destinations t
    where t.payment_contact_id = ${contactId} and t.deleted_at is null and not t.pending
    order by t.is_default desc, t.inserted_at, t.id limit 1)`

/** Coordinates as they are kept, in hexadecimal; null for a service ID. */
export type EncryptedCoordinates = { readonly id: string; readonly sealed: string | null }

/** A destination as it is read, before it is opened. */
export type DestinationRow = Omit<Destination, 'duplicate_of'> &
  EncryptedCoordinates & {
    svc_id: string | null
    payee_organization_id: OrganizationId | null
    /** Its currency or coin, which stands beside what is sealed. */
    takes: string
  }

/** Of a contact that a query names what its destinations are told by; its default is looked for once. */
export const contactOf = (contacts: Fragment): Fragment => sql`
  select ${contacts}.id, ${contacts}.status, ${contacts}.changing, ${contacts}.next_default_id,
    ${defaultOf(sql`${contacts}.id`)} as default_id offset 0`

/**
 * Of the destination `d` of the contact `c`, as contactOf() has it: its members in answers, and what is opened for it.
 */
export const destinationMembers = (): Fragment => sql`
  'id', d.id, 'payment_contact_id', d.payment_contact_id, 'type', d.type, 'label', d.label,
  'default', d.id is not distinct from c.default_id,
  'becomes_default', d.id is not distinct from c.next_default_id,
  'status', case when d.pending or (c.status = 'pending_approval' and not c.changing) then 'pending_approval'
    else 'active' end,
  'approval_request_id', d.approval_request_id, 'svc_id', d.svc_id, 'payee_organization_id', d.payee_organization_id,
  'takes', d.currency, 'sealed', encode(d.sealed, 'hex'),
  'inserted_at', to_char(d.inserted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const selectDestination = (): Fragment => sql`
  select payment_destinations.id, jsonb_build_object(${destinationMembers()}) as destination
  from payment_destinations
  cross join lateral (select payment_destinations.*) d
  join payment_contacts on payment_contacts.id = payment_destinations.payment_contact_id
  cross join lateral (${contactOf(sql`payment_contacts`)}) c
  where d.deleted_at is null and payment_contacts.deleted_at is null`

type Selected = { id: string; destination: DestinationRow }

/**
 * One destination of the reader's organization, with whole coordinates and with the destinations of other contacts that
 * are the same account. Refuses `not_found`, also for one that was deleted.
 */
export async function findDestination(reader: Reader, id: DestinationId): Promise<Destination> {
  const row = await first(
    reader<Selected>(sql`
      ${selectDestination()} and d.id = ${id} and d.organization_id = ${reader.organizationId}`),
  )
  if (!row) refuse('not_found')
  const [found] = await wholeDestinations(reader, [row.destination])
  return found ?? refuse('not_found')
}

/** Destinations of a contact, newest first, with masked coordinates. Deleted ones are left out. Refuses `not_found`. */
export async function listDestinations(
  reader: Reader,
  contactId: ContactId,
  filters: DestinationFilters,
): Promise<Page<Destination>> {
  const { type, currency } = filters
  const contact = await first(
    reader(sql`select id from payment_contacts
      where id = ${contactId} and organization_id = ${reader.organizationId} and deleted_at is null`),
  )
  if (!contact) refuse('not_found')
  const page = await pageOf<Selected>(
    reader,
    'payment_destinations',
    filters,
    sql`${selectDestination()} and d.payment_contact_id = ${contactId}
      ${type ? sql`and d.type = ${type}` : sql``}
      ${currency ? sql`and d.currency = ${currency}` : sql``}`,
  )
  return { ...page, data: page.data.map(({ destination }) => maskedDestination(destination)) }
}

/** The destination without the coordinates that a payment could be sent by; without any if they do not open. */
export function maskedDestination(row: DestinationRow): Destination {
  const coordinates = shownCoordinates(row, row.type)
  return toDestination(row, coordinates && masked(coordinates))
}

/** Destinations with whole coordinates, and with those of other contacts that are the same account. */
export async function wholeDestinations(reader: Reader, rows: readonly DestinationRow[]): Promise<Destination[]> {
  const opened = rows.map((row) => {
    const coordinates = coordinatesOf(row)
    return { row, coordinates, fingerprints: fingerprintsOf(reader.organizationId, { ...row, coordinates }) }
  })
  const all = opened.flatMap(({ fingerprints }) => fingerprints)
  const same = await reader<{ id: string; payment_contact_id: string; fingerprint: string }>(sql`
    select id, payment_contact_id, encode(fingerprint, 'hex') as fingerprint from payment_destinations d
    where organization_id = ${reader.organizationId} and ${sameAs(all)} and deleted_at is null
      and not exists (select from payment_contacts c where c.id = d.payment_contact_id and c.one_time)
    order by inserted_at, id`)
  return opened.map(({ row, coordinates, fingerprints }) => ({
    ...toDestination(row, coordinates),
    duplicate_of: same
      .filter((other) => other.payment_contact_id !== row.payment_contact_id)
      .filter((other) => fingerprints.includes(other.fingerprint))
      .map(({ id }) => id),
  }))
}

/** The coordinates of a row, opened; null for a service ID. Throws if they were changed, or are another row's. */
export const coordinatesOf = ({ id, sealed }: EncryptedCoordinates): Coordinates | null =>
  sealed === null ? null : decryptCoordinates(id, Buffer.from(sealed, 'hex'))

/**
 * The same for who looks at many, or at a mask: one that does not open is logged, and answered as one of which nothing
 * is known, so that it hides nothing else. Never of use to pay by.
 */
export function shownCoordinates(row: EncryptedCoordinates & { takes?: string }, type: DestinationType) {
  try {
    return coordinatesOf(row)
  } catch (error) {
    log.error({ err: error, destination_id: row.id }, 'a destination does not open')
    return unreadable(type, row.takes ?? UNKNOWN)
  }
}

/** A destination as far as words about it go. */
export type PayeeRow = EncryptedCoordinates & { readonly type: DestinationType; readonly svc_id: string | null }

/** The columns of a PayeeRow, of a destination `d`. */
export const payeeRowColumns = (): Fragment => sql`d.id, d.type, d.svc_id, encode(d.sealed, 'hex') as sealed`

/** Who is paid at a destination, as the summary of an approval says it. */
export const payeeOfRow = (row: PayeeRow): string => payeeInWords(row.svc_id, shownCoordinates(row, row.type))

/** The same of the destination with this id; null if there is none. */
export async function payeeAt(tx: Tx, id: Fragment): Promise<string | null> {
  const [row] = await tx<PayeeRow[]>`select ${payeeRowColumns()} from payment_destinations d where d.id = ${id}`
  return row ? payeeOfRow(row) : null
}

const UNKNOWN = '…'
/** Coordinates of which nothing is known but what stands beside them: to be shown, never to pay by. */
export const unreadable = (type: DestinationType, takes: string): Coordinates =>
  type === 'crypto'
    ? { network: UNKNOWN, coin: takes, address: UNKNOWN, memo: null }
    : {
        country_code: UNKNOWN,
        currency: takes,
        account_holder_name: UNKNOWN,
        ...Object.fromEntries(BANK_COORDINATES.map((name) => [name, null])),
      }

function toDestination(row: DestinationRow, coordinates: Coordinates | null): Destination {
  const { svc_id, payee_organization_id: _payee, sealed: _sealed, takes: _takes, ...shared } = row
  // The table's check keeps coordinates or a service ID; coordinates are those that coordinatesIn() wrote of this type.
  return { ...shared, duplicate_of: null, ...(coordinates ?? { svc_id }) } as Destination
}
