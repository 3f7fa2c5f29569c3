/** Coordinates at rest: sealed, and told apart without being opened. */
import { createHmac, hkdfSync } from 'node:crypto'
import { config } from './config.ts'
import { canonicalJson } from './model/canonical.ts'
import type { OrganizationId } from './model/ids.ts'
import type { Coordinates, DestinationType } from './model/payment-destination.ts'
import { open, seal } from './secrets.ts'

const KEY_BYTES = 32
const PURPOSE = 'payment destination fingerprint'
/** For each key that seals or did: one of its own for fingerprints (HKDF, RFC 5869, with SHA-256). */
const keys = config.encryptionKeys.map(({ id, secret }) => ({
  id: Buffer.from(id),
  secret: Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), PURPOSE, KEY_BYTES)),
}))

/** What tells an account from all others: its canonical coordinates, or the organization that a service ID means. */
export type Account = {
  readonly type: DestinationType
  readonly coordinates: Coordinates | null
  readonly payee_organization_id: OrganizationId | null
}

/**
 * HMAC-SHA-256 of an account, for one organization: equal where the account is, and nothing that could be
 * guessed without the keys. In hexadecimal, one for each configured key, whose id is in front; the first is kept, and all
 * are looked for.
 */
export function fingerprintsOf(organizationId: OrganizationId, account: Account): [string, ...string[]] {
  const text = canonicalJson([organizationId, identityOf(account)])
  const made = keys.map(({ id, secret }) => {
    const code = createHmac('sha256', secret).update(text).digest()
    return Buffer.concat([Buffer.of(id.length), id, code]).toString('hex')
  })
  const [first, ...rest] = made
  if (!first) throw new Error('no encryption key')
  return [first, ...rest]
}

/**
 * What says which account it is, and nothing that may be left out of it: beside an IBAN nothing else, and a SWIFT code only
 * where no code of the country names the bank.
 */
function identityOf({ type, coordinates, payee_organization_id: payee }: Account): object {
  if (!coordinates) return { type, payee }
  if (type === 'crypto') return { type, ...coordinates }
  const { country_code, currency, iban, account_number, swift_code } = coordinates
  if (iban && !account_number) return { type, currency, iban }
  const { aba_code, sort_code, bsb_code, ifsc_code, cnaps, bank_code, branch_code } = coordinates
  const codes = [aba_code, sort_code, bsb_code, ifsc_code, cnaps, bank_code, branch_code].map((code) => code ?? null)
  const bank = codes.some(Boolean) ? codes : (swift_code ?? null)
  return { type, country_code, currency, account_number: account_number ?? null, bank }
}

/** Seals coordinates together with the id of their row, so that they open nowhere else. */
export const sealCoordinates = (id: string, coordinates: Coordinates): Buffer =>
  seal(Buffer.from(JSON.stringify({ id, coordinates })))

/** Opens what sealCoordinates() sealed for this row; throws where it was another one's, or was changed. */
export function openCoordinates(id: string, sealed: Uint8Array): Coordinates {
  // sealed by sealCoordinates(), and unchanged since
  const opened = JSON.parse(open(sealed).toString()) as { id: string; coordinates: Coordinates }
  if (opened.id !== id) throw new Error('the coordinates of another destination')
  return opened.coordinates
}

/** The id of the key that seals now. */
export const sealingKey = (): string => config.encryptionKeys[0]?.id ?? ''
