/** Pictures with evened light and black ink, so that pale or shadowed print is readable. */
import type { Grey } from '../../pdf/pdf.ts'

/** Side of a block of one light, in pixels. */
const BLOCK = 32
/** Share of a block's pixels that are no lighter than its paper; on the page the same level is white. */
const PAPER = 0.6
/** Least share of ink among the page's pixels. */
const INK = 0.01
/** Part of the light above which nothing is ink: the grain of an almost empty page stays pale. */
const INK_MAX = 0.55
const WHITE = 245
const LEVELS = 256

export function evenOut(picture: Grey): Grey {
  const { pixels, width, height } = picture
  const across = Math.ceil(width / BLOCK)
  const light = lightOf(picture)
  const even = new Uint8Array(pixels.length)
  const counts = new Int32Array(LEVELS)
  for (let row = 0; row < height; row += 1) {
    const blocks = Math.floor(row / BLOCK) * across
    for (let column = 0; column < width; column += 1) {
      const at = row * width + column
      const paper = light[blocks + Math.floor(column / BLOCK)] ?? 255
      const value = Math.min(255, Math.round(((pixels[at] ?? 255) * 255) / paper))
      even[at] = value
      counts[value]! += 1
    }
  }
  const ink = Math.min(levelAt(counts, pixels.length * INK), INK_MAX * 255)
  const levels = Uint8Array.from({ length: LEVELS }, (_, value) =>
    Math.max(0, Math.min(255, Math.round(((value - ink) * 255) / (WHITE - ink)))),
  )
  return { width, height, pixels: even.map((value) => levels[value] ?? 255) }
}

/** Finds the paper around each block by its lightest neighbour: a dark bar is no paper. */
function lightOf({ pixels, width, height }: Grey): Uint8Array {
  const [across, down] = [Math.ceil(width / BLOCK), Math.ceil(height / BLOCK)]
  const own = new Uint8Array(across * down)
  for (let block = 0; block < own.length; block += 1) {
    const [left, top] = [(block % across) * BLOCK, Math.floor(block / across) * BLOCK]
    const [right, bottom] = [Math.min(width, left + BLOCK), Math.min(height, top + BLOCK)]
    const counts = new Int32Array(LEVELS)
    for (let row = top; row < bottom; row += 1) {
      for (let column = left; column < right; column += 1) counts[pixels[row * width + column] ?? 255]! += 1
    }
    own[block] = levelAt(counts, (right - left) * (bottom - top) * PAPER)
  }
  return own.map((_, block) => {
    const [x, y] = [block % across, Math.floor(block / across)]
    let lightest = 1
    for (let row = Math.max(0, y - 1); row <= Math.min(down - 1, y + 1); row += 1) {
      for (let column = Math.max(0, x - 1); column <= Math.min(across - 1, x + 1); column += 1) {
        lightest = Math.max(lightest, own[row * across + column] ?? 0)
      }
    }
    return lightest
  })
}

/** Finds the level up to which this number of pixels is dark. */
function levelAt(counts: Int32Array, pixels: number): number {
  let sum = 0
  for (const [level, count] of counts.entries()) {
    sum += count
    if (sum >= pixels) return level
  }
  return LEVELS - 1
}
