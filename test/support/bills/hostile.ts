/** Files that harm their reader, or that cannot be read. */
import { deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import type { UnreadableCode } from '../../../domain/bills/reader.ts'

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
const onePage = (content: string | Buffer, of = '/MediaBox [0 0 595 842]'): Buffer =>
  pdfOf([
    ROOT,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R ${of} /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >> >>`,
    content,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< >>',
  ])

async function made(
  write: (pdf: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const pdf = new PDFDocument({ info: { CreationDate: new Date(0) }, ...options })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => pdf.once('end', resolve))
  write(pdf)
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

/** A page of twelve words, and a pattern of 700 bytes that draws for many seconds. */
export const tilingPdf = (): Buffer => {
  const text = Array.from({ length: 12 }, (_, index) => `word${index}`).join(' ')
  const page = `/Pattern cs /P scn 0 0 595 842 re f BT /F 9 Tf 9 9 Td (${text}) Tj ET`
  const tile = '0 0 m 9 9 l S'
  return pdfOf([
    ROOT,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 6 0 R >> /Pattern << /P 5 0 R >> >> >>',
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    '<< /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 0.1 /YStep 0.1 /Resources << >> ' +
      `/Length ${tile.length} >>\nstream\n${tile}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ])
}

/** Layers of deflate around `bytes` of a content stream. */
const bomb = (bytes: number, fill: string): Buffer =>
  deflateSync(deflateSync(Buffer.alloc(bytes, fill), { level: 3 }), { level: 9 })

/** Hostile files, each with the reason of its refusal; null if it is read as a bill without fields. */
export async function hostileFiles(): Promise<Hostile[]> {
  const pages = (count: number) =>
    made((pdf) => {
      for (let page = 1; page < count; page += 1) pdf.addPage()
    })
  const loop = pdfOf([
    ROOT,
    '<< /Type /Pages /Kids [2 0 R 2 0 R 3 0 R] /Count 3 >>',
    '<< /Type /Page /Parent 3 0 R /MediaBox 3 0 R /Contents 3 0 R >>',
  ])
  return [
    {
      name: 'encrypted.pdf',
      refused: 'encrypted',
      bytes: await made((pdf) => pdf.text('Rechnung'), { userPassword: 'secret', ownerPassword: 'secret' }),
    },
    { name: 'cut.pdf', refused: 'damaged', bytes: (await made((pdf) => pdf.text('Invoice'))).subarray(0, 300) },
    { name: 'header-only.pdf', refused: 'damaged', bytes: Buffer.from('%PDF-1.7\n') },
    { name: 'pages.pdf', refused: 'too_many_pages', bytes: await pages(101) },
    { name: 'eicar.pdf', refused: 'hostile', bytes: Buffer.from(`%PDF-1.4\n${EICAR}`) },
    {
      name: 'eicar-inside.pdf',
      refused: 'hostile',
      bytes: await made((pdf) => pdf.file(Buffer.from(EICAR), { name: 'a.txt' })),
    },
    {
      name: 'program-inside.pdf',
      refused: 'hostile',
      bytes: await made((pdf) => pdf.file(Buffer.from('MZ\x90\0program'), { name: 'invoice.xml' })),
    },
    {
      name: 'script.pdf',
      refused: 'hostile',
      bytes: pdfOf([
        '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
      ]),
    },
    {
      name: 'content-bomb.pdf',
      refused: 'hostile',
      bytes: onePage(stream(bomb(300_000_000, '0 0 m 9 9 l S '), '[/FlateDecode /FlateDecode]')),
    },
    { name: 'tiling.pdf', refused: 'hostile', bytes: tilingPdf() },
    { name: 'form-loop.pdf', refused: null, bytes: onePage(stream(deflateSync(Buffer.from('/X Do '.repeat(1000))))) },
    { name: 'object-loop.pdf', refused: 'damaged', bytes: loop },
    {
      name: 'huge-page.pdf',
      refused: null,
      bytes: onePage(
        stream(deflateSync(Buffer.from('BT /F 9 Tf 9 9 Td (Invoice) Tj ET'))),
        '/MediaBox [0 0 9000000 9000000]',
      ),
    },
    { name: 'no-bill.zip', refused: 'unknown_format', bytes: Buffer.from('PK\x03\x04 nothing') },
    { name: 'huge.png', refused: 'too_large', bytes: pngOf(60_000, 60_000) },
    { name: 'cut.jpg', refused: 'damaged', bytes: Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex') },
  ]
}

/** A PNG that claims this size and holds no data. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(99))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
