/** Pages of typewritten words, from the text of a test. */
import type { Page, Word } from '../../../domain/bills/page.ts'

const [LETTER, LINE, LEFT, TOP] = [5, 14, 50, 50]
const HEIGHT = 10
const LARGE = 18

/**
 * A page of these lines, each letter at its column. Three blanks separate cells, an empty line is a gap, and `# `
 * begins a line of large letters. Words are written in the file, or recognized with `confidence`.
 */
export function typedPage(lines: readonly string[], { number = 1, confidence = null as number | null } = {}): Page {
  const words = lines.flatMap((line, row): Word[] => {
    const isLarge = line.startsWith('# ')
    return Array.from(line.replace(/^# /, '').matchAll(/\S+/g), ({ 0: text, index }) => ({
      text,
      box: [
        LEFT + index * LETTER,
        TOP + row * LINE - (isLarge ? 4 : 0),
        text.length * LETTER,
        isLarge ? LARGE : HEIGHT,
      ],
      confidence,
    }))
  })
  return { number, width: 595, height: 842, words }
}
