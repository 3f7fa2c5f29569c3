/** Files that harm their reader, or that cannot be read. */
import { buffer } from 'node:stream/consumers'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import type { UnreadableCode } from '../../domain/bills/reader.ts'
import { png } from '../../test/support/files/png.ts'

type Hostile = { readonly name: string; readonly bytes: Buffer; readonly refused: UnreadableCode | null }

const EICAR = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$` + 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'

/** Writes a PDF of these objects, from number 1, the catalog; PDFium finds them without a table. */
function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts = objects.flatMap((object, index) => [
    Buffer.from(`${index + 1} 0 obj\n`),
    Buffer.from(object),
    Buffer.from('\nendobj\n'),
  ])
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...parts,
    Buffer.from(`trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`),
  ])
}

const stream = (data: Buffer, filters = '/FlateDecode'): Buffer =>
  Buffer.concat([
    Buffer.from(`<< /Length ${data.length} /Filter ${filters} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ])

const ROOT = '<< /Type /Catalog /Pages 2 0 R >>'
const KIDS = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const HELVETICA = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const onePage = (content: string | Buffer, of = '/MediaBox [0 0 595 842]'): Buffer =>
  pdfOf([
    ROOT,
    KIDS,
    `<< /Type /Page /Parent 2 0 R ${of} /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >> >>`,
    content,
    HELVETICA,
    '<< >>',
  ])

function writePdf(write: (pdf: PDFKit.PDFDocument) => void, options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const pdf = new PDFDocument({ info: { CreationDate: new Date(0) }, ...options })
  write(pdf)
  pdf.end()
  return buffer(pdf)
}

/** A page of twelve words, and a pattern of 700 bytes that draws for many seconds. */
export const tilingPdf = (): Buffer => {
  const text = Array.from({ length: 12 }, (_, index) => `word${index}`).join(' ')
  const page = `/Pattern cs /P scn 0 0 595 842 re f BT /F 9 Tf 9 9 Td (${text}) Tj ET`
  const tile = '0 0 m 9 9 l S'
  return pdfOf([
    ROOT,
    KIDS,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 6 0 R >> /Pattern << /P 5 0 R >> >> >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    '<< /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 0.1 /YStep 0.1 /Resources << >> ' +
      `/Length ${tile.length} >>\nstream\n${tile}\nendstream`,
    HELVETICA,
  ])
}

/** Hostile files, each with the reason of its refusal; null if it is read as a bill without fields. */
export async function hostileFiles(): Promise<Hostile[]> {
  const pages = (count: number) =>
    writePdf((pdf) => {
      for (let page = 1; page < count; page += 1) pdf.addPage()
    })
  const lines = Buffer.from('0 0 m 9 9 l S '.repeat(75_000))
  // parts of a megabyte that end in a full flush may follow each other; no reader gets to the end
  const part = deflateRawSync(lines, { finishFlush: constants.Z_FULL_FLUSH })
  const bomb = deflateSync(Buffer.concat([Buffer.from('789c', 'hex'), ...Array<Buffer>(300).fill(part)]), { level: 9 })
  const word = Buffer.from('BT /F 9 Tf 9 9 Td (Invoice) Tj ET')
  const script = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
    KIDS,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
  ])
  const loop = pdfOf([
    ROOT,
    '<< /Type /Pages /Kids [2 0 R 2 0 R 3 0 R] /Count 3 >>',
    '<< /Type /Page /Parent 3 0 R /MediaBox 3 0 R /Contents 3 0 R >>',
  ])
  const files: [name: string, refused: Hostile['refused'], bytes: Buffer | Promise<Buffer>][] = [
    ['encrypted.pdf', 'encrypted', writePdf((pdf) => pdf.text('Rechnung'), { userPassword: 'a', ownerPassword: 'a' })],
    ['cut.pdf', 'damaged', (await writePdf((pdf) => pdf.text('Invoice'))).subarray(0, 300)],
    ['header-only.pdf', 'damaged', Buffer.from('%PDF-1.7\n')],
    ['pages.pdf', 'too_many_pages', pages(101)],
    ['eicar.pdf', 'hostile', Buffer.from(`%PDF-1.4\n${EICAR}`)],
    ['eicar-inside.pdf', 'hostile', writePdf((pdf) => pdf.file(Buffer.from(EICAR), { name: 'a.txt' }))],
    [
      'program-inside.pdf',
      'hostile',
      writePdf((pdf) => pdf.file(Buffer.from('MZ\x90\0program'), { name: 'invoice.xml' })),
    ],
    ['script.pdf', 'hostile', script],
    ['content-bomb.pdf', 'hostile', onePage(stream(bomb, '[/FlateDecode /FlateDecode]'))],
    ['tiling.pdf', 'hostile', tilingPdf()],
    ['form-loop.pdf', null, onePage(stream(deflateSync(Buffer.from('/X Do '.repeat(1000)))))],
    ['object-loop.pdf', 'damaged', loop],
    ['huge-page.pdf', null, onePage(stream(deflateSync(word)), '/MediaBox [0 0 9000000 9000000]')],
    ['no-bill.zip', 'unknown_format', Buffer.from('PK\x03\x04 nothing')],
    ['huge.png', 'too_large', png(60_000, 60_000, deflateSync(Buffer.alloc(99)))],
    ['cut.jpg', 'damaged', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')],
  ]
  return Promise.all(files.map(async ([name, refused, bytes]) => ({ name, refused, bytes: await bytes })))
}
