/** Second reading of a recognized page by lines: larger, with its letters, if needed without stamps. */
import { fold } from '../text/labels/fold.ts'
import type { Language } from '../text/labels/languages.ts'
import type { Box, Word } from '../../../domain/bills/page.ts'
import { type Line, linesOf } from '../text/words.ts'
import type { Grey } from '../../pdf/pdf.ts'
import type { Recognizer } from './recognition.ts'

const LINES_MAX = 120
/**
 * Lines of fields that are read again whatever the time, at most 50 to 80 ms each: processor time grows with the load of
 * the machine, and by time alone the amounts of 2 scans of 20 were read only once.
 */
const FIELD_LINES_MAX = 24
/** Readings of a line, at most. */
const READINGS = 3
const SURE = 0.8
const ONCE_MAX = 0.75
const LARGER = 1.5
const MARGIN = 3
/** Level of print, as a part of the way from ink to paper. */
const PRINT = 0.45
/** Frames: darkness, and its share of a strip's height. */
const [FRAME, FRAME_SHARE] = [170, 0.96]
/** Least shares of ink and of paper in a line. */
const [INK, PAPER] = [0.01, 0.6]

/** Upright page of a picture that is turned by `radians` about its middle. */
export type Upright = { readonly picture: Grey; readonly scale: number; readonly radians: number }

/**
 * Reads doubtful lines again, and those that `worthOf` asks for. At most 120 are read, those of most worth first: 24
 * of fields, the others while `hasTime`. Answers the surest words, then the others; once-read words are unsure, and disputed digits limit confidence.
 */
export async function secondLook(
  upright: Upright,
  words: readonly Word[],
  language: Language,
  read: Recognizer['lines'],
  worthOf: (line: Line) => number,
  hasTime: (isOfField: boolean) => boolean = () => true,
): Promise<{ readings: Word[][]; isPart: boolean }> {
  const size = { width: upright.picture.width / upright.scale, height: upright.picture.height / upright.scale }
  const pages: Word[][] = Array.from({ length: READINGS }, () => [])
  const lines = linesOf({ number: 1, ...size, words }).map((line) => {
    const first = line.cells.flatMap((cell) => cell.words)
    return { line, first, worth: worthOf(line) }
  })
  const asked = lines.filter(({ first, worth }) => worth > 0 || first.some(isUnsure))
  const again = async (strip: Grey, scale: number) => read(strip, scale, language)
  const looks = new Map<Line, Word[][]>()
  for (const { line, first, worth } of asked.toSorted((a, b) => b.worth - a.worth).slice(0, LINES_MAX)) {
    const isDue = worth > 0 && looks.size < FIELD_LINES_MAX
    if (!isDue && !hasTime(worth > 0)) break
    looks.set(line, await lookAt(upright, line, first, again, worth > 0))
  }
  for (const { line, first } of lines) {
    const found = looks.get(line) ?? [first.map(once)]
    for (const [index, page] of pages.entries()) {
      const words = found[index] ?? found[0] ?? []
      // lines that almost touch show the same words twice
      page.push(...words.filter(({ box }) => !page.some((other) => covers(other.box, box))))
    }
  }
  return { readings: pages, isPart: looks.size < Math.min(asked.length, LINES_MAX) }
}

/** Lowers the confidence of a word that was read once. */
const once = (word: Word): Word => ({ ...word, confidence: Math.min(confidenceOf(word), ONCE_MAX) })

const covers = ([left, top, width, height]: Box, [x, y, w, h]: Box): boolean =>
  x + w / 2 > left && x + w / 2 < left + width && y + h / 2 > top && y + h / 2 < top + height

const isUnsure = ({ confidence }: Word): boolean => (confidence ?? 1) < SURE

async function lookAt(
  upright: Upright,
  line: Line,
  first: readonly Word[],
  read: (strip: Grey, scale: number) => Promise<readonly Word[]>,
  isAsked: boolean,
): Promise<Word[][]> {
  const strip = cut(upright, line)
  const again = async (picture: Grey) =>
    (await read(picture, upright.scale * LARGER)).flatMap((word): Word[] => {
      const [x, y, w, h] = word.box
      const moved: Word = { ...word, box: [x, y + strip.top, w, h] }
      return belongs(moved, line, first) ? [moved] : []
    })
  const second = await again(strip)
  const isConfirmed = (word: Word) => otherReadingsOf(word, [first]).some(({ text }) => bare(text) === bare(word.text))
  const isThird = second.some((word) => isUnsure(word) || (isAsked && !isConfirmed(word)))
  const readings = isThird ? [second, await again(printOf(strip)), first] : [second, first]
  const ranked = readings.toSorted((a, b) => surenessOf(b) - surenessOf(a))
  return ranked.map((words) => words.map((word) => weighWord(word, readings)))
}

