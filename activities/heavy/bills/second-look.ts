/**
 * A recognized page, read a second time line by line: larger, with the letters of its language, and if it is still in
 * doubt without what is lighter than print, as a stamp over it.
 */
import { type Language, folded } from '../../../db/model/bills/text/labels.ts'
import { type Box, type Line, type Word, linesOf } from '../../../db/model/bills/text/words.ts'
import type { Grey } from './pdf.ts'
import { recognizeLines } from './recognition.ts'

const LINES_MAX = 120
/** What is surer is taken as it is. */
const SURE = 0.8
const LARGER = 1.5
/** In points, above and below a line. */
const MARGIN = 3
/** Darker than this part of the way from ink to paper is print. */
const PRINT = 0.45
/** Of all pixels of a line, these are ink at least, and those are paper at least. */
const [INK, PAPER] = [0.01, 0.6]

/** The upright page of a picture that is turned by `radians` about its middle. */
type Upright = { readonly picture: Grey; readonly scale: number; readonly radians: number }

/**
 * The words as the surer of the readings has them. A word on whose digits two readings disagree is no surer than the
 * doubt about the other.
 */
export async function secondLook(upright: Upright, words: readonly Word[], language: Language): Promise<Word[]> {
  const size = { width: upright.picture.width / upright.scale, height: upright.picture.height / upright.scale }
  const lines = linesOf({ number: 1, ...size, words })
  const read: Word[] = []
  for (const [index, line] of lines.entries()) {
    const first = line.cells.flatMap((cell) => cell.words)
    const needed = language !== 'en' || first.some(isUnsure)
    const found = needed && index < LINES_MAX ? await lookAt(upright, line, first, language) : first
    // lines that almost touch show the same words twice
    read.push(...found.filter(({ box }) => !read.some((other) => covers(other.box, box))))
  }
  return read
}

const covers = ([left, top, width, height]: Box, [x, y, w, h]: Box): boolean =>
  x + w / 2 > left && x + w / 2 < left + width && y + h / 2 > top && y + h / 2 < top + height

const isUnsure = ({ confidence }: Word): boolean => (confidence ?? 1) < SURE

async function lookAt(upright: Upright, line: Line, first: readonly Word[], language: Language): Promise<Word[]> {
  const strip = cut(upright, line)
  const again = async (picture: Grey) =>
    (await recognizeLines(picture, upright.scale * LARGER, language)).flatMap((word): Word[] => {
      const [x, y, w, h] = word.box
      const moved: Word = { ...word, box: [x, y + strip.top, w, h] }
      return belongs(moved, line, first) ? [moved] : []
    })
  const second = await again(strip)
  const readings = second.some(isUnsure) ? [second, await again(printOf(strip)), first] : [second, first]
  const [best = first] = readings.toSorted((a, b) => surenessOf(b) - surenessOf(a))
  return best.map((word) => weighed(word, readings))
}

/** Whether a word is of this line, and no scratch beside it. */
function belongs({ text, box: [x, y, w, h], confidence }: Word, line: Line, first: readonly Word[]): boolean {
  const [, top, , height] = line.box
  const middle = y + h / 2
  if (middle < top || middle > top + height) return false
  const isKnown = first.some(({ box: [left, , width] }) => left < x + w && left + width > x)
  return isKnown || ((confidence ?? 0) >= SURE && /[\p{L}\d].*[\p{L}\d]/u.test(text))
}

/** By letters: what is more sure than not speaks for a reading, what is less speaks against it. */
const surenessOf = (words: readonly Word[]): number =>
  words.reduce((sum, { text, confidence }) => sum + ((confidence ?? 0) - 0.5) * text.length, 0)

/**
 * A word that two readings have is twice as sure; one of which they have other digits, as little as the other allows.
 */
function weighed(word: Word, readings: readonly (readonly Word[])[]): Word {
  const [x, , w] = word.box
  const said = readings.flatMap((words) => {
    const there = words.filter(({ box: [left, , width] }) => left + width / 2 > x && left + width / 2 < x + w)
    if (there.length === 0 || there.includes(word)) return []
    return [{ text: there.map(({ text }) => text).join(''), sure: Math.min(...there.map(confidenceOf)) }]
  })
  const same = said.filter(({ text }) => bare(text) === bare(word.text))
  const others = said.filter(({ text }) => alike(text) !== alike(word.text) && /\d/.test(text + word.text))
  const surest = Math.max(confidenceOf(word), ...same.map(({ sure }) => sure))
  const confidence = same.length > 0 ? (1 + surest) / 2 : surest
  return { ...word, confidence: Math.min(confidence, ...others.map(({ sure }) => 1 - sure)) }
}

const confidenceOf = ({ confidence }: Word): number => confidence ?? 0
const bare = (text: string): string => text.replaceAll(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '')
/** Signs between digits make no other digits. */
const alike = (text: string): string => folded(bare(text)).replaceAll('.', ',')

/** A line across the whole page, upright and larger. */
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
  return { pixels: cutOut, ...size, top }
}

function printOf(strip: Grey): Grey {
  const sorted = strip.pixels.toSorted()
  const ink = sorted[Math.floor(sorted.length * INK)] ?? 0
  const paper = sorted[Math.floor(sorted.length * PAPER)] ?? 255
  const lightest = ink + Math.max(1, PRINT * (paper - ink))
  const pixels = strip.pixels.map((value) => Math.max(0, Math.min(255, ((value - ink) / (lightest - ink)) * 255)))
  return { ...strip, pixels }
}
