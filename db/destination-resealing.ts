/** Destinations are sealed anew, and told apart anew: after a rotation of keys, and where another version did it. */
import { type Account, fingerprintsOf, sealCoordinates } from './destination-seals.ts'
import { log } from './log.ts'
import { type BankCoordinates, type CryptoCoordinates, canonicalCoordinates } from './model/coordinates.ts'
import type { DestinationId } from './model/ids.ts'
import type { Coordinates } from './model/payment-destination.ts'
import { SVC_ID_CURRENCY } from './model/payment.ts'
import { type SealedCoordinates, coordinatesOf } from './payment-destinations.ts'
import type { Tx } from './sql.ts'

type Sealed = SealedCoordinates & Pick<Account, 'type' | 'payee_organization_id'> & { currency: string | null }

/**
 * Seals these destinations with the key that seals now, whatever they were sealed with; answers how many. One that does not
 * open stays as it is, and is logged.
 */
export async function sealAfresh(tx: Tx, ids: readonly DestinationId[]): Promise<number> {
  const rows = await tx<Sealed[]>`
    select id, type, payee_organization_id, encode(sealed, 'hex') as sealed, details, currency
    from payment_destinations where id = any (${[...ids]}) order by id for update`
  let done = 0
  for (const row of rows) {
    const afresh = sealedAfresh(tx, row)
    if (!afresh) continue
    await tx`
      update payment_destinations set sealed = ${afresh.sealed}, details = null,
        fingerprint = decode(${afresh.fingerprint}, 'hex'), currency = ${afresh.currency}
      where id = ${row.id}`
    done += 1
  }
  return done
}

function sealedAfresh({ organizationId }: Tx, row: Sealed) {
  try {
    const coordinates = row.sealed === null ? canonicalDetails(row) : coordinatesOf(row)
    const [fingerprint] = fingerprintsOf(organizationId, { ...row, coordinates })
    const currency = row.currency ?? coordinates?.['currency'] ?? coordinates?.['coin'] ?? SVC_ID_CURRENCY
    return { sealed: coordinates && sealCoordinates(row.id, coordinates), fingerprint, currency }
  } catch (error) {
    log.error({ err: error, destination_id: row.id }, 'a destination does not open, and is not sealed anew')
    return undefined
  }
}

function canonicalDetails({ type, details }: Sealed): Coordinates | null {
  if (!details) return null
  // what was kept in the clear has the members of its type, null where not given
  const { type: _type, ...canonical } = canonicalCoordinates({ ...details, type } as
    | BankCoordinates
    | CryptoCoordinates)
  return canonical as Coordinates
}
