/** IBANs by ISO 13616: how a country writes them, and the digits that check them. */
import { countrySpecs } from 'ibantools'
import { isLuhn, remainderBy97 } from '../check-digits.ts'

/** In the registry of ISO 13616, but not yet marked so by ibantools. */
const REGISTERED_SINCE: ReadonlySet<string> = new Set(['BI', 'DJ', 'FK', 'HN'])

/**
 * BBANs of countries that ibantools gives digits only, where the registry has letters, too. Brazil: Resolução BCB 585,
 * art. 2, since 2026.
 */
const OWN_PATTERNS: Readonly<Record<string, string>> = {
  BR: '[A-Z0-9]{8}[0-9]{15}[A-Z0-9]{2}',
  BY: '[A-Z0-9]{4}[0-9]{4}[A-Z0-9]{16}',
  DO: '[A-Z0-9]{4}[0-9]{20}',
  PK: '[A-Z]{4}[A-Z0-9]{16}',
  PS: '[A-Z]{4}[A-Z0-9]{21}',
}

/** Tells if accounts in this country are named by an IBAN of the registry. */
export const usesIban = (home: string): boolean =>
  ibanPattern(home) !== null && (countrySpecs[home]?.IBANRegistry === true || REGISTERED_SINCE.has(home))

/** The pattern of IBANs of a country, registered or not. */
export const ibanPattern = (home: string): string | null => PATTERNS.get(home) ?? null

const PATTERNS = new Map(
  Object.keys({ ...countrySpecs, ...OWN_PATTERNS }).flatMap((home): [string, string][] => {
    const { chars, bban_regexp: theirs } = countrySpecs[home] ?? {}
    const bban = OWN_PATTERNS[home] ?? (chars && theirs ? theirs.replaceAll(/[$^]/g, '') : undefined)
    return bban ? [[home, `^${home}[0-9]{2}${bban}$`]] : []
  }),
)

/** Checks the two digits of ISO 7064, MOD 97-10, in an IBAN of its country's structure. */
export const hasCheckDigits = (iban: string): boolean =>
  Number(iban.slice(2, 4)) === 98 - remainderBy97(`${iban.slice(4)}${iban.slice(0, 2)}00`)

/** Checks the country's own digits in an IBAN; true if none are known. Iceland's are in the holder's identity number. */
export function hasNationalCheckDigits(iban: string): boolean {
  const [home, bban] = [iban.slice(0, 2), iban.slice(4)]
  return NATIONAL[home]?.(bban) ?? countrySpecs[home]?.bban_validation_func?.(bban) ?? true
}

/** The values of 0 to 9 and A to Z in odd places of an Italian account; in even ones they count 0 to 25. */
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
const rankOf = (sign: string): number => (/[0-9]/.test(sign) ? Number(sign) : parseInt(sign, 36) - 10)

/** Checks the CIN of Italy and San Marino: the letter before bank, branch and account. */
function hasCin(bban: string): boolean {
  const [cin = 0, ...ranks] = Array.from(bban, rankOf)
  return ranks.reduce((sum, rank, index) => sum + (index % 2 === 0 ? (ODD[rank] ?? 0) : rank), 0) % 26 === cin
}

/** Rules that ibantools lacks. */
const NATIONAL: Readonly<Record<string, (bban: string) => boolean>> = {
  FI: (bban) => isLuhn(Array.from(bban, Number)),
  IT: hasCin,
  MR: (bban) => remainderBy97(bban) === 0,
  SM: hasCin,
  TL: (bban) => remainderBy97(bban) === 1,
  TN: (bban) => remainderBy97(bban) === 0,
}
