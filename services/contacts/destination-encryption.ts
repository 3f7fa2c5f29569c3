/** Coordinates at rest: sealed, and compared by fingerprints without being opened. */
import { createHmac } from 'node:crypto'
import { BANK_COORDINATES, needsOf } from '../../domain/destinations/bank-requirements.ts'
import { BANK_CODES, accountNumberOf } from '../../domain/destinations/payee-account.ts'
import { canonicalJson } from '../../domain/canonical.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import type { Coordinates, DestinationType } from '../../domain/destinations/destination.ts'
import { deriveKeys, decryptForRow, encryptForRow } from '../../platform/encryption.ts'

/** The version of identityOf(). `destinations_to_seal` lists fingerprints of other versions. */
const VERSION = 2
/** The version of accountNumberOf(). `destinations_to_seal` lists accounts without a key of this one. */
const ACCOUNT_VERSION = 3
const keys = deriveKeys('payment destination fingerprint').map(({ id, secret }) => ({
  secret,
  head: Buffer.concat([Buffer.of(id.length), Buffer.from(id)]).toString('hex'),
}))

/** Heads of all that the configured keys tell apart: length of the id of the key, and the id; in hexadecimal. */
export const keyHeads: readonly string[] = keys.map(({ head }) => head)

/** The identity of an account: its canonical coordinates, or the organization that a service ID means. */
export type Account = {
  readonly type: DestinationType
  readonly coordinates: Coordinates | null
  readonly payee_organization_id: OrganizationId | null
}

/**
 * Computes the HMAC-SHA-256 of an account in its currency. One by each configured key, in hexadecimal: the id of the
 * key, the version, the code. The first is stored, and all are searched. Approvals name it; payeeKeysOf() are of the
 * account alone.
 */
export const fingerprintsOf = (organizationId: OrganizationId, account: Account): [string, ...string[]] =>
  hmacsOf(organizationId, identityOf(account), VERSION)

/** Computes the keys of the account of a payee, as fingerprintsOf(): without currency, coin, holder and BIC. */
export function payeeKeysOf(organizationId: OrganizationId, account: Account): [string, ...string[]] {
  const { type, coordinates, payee_organization_id: payee } = account
  return hmacsOf(organizationId, coordinates ? accountNumberOf(coordinates) : { type, payee }, ACCOUNT_VERSION)
}

function hmacsOf(organizationId: OrganizationId, identity: object, version: number): [string, ...string[]] {
  const text = canonicalJson([organizationId, identity])
  const inHex = Buffer.of(version).toString('hex')
  const [first, ...rest] = keys.map(
    ({ secret, head }) => head + inHex + createHmac('sha256', secret).update(text).digest('hex'),
  )
  if (!first) throw new Error('no encryption key')
  return [first, ...rest]
}

/**
 * Selects the coordinates that identify an account, without optional ones: the IBAN if one is needed; else the account
 * number with the codes that country and currency need, and the SWIFT code only if none of these names the bank.
 */
function identityOf({ type, coordinates, payee_organization_id: payee }: Account): object {
  if (!coordinates) return { type, payee }
  if (type === 'crypto') return { type, ...coordinates }
  const { country_code, currency, iban, account_number } = coordinates
  const needs = needsOf(country_code ?? '', currency ?? '')?.needs ?? BANK_COORDINATES
  if (iban && (needs.includes('iban') || !account_number)) return { type, currency, iban }
  const named = BANK_CODES.some((code) => needs.includes(code))
  const codes = [...BANK_CODES, 'branch_code' as const, ...(named ? [] : ['swift_code' as const])]
  const bank = codes.filter((code) => needs.includes(code)).map((code) => coordinates[code] ?? null)
  return { type, country_code, currency, account_number: account_number ?? null, bank }
}

export const encryptCoordinates = (id: string, coordinates: Coordinates): Buffer => encryptForRow(id, { coordinates })

/** Opens what encryptCoordinates() sealed for this row; throws if it was another one's, or was changed. */
export const decryptCoordinates = (id: string, sealed: Uint8Array): Coordinates =>
  (decryptForRow(id, sealed) as { coordinates: Coordinates }).coordinates
