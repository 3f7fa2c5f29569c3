/** XML embedded in a PDF. */
import { buffer } from 'node:stream/consumers'
import PdfDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { readings } from '../../documents/bills/readers.ts'
import { electronic, electronicTruth } from '../../dev/sample-bills/electronic.ts'
import { billOf } from '../../dev/sample-bills/random.ts'
import { readXml } from '../../documents/bills/xml/read.ts'

const BILL = billOf(4, 'de')
const XML = electronic(BILL, 'cii-en16931')
const ORDER = '<a xmlns="urn:un:unece:uncefact:data:SCRDMCCBDACIOMessageStructure:100"/>'
const DTD = `<!DOCTYPE a [<!ENTITY b "c">]>${XML.replace(/^.*\n/, '')}`

async function read(files: Readonly<Record<string, string>>) {
  const pdf = new PdfDocument()
  pdf.text(
    'This page says nothing of what has to be paid, but it has some words on it, so that nobody takes it for a scan.',
  )
  for (const [name, text] of Object.entries(files))
    pdf.file(Buffer.from(text, name.endsWith('.xml') ? 'utf8' : 'latin1'), { name, type: 'text/xml' })
  pdf.end()
  return readings({ bytes: await buffer(pdf), contentType: 'application/pdf' })
}

test('a bill in XML is read first, whatever else is attached', async () => {
  const beside = { 'order-x.xml': ORDER, 'data.xml': '<data/>', 'a.txt': 'a' }
  const [first, ...others] = await read({ 'factur-x.xml': XML, ...beside })
  const found = Object.fromEntries(first?.fields.map(({ field, value }) => [field, value]) ?? [])
  expect(first?.method).toBe('factur-x')
  expect(found).toMatchObject({ bill_number: BILL.number, amount: electronicTruth(BILL, 'cii-en16931').fields?.amount })
  expect(others.map(({ method }) => method)).toEqual(['text-layer'])
})

/** A PDF 1.5, which keeps its objects in a stream and so has a file of its own. */
const PDF_15 =
  '%PDF-1.5\n1 0 obj\n<< /Type /ObjStm /N 1 /First 4 >>\nstream\n/EmbeddedFiles\nendstream\nendobj\n%%EOF\n'
const BESIDE = {
  'a PDF 1.5': PDF_15,
  'a table': 'PK\x03\x04\x14\0[Content_Types].xml',
  'a picture': '\x89PNG\r\n\x1a\n\0',
  'a text that begins as programs do': 'MZ;100.00\n',
}

test.each(Object.entries(BESIDE))('%s that is attached is passed over', async (_, text) => {
  const base64 = Buffer.from(text, 'latin1').toString('base64')
  const ubl = electronic(BILL, 'ubl-xrechnung').replace(
    '<cac:AccountingSupplierParty>',
    `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject>${base64}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>$&`,
  )
  const cii = electronic(BILL, 'cii-xrechnung').replace(
    '</ram:BuyerTradeParty>',
    `$&<ram:AdditionalReferencedDocument><ram:AttachmentBinaryObject>${base64}</ram:AttachmentBinaryObject></ram:AdditionalReferencedDocument>`,
  )
  for (const xml of [ubl, cii]) {
    expect(xml).toContain(base64)
    const { fields } = readXml(Buffer.from(xml), 'file')
    expect(fields.find(({ field }) => field === 'bill_number')?.value).toBe(BILL.number)
  }
  const [inPdf] = await read({ 'factur-x.xml': XML, beside: text })
  expect(inPdf?.method).toBe('factur-x')
})

test.each([
  ['a program', { 'factur-x.xml': XML, 'a.exe': 'MZ\x90\0\x03' }, 'hostile'],
  ['two bills', { 'a.xml': XML, 'b.xml': XML }, 'ambiguous'],
  ['an order without a bill', { 'order-x.xml': ORDER }, 'not_a_bill'],
  ['a bill with a document type', { 'factur-x.xml': DTD }, 'hostile'],
])('a PDF with %s is refused', async (_, files, code) => expect(read(files)).rejects.toMatchObject({ code }))
