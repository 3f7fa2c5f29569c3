/** The words that an invoice is found by. */
import { plain } from '../text.ts'

const WORD_MAX = 255
/** Postgres takes less than a megabyte of words: the customer's, the number, and three letters each come to these. */
const BYTES_MAX = 500_000
const ASKED_MAX = 20

/** Words in lower case and without accents, in their order; blanks and punctuation are between them. */
export const wordsIn = (text: string): string[] =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const cut = (word: string): string => (word.length > WORD_MAX ? Array.from(word).slice(0, WORD_MAX).join('') : word)

/**
 * Each word of these texts once, in lower case and without accents; each text without blanks is a word, too. Of very
 * much text only the first half megabyte of words.
 */
export const searchWords = (texts: readonly (string | null)[]): string[] => {
  const words = new Set(texts.flatMap((text) => (text === null ? [] : [...wordsIn(text), ...joined(text)])).map(cut))
  let bytes = 0
  return [...words].filter((word) => (bytes += Buffer.byteLength(word)) <= BYTES_MAX).sort()
}

/** A number such as `INV-000001` is found however its parts are written. */
const joined = (text: string): string[] => (/\s/.test(text) ? [] : [wordsIn(text).join('')].filter(Boolean))

/**
 * What a search asks for: queries of Postgres, each for texts that have a word which begins so; none if it is empty.
 */
export const searchedWords = (search: string): string[] =>
  [...new Set(wordsIn(search))].slice(0, ASKED_MAX).map((word) => `${cut(word)}:*`)
