/** XML that a PDF brings along. */
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { readings } from '../../activities/heavy/bills/readers.ts'
import { electronic, electronicTruth } from '../support/bills/electronic.ts'
import { billOf } from '../support/bills/random.ts'

const BILL = billOf(4, 'de')
const XML = electronic(BILL, 'cii-en16931')
const ORDER = '<a xmlns="urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:100"/>'
const DTD = `<!DOCTYPE a [<!ENTITY b "c">]>${XML.replace(/^.*\n/, '')}`

async function read(files: Readonly<Record<string, string>>) {
  const pdf = new PdfDocument()
  pdf.text(
    'This page says nothing of what has to be paid, but it has some words on it, so that nobody takes it for a scan.',
  )
  for (const [name, text] of Object.entries(files)) pdf.file(Buffer.from(text), { name, type: 'text/xml' })
  pdf.end()
  return readings({ bytes: await buffer(pdf), contentType: 'application/pdf' })
}

test('a bill in XML is read first, whatever else is attached', async () => {
  const [first, ...others] = await read({
    'factur-x.xml': XML,
    'order-x.xml': ORDER,
    'data.xml': '<data/>',
    'a.txt': 'a',
  })
  const found = Object.fromEntries(first?.fields.map(({ field, value }) => [field, value]) ?? [])
  expect(first?.method).toBe('factur-x')
  expect(found).toMatchObject({ bill_number: BILL.number, amount: electronicTruth(BILL, 'cii-en16931').fields?.amount })
  expect(others.map(({ method }) => method)).toEqual(['text-layer'])
})

test.each([
  ['two bills', { 'a.xml': XML, 'b.xml': XML }, 'ambiguous'],
  ['an order without a bill', { 'order-x.xml': ORDER }, 'not_a_bill'],
  ['a bill with a document type', { 'factur-x.xml': DTD }, 'hostile'],
])('a PDF with %s is refused', async (_, files, code) => {
  await expect(read(files)).rejects.toMatchObject({ code })
})
