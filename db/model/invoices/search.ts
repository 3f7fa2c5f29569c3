/** The words that an invoice is found by. */
import { plain } from '../text.ts'

const WORD_MAX = 255
const ASKED_MAX = 20

/** Words in lower case and without accents, in their order; blanks and punctuation are between them. */
export const wordsIn = (text: string): string[] =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Each word of these texts once, in lower case and without accents; each text without blanks is a word, too. */
export const searchWords = (texts: readonly (string | null)[]): string[] => {
  const all = texts.flatMap((text) => (text === null ? [] : [...wordsIn(text), ...joined(text)]))
  return [...new Set(all.map((word) => word.slice(0, WORD_MAX)))].sort()
}

/** A number such as `INV-000001` is found however its parts are written. */
const joined = (text: string): string[] => (/\s/.test(text) ? [] : [wordsIn(text).join('')].filter(Boolean))

/**
 * What a search asks for: queries of Postgres, each for texts that have a word which begins so; none if it is empty.
 */
export const searchedWords = (search: string): string[] =>
  [...new Set(wordsIn(search))].slice(0, ASKED_MAX).map((word) => `${word.slice(0, WORD_MAX)}:*`)
