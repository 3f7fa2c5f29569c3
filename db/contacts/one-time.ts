/** Contacts that are made for one payment: a row of a batch named nobody else. Nothing else is ever paid to them. */
import { encryptCoordinates, fingerprintsOf } from './destination-encryption.ts'
import type { Coordinates } from '../../domain/contacts/destination.ts'
import type { ContactId, DestinationId, OrganizationId, UserId } from '../../domain/ids.ts'
import { type Tx, sql } from '../sql.ts'

/** Who is paid once: an organization by its service ID, or a bank account. */
export type OneTimePayee = {
  readonly contactId: ContactId
  readonly destinationId: DestinationId
  readonly name: string
  readonly currency: string
} & (
  | { readonly svcId: string; readonly payee: OrganizationId }
  | { readonly svcId: null; readonly coordinates: Coordinates }
)

/** Writes them with their only destinations. They are archived from the beginning: no other payment is made to them. */
export async function insertOneTimePayees(tx: Tx, creator: UserId, payees: readonly OneTimePayee[]): Promise<void> {
  if (payees.length === 0) return
  const rows = payees.map((one) => ({
    contact: one.contactId,
    destination: one.destinationId,
    name: one.name,
    currency: one.currency,
    ...(one.svcId === null
      ? { type: 'bank', svc_id: null, payee: null, ...sealed(one.destinationId, one.coordinates) }
      : { type: 'svc_id', svc_id: one.svcId, payee: one.payee, sealed: null }),
    fingerprint: fingerprintsOf(tx.organizationId, accountOf(one))[0],
  }))
  const given = sql.json(rows)
  await tx`
    insert into payment_contacts (id, organization_id, name, type, status, one_time, created_by)
    select g.contact, ${tx.organizationId}, g.name, 'business', 'archived', true, ${creator}
    from jsonb_to_recordset(${given}) g (contact uuid, name text)`
  await tx`
    insert into payment_destinations (id, organization_id, payment_contact_id, type, svc_id, payee_organization_id,
      is_default, currency, sealed, fingerprint, created_by)
    select g.destination, ${tx.organizationId}, g.contact, g.type, g.svc_id, g.payee, true, g.currency,
      decode(g.sealed, 'hex'), decode(g.fingerprint, 'hex'), ${creator}
    from jsonb_to_recordset(${given}) g (contact uuid, destination uuid, type text, svc_id text, payee uuid,
      currency text, sealed text, fingerprint text)`
}

const sealed = (id: string, coordinates: Coordinates) => ({
  sealed: encryptCoordinates(id, coordinates).toString('hex'),
})

const accountOf = (one: OneTimePayee) =>
  one.svcId === null
    ? ({ type: 'bank', coordinates: one.coordinates, payee_organization_id: null } as const)
    : ({ type: 'svc_id', coordinates: null, payee_organization_id: one.payee } as const)
