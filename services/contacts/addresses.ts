/** Addresses of payees: sealed rows that never change, so that a payment keeps the one that it was made with. */
import { createHmac } from 'node:crypto'
import { canonicalJson } from '../../domain/canonical.ts'
import { type NewPayeeAddress, type PayeeAddress, toPayeeAddress } from '../../domain/destinations/payee-address.ts'
import { type OrganizationId, type PayeeAddressId, newId } from '../../domain/ids.ts'
import { now as businessTime } from '../../platform/clock.ts'
import { config } from '../../platform/config.ts'
import { decryptForRow, deriveKeys, encryptForRow } from '../../platform/encryption.ts'
import { log } from '../../platform/log.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'

const keys = deriveKeys('payee address fingerprint')

/** Computes the HMAC-SHA-256 of an address with each configured key, in hexadecimal; the first is stored. */
export function addressFingerprints(organizationId: OrganizationId, address: PayeeAddress): [string, ...string[]] {
  const { transliterated: _, ...written } = address
  const text = canonicalJson([organizationId, written])
  const made = keys.map(({ secret }) => createHmac('sha256', secret).update(text).digest('hex'))
  const [first, ...rest] = made
  if (!first) throw new Error('no encryption key')
  return [first, ...rest]
}

/** An address as it is stored, with its text in the clear. */
export type PreparedAddress = SealedAddress & { readonly address: PayeeAddress }

export function prepareAddress(
  organizationId: OrganizationId,
  given: NewPayeeAddress,
  id: PayeeAddressId = newId(),
): PreparedAddress {
  const address = toPayeeAddress(given)
  const sealed = encryptForRow(id, { address }).toString('hex')
  return { id, address, sealed, fingerprint: addressFingerprints(organizationId, address)[0] }
}

/** Writes addresses, each once. */
export async function insertAddresses(tx: Tx, prepared: readonly PreparedAddress[]): Promise<void> {
  if (prepared.length === 0) return
  const rows = prepared.map(({ id, sealed, fingerprint }) => ({ id, sealed, fingerprint }))
  await tx`
    insert into payee_addresses (id, organization_id, sealed, fingerprint)
    select a.id, ${tx.organizationId}, decode(a.sealed, 'hex'), decode(a.fingerprint, 'hex')
    from jsonb_to_recordset(${sql.json(rows)}) a (id uuid, sealed text, fingerprint text)`
}

/** Writes an address; answers it as it is stored, or null for none. */
export async function storeAddress(
  tx: Tx,
  given: NewPayeeAddress | null | undefined | false,
): Promise<SealedAddress | null> {
  if (!given) return null
  const prepared = prepareAddress(tx.organizationId, given)
  await insertAddresses(tx, [prepared])
  const { id, sealed, fingerprint } = prepared // without the text in the clear
  return { id, sealed, fingerprint }
}

/** Tells whether a change of an address leads to another one; an absent one leaves it. */
export function changesAddress(
  { organizationId }: Tx,
  now: SealedAddress | null,
  given: NewPayeeAddress | null | undefined,
): boolean {
  if (given === undefined) return false
  if (given === null || now === null) return given !== now
  return !addressFingerprints(organizationId, toPayeeAddress(given)).includes(now.fingerprint)
}

/** A stored address, sealed in hexadecimal. */
export type SealedAddress = { readonly id: PayeeAddressId; readonly sealed: string; readonly fingerprint: string }

/** Selects the SealedAddress of an id; null without one. */
export const addressAt = (id: Fragment): Fragment => sql`
  (select json_build_object('id', a.id, 'sealed', encode(a.sealed, 'hex'), 'fingerprint', encode(a.fingerprint, 'hex'))
    from payee_addresses a where a.id = ${id})`

/** Selects the id of the address with which a bank destination `d` of a contact `c` is paid. */
export const payeeAddressId = (d: Fragment, c: Fragment): Fragment =>
  sql`case when ${d}.type = 'bank' then coalesce(${d}.payee_address_id, ${c}.payee_address_id) end`

/** Opens an address; null without one. Throws if it was changed, or is another row's. */
export const openAddress = (row: Pick<SealedAddress, 'id' | 'sealed'> | null): PayeeAddress | null =>
  row && (decryptForRow(row.id, Buffer.from(row.sealed, 'hex')) as { address: PayeeAddress }).address // as prepareAddress()

const UNKNOWN = '…'

/** Opens an address to be shown, never to be sent: one that does not open is logged, and shown as unknown. */
export function openAddressForDisplay(row: Pick<SealedAddress, 'id' | 'sealed'> | null): PayeeAddress | null {
  try {
    return openAddress(row)
  } catch (error) {
    log.error({ err: error, payee_address_id: row?.id }, 'the address of a payee could not be decrypted')
    return toPayeeAddress({ town: UNKNOWN, country_code: UNKNOWN })
  }
}

/** Tells whether bank payments without an address are refused by now. */
export function isAddressRequired(): boolean {
  const { addressRequiredFrom: from } = config
  return from !== undefined && businessTime() >= new Date(`${from}T00:00:00Z`)
}