/** Tells whether a word is of this line, and no scratch beside it. */
function belongs({ text, box: [x, y, w, h], confidence }: Word, line: Line, first: readonly Word[]): boolean {
  const [, top, , height] = line.box
  const middle = y + h / 2
  if (middle < top || middle > top + height) return false
  const isKnown = first.some(({ box: [left, , width] }) => left < x + w && left + width > x)
  return isKnown || ((confidence ?? 0) >= SURE && /[\p{L}\d].*[\p{L}\d]/u.test(text))
}

/** Weighs a reading by letters: sure ones count for it, unsure ones against it. */
const surenessOf = (words: readonly Word[]): number =>
  words.reduce((sum, { text, confidence }) => sum + ((confidence ?? 0) - 0.5) * text.length, 0)

/** Weighs a word: sure if two readings have it, unsure if one has; disputed digits limit it. */
function weighWord(word: Word, readings: readonly (readonly Word[])[]): Word {
  const said = otherReadingsOf(word, readings)
  const same = said.filter(({ text }) => bare(text) === bare(word.text))
  const others = said.filter(({ text }) => alike(text) !== alike(word.text) && /\d/.test(text + word.text))
  const surest = Math.max(confidenceOf(word), ...same.map(({ sure }) => sure))
  const confidence = same.length > 0 ? (1 + surest) / 2 : Math.min(surest, ONCE_MAX)
  return { ...word, confidence: Math.min(confidence, ...others.map(({ sure }) => 1 - sure)) }
}

/** Lists the other readings' different words at its place. */
function otherReadingsOf(word: Word, readings: readonly (readonly Word[])[]): { text: string; sure: number }[] {
  const [x, , w] = word.box
  return readings.flatMap((words) => {
    const there = words.filter(({ box: [left, , width] }) => left + width / 2 > x && left + width / 2 < x + w)
    if (there.length === 0 || there.includes(word)) return []
    return [{ text: there.map(({ text }) => text).join(''), sure: Math.min(...there.map(confidenceOf)) }]
  })
}

const confidenceOf = ({ confidence }: Word): number => confidence ?? 0
const bare = (text: string): string => text.replaceAll(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '')
/** Normalizes signs between digits: they make no other digits. */
const alike = (text: string): string => fold(bare(text)).replaceAll('.', ',')

/** Cuts out a line across the whole page, upright and larger. */
function cut({ picture, scale, radians }: Upright, { box: [, y, , h] }: Line): Grey & { readonly top: number } {
  const { width, height, pixels } = picture
  const top = Math.max(0, y - MARGIN)
  const size = { width: Math.round(width * LARGER), height: Math.round((h + 2 * MARGIN) * scale * LARGER) }
  const cutOut = new Uint8Array(size.width * size.height)
  const [sin, cos] = [Math.sin(-radians), Math.cos(-radians)]
  const at = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= width || row >= height ? 255 : (pixels[row * width + column] ?? 255)
  for (let row = 0; row < size.height; row += 1) {
    const dy = top * scale + (row + 0.5) / LARGER - height / 2
    for (let column = 0; column < size.width; column += 1) {
      const dx = (column + 0.5) / LARGER - width / 2
      const fromX = width / 2 + dx * cos - dy * sin - 0.5
      const fromY = height / 2 + dx * sin + dy * cos - 0.5
      const [left, above] = [Math.floor(fromX), Math.floor(fromY)]
      const [partX, partY] = [fromX - left, fromY - above]
      const upper = at(left, above) * (1 - partX) + at(left + 1, above) * partX
      const lower = at(left, above + 1) * (1 - partX) + at(left + 1, above + 1) * partX
      cutOut[row * size.width + column] = Math.round(upper * (1 - partY) + lower * partY)
    }
  }
  clearFrames(cutOut, size)
  return { pixels: cutOut, ...size, top }
}

/** Clears lines from top to bottom of a strip: frames are taken for letters. */
function clearFrames(pixels: Uint8Array, { width, height }: { readonly width: number; readonly height: number }): void {
  for (let column = 0; column < width; column += 1) {
    let dark = 0
    for (let at = column; at < pixels.length; at += width) if ((pixels[at] ?? 255) < FRAME) dark += 1
    if (dark < height * FRAME_SHARE) continue
    for (let near = Math.max(0, column - 1); near <= Math.min(width - 1, column + 1); near += 1) {
      for (let at = near; at < pixels.length; at += width) pixels[at] = 255
    }
  }
}

function printOf(strip: Grey): Grey {
  const sorted = strip.pixels.toSorted()
  const ink = sorted[Math.floor(sorted.length * INK)] ?? 0
  const paper = sorted[Math.floor(sorted.length * PAPER)] ?? 255
  const lightest = ink + Math.max(1, PRINT * (paper - ink))
  const pixels = strip.pixels.map((value) => Math.max(0, Math.min(255, ((value - ink) / (lightest - ink)) * 255)))
  return { ...strip, pixels }
}
