/** Size of the letters in a picture, by the shapes of its ink. */
import type { Grey } from '../../pdf/pdf.ts'

export const INK = 128
/** Points of a letter: smaller is dust, larger a frame or a picture. */
const [SMALLEST, LARGEST] = [2.5, 40]
const SHAPES_MIN = 20

type Shape = { left: number; right: number; top: number; bottom: number }

/** Measures the median of the longer sides of all letters, in pixels, in any orientation; undefined for too few. */
export function letterSizeOf(picture: Grey, scale: number): number | undefined {
  const sizes = letterSizesOf(picture, scale)
  return sizes.length < SHAPES_MIN ? undefined : sizes[Math.floor(sizes.length / 2)]
}

const letterSizesOf = (picture: Grey, scale: number): readonly number[] =>
  lettersOf(picture, scale)
    .map(({ left, right, top, bottom }) => Math.max(right - left, bottom - top))
    .toSorted((a, b) => a - b)

const lettersOf = (picture: Grey, scale: number): readonly Shape[] =>
  shapesOf(picture).filter(({ left, right, top, bottom }) => {
    const size = Math.max(right - left, bottom - top)
    return size >= SMALLEST * scale && size <= LARGEST * scale
  })

/** Estimates the letters of a page by the width of its print over its height: tiny ones touch, and make one shape. */
export function countLetters(picture: Grey, scale: number): number {
  const letters = lettersOf(picture, scale)
  const heights = letters.map(({ top, bottom }) => bottom - top).toSorted((a, b) => a - b)
  const height = Math.max(1, heights[Math.floor(heights.length / 2)] ?? 1)
  return letters.reduce((sum, { left, right }) => sum + Math.max(1, (right - left) / height), 0)
}

/** Finds connected shapes: runs of ink belong to those that they touch in the row above. */
function shapesOf({ pixels, width, height }: Grey): Shape[] {
  const shapes: Shape[] = []
  const joined: number[] = []
  const rootOf = (shape: number): number => {
    let root = shape
    while (joined[root] !== root) root = joined[root] = joined[joined[root] ?? root] ?? root
    return root
  }
  let above: { left: number; right: number; shape: number }[] = []
  for (let row = 0; row < height; row += 1) {
    const runs: typeof above = []
    let next = 0
    for (let left = 0; left < width; left += 1) {
      if ((pixels[row * width + left] ?? 255) >= INK) continue
      let right = left + 1
      while (right < width && (pixels[row * width + right] ?? 255) < INK) right += 1
      let shape: number | undefined
      while (next < above.length && (above[next]?.right ?? 0) < left) next += 1
      for (let at = next; at < above.length && (above[at]?.left ?? width) <= right; at += 1) {
        const touched = rootOf(above[at]?.shape ?? 0)
        if (shape === undefined || shape === touched) shape = touched
        else joined[touched] = shape
      }
      if (shape === undefined) {
        shape = shapes.length
        joined.push(shape)
        shapes.push({ left, right, top: row, bottom: row + 1 })
      }
      const known = shapes[shape]
      if (known) {
        known.left = Math.min(known.left, left)
        known.right = Math.max(known.right, right)
        known.bottom = row + 1
      }
      runs.push({ left, right, shape })
      left = right
    }
    above = runs
  }
  return wholeShapes(shapes, rootOf)
}

function wholeShapes(parts: readonly Shape[], rootOf: (shape: number) => number): Shape[] {
  const whole = new Map<number, Shape>()
  for (const [index, part] of parts.entries()) {
    const root = rootOf(index)
    const shape = whole.get(root)
    if (!shape) {
      whole.set(root, { ...part })
      continue
    }
    shape.left = Math.min(shape.left, part.left)
    shape.right = Math.max(shape.right, part.right)
    shape.top = Math.min(shape.top, part.top)
    shape.bottom = Math.max(shape.bottom, part.bottom)
  }
  return [...whole.values()]
}
