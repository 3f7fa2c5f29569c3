/** Destinations before they are stored: checked, described, written. */
import { errorsOf, refuseFaults } from '../../domain/destinations/check.ts'
import { canonicalCoordinates, checkCoordinates } from '../../domain/destinations/coordinates.ts'
import {
  type Coordinates,
  type NewDestination,
  coordinatesIn,
  currencyOf,
  payeeInWords,
} from '../../domain/destinations/destination.ts'
import { holderKeyIn } from '../../domain/destinations/holder.ts'
import { refuse } from '../../domain/errors.ts'
import { type Metadata, externalInEvent, mergeMetadata } from '../../domain/external.ts'
import {
  type ApprovalId,
  type ContactId,
  type DestinationId,
  type OrganizationId,
  type PayeeAddressId,
  type UserId,
  newId,
} from '../../domain/ids.ts'
import type { PayeeAnswer } from '../../domain/payee-checks/payee-check.ts'
import { type PreparedCheck, insertChecks, prepareCheck, toHashedCheck } from '../payee-checks/checks.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { hashShown } from './approval-target.ts'
import { type PreparedAddress, insertAddresses, prepareAddress } from './addresses.ts'
import { type Account, encryptCoordinates, fingerprintsOf } from './destination-encryption.ts'
import { screenOneTimePayees } from './screening.ts'
import { allKeysOf } from './payee-accounts.ts'

export type PreparedDestination = {
  readonly id: DestinationId
  readonly destination: NewDestination
  readonly account: Account
  readonly address: PreparedAddress | null
  /** Answer of the bank about its holder, for who approves it. */
  readonly check: PreparedCheck | null
  /** One for each key; the first is stored. */
  readonly fingerprints: readonly [string, ...string[]]
}

type DestinationInput = {
  readonly destination: NewDestination
  readonly id?: DestinationId
  readonly path: string
  readonly answer?: PayeeAnswer | null
}

/**
 * Checks destinations of a request and gives each an id, in their order. `path` is its place in the body, with a dot at
 * its end. Refuses `invalid_bank_details` with every fault, and `unknown_handle` and `same_account` with the
 * path of the field.
 */
export async function prepareDestinations(tx: Tx, given: readonly DestinationInput[]): Promise<PreparedDestination[]> {
  refuseFaults(
    given.flatMap(({ destination, path }) =>
      destination.type === 'svc_id' ? [] : errorsOf(checkCoordinates(destination), path),
    ),
  )
  const payees = await resolveHandles(tx, given)
  return given.map(({ destination, id = newId(), answer }, index) => {
    const canonical = destination.type === 'svc_id' ? destination : canonicalCoordinates(destination)
    const { type } = destination
    const account = { type, coordinates: coordinatesIn(canonical), payee_organization_id: payees[index] ?? null }
    const named = destination.type === 'bank' ? destination.payee_address : null
    const address = named ? prepareAddress(tx.organizationId, named) : null
    const check = answer && account.coordinates ? prepareCheck(account.coordinates, answer) : null
    const fingerprints = fingerprintsOf(tx.organizationId, account)
    return { id, destination: canonical, account, address, check, fingerprints }
  })
}

