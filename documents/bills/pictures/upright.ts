/** Orientation of pages: found, turned, and turned back. */
import type { Quarters, Word } from '../../../domain/bills/page.ts'
import { INK, letterSizeOf } from './letters.ts'
import type { Grey } from '../../pdf/pdf.ts'

/** Cell size in letters: in print, cells in a row are alike, cells in a column are not. */
const CELL = 0.45
/** Size of a letter in points, if the picture does not show it. */
const LETTER = 7
/** Probe of a page for its orientation, in letters. */
const [PROBE_WIDTH, PROBE_HEIGHT] = [37, 9]
const PROBE_STEP = 2.3
/** Confidence of upright print. */
const LEGIBLE = 0.65
const LETTERS_MIN = 12

/** Finds the quarters that turn a page upright, by reading a part of it; likeliest by its lines first. */
export async function quartersOf(
  picture: Grey,
  scale: number,
  read: (part: Grey) => Promise<readonly Word[]>,
): Promise<Quarters> {
  const letter = letterSizeOf(picture, scale) ?? LETTER * scale
  const ways = isLying(picture, letter) ? ([1, 3, 0, 2] as const) : ([0, 2, 1, 3] as const)
  let best: { quarters: Quarters; sure: number } = { quarters: 0, sure: 0 }
  for (const quarters of ways) {
    const part = probeOf(rotate(picture, quarters), letter)
    const words = part ? await read(part) : []
    const letters = words.reduce((sum, { text }) => sum + text.length, 0)
    if (letters < LETTERS_MIN) continue
    const sure = words.reduce((sum, { text, confidence }) => sum + (confidence ?? 0) * text.length, 0) / letters
    if (sure >= LEGIBLE) return quarters
    // illegible pages lie as their lines say
    if (sure > best.sure && ways.indexOf(quarters) < 2) best = { quarters, sure }
  }
  return best.quarters
}

/** Tells whether ink, by the size of letters, changes more across columns than across rows. */
function isLying({ pixels, width, height }: Grey, letter: number): boolean {
  const cell = Math.max(1, Math.round(CELL * letter))
  const [across, down] = [Math.floor(width / cell), Math.floor(height / cell)]
  const ink = new Int32Array(across * down)
  for (let row = 0; row < down * cell; row += 1) {
    const cells = Math.floor(row / cell) * across
    for (let column = 0; column < across * cell; column += 1) {
      ink[cells + Math.floor(column / cell)]! += 255 - (pixels[row * width + column] ?? 255)
    }
  }
  let [beside, above] = [0, 0]
  for (let at = across; at < ink.length; at += 1) {
    if (at % across === 0) continue
    beside += ((ink[at] ?? 0) - (ink[at - 1] ?? 0)) ** 2
    above += ((ink[at] ?? 0) - (ink[at - across] ?? 0)) ** 2
  }
  return beside > above
}

/** Finds the part with the most edges along its rows, as print has them; undefined without any. */
function probeOf({ pixels, width, height }: Grey, letter: number): Grey | undefined {
  const step = Math.max(1, Math.round(PROBE_STEP * letter))
  const [across, down] = [Math.ceil(width / step), Math.ceil(height / step)]
  const edges = new Int32Array(across * down)
  for (let row = 0; row < height; row += 2) {
    for (let column = 1; column < width; column += 1) {
      const at = row * width + column
      if ((pixels[at] ?? 255) < INK !== (pixels[at - 1] ?? 255) < INK) {
        edges[Math.floor(row / step) * across + Math.floor(column / step)]! += 1
      }
    }
  }
  const wide = Math.min(across, Math.round(PROBE_WIDTH / PROBE_STEP))
  const high = Math.min(down, Math.round(PROBE_HEIGHT / PROBE_STEP))
  let best = { left: 0, top: 0, count: 0 }
  for (let top = 0; top + high <= down; top += 1) {
    for (let left = 0; left + wide <= across; left += 1) {
      let count = 0
      for (let y = top; y < top + high; y += 1) {
        for (let x = left; x < left + wide; x += 1) count += edges[y * across + x] ?? 0
      }
      if (count > best.count) best = { left, top, count }
    }
  }
  if (best.count === 0) return undefined
  const [left, top] = [best.left * step, best.top * step]
  const size = { width: Math.min(wide * step, width - left), height: Math.min(high * step, height - top) }
  const part = new Uint8Array(size.width * size.height)
  for (let row = 0; row < size.height; row += 1) {
    const from = (top + row) * width + left
    part.set(pixels.subarray(from, from + size.width), row * size.width)
  }
  return { ...size, pixels: part }
}

export function rotate(picture: Grey, quarters: Quarters): Grey {
  const { pixels, width, height } = picture
  if (quarters === 0) return picture
  if (quarters === 2) return { ...picture, pixels: pixels.toReversed() }
  const made = new Uint8Array(pixels.length)
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const to = quarters === 1 ? column * height + (height - 1 - row) : (width - 1 - column) * height + row
      made[to] = pixels[row * width + column] ?? 255
    }
  }
  return { pixels: made, width: height, height: width }
}
