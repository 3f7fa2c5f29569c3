/** Words of a page with their places, from a text layer or a recognized picture. */

import type { Box, Page, Turn, Word } from '../../../domain/bills/page.ts'
import { joinSpaced } from './spaced.ts'

/** Words without a gap as wide as a column's. */
export type Cell = Word & { readonly page: number; readonly words: readonly Word[] }

/** Cells at one height of a page, from left to right. */
export type Line = { readonly page: number; readonly cells: readonly Cell[]; readonly box: Box; readonly text: string }

/** Gap between cells, as a part of the letters' height; a recognized word is as high as its ink. */
const COLUMN_GAP = { written: 1.1, recognized: 1.7 } as const

export function around(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map(([x]) => x))
  const top = Math.min(...boxes.map(([, y]) => y))
  const right = Math.max(...boxes.map(([x, , width]) => x + width))
  const bottom = Math.max(...boxes.map(([, y, , height]) => y + height))
  return [left, top, right - left, bottom - top]
}

/** Finds the lines of a page from its top, in whatever order the file has its words. */
export function linesOf(page: Page): Line[] {
  const rows: { middle: number; height: number; words: Word[] }[] = []
  for (const word of page.words.toSorted((a, b) => middleOf(a) - middleOf(b))) {
    const row = rows.at(-1)
    const near = row && middleOf(word) - row.middle < Math.min(row.height, word.box[3]) * 0.5
    if (!near) rows.push({ middle: middleOf(word), height: word.box[3], words: [word] })
    else {
      row.words.push(word)
      row.middle += (middleOf(word) - row.middle) / row.words.length
      row.height = Math.max(row.height, word.box[3])
    }
  }
  return rows.map(({ words }) => {
    const cells = cellsOf(words, page.number)
    return {
      page: page.number,
      cells,
      box: around(cells.map(({ box }) => box)),
      text: cells.map(({ text }) => text).join('  '),
    }
  })
}

const middleOf = ({ box: [, y, , height] }: Word): number => y + height / 2

function cellsOf(words: readonly Word[], page: number): Cell[] {
  const cells: Word[][] = []
  for (const [word, ...following] of joinSpaced(words.toSorted((a, b) => a.box[0] - b.box[0]))) {
    if (!word) continue
    const before = cells.at(-1)?.at(-1)
    const gap = before && word.box[0] - before.box[0] - before.box[2]
    const factor = word.confidence === null ? COLUMN_GAP.written : COLUMN_GAP.recognized
    if (before && gap !== undefined && gap < Math.max(before.box[3], word.box[3]) * factor) cells.at(-1)?.push(word)
    else cells.push([word])
    cells.at(-1)?.push(...following)
  }
  return cells.map((inside) => cellOf(inside, page))
}

export function cellOf(words: readonly Word[], page: number): Cell {
  const known = words.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]))
  return {
    page,
    words,
    text: words.map(({ text }) => text).join(' '),
    box: around(words.map(({ box }) => box)),
    confidence: known.length > 0 ? Math.min(...known) : null,
  }
}

/** Places a box of a turned page on the page as it was given. */
export function onGiven(box: Box | null, turn: Turn | null | undefined): Box | null {
  if (!box || !turn) return box
  const { quarters, radians, width, height } = turn
  const [middleX, middleY] = quarters % 2 === 0 ? [width / 2, height / 2] : [height / 2, width / 2]
  const [dx, dy] = [box[0] + box[2] / 2 - middleX, box[1] + box[3] / 2 - middleY]
  const [sin, cos] = [Math.sin(-radians), Math.cos(-radians)]
  const [, , w, h] = box
  const [x, y] = [middleX + dx * cos - dy * sin - w / 2, middleY + dx * sin + dy * cos - h / 2]
  switch (quarters) {
    case 0:
      return [x, y, w, h]
    case 1:
      return [y, height - x - w, h, w]
    case 2:
      return [width - x - w, height - y - h, w, h]
    case 3:
      return [width - y - h, x, h, w]
  }
}
