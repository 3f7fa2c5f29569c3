/** Words that a page prints with gaps between their letters: "T A T R A N S  K É". */
import type { Word } from '../../../domain/bills/page.ts'

/** Letters from which a row of single ones is words. */
const LETTERS_MIN = 4
/** Gap between words by that between letters. Gaps may differ by this part of the letters' height. */
const [WORD_GAP, SLACK] = [1.5, 0.05]
/** Widest gap between letters by their height, and between words by that of letters. */
const [GAP_MAX, RUN_GAP] = [0.9, 3.5]
/** Letters of the longest run. */
const LETTERS_MAX = 120

const endOf = ({ box: [x, , width] }: Word): number => x + width
const isSingle = ({ text, confidence }: Word): boolean => confidence === null && Array.from(text).length === 1
const isLetter = ({ text }: Word): boolean => /^\p{L}$/u.test(text)

/** Joins single letters of a row, from left to right, to words; each of these is a list with those of its cell. */
export function joinSpaced(row: readonly Word[]): (readonly Word[])[] {
  const found: (readonly Word[])[] = []
  for (let at = 0; at < row.length;) {
    const run = runAt(row, at)
    const words = run.filter(isLetter).length < LETTERS_MIN ? undefined : wordsOf(run)
    const one = row[at]
    found.push(words ?? (one ? [one] : []))
    at += words ? run.length : 1
  }
  return found
}

/** Takes single letters that stand evenly, up to a gap of a column. */
function runAt(row: readonly Word[], at: number): readonly Word[] {
  const [first, second] = [row[at], row[at + 1]]
  if (!first || !second || !isLetter(first) || !isSingle(first) || !isSingle(second)) return []
  const run = [first]
  const [, , , height] = first.box
  let least = Infinity
  for (const next of row.slice(at + 1, at + LETTERS_MAX)) {
    const gap = next.box[0] - endOf(run.at(-1) ?? first)
    const isFar = gap > height * GAP_MAX && (least === Infinity || gap > least * RUN_GAP)
    if (!isSingle(next) || isFar || Math.abs(next.box[3] - height) > height * 0.1) break
    least = Math.min(least, Math.max(gap, height * SLACK))
    run.push(next)
  }
  return run
}

/** Joins letters whose gap is the usual one; undefined if gaps are no letters' ones. */
function wordsOf(run: readonly Word[]): readonly Word[] | undefined {
  const gaps = run.slice(1).map((word, index) => word.box[0] - endOf(run[index] ?? word))
  const height = run[0]?.box[3] ?? 0
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 3)] ?? 0
  if (usual > height * GAP_MAX) return undefined
  const words: Word[][] = []
  for (const [index, letter] of run.entries()) {
    const isNew = index === 0 || (gaps[index - 1] ?? 0) > usual * WORD_GAP + height * SLACK
    if (isNew) words.push([letter])
    else words.at(-1)?.push(letter)
  }
  return words.map(wordOf)
}

function wordOf(letters: readonly Word[]): Word {
  const left = Math.min(...letters.map(({ box: [x] }) => x))
  const top = Math.min(...letters.map(({ box: [, y] }) => y))
  const bottom = Math.max(...letters.map(({ box: [, y, , height] }) => y + height))
  const box = [left, top, Math.max(...letters.map(endOf)) - left, bottom - top] as const
  return { text: letters.map(({ text }) => text).join(''), box, confidence: null }
}
