/** Destinations of payment contacts: read, listed, opened, described. */
import { BANK_COORDINATES } from '../../domain/destinations/bank-requirements.ts'
import type { Check } from '../../domain/destinations/check.ts'
import { checkCoordinates } from '../../domain/destinations/coordinates.ts'
import {
  type Coordinates,
  type Destination,
  type DestinationFilters,
  type DestinationType,
  type NewDestination,
  accountOf,
  maskCoordinates,
  payeeInWords,
} from '../../domain/destinations/destination.ts'
import { refuse } from '../../domain/errors.ts'
import type { ContactId, DestinationId, OrganizationId } from '../../domain/ids.ts'
import type { ChangedAccount } from '../../domain/account-changes/change.ts'
import type { Page } from '../../domain/pagination.ts'
import { log } from '../../platform/log.ts'
import { type SealedAccount, callBackOf } from '../account-changes/changes.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { instantText } from '../../db/postgres/fragments.ts'
import { type Fragment, type Reader, type Tx, first, sql } from '../../db/postgres/sql.ts'
import { type ExternalSearch, externalMembers, isExternal } from '../external.ts'
import { type SealedAddress, addressAt, openAddressForDisplay } from './addresses.ts'
import { decryptCoordinates } from './destination-encryption.ts'

/** Checks each field of a destination; a service ID only for its existence, as GET /handles does. */
export async function checkDestination(destination: NewDestination): Promise<Check[]> {
  if (destination.type !== 'svc_id') return checkCoordinates(destination)
  const [found] = await sql`select 1 from resolve_handle(${destination.svc_id})`
  return [
    found
      ? { field: 'svc_id', status: 'ok', code: 'ok' }
      : { field: 'svc_id', status: 'invalid', code: 'unknown_handle' },
  ]
}

