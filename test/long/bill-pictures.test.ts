/** Pictures of bills that are recognized whole: ten seconds of processor time each. */
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { readDocument } from '../../documents/bills/read-document.ts'
import { read } from '../../documents/reading/process.ts'
import { scanPage } from '../../dev/sample-bills/scans.ts'
import { PRINTED, printPage } from '../support/bills/printed-page.ts'
import { tiff, whitePage } from '../support/files/tiff.ts'
import { valueOf } from '../support/bills/readings.ts'

let page: Awaited<ReturnType<typeof printPage>>
beforeAll(async () => {
  page = await printPage()
})

test('a WebP is read as any picture', async () => {
  const { pixels, width, height } = page
  const webp = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .webp({ quality: 90 })
    .toBuffer()
  const [reading] = await readDocument({ bytes: webp, contentType: 'image/webp' })
  expect(reading && valueOf(reading, 'bill_number')).toBe(PRINTED.number)
})

test('the number of a bill is found on the second page of a TIFF', async () => {
  const bytes = tiff([whitePage(800, 1100), { ...whitePage(80, 110), kind: 1 }, page])
  const [reading] = await readDocument({ bytes, contentType: 'image/tiff' })
  const number = reading?.fields.find(({ field }) => field === 'bill_number')
  expect([number?.value, number?.page]).toEqual([PRINTED.number, 2])
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
