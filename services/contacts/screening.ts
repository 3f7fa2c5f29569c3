/** Payees as subjects of screening: the name of a contact, and the holders of its accounts. */
import type { Coordinates, DestinationType } from '../../domain/destinations/destination.ts'
import type { ContactId } from '../../domain/ids.ts'
import type { AskedQuestion } from '../../domain/screening/screening.ts'
import { causesWhatFollows } from '../events.ts'
import { openAll, openScreenings } from '../screening/screenings.ts'
import { asksNewNames } from '../screening/settings.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { type EncryptedCoordinates, openCoordinatesForDisplay } from './destinations.ts'
import type { OneTimePayee } from './new-destinations.ts'

type ContactRow = {
  readonly name: string
  readonly type: 'business' | 'individual'
  readonly destinations: readonly (EncryptedCoordinates & { readonly type: DestinationType; readonly takes: string })[]
}

/**
 * Opens the questions about a contact by the names that it has now. Called in the transaction that makes a contact,
 * renames it, or adds an account.
 */
export async function screenContact(tx: Tx, id: ContactId): Promise<void> {
  if (!asksNewNames) return
  const [contact] = await tx<ContactRow[]>`
    select c.name, c.type, (select coalesce(json_agg(json_build_object('id', d.id, 'type', d.type, 'takes', d.currency,
        'sealed', encode(d.sealed, 'hex')) order by d.inserted_at, d.id), '[]')
      from payment_destinations d where d.payment_contact_id = c.id and d.deleted_at is null) as destinations
    from payment_contacts c where c.id = ${id}`
  if (!contact) return
  await causesWhatFollows(tx, id)
  const accounts = contact.destinations.map((row) => openCoordinatesForDisplay(row, row.type))
  await openScreenings(tx, { payment_contact_id: id }, questionsOf(contact, accounts))
}

/**
 * Opens the questions about contacts of one payment. By service ID there are none: the payee is an organization of this
 * service, which is asked about itself.
 */
export async function screenOneTimePayees(tx: Tx, payees: readonly OneTimePayee[]): Promise<void> {
  if (!asksNewNames) return
  const named = payees.flatMap((payee) =>
    payee.svcId === null
      ? [
          {
            subject: { payment_contact_id: payee.contactId },
            questions: questionsOf({ name: payee.name, type: 'business' }, [payee.coordinates]),
          },
        ]
      : [],
  )
  await openAll(tx, named)
}

/** Lists the questions about a payee: its name, and each other name under which an account is held. */
function questionsOf(
  { name, type }: Pick<ContactRow, 'name' | 'type'>,
  accounts: readonly (Coordinates | null)[],
): readonly AskedQuestion[] {
  const of = type === 'individual' ? 'person' : 'entity'
  const held = accounts.filter((account) => account !== null)
  const country = held.find((account) => account['country_code'])?.['country_code'] ?? null
  const holders = held.flatMap((account) => account['account_holder_name'] ?? [])
  return [...new Set([name, ...holders])].map((one) => ({ kind: 'payee', of, name: one, country, born: null }))
}
