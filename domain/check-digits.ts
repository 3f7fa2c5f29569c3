/** Check digits that numbers of several kinds share. */

const [CODE_0, CODE_A] = [0x30, 0x41]

/** Computes the rest of a division by 97, letters as 10 to 35 (ISO/IEC 7064, MOD 97-10). */
export function remainderBy97(signs: string): number {
  let rest = 0
  for (let at = 0; at < signs.length; at += 1) {
    const code = signs.charCodeAt(at)
    const value = code < CODE_A ? code - CODE_0 : code - CODE_A + 10
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97
  }
  return rest
}

/** Checks digits by Luhn's formula (ISO/IEC 7812-1, annex B). */
export function isLuhn(digits: readonly number[]): boolean {
  const sum = digits.toReversed().reduce((sum, digit, at) => {
    const counted = at % 2 === 1 ? digit * 2 : digit
    return sum + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return sum % 10 === 0
}