/** Lists the contact's destinations that are the account with these fingerprints. */
export async function sameAccountIn(tx: Tx, contactId: ContactId, fingerprints: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from payment_destinations
    where payment_contact_id = ${contactId} and deleted_at is null
      and fingerprint in (select decode(f, 'hex') from unnest(${[...fingerprints]}::text[]) f)
    order by inserted_at, id`
  return rows.map(({ id }) => id)
}

/** Selects the id of a contact's default destination: the one marked so, else the first made; or null. */
export const defaultOf = (contactId: Fragment): Fragment => sql`
  (select t.id from payment_destinations t
    where t.payment_contact_id = ${contactId} and t.deleted_at is null and not t.pending
    order by t.is_default desc, t.inserted_at, t.id limit 1)`

/** Stored coordinates in hexadecimal; null for a service ID. */
export type EncryptedCoordinates = { readonly id: string; readonly sealed: string | null }

export type DestinationRow = Omit<Destination, 'duplicate_of'> &
  EncryptedCoordinates & {
    svc_id: string | null
    payee_organization_id: OrganizationId | null
    /** Its currency or coin. */
    takes: string
    payee_address: SealedAddress | null
  }

/** Selects the columns of a contact that `destinationMembers()` reads; the default is looked up once. */
export const contactOf = (contacts: Fragment): Fragment => sql`
  select ${contacts}.id, ${contacts}.status, ${contacts}.changing, ${contacts}.next_default_id,
    ${defaultOf(sql`${contacts}.id`)} as default_id offset 0`

/** Selects the members of a destination `d` of the contact `c` of `contactOf()`. */
export const destinationMembers = (d: Fragment, c: Fragment): Fragment => sql`
  'id', ${d}.id, 'payment_contact_id', ${d}.payment_contact_id, 'type', ${d}.type, 'label', ${d}.label,
  'default', ${d}.id is not distinct from ${c}.default_id,
  'becomes_default', ${d}.id is not distinct from ${c}.next_default_id,
  'status', case when ${d}.pending or (${c}.status = 'pending_approval' and not ${c}.changing) then 'pending_approval'
    else 'active' end,
  'approval_request_id', ${d}.approval_request_id, 'svc_id', ${d}.svc_id, 'payee_organization_id', ${d}.payee_organization_id,
  'takes', ${d}.currency, 'call_back', ${callBackOf(d)}, 'sealed', encode(${d}.sealed, 'hex'),
  'payee_address', ${addressAt(sql`${d}.payee_address_id`)}, ${externalMembers(d)},
  'inserted_at', ${instantText(sql`${d}.inserted_at`)}`

const selectDestination = (): Fragment => sql`
  select payment_destinations.id, jsonb_build_object(${destinationMembers(sql`d`, sql`c`)}) as destination
  from payment_destinations
  cross join lateral (select payment_destinations.*) d
  join payment_contacts on payment_contacts.id = payment_destinations.payment_contact_id
  cross join lateral (${contactOf(sql`payment_contacts`)}) c
  where d.deleted_at is null and payment_contacts.deleted_at is null`

type SelectedDestination = { id: string; destination: DestinationRow }

/** Reads a destination with whole coordinates; refuses `not_found`, also for a deleted one. */
export async function findDestination(reader: Reader, id: DestinationId): Promise<Destination> {
  const row = await first(
    reader<SelectedDestination>(sql`
      ${selectDestination()} and d.id = ${id} and d.organization_id = ${reader.organizationId}`),
  )
  if (!row) refuse('not_found')
  const [found] = await wholeDestinations(reader, [row.destination])
  return found ?? refuse('not_found')
}

/** Lists the destinations of a contact, newest first, with masked coordinates. Refuses `not_found`. */
export async function listDestinations(
  reader: Reader,
  contactId: ContactId,
  filters: DestinationFilters & ExternalSearch,
): Promise<Page<Destination>> {
  const { type, currency } = filters
  const contact = await first(
    reader(sql`select id from payment_contacts
      where id = ${contactId} and organization_id = ${reader.organizationId} and deleted_at is null`),
  )
  if (!contact) refuse('not_found')
  const select = sql`
    ${selectDestination()} and d.payment_contact_id = ${contactId}
    ${type ? sql`and d.type = ${type}` : sql``} ${currency ? sql`and d.currency = ${currency}` : sql``}
    ${isExternal(sql`d`, filters)}`
  const page = await pageOf<SelectedDestination>(reader, 'payment_destinations', filters, select)
  return { ...page, data: page.data.map(({ destination }) => maskDestination(destination)) }
}

/** Masks the coordinates that a payment could be sent by; leaves all out if they do not open. */
export function maskDestination(row: DestinationRow): Destination {
  const coordinates = openCoordinatesForDisplay(row, row.type)
  return toDestination(row, coordinates && maskCoordinates(coordinates))
}

/** Opens destinations, and finds those of other contacts that are the same accounts. */
export async function wholeDestinations(reader: Reader, rows: readonly DestinationRow[]): Promise<Destination[]> {
  const opened = rows.map((row) => ({ row, coordinates: coordinatesOf(row) }))
  const same = await reader<{ id: string; of: string }>(sql`
    select d.id, own.id as of from payment_destinations own
    join payment_destinations d on d.organization_id = own.organization_id and d.account_id = own.account_id
      and d.payment_contact_id <> own.payment_contact_id
    where own.id = any (${rows.map(({ id }) => id)}::uuid[]) and own.organization_id = ${reader.organizationId}
      and d.deleted_at is null
      and not exists (select from payment_contacts c where c.id = d.payment_contact_id and c.one_time)
    order by d.inserted_at, d.id`)
  return opened.map(({ row, coordinates }) => ({
    ...toDestination(row, coordinates),
    duplicate_of: same.filter((other) => other.of === row.id).map(({ id }) => id),
  }))
}

/** Opens the coordinates of a row; null for a service ID. Throws if they were changed, or are another row's. */
export const coordinatesOf = ({ id, sealed }: EncryptedCoordinates): Coordinates | null =>
  sealed === null ? null : decryptCoordinates(id, Buffer.from(sealed, 'hex'))

/** Opens coordinates to be shown, never to pay by: those that do not open are logged, and shown as unknown. */
export function openCoordinatesForDisplay(row: EncryptedCoordinates & { takes?: string }, type: DestinationType) {
  try {
    return coordinatesOf(row)
  } catch (error) {
    log.error({ err: error, destination_id: row.id }, 'a destination could not be decrypted')
    return unreadable(type, row.takes ?? UNKNOWN)
  }
}

/** Opens an account for approvers. */
export const showAccount = (row: SealedAccount): ChangedAccount => {
  const coordinates = openCoordinatesForDisplay(row, row.type)
  if (coordinates) return toChangedAccount(row.id, coordinates)
  return { ...toChangedAccount(row.id, { currency: row.takes }), type: 'svc_id', account: row.svc_id }
}

/** Selects what approvers see of an account: its holder and the end of its number, or its network and coin. */
export function toChangedAccount(id: string | null, coordinates: Coordinates): ChangedAccount {
  const { account_holder_name: holder, country_code: country, currency, network, coin } = coordinates
  if (network) {
    const wallet = { account: accountOf(coordinates), country_code: UNKNOWN, currency: coin ?? UNKNOWN }
    return { destination_id: id, type: 'crypto', account_holder_name: network, ...wallet }
  }
  return {
    destination_id: id,
    type: 'bank',
    account: accountOf(coordinates),
    account_holder_name: holder ?? UNKNOWN,
    country_code: country ?? UNKNOWN,
    currency: currency ?? UNKNOWN,
  }
}

export type PayeeRow = EncryptedCoordinates & { readonly type: DestinationType; readonly svc_id: string | null }

export const payeeRowColumns = (d: Fragment): Fragment =>
  sql`${d}.id, ${d}.type, ${d}.svc_id, encode(${d}.sealed, 'hex') as sealed`

/** Describes the payee at a destination for the summary of an approval. */
export const payeeOfRow = (row: PayeeRow, knownAs: string | null = null): string =>
  payeeInWords(row.svc_id, openCoordinatesForDisplay(row, row.type), knownAs)

/** Opens the bank account of a destination. Refuses `not_found`. */
export async function payeeAtDestination(
  reader: Reader,
  id: DestinationId,
): Promise<{ readonly coordinates: Coordinates }> {
  const row = await first(
    reader<EncryptedCoordinates>(sql`
      select d.id, encode(d.sealed, 'hex') as sealed from payment_destinations d
      where d.id = ${id} and d.organization_id = ${reader.organizationId} and d.type = 'bank'`),
  )
  const coordinates = row ? openCoordinatesForDisplay(row, 'bank') : null
  return coordinates ? { coordinates } : refuse('not_found')
}

/** Reads the network of a wallet; null for what is none. */
export async function networkOf(reader: Reader, id: DestinationId): Promise<string | null> {
  const row = await first(
    reader<EncryptedCoordinates>(sql`
      select d.id, encode(d.sealed, 'hex') as sealed from payment_destinations d
      where d.id = ${id} and d.organization_id = ${reader.organizationId} and d.type = 'crypto'`),
  )
  return row ? networkOfRow(row) : null
}

export function networkOfRow(row: EncryptedCoordinates): string | null {
  const coordinates = openCoordinatesForDisplay(row, 'crypto')
  return coordinates && 'network' in coordinates ? coordinates.network : null
}

/** Reads the holder under which a destination is stored. */
export const holderOf = (row: EncryptedCoordinates): string =>
  openCoordinatesForDisplay(row, 'bank')?.['account_holder_name'] ?? UNKNOWN

/** Selects the EncryptedCoordinates of a destination; null without an id. */
export const accountAt = (id: Fragment): Fragment => sql`
  (select json_build_object('id', d.id, 'sealed', encode(d.sealed, 'hex')) from payment_destinations d where d.id = ${id})`

export async function payeeAt(tx: Tx, id: Fragment): Promise<string | null> {
  const [row] = await tx<PayeeRow[]>`select ${payeeRowColumns(sql`d`)} from payment_destinations d where d.id = ${id}`
  return row ? payeeOfRow(row) : null
}

const UNKNOWN = '…'
/** Makes coordinates of which only the type and currency are known: to be shown, never to pay by. */
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
  const {
    svc_id,
    payee_organization_id: _payee,
    sealed: _sealed,
    takes: _takes,
    payee_address: address,
    ...shared
  } = row
  const named = row.type === 'bank' && { payee_address: openAddressForDisplay(address) }
  // The table's check keeps coordinates or a service ID; coordinates are those that coordinatesIn() wrote of this type.
  return { ...shared, duplicate_of: null, ...(coordinates ?? { svc_id }), ...named } as Destination
}
