/** Receipts on narrow paper, as tills print and phones photograph them. */
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { withPdf } from '../../../documents/pdf/pdf.ts'

/** 80 mm in points. */
const WIDTH = 227
const [LINE, SIZE, LEFT] = [11, 9, 10]
const DPI = 150

/** Renders a receipt of these lines, with amounts at the right: upright, as PNG. */
export async function slip(
  lines: readonly (readonly [text: string, amount?: string])[],
  font: string,
): Promise<Buffer> {
  const pdf = new PDFDocument({ size: [WIDTH, lines.length * LINE + 40], margin: 0 })
  pdf.font(font).fontSize(SIZE)
  for (const [row, [text, amount]] of lines.entries()) {
    pdf.text(text, LEFT, 16 + row * LINE, { lineBreak: false })
    if (amount) pdf.text(amount, LEFT, 16 + row * LINE, { width: WIDTH - 2 * LEFT, align: 'right' })
  }
  pdf.end()
  const { pixels, width, height } = await withPdf(await buffer(pdf), async (opened) => opened.picture(1, DPI))
  return sharp(Buffer.from(pixels), { raw: { width, height, channels: 1 } })
    .blur(0.6)
    .toColourspace('b-w')
    .png()
    .toBuffer()
}

/** Lists the lines of a receipt of `count` things, each for 2.50. */
export const receiptOf = (count: number): (readonly [string, string?])[] => [
  ['BAECKEREI SONNENHOF GMBH'],
  ['Hauptstrasse 12'],
  ['10115 Berlin'],
  ['Beleg-Nr. 4711-18'],
  ['Datum: 05.03.2018  14:22'],
  [''],
  ...Array.from({ length: count }, (_, index) => [`Brot ${index + 1}`, '2,50 A'] as const),
  [''],
  ['SUMME EUR', (count * 2.5).toFixed(2).replace('.', ',')],
  ['Vielen Dank fuer Ihren Einkauf'],
]
