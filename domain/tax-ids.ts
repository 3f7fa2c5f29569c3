/** VAT ids: forms and check digits by country. */
import { isLuhn, remainderBy97 } from './check-digits.ts'

const FORMS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CHE: /^\d{9}(?:MWST|TVA|IVA)?$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^(?:[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  EU: /^\d{9}$/, // sellers outside the union, in its one-stop shop
  GB: /^(?:\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})$/, // also departments, and health authorities
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z0-9]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  NO: /^\d{9}(?:MVA)?$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
}

/** Greece and Northern Ireland have two prefixes for ids of one form. */
const SAME_FORM: Readonly<Record<string, string>> = { GR: 'EL', XI: 'GB' }

type Digits = readonly number[]
const digitsIn = (text: string): Digits => Array.from(text.replaceAll(/\D/g, ''), Number)
const weightedDigits = (digits: Digits, weights: Digits): number =>
  weights.reduce((sum, weight, at) => sum + weight * (digits[at] ?? 0), 0)
const last = (digits: Digits): number => digits.at(-1) ?? -1
/** Complements a sum to a multiple of eleven; ten and eleven count as given. */
const toEleven = (sum: number, ten: number, eleven: number): number => {
  const digit = 11 - (sum % 11)
  return digit === 10 ? ten : digit === 11 ? eleven : digit
}
const NONE = -2

/** Checks ISO/IEC 7064, MOD 11,10. */
function isMod11x10(digits: Digits): boolean {
  const product = digits.slice(0, -1).reduce((product, digit) => {
    const sum = (digit + product) % 10 || 10
    return (sum * 2) % 11
  }, 10)
  return (product + last(digits)) % 10 === 1
}

const SPANISH = 'TRWAGMYFPDXBNJZSQVHLCKE'
const IRISH = 'WABCDEFGHIJKLMNOPQRSTUV'
const FRENCH = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'

function isSpanish(text: string): boolean {
  const number = text.replace(/^[XYZ]/, (sign) => String('XYZ'.indexOf(sign))).replace(/^[KLM]/, '')
  if (/^\d{7,8}[A-Z]$/.test(number)) return SPANISH[Number(number.slice(0, -1)) % 23] === text.at(-1)
  const digits = digitsIn(text.slice(1, 8))
  const sum = digits.reduce((sum, digit, at) => {
    const counted = at % 2 === 0 ? digit * 2 : digit
    return sum + Math.floor(counted / 10) + (counted % 10)
  }, 0)
  const check = (10 - (sum % 10)) % 10
  return text.at(-1) === String(check) || text.at(-1) === 'JABCDEFGHI'[check]
}

function isIrish(text: string): boolean {
  const old = /^(\d)[A-Z+*](\d{5})([A-Z])$/.exec(text)
  const whole = old ? `0${old[2]}${old[1]}${old[3]}` : text
  const second = whole.length === 9 ? IRISH.indexOf(whole.at(-1) ?? '') : 0
  return whole[7] === IRISH[(weightedDigits(digitsIn(whole.slice(0, 7)), [8, 7, 6, 5, 4, 3, 2]) + second * 9) % 23]
}

function isFrench(text: string): boolean {
  const [first = 0, second = 0] = Array.from(text.slice(0, 2), (sign) => FRENCH.indexOf(sign))
  const company = Number(text.slice(2))
  if (/^\d\d/.test(text))
    return (company * 100 + 12) % 97 === Number(text.slice(0, 2)) && isLuhn(digitsIn(text.slice(2)))
  const check = first < 10 ? first * 24 + second - 10 : first * 34 + second - 100
  return (company + 1 + Math.floor(check / 11)) % 11 === check % 11
}

function isDutch(text: string): boolean {
  const digits = digitsIn(text.slice(0, 9))
  if ((weightedDigits(digits, [9, 8, 7, 6, 5, 4, 3, 2]) - last(digits)) % 11 === 0) return true
  return remainderBy97(`NL${text}`) === 1
}

function isLithuanian(digits: Digits): boolean {
  const sum = (from: number) => digits.slice(0, -1).reduce((sum, digit, at) => sum + digit * (1 + ((at + from) % 9)), 0)
  const first = sum(0) % 11
  return (first < 10 ? first : (sum(2) % 11) % 10) === last(digits)
}

