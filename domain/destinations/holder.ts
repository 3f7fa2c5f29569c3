/** Names of the holders of accounts: compared, and found beside the name that was given. */
import { transliterate } from '../transliterate.ts'
import type { Coordinates } from './destination.ts'

/** Small words between names, which one person writes as a sign and another leaves out. */
const JOINED = /^(?:and|und|et)$/

/**
 * Builds the key of a holder's name: equal for names that differ in case, accents, signs, spaces or alphabet alone. A
 * letter without a Latin spelling stays as it is.
 */
export function holderKeyOf(name: string): string {
  const folded = IS_ASCII.test(name) ? name.toLowerCase() : Array.from(name.normalize('NFKC'), fold).join('')
  return (folded.match(WORDS) ?? []).filter((word) => !JOINED.test(word)).join('')
}

const WORDS = /[\p{L}\p{N}\p{M}]+/gu
const IS_ASCII = /^[ -~]+$/

function fold(letter: string): string {
  if (IS_ASCII.test(letter)) return letter.toLowerCase()
  if (!/[\p{L}\p{N}]/u.test(letter)) return letter === '’' ? "'" : letter
  const latin = transliterate(letter)
  return latin === '' || latin === '.' ? letter.toLowerCase() : latin.toLowerCase()
}

/** Tells if two names are of one holder, however they are spelled. */
export const isSameHolder = (one: string, other: string): boolean => holderKeyOf(one) === holderKeyOf(other)

/** Builds the key of the holder of a bank account; null for what has no holder. */
export function holderKeyIn(coordinates: Coordinates | null): string | null {
  const holder = coordinates?.['account_holder_name']
  return typeof holder === 'string' ? holderKeyOf(holder) : null
}
