import { fold } from './labels/fold.ts'
import { headsOtherBill } from './roles.ts'
import type { Word } from '../../../domain/bills/page.ts'
import { type Cell, type Line, cellOf } from './words.ts'

export type Value = {
  readonly cell: Cell
  readonly line: Line
  readonly label: string
  readonly before: string
  readonly stands: 'behind' | 'beside' | 'beneath'
}

/** Longest distance beneath a label, in heights of a letter. */
const BENEATH = 3.2

/** Pattern of a label, or what finds labels as one does. */
export type Label = Pick<RegExp, 'exec'>

/** Finds the values of this kind of label: behind it, else beside and beneath it. */
export function valuesOf(lines: readonly Line[], label: Label): Value[] {
  return lines.flatMap((line, index) =>
    line.cells.flatMap((cell, column): Value[] => {
      const text = fold(cell.text)
      const match = label.exec(text)
      if (!match) return []
      const before = text.slice(0, match.index)
      const end = endOf(label, text, match)
      const behind = restOf(cell, end)
      const isBox = behind !== undefined && BOX.test(before) && NEXT_BOX.test(behind.text)
      if (behind && !isBox) return [{ cell: behind, line, label: text, before, stands: 'behind' }]
      const beside = isBox ? undefined : besideOf(line, column)
      const beneath = cellBeneath(lines, index, isBox ? upTo(cell, end) : cell)
      return [
        ...(beside ? [{ cell: beside, line, label: text, before, stands: 'beside' as const }] : []),
        ...(beneath ? [{ ...beneath, label: text, before, stands: 'beneath' as const }] : []),
      ]
    }),
  )
}

/** Number of a box of a form before its label, and the label of the next box. */
const BOX = /^\d{1,2}[.)]? $/
const NEXT_BOX = /^\d{1,2}[.)]? \p{L}/u

/** Finds the next cell with more than signs, without those that lead to a value. */
function besideOf({ cells }: Line, column: number): Cell | undefined {
  const next = cells.slice(column + 1).find(({ text }) => !LEADING.test(text))
  return next && /^[:=|>]/.test(next.text) ? restOf(next, 0) : next
}

/** Cuts a cell behind the words that begin before a place in its folded text. */
function upTo(cell: Cell, end: number): Cell {
  let at = 0
  const words = cell.words.filter(({ text }) => {
    const begins = at
    at += fold(text).length + 1
    return begins < end
  })
  return cellOf(words, cell.page)
}

/** Finds the end of a label, which a second language may repeat: "Numéro de facture / Factuurnummer". */
function endOf(label: Label, text: string, { index, 0: found }: RegExpExecArray): number {
  const end = index + found.length
  const [between] = /^ ?[/|] ?/.exec(text.slice(end)) ?? []
  const again = between === undefined ? null : label.exec(text.slice(end + between.length))
  return again?.index === 0 ? end + (between ?? '').length + again[0].length : end
}

function cellBeneath(
  lines: readonly Line[],
  index: number,
  { box, page }: Cell,
): { cell: Cell; line: Line } | undefined {
  const [left, top, width, height] = box
  const labels = lines[index]?.cells ?? []
  for (const line of lines.slice(index + 1)) {
    if (line.page !== page || line.box[1] - top > height * BENEATH) return undefined
    const cell = line.cells.find(({ box: [x, , w] }) => x < left + width && x + w > left)
    if (cell) return { cell: withinColumn(cell, box, labels), line }
  }
  return undefined
}

/** Leaves out the words beneath the labels beside one: values of two columns may stand close together. */
function withinColumn(cell: Cell, [left, , width]: Cell['box'], labels: readonly Cell[]): Cell {
  const isUnder = (from: number, to: number) =>
    labels.some(({ box: [x, , w] }) => x < to && x + w > from && (x + w <= left || x >= left + width))
  const own = cell.words.filter(({ box: [x, , w] }) => (x < left + width && x + w > left) || !isUnder(x, x + w))
  return own.length > 0 && own.length < cell.words.length ? cellOf(own, cell.page) : cell
}

/** Cuts a cell from a place in its folded text, without leading signs. */
function restOf(cell: Cell, from: number): Cell | undefined {
  let at = 0
  const words: Word[] = []
  for (const word of cell.words) {
    const length = fold(word.text).length
    if (at >= from) words.push(word)
    else if (at + length > from) words.push({ ...word, text: word.text.slice(from - at - length) })
    at += length + 1
  }
  const rest = words.map((word, index) =>
    words.slice(0, index).every(({ text }) => LEADING.test(text))
      ? { ...word, text: word.text.replace(LEADS, '') }
      : word,
  )
  const kept = rest.filter(({ text }) => text !== '')
  return kept.length > 0 ? cellOf(kept, cell.page) : undefined
}

const LEADS = /^[:.;,#)\]|=>–—…·•_؛،-]+/
const LEADING = /^[:.;,#)\]|=>–—…·•_؛،-]*$/

/** Reach of a heading: lines beneath it, and the gap between them in heights of a letter. */
const [HEADED_LINES, HEADED_GAP] = [5, 2.4]

/** Tells whether a heading above a value, in its column, names another bill. */
export function isUnderOtherBill(lines: readonly Line[], line: Line, { box: [left, , width, height] }: Cell): boolean {
  const index = lines.indexOf(line)
  let below = line
  for (const above of lines.slice(Math.max(0, index - HEADED_LINES), index).toReversed()) {
    if (above.page !== line.page || below.box[1] - above.box[1] > height * HEADED_GAP) return false
    const over = above.cells.filter(({ box: [x, , w] }) => x < left + width && x + w > left - height * BESIDE)
    if (over.some(({ text }) => !/\d/.test(text) && headsOtherBill(fold(text)))) return true
    below = above
  }
  return false
}
/** Longest distance of a label before its value, in heights of a letter. */
const BESIDE = 16
