/** Checks of the coordinates of destinations. */
import { refuse } from '../errors.ts'

/** Why a coordinate is invalid, and the sentence for a person. */
export const INVALID_COORDINATES = {
  required: 'is needed for this account',
  malformed: 'is not written as it has to be',
  checksum: 'has wrong check digits',
  mismatch: 'names another account than sort code and account number',
  country_mismatch: 'is of another country',
  network_mismatch: 'does not belong to this network',
  not_applicable: 'does not belong to this account',
  testnet: 'is an address of a test network',
  zero_address: 'is an address that belongs to nobody',
  unknown_bank: 'names no bank',
  unknown_country: 'names no country',
  unknown_handle: 'names no organization',
  unsupported_currency: 'is not an active currency of ISO 4217',
} as const
export type InvalidCode = keyof typeof INVALID_COORDINATES

/** `invalid` refuses the destination, `warning` is for a person to look at. */
export type Check =
  | { field: string; status: 'ok' | 'warning'; code: string }
  | { field: string; status: 'invalid'; code: InvalidCode }

/** Lists invalid coordinates as `details.errors` of a refusal; `path` is that of the destination, with a dot. */
export const errorsOf = (checks: readonly Check[], path: string) =>
  checks.flatMap((check) =>
    check.status === 'invalid'
      ? [{ path: path + check.field, code: check.code, message: INVALID_COORDINATES[check.code], field: check.field }]
      : [],
  )

/** Refuses `invalid_bank_details` if there is any fault. No check quotes a coordinate: refusals are logged. */
export function refuseFaults(faults: ReturnType<typeof errorsOf>): void {
  const [first] = faults
  if (!first) return
  const errors = faults.map(({ field: _field, ...error }) => error)
  refuse('invalid_bank_details', { path: first.path, field: first.field, code: first.code, errors })
}