/** Finds the organization behind each service ID, in the order of the destinations; null for other types. */
async function resolveHandles(tx: Tx, given: readonly DestinationInput[]): Promise<(OrganizationId | null)[]> {
  const handles = given.map(({ destination }) => svcIdOf(destination))
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

const svcIdOf = (destination: NewDestination): string | null =>
  destination.type === 'svc_id' ? destination.svc_id : null

/** Names a destination for approvals and the log, which nobody can erase: without its coordinates. */
export const toSubject = ({ id, destination }: PreparedDestination) =>
  destination.type === 'svc_id'
    ? { id, type: destination.type, svc_id: destination.svc_id }
    : { id, type: destination.type }

/** Names a destination for the log, with its external id. */
export const toLogged = (prepared: PreparedDestination) => ({
  ...toSubject(prepared),
  ...externalInEvent(prepared.destination),
})

export const toFingerprintSubject = (prepared: PreparedDestination): object => ({
  ...toSubject(prepared),
  default: prepared.destination.default,
  fingerprint: prepared.fingerprints[0],
  sha256: hashShown(prepared.account.coordinates, currencyOf(prepared.destination)),
  ...(prepared.address && { payee_address: prepared.address.fingerprint }),
  ...(prepared.check && { payee_check: toHashedCheck({ ...prepared.check, ...prepared.check.content }) }),
})

export const describePrepared = ({ destination, account }: PreparedDestination): string =>
  payeeInWords(svcIdOf(destination), account.coordinates)

type Creation = {
  readonly creator: UserId
  readonly approvalId?: ApprovalId | null
  /** Not paid at before the approval is given. */
  readonly pending?: boolean
}

export async function insertDestinations(
  tx: Tx,
  contactId: ContactId,
  prepared: readonly PreparedDestination[],
  creation: Creation,
): Promise<void> {
  await insertAddresses(
    tx,
    prepared.flatMap(({ address }) => address ?? []),
  )
  await insertRows(
    tx,
    prepared.map(({ id, destination, account, address }) => ({
      id,
      contact_id: contactId,
      account,
      label: destination.label ?? null,
      external_id: destination.external_id ?? null,
      metadata: mergeMetadata({}, destination.metadata),
      svc_id: svcIdOf(destination),
      is_default: destination.default && !creation.pending,
      currency: currencyOf(destination),
      payee_address_id: address?.id ?? null,
    })),
    creation,
  )
  if (!creation.approvalId) return
  await insertChecks(
    tx,
    prepared.flatMap(({ id, check }) => (check ? [{ ...check, destinationId: id }] : [])),
  )
}

type Row = {
  readonly id: DestinationId
  readonly contact_id: ContactId
  readonly account: Account
  readonly label?: string | null
  readonly external_id?: string | null
  readonly metadata?: Metadata
  readonly svc_id: string | null
  readonly is_default: boolean
  readonly currency: string
  readonly payee_address_id?: PayeeAddressId | null
}

async function insertRows(
  tx: Tx,
  rows: readonly Row[],
  { creator, approvalId = null, pending = false }: Creation,
): Promise<void> {
  const given = rows.map(({ account, ...row }) => {
    const fingerprints = fingerprintsOf(tx.organizationId, account)
    return {
      ...row,
      type: account.type,
      payee: account.payee_organization_id,
      sealed: account.coordinates && encryptCoordinates(row.id, account.coordinates).toString('hex'),
      fingerprint: fingerprints[0],
      keys: allKeysOf(tx.organizationId, account, fingerprints),
      holder_key: holderKeyIn(account.coordinates),
    }
  })
  await tx`
    insert into payment_destinations (id, organization_id, payment_contact_id, type, label, svc_id,
      payee_organization_id, is_default, currency, sealed, fingerprint, account_id, holder_key, payee_address_id, pending,
      approval_request_id, external_id, metadata, created_by)
    select d.id, ${tx.organizationId}, d.contact_id, d.type, d.label, d.svc_id, d.payee, d.is_default, d.currency,
      decode(d.sealed, 'hex'), decode(d.fingerprint, 'hex'), account_of(${tx.organizationId}, d.keys), d.holder_key,
      d.payee_address_id, ${pending}, ${approvalId}, d.external_id, coalesce(d.metadata, '{}'), ${creator}
    from jsonb_to_recordset(${sql.json(given)}) d (id uuid, contact_id uuid, type text, label text, svc_id text,
      payee uuid, is_default boolean, currency text, sealed text, fingerprint text, keys text[], holder_key text,
      payee_address_id uuid, external_id text, metadata jsonb)`
}

/** A payee of one payment, whom a row of a batch names in the file alone: a service ID or a bank account. */
export type OneTimePayee = {
  readonly contactId: ContactId
  readonly destinationId: DestinationId
  readonly name: string
  readonly currency: string
  /** Address that the row names; it has been written. */
  readonly payeeAddressId: PayeeAddressId | null
} & (
  | { readonly svcId: string; readonly payee: OrganizationId }
  | { readonly svcId: null; readonly coordinates: Coordinates }
)

/** Writes one-time contacts with their only destinations; archived, so that no other payment is made to them. */
export async function insertOneTimePayees(tx: Tx, creator: UserId, payees: readonly OneTimePayee[]): Promise<void> {
  if (payees.length === 0) return
  const contacts = payees.map(({ contactId: id, name, payeeAddressId }) => ({ id, name, address: payeeAddressId }))
  await tx`
    insert into payment_contacts (id, organization_id, name, type, status, one_time, payee_address_id, created_by)
    select c.id, ${tx.organizationId}, c.name, 'business', 'archived', true, c.address, ${creator}
    from jsonb_to_recordset(${sql.json(contacts)}) c (id uuid, name text, address uuid)`
  const rows = payees.map((payee) => ({
    id: payee.destinationId,
    contact_id: payee.contactId,
    account: accountOf(payee),
    svc_id: payee.svcId,
    is_default: true,
    currency: payee.currency,
  }))
  await insertRows(tx, rows, { creator })
  await screenOneTimePayees(tx, payees)
}

const accountOf = (payee: OneTimePayee): Account =>
  payee.svcId === null
    ? { type: 'bank', coordinates: payee.coordinates, payee_organization_id: null }
    : { type: 'svc_id', coordinates: null, payee_organization_id: payee.payee }
