/** Words of a line by which its coding is remembered: letters alone, as numbers differ from bill to bill. */
import { plain } from '../text.ts'

const WORDS_MAX = 200

/** Folds the words of a line: in lower case without accents, numbers and single letters. */
export const wordsOfLine = (description: string): string =>
  (plain(description).match(/\p{L}{2,}/gu) ?? []).join(' ').slice(0, WORDS_MAX)

/** Share of words in common from which lines count as alike: the month in a line may differ. */
export const LIKENESS_MIN = 0.5

/** Lists the words of a folded line, each once. */
export const listWords = (words: string): ReadonlySet<string> => new Set(words.split(' ').filter(Boolean))

/** Computes the share of words that two lines have in common, from 0 to 1. */
export function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 1
  const common = [...one].filter((word) => other.has(word)).length
  return common / (one.size + other.size - common)
}
