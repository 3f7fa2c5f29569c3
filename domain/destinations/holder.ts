/** Names of the holders of accounts: compared, and found beside the name that was given. */
import { latinWordsIn } from '../company-names.ts'
import type { Coordinates } from './destination.ts'

/**
 * Builds the key of a holder's name: equal for names that differ in case, accents, signs, spaces or alphabet alone. A
 * letter without a Latin spelling stays as it is.
 */
export const holderKeyOf = (name: string): string => latinWordsIn(name).join('')

/** Tells if two names are of one holder, however they are spelled. */
export const isSameHolder = (one: string, other: string): boolean => holderKeyOf(one) === holderKeyOf(other)

/** Builds the key of the holder of a bank account; null for what has no holder. */
export function holderKeyIn(coordinates: Coordinates | null): string | null {
  const holder = coordinates?.['account_holder_name']
  return typeof holder === 'string' ? holderKeyOf(holder) : null
}
