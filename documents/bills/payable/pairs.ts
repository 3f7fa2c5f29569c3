/** Pairs of a label and its value: behind it in its cell, beside it, or beneath it. */
import type { Beginning } from '../phrases.ts'
import { fold } from '../text/labels/fold.ts'
import type { Cell, Line } from '../text/words.ts'

export type Pair = { readonly value: string; readonly cell: Cell; readonly line: Line }

/** Longest distance beneath a label, in heights of a letter. */
const BENEATH = 2.6
/** Signs between a label and its value. */
const SIGNS = /^[ :=|>•·–—-]+/

/**
 * Finds the pairs of labels that begin a cell. A value stands beneath its label only if there is none beside it, or
 * labels stand beside it.
 */
export function pairsOf(lines: readonly Line[], labels: Beginning): Pair[] {
  return lines.flatMap((line, index) =>
    line.cells.flatMap((cell, column): Pair[] => {
      const text = fold(cell.text).replace(/^[^\p{L}]+/u, '')
      const label = labels(text)
      if (label === undefined) return []
      const rest = text.slice(label.length)
      const value = rest.replace(SIGNS, '')
      if (value !== '') return [{ value, cell, line }]
      const beside = line.cells[column + 1]
      const beneath = cellBeneath(lines, index, cell)
      const isHeading = !rest.includes(':') && line.cells.length > 1 && !/\d/.test(line.text)
      return [
        ...(beside ? [{ value: beside.text, cell: beside, line }] : []),
        ...(beneath && (!beside || isHeading) ? [{ value: beneath.text, cell: beneath, line }] : []),
      ]
    }),
  )
}

/** Tells whether a cell is one of these labels, and nothing else but signs or an amount. */
export function isLabelOf(labels: Beginning, cell: Cell): boolean {
  const text = fold(cell.text).replace(/^[^\p{L}]+/u, '')
  const label = labels(text)
  return label !== undefined && !/\p{L}/u.test(text.slice(label.length).replace(/(?<!\p{L})[a-z]{3}(?!\p{L})/u, ''))
}

function cellBeneath(lines: readonly Line[], index: number, { box, page }: Cell): Cell | undefined {
  const [left, top, width, height] = box
  for (const line of lines.slice(index + 1)) {
    if (line.page !== page || line.box[1] - top > height * BENEATH) return undefined
    const cell = line.cells.find(({ box: [x, , w] }) => x < left + width && x + w > left)
    if (cell) return cell
  }
  return undefined
}
