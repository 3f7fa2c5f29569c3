/** Words of a line by which its coding is remembered: letters alone, as numbers differ from bill to bill. */
import { plain } from '../text.ts'

const WORDS_MAX = 200

/** Folds the words of a line: in lower case without accents, numbers and single letters. */
export const wordsOfLine = (description: string): string =>
  (plain(description).match(/\p{L}{2,}/gu) ?? []).join(' ').slice(0, WORDS_MAX)

/** Share of words in common from which lines count as alike: the month in a line may differ. */
export const LIKENESS_MIN = 0.5

/** Computes the share of words that two lines have in common, from 0 to 1. */
export function likenessOf(one: string, other: string): number {
  const [first, second] = [one, other].map((words) => new Set(words.split(' ').filter(Boolean)))
  if (!first || !second || first.size + second.size === 0) return 1
  const common = [...first].filter((word) => second.has(word)).length
  return common / (first.size + second.size - common)
}
