/** QR codes in pictures of pages, by ZXing in WebAssembly, without network. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Code } from '../bills/payment-codes.ts'
import type { Grey } from './pdf.ts'

const CODES_MAX = 8
const PAGES_EACH = 5
/** Size of a searched part of a code, and the step between parts, in points. */
const [PART, STEP] = [36, 6]
/** Share of ink in a part of a code: print has less, pictures more. */
const [INK_MIN, INK_MAX] = [0.35, 0.68]

type Zxing = typeof import('zxing-wasm/reader')
let loaded: Promise<Zxing> | undefined

async function load(): Promise<Zxing> {
  const zxing = await import('zxing-wasm/reader')
  const wasm = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
  await zxing.prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasm).buffer }, fireImmediately: true })
  return zxing
}

export async function codesOn({ pixels, width, height }: Grey, scale: number, page: number): Promise<Code[]> {
  const { readBarcodes } = await (loaded ??= load())
  const picture = Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels])
  const found = await readBarcodes(picture, { formats: ['QRCode'], maxNumberOfSymbols: CODES_MAX })
  return found.map(({ bytes, position: { topLeft, topRight, bottomRight, bottomLeft } }) => {
    const corners = [topLeft, topRight, bottomRight, bottomLeft]
    const [left, top] = [Math.min(...corners.map(({ x }) => x)), Math.min(...corners.map(({ y }) => y))]
    const [right, bottom] = [Math.max(...corners.map(({ x }) => x)), Math.max(...corners.map(({ y }) => y))]
    return { bytes, page, box: [left / scale, top / scale, (right - left) / scale, (bottom - top) / scale] }
  })
}

export const isLookedAt = (page: number, count: number): boolean => page <= PAGES_EACH || page > count - PAGES_EACH

/** Tells whether some part of a page, at 72 dpi, is as dark as a code. */
export function mayShowCode({ pixels, width, height }: Grey): boolean {
  const [across, down] = [Math.floor(width / STEP), Math.floor(height / STEP)]
  const ink = new Float64Array(across * down)
  for (let row = 0; row < down * STEP; row += 1) {
    for (let column = 0; column < across * STEP; column += 1) {
      ink[Math.floor(row / STEP) * across + Math.floor(column / STEP)]! += 255 - (pixels[row * width + column] ?? 255)
    }
  }
  const size = PART / STEP
  for (let top = 0; top + size <= down; top += 1) {
    for (let left = 0; left + size <= across; left += 1) {
      let sum = 0
      for (let y = top; y < top + size; y += 1) {
        for (let x = left; x < left + size; x += 1) sum += ink[y * across + x] ?? 0
      }
      const share = sum / (PART * PART * 255)
      if (share > INK_MIN && share < INK_MAX) return true
    }
  }
  return false
}
