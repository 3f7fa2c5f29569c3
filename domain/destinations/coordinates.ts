/** Coordinates of destinations outside the service: checked, written in one way, and asked for by country. */
import { canonicalBankCoordinates, checkBankCoordinates } from './bank-coordinates.ts'
import type { Check } from './check.ts'
import { canonicalCryptoCoordinates, checkCryptoCoordinates } from './crypto-address.ts'
import type { NewDestination } from './destination.ts'

export { requirementsFor } from './bank-requirements.ts'

export type BankCoordinates = Omit<Extract<NewDestination, { type: 'bank' }>, 'label' | 'default' | 'payee_address'>
export type CryptoCoordinates = Omit<Extract<NewDestination, { type: 'crypto' }>, 'label' | 'default'>
type Coordinates = BankCoordinates | CryptoCoordinates

/** Checks every coordinate of a bank account or crypto address, in any notation; never empty. */
export function checkCoordinates(destination: Coordinates): Check[] {
  return destination.type === 'bank' ? checkBankCoordinates(destination) : checkCryptoCoordinates(destination)
}

/**
 * Normalizes coordinates, so that they are equal if the account is: codes without blanks in capitals, EVM addresses by
 * EIP-55, bech32 in lower case. What cannot be read stays as it is. Idempotent, and the checks answer the same.
 */
export function canonicalCoordinates<Given extends Coordinates>(destination: Given): Given {
  // Both keep every key and the type of its value.
  return (
    destination.type === 'bank' ? canonicalBankCoordinates(destination) : canonicalCryptoCoordinates(destination)
  ) as Given
}
