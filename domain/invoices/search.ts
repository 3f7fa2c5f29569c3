import { plain } from '../text.ts'

const WORD_MAX = 255
/** Most bytes of words: Postgres takes less than a megabyte, and the customer's words need room, too. */
const BYTES_MAX = 500_000
const ASKED_MAX = 20

/** Splits a text in words, in lower case and without accents. */
export const wordsIn = (text: string): string[] =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const cut = (word: string): string => (word.length > WORD_MAX ? Array.from(word).slice(0, WORD_MAX).join('') : word)

/** Collects the words of texts, each once, up to half a megabyte; a text without blanks is a word, too. */
export const searchWords = (texts: readonly (string | null)[]): string[] => {
  const words = new Set(texts.flatMap((text) => (text === null ? [] : [...wordsIn(text), ...joinParts(text)])).map(cut))
  let bytes = 0
  return [...words].filter((word) => (bytes += Buffer.byteLength(word)) <= BYTES_MAX).sort()
}

/** Joins the parts of a number such as `INV-000001`, to find it without punctuation. */
const joinParts = (text: string): string[] => (/\s/.test(text) ? [] : [wordsIn(text).join('')].filter(Boolean))

/** Turns a search into queries of Postgres, each for a word with this prefix; none if it is empty. */
export const toPrefixQueries = (search: string): string[] =>
  [...new Set(wordsIn(search))].slice(0, ASKED_MAX).map((word) => `${cut(word)}:*`)
