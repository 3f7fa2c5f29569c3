/** Accounts that are found by their number: the holder that a bill gives, and the one under which they are known. */
import { coordinatesOf } from '../../domain/bills/account.ts'
import type { BillFields } from '../../domain/bills/fields.ts'
import type { Coordinates } from '../../domain/destinations/destination.ts'
import { isSameHolder } from '../../domain/destinations/holder.ts'
import { type EncryptedCoordinates, openCoordinatesForDisplay } from '../contacts/destinations.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'

/** An account of a contact, found by its number; null where the contact was found otherwise. */
export type FoundRow = { readonly name: string; readonly account: EncryptedCoordinates | null }

/** An account under the name that a bill gives, which is asked about, shown and paid. */
export type GivenName = {
  readonly coordinates: Coordinates
  /** Holder under which the contact has it. */
  readonly knownAs: string
}

/**
 * Compares the holder of a bill with the stored one; null if they are one, or the bill gives none. A bill that names a
 * supplier and no holder may mean the contact of that name, who has approved its holder.
 */
export function compareHolders(fields: BillFields, { name, account }: FoundRow): GivenName | null {
  const given = coordinatesOf(fields)?.account_holder_name
  const stored = given && account ? openCoordinatesForDisplay(account, 'bank') : null
  if (!given || !stored) return null
  const knownAs = stored['account_holder_name'] ?? ''
  const named = fields.account_holder_name === undefined && isSameHolder(given, name)
  if (named || isSameHolder(given, knownAs)) return null
  return { coordinates: { ...stored, account_holder_name: given }, knownAs }
}

/** Contacts that are compared: more have no account in common. */
const CONTACTS_MAX = 20

/** Finds the other holder under which contacts have the account of a bill; null if one of them has its name. */
export async function findOtherHolder(reader: Reader, fields: BillFields, accountId: Fragment): Promise<string | null> {
  const found = await reader<FoundRow>(sql`
    select c.name, json_build_object('id', d.id, 'sealed', encode(d.sealed, 'hex')) as account
    from payment_destinations d join payment_contacts c on c.id = d.payment_contact_id
    where d.organization_id = ${reader.organizationId} and d.type = 'bank' and d.deleted_at is null and not d.pending
      and d.account_id = ${accountId}
      and c.status = 'active' and c.deleted_at is null and not c.one_time
    order by d.inserted_at, d.id limit ${CONTACTS_MAX}`)
  const compared = found.map((row) => compareHolders(fields, row))
  return compared.includes(null) ? null : (compared[0]?.knownAs ?? null)
}
