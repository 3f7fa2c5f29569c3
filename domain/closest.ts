/** Closest of known words to a misspelled one. */

/** Finds the word that differs least from a name; undefined if more than a third of its letters differ. */
export function closestTo(name: string, words: readonly string[]): string | undefined {
  const bare = bareOf(name)
  const [closest] = words
    .map((word) => ({ word, edits: countEdits(bare, bareOf(word)) }))
    .filter(({ word, edits }) => edits * 3 <= Math.max(bare.length, bareOf(word).length))
    .toSorted((one, other) => one.edits - other.edits)
  return closest?.word
}

/** Folds what names are spelled by in other styles: capitals, and signs between words. */
const bareOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Counts the letters to insert, delete or replace (Levenshtein distance). */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1]
    for (const [j, wanted] of [...other].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === wanted ? 0 : 1)))
    row = next
  }
  return row[other.length]!
}
