/** Folding of text, and patterns of whole words in it. */

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Removes accents of Latin, Greek and Cyrillic letters; syllables of Japanese and Korean stay whole. */
const withoutAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')

/** Folds text: small letters without accents; number signs as `n°`, apostrophes as `'`. */
export const fold = (text: string): string =>
  isPlain(text) ? text.toLowerCase().replaceAll('`', "'") : foldSpecial(text)

/** Tells whether a text needs no normalization, as most words: it was 12 % of reading a page. */
const isPlain = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

const foldSpecial = (text: string): string =>
  withoutAccents(text)
    .toLowerCase()
    .replaceAll(/[ßøæœłđðþı]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll('ς', 'σ')
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll(/[–—−]/g, '-')

/** Folds text character by character, so that places in it stay. Takes composed letters. */
export const foldInPlace = (text: string): string =>
  text
    .replaceAll(/[^\0-\x7f]/g, (letter) => {
      const folded = fold(letter)
      return folded.length === letter.length ? folded : (folded.at(0) ?? letter)
    })
    .toLowerCase()

/** Letters that are part of a word: writing without blanks has none. */
const LETTER = 'a-z\u0370-\u03ff\u0400-\u04ff\u0590-\u05ff\u0600-\u06ff'
const UNSPACED = /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

/** Matches one of these whole words in folded text. */
export function anyOf(...words: readonly string[]): RegExp {
  const plain = words.map(withoutAccents).map((word) => word.replaceAll('ς', 'σ'))
  const spaced = plain.filter((word) => !UNSPACED.test(word))
  const unspaced = plain.filter((word) => UNSPACED.test(word))
  const whole = spaced.length > 0 ? [`(?<![${LETTER}])(?:${spaced.join('|')})(?![${LETTER}])`] : []
  return new RegExp([...whole, ...unspaced].join('|'))
}
