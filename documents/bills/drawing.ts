import sharp from 'sharp'
import type { BillFile } from '../../domain/bills/reader.ts'
import { embeddedFiles, kindOf } from '../reading/kinds.ts'
import { beginFile, nextStep } from '../reading/limits.ts'
import { type Picture, withPdf } from '../pdf/pdf.ts'
import { colourPicture, pagesOfPicture } from './pictures/files.ts'
import type { Boxes } from '../reading-process.ts'

/** Points around the letters. */
const MARGIN = 2
const MARKER = [255, 236, 110] as const
const FRAME = [214, 120, 0] as const
const FRAME_PIXELS = 2

/** Draws a page (from 1) as PNG; null without such a page. Throws UnreadableBill. */
export async function drawing(file: BillFile, number: number, boxes: Boxes): Promise<Uint8Array<ArrayBuffer> | null> {
  beginFile()
  nextStep('page')
  const page = await pageOf(file, number)
  if (!page) return null
  const places = new Map(boxes.map((box) => [box.join(), box]))
  for (const box of places.values()) mark(page, box)
  const { pixels, width, height } = page
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}

async function pageOf({ bytes }: BillFile, number: number): Promise<Picture | null> {
  const kind = kindOf(bytes)
  if (kind === 'xml') return null
  if (kind !== 'pdf') {
    const page = pagesOfPicture(bytes, kind)[number - 1]
    return page === undefined ? null : colourPicture(bytes, kind, page)
  }
  return withPdf(bytes, async (pdf) => {
    embeddedFiles(pdf, bytes)
    return number <= pdf.pageCount ? pdf.coloured(number) : null
  })
}

/** Tints a box like a text marker, so that dark letters stay dark, and frames it. */
function mark({ pixels, width, height, scale }: Picture, [x = 0, y = 0, w = 0, h = 0]: readonly number[]): void {
  const within = (value: number, max: number) => Math.min(max, Math.max(0, Math.round(value * scale)))
  const [left, right] = [within(x - MARGIN, width), within(x + w + MARGIN, width)]
  const [top, bottom] = [within(y - MARGIN, height), within(y + h + MARGIN, height)]
  for (let row = top; row < bottom; row += 1) {
    for (let column = left; column < right; column += 1) {
      const edge = Math.min(row - top, bottom - 1 - row, column - left, right - 1 - column)
      const at = (row * width + column) * 3
      for (const channel of [0, 1, 2] as const) {
        const tinted = ((pixels[at + channel] ?? 0) * MARKER[channel]) / 255
        pixels[at + channel] = edge < FRAME_PIXELS ? FRAME[channel] : tinted
      }
    }
  }
}
