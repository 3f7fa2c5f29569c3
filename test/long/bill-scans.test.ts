/** Rare kinds of page pictures, which take seconds each. */
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readDocument } from '../../documents/bills/read-document.ts'
import { mergeReadings } from '../../documents/bills/merged.ts'
import { LAYOUTS } from '../../dev/sample-bills/layouts.ts'
import { printBill, truthOnPaper } from '../../dev/sample-bills/printed.ts'
import { billOf } from '../../dev/sample-bills/random.ts'
import { pdfOf, scanPage } from '../../dev/sample-bills/scans.ts'

const bill = billOf(4001, 'de')
const picture = await scanPage(await printBill(bill, LAYOUTS[0]!), 7) // there are layouts

test('a scanned page in German is read within the memory that any file may take, with umlauts and its number', async () => {
  const found = mergeReadings(
    await readDocument({ bytes: await pdfOf(picture), contentType: 'application/pdf' }),
  ).fields
  const fields = new Map(found.map(({ field, value }) => [field, value]))
  expect(fields.size).toBeGreaterThan(5)
  expect(fields.get('supplier_name')).toBe(bill.seller.name)
  expect(fields.get('bill_number')).toBe(bill.number)
})

test('a scanned page behind written ones is read, too', async () => {
  const pdf = new PdfDocument({ size: 'A4' })
  pdf.text('Guten Tag, anbei senden wir Ihnen unsere Rechnung für den letzten Monat und danken Ihnen für den Auftrag.')
  pdf.addPage().image(picture, 0, 0, { fit: [595, 842] })
  pdf.end()
  const found = await readDocument({ bytes: await buffer(pdf), contentType: 'application/pdf' })
  expect(found.map(({ method }) => method)).toEqual(['text-layer', 'tesseract-5'])
  const amount = mergeReadings(found).fields.find(({ field }) => field === 'amount')
  expect(amount).toMatchObject({ value: truthOnPaper(bill).fields?.amount, page: 2, method: 'tesseract-5' })
})

test('a picture on which nothing can be read is read, and nothing is found', async () => {
  const bytes = await sharp({ create: { width: 800, height: 1100, channels: 3, background: '#eee' } })
    .png()
    .toBuffer()
  const found = await readDocument({ bytes, contentType: 'image/png' })
  expect(found).toMatchObject([{ method: 'tesseract-5', fields: [] }])
})
