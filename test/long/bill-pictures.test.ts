/** Pictures of bills that are recognized whole: ten seconds of processor time each. */
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { readDocument } from '../../documents/bills/read-document.ts'
import { withPdf } from '../../documents/pdf/pdf.ts'
import { read } from '../../documents/reading/process.ts'
import { LAYOUTS } from '../../dev/sample-bills/layouts.ts'
import { printBill } from '../../dev/sample-bills/printed.ts'
import { billOf } from '../../dev/sample-bills/random.ts'
import { scanPage } from '../../dev/sample-bills/scans.ts'
import { tiff, whitePage } from '../support/files/tiff.ts'
import { valueOf } from '../support/bills/readings.ts'

const model = billOf(7, 'de', { payerIban: null, prepaid: 0n, rounding: 0n })
let page: { pixels: Uint8Array; width: number; height: number }
beforeAll(async () => {
  const [layout] = LAYOUTS
  const pdf = await printBill(model, layout ?? expect.fail('there is no layout'))
  page = await withPdf(pdf, async (opened) => opened.picture(1, 200))
})

test('a WebP is read as any picture', async () => {
  const { pixels, width, height } = page
  const webp = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .webp({ quality: 90 })
    .toBuffer()
  const [reading] = await readDocument({ bytes: webp, contentType: 'image/webp' })
  expect(reading && valueOf(reading, 'bill_number')).toBe(model.number)
})

test('the number of a bill is found on the second page of a TIFF', async () => {
  const bytes = tiff([whitePage(800, 1100), { ...whitePage(80, 110), kind: 1 }, page])
  const [reading] = await readDocument({ bytes, contentType: 'image/tiff' })
  const number = reading?.fields.find(({ field }) => field === 'bill_number')
  expect([number?.value, number?.page]).toEqual([model.number, 2])
})

test('a page of very many words is answered in part, with doubts, and is not hostile', async () => {
  const pdf = new PdfDocument({ size: 'A4', margin: 30 })
  pdf.fontSize(12).text('Invoice number: R-7788').fontSize(5)
  pdf.text('terms of payment apply to the whole of this agreement '.repeat(330), { width: 535, height: 740 })
  pdf.end()
  const bytes = await scanPage(await buffer(pdf), 1, true)
  const { readings } = await read('bill', { bytes, contentType: '' }, { msMax: 600_000 })
  expect(readings.flatMap(({ doubts }) => doubts.map(({ code }) => code))).toContain('unread_pages')
})
