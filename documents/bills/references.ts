import { isLuhn, remainderBy97 } from '../../domain/check-digits.ts'

const digitsIn = (text: string): number[] => Array.from(text, Number)

/** Checks Swiss QR references and orange slips: modulo 10, recursive. */
function isRecursive(digits: readonly number[]): boolean {
  const table = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5]
  return digits.reduce((carry, digit) => table[(carry + digit) % 10] ?? 0, 0) === 0
}

/** Checks Finland's weights of 7, 3 and 1 from the right. */
function isFinnish(digits: readonly number[]): boolean {
  return digits.toReversed().reduce((sum, digit, at) => sum + digit * ([1, 7, 3][at % 3] ?? 0), 0) % 10 === 0
}

/** Checks modulo 11 with weights of 2 to 7 from the right, as in Norway's KID; a check of ten is `-`. */
function isMod11(text: string): boolean {
  const digits = digitsIn(text.slice(0, -1)).toReversed()
  const check = (11 - (digits.reduce((sum, digit, at) => sum + digit * (2 + (at % 6)), 0) % 11)) % 11
  return text.at(-1) === (check === 10 ? '-' : String(check))
}

/** Checks Slovenia's model 12: modulo 11 with weights of 2 to 13 from the right; ten counts as zero. */
function isSlovenian(text: string): boolean {
  const digits = digitsIn(text.slice(0, -1)).toReversed()
  const check = 11 - (digits.reduce((sum, digit, at) => sum + digit * (2 + (at % 12)), 0) % 11)
  return text.at(-1) === String(check > 9 ? 0 : check)
}

/**
 * Checks the check digits of a reference; null if its form has none. By form: RF (ISO 11649), Belgium between `+++` or
 * `***`, Switzerland's 27 digits, Slovenia's `SI12`. By the country of the payee's account: Finland's digits, Norway's
 * KID.
 */
export function hasReferenceCheckDigits(written: string, country: string | undefined): boolean | null {
  const text = written.replaceAll(/\s/g, '').toUpperCase()
  if (/^RF\d\d[A-Z0-9]{1,21}$/.test(text)) return remainderBy97(text.slice(4) + text.slice(0, 4)) === 1
  const [, belgian] = /^[+*]{3}(\d{3}\/?\d{4}\/?\d{5})[+*]{3}$/.exec(text) ?? []
  if (belgian) {
    const digits = belgian.replaceAll('/', '')
    return (Number(digits.slice(0, 10)) % 97 || 97) === Number(digits.slice(10))
  }
  if (/^\d{27}$/.test(text)) return isRecursive(digitsIn(text))
  if (/^SI12\d{2,13}$/.test(text)) return isSlovenian(text.slice(4))
  if (country === 'FI' && /^\d{4,20}$/.test(text)) return isFinnish(digitsIn(text))
  if (country === 'NO' && /^\d{3,24}[\d-]$/.test(text)) {
    return isMod11(text) || (!text.endsWith('-') && isLuhn(digitsIn(text)))
  }
  return null
}
