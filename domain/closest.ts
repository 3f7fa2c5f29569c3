/** Closest of known words to a misspelled one. */

/** Finds the word that differs least from a name; undefined if more than a third of its letters differ. */
export function closestTo(name: string, words: readonly string[]): string | undefined {
  const bare = bareOf(name)
  const [closest] = words
    // edits are never fewer than the difference of the lengths
    .filter((word) => isNear(Math.abs(bare.length - bareOf(word).length), bare, word))
    .map((word) => ({ word, edits: countEdits(bare, bareOf(word)) }))
    .filter(({ word, edits }) => isNear(edits, bare, word))
    .toSorted((one, other) => one.edits - other.edits)
  return closest?.word
}

const isNear = (edits: number, bare: string, word: string): boolean =>
  edits * 3 <= Math.max(bare.length, bareOf(word).length)

/** Folds what names are spelled by in other styles: capitals, and signs between words. */
const bareOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Counts the letters to insert, delete or replace (Levenshtein distance). */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < other.length; j += 1)
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (one[i] === other[j] ? 0 : 1)))
    row = next
  }
  return row[other.length]!
}
