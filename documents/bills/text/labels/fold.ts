/** Folding of text, and patterns of whole words in it. */

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd' }

/** Folds text: small letters without accents; number signs as `n°`, apostrophes as `'`. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßøæœłđ]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll(/[–—−]/g, '-')

/** Matches one of these whole words in folded text. */
export const anyOf = (...words: readonly string[]): RegExp => new RegExp(`(?<![a-z])(?:${words.join('|')})(?![a-z])`)