function isBulgarian(digits: Digits): boolean {
  if (digits.length === 9) {
    const first = weightedDigits(digits, [1, 2, 3, 4, 5, 6, 7, 8]) % 11
    return (first < 10 ? first : (weightedDigits(digits, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10) === last(digits)
  }
  // of a person, of a foreigner, of others
  return [
    (weightedDigits(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10,
    weightedDigits(digits, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10,
    toEleven(weightedDigits(digits, [4, 3, 2, 7, 6, 5, 4, 3, 2]), NONE, 0),
  ].includes(last(digits))
}

function isCypriot(text: string): boolean {
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
  const sum = digitsIn(text).reduce((sum, digit, at) => sum + (at % 2 === 0 ? (odd[digit] ?? 0) : digit), 0)
  return text.at(-1) === String.fromCodePoint(65 + (sum % 26))
}

function isAustrian(digits: Digits): boolean {
  const sum = digits.slice(0, 7).reduce((sum, digit, at) => {
    const counted = at % 2 === 1 ? digit * 2 : digit
    return sum + Math.floor(counted / 10) + (counted % 10)
  }, 0)
  return (10 - ((sum + 4) % 10)) % 10 === last(digits)
}

/** Check digits by country, for numbers of its form. */
const CHECKS: Readonly<Record<string, (text: string, digits: Digits) => boolean>> = {
  AT: (_, digits) => isAustrian(digits),
  BE: (text) => 97 - (Number(text.slice(0, 8)) % 97) === Number(text.slice(8)),
  BG: (_, digits) => isBulgarian(digits),
  CHE: (_, digits) => toEleven(weightedDigits(digits, [5, 4, 3, 2, 7, 6, 5, 4]), NONE, 0) === last(digits),
  CY: isCypriot,
  CZ: (text, digits) =>
    digits.length === 8
      ? toEleven(weightedDigits(digits, [8, 7, 6, 5, 4, 3, 2]), 0, 1) === last(digits)
      : digits.length === 9 || Number(text) % 11 === 0,
  DE: (_, digits) => isMod11x10(digits),
  DK: (_, digits) => weightedDigits(digits, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  EE: (_, digits) => weightedDigits(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
  EL: (_, digits) => (weightedDigits(digits, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === last(digits),
  ES: isSpanish,
  FI: (_, digits) => toEleven(weightedDigits(digits, [7, 9, 10, 5, 8, 4, 2]), NONE, 0) === last(digits),
  FR: isFrench,
  GB: (text, digits) => {
    if (/^[A-Z]/.test(text)) return true // three digits without a check digit
    const sum = weightedDigits(digits, [8, 7, 6, 5, 4, 3, 2, 10, 1])
    return sum % 97 === 0 || (sum + 55) % 97 === 0
  },
  HR: (_, digits) => isMod11x10(digits),
  HU: (_, digits) => weightedDigits(digits, [9, 7, 3, 1, 9, 7, 3, 1]) % 10 === 0,
  IE: isIrish,
  IT: (_, digits) => isLuhn(digits),
  LT: (_, digits) => isLithuanian(digits),
  LU: (text) => Number(text.slice(0, 6)) % 89 === Number(text.slice(6)),
  // a person's, which begins with 0 to 3, has none
  LV: (_, digits) => (digits[0] ?? 0) <= 3 || weightedDigits(digits, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3,
  MT: (_, digits) => weightedDigits(digits, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0,
  NL: isDutch,
  NO: (_, digits) => toEleven(weightedDigits(digits, [3, 2, 7, 6, 5, 4, 3, 2]), NONE, 0) === last(digits),
  PL: (_, digits) => weightedDigits(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === last(digits),
  PT: (_, digits) => toEleven(weightedDigits(digits, [9, 8, 7, 6, 5, 4, 3, 2]), 0, 0) === last(digits),
  RO: (text) => {
    const digits = digitsIn(text.padStart(10, '0'))
    return ((weightedDigits(digits, [7, 5, 3, 2, 1, 7, 5, 3, 2]) * 10) % 11) % 10 === last(digits)
  },
  SE: (_, digits) => isLuhn(digits.slice(0, 10)),
  SI: (_, digits) => toEleven(weightedDigits(digits, [8, 7, 6, 5, 4, 3, 2]), 0, NONE) === last(digits),
  SK: (text) => Number(text) % 11 === 0,
}

const bare = (written: string): string => written.replaceAll(/[ .\-|,;/]/g, '')
/** The tax id in capital letters, without blanks and signs. */
export const bareTaxId = (written: string): string => bare(written).toUpperCase()
const splitCountry = (written: string): readonly [country: string, number: string] => {
  const text = bare(written)
  const size = text.startsWith('CHE') ? 3 : 2
  const country = text.slice(0, size)
  return [SAME_FORM[country] ?? country, text.slice(size)]
}

/** Tells whether it has the form of a VAT id, with any blanks and signs. */
export function isVatId(written: string): boolean {
  const [country, number] = splitCountry(written)
  return FORMS[country]?.test(number) ?? false
}

/** Tells whether a VAT id has the check digits of its country. */
export function hasVatCheckDigits(written: string): boolean {
  const [country, number] = splitCountry(written)
  return CHECKS[country]?.(number, digitsIn(number)) ?? false
}
