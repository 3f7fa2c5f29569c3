/** Attachments inside the files of an invoice, and the check of their bytes. */
import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findFault } from '../../documents/invoices/attachment-check.ts'
import { ciiOf } from '../../documents/invoices/cii.ts'
import { writeDocuments } from '../../documents/invoices/pdf.ts'
import { ublOf } from '../../documents/invoices/ubl.ts'
import { readXml } from '../../documents/bills/xml/read.ts'
import { parseXml } from '../../documents/xml/document.ts'
import { all, textAt } from '../../documents/xml/element.ts'
import type { AttachmentType } from '../../domain/invoice-documents/attachment.ts'
import { billFieldsOf, documentOf } from '../support/invoices/documents.ts'
import { darkPdf } from '../support/files/dark-pdf.ts'
import { blanks, chainedStreams, nothing } from '../support/files/hostile.ts'
import { faultsOf } from '../support/invoices/pdfa.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const ODS = 'application/vnd.oasis.opendocument.spreadsheet'
const file = (filename: string, content_type: AttachmentType, content: string) => {
  const bytes = Buffer.from(content)
  const stored = { file_id: crypto.randomUUID(), stored_as: crypto.randomUUID(), sha256: 'x', byte_size: bytes.length }
  return { ...stored, filename, content_type, description: filename === 'b.csv' ? null : 'Über "uns" & <mehr>', bytes }
}
const files = [file('a "1" & <2>.pdf', 'application/pdf', '%PDF-1.7'), file('b.csv', 'text/csv', 'ä;b\n')]

test('both syntaxes have each file with its name, type and bytes, and are read as the bill that they were', () => {
  const document = documentOf({ profile: 'en16931' })
  const [ubl, cii] = [ublOf(document, 'en16931', files), ciiOf(document, 'en16931', files)].map((xml) =>
    Buffer.from(xml),
  )
  const written = [
    all(parseXml(ubl!), 'AdditionalDocumentReference').map((one) => {
      const binary = all(one, 'Attachment/EmbeddedDocumentBinaryObject')[0]!
      return [textAt(one, 'ID')?.value, textAt(one, 'DocumentDescription')?.value, binary] as const
    }),
    all(parseXml(cii!), 'SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement/AdditionalReferencedDocument').map(
      (one) => {
        expect(textAt(one, 'TypeCode')?.value).toBe('916')
        return [
          textAt(one, 'IssuerAssignedID')?.value,
          textAt(one, 'Name')?.value,
          all(one, 'AttachmentBinaryObject')[0]!,
        ] as const
      },
    ),
  ]
  const expected = files.map(({ filename, content_type, description }) => [
    filename,
    description,
    filename,
    content_type,
  ])
  for (const found of written)
    expect(
      found.map(([name, description, { attributes }]) => [
        name,
        description ?? null,
        attributes.get('filename'),
        attributes.get('mimeCode'),
      ]),
    ).toEqual(expected)
  for (const xml of [ubl!, cii!]) {
    for (const { bytes } of files) expect(xml.toString()).toContain(`>${bytes.toString('base64')}</`)
    const { fields } = readXml(xml, 'file')
    expect(Object.fromEntries(fields.map(({ field, value }) => [field, value]))).toEqual(billFieldsOf(document))
  }
})

test('a PDF with attachments is PDF/A-3b, and says that they supplement it', async () => {
  for (const profile of ['none', 'en16931'] as const) {
    const { pdf } = await writeDocuments(documentOf({ profile }), null, files)
    expect(faultsOf(pdf)).toEqual([])
    expect(
      Buffer.from(pdf)
        .toString('latin1')
        .match(/\/AFRelationship \/Supplement/g),
    ).toHaveLength(2)
  }
})

test('a PDF has the bytes of a file once, and the XML inside it only the name', async () => {
  const bytes = randomBytes(200_000)
  const large = { ...files[0]!, bytes, byte_size: bytes.length }
  const sizeOf = async (given: typeof files) =>
    (await writeDocuments(documentOf({ profile: 'en16931' }), null, given)).pdf.length
  expect((await sizeOf([large])) - (await sizeOf([]))).toBeLessThan(bytes.length * 1.1)
})

function objectStream(objects: string | Buffer): Buffer {
  const head = '1 0 obj<</Type /ObjStm /Filter /FlateDecode>>stream\r\n'
  return Buffer.concat([Buffer.from(head), deflateSync(objects), Buffer.from('\nendstream endobj\n')])
}

function withWrongChecksum(objects: string): Buffer {
  const stream = objectStream(objects)
  stream.fill(0, stream.length - '\nendstream endobj\n'.length - 4, stream.length - '\nendstream endobj\n'.length)
  return stream
}

test.each<[string, Buffer, unknown]>([
  ['escaped names', Buffer.from('/S /J#61vaScript'), 'hostile'],
  ['a compressed action', objectStream('<</S/JavaScript/JS(x)>>'), 'hostile'],
  ['an escaped one that is compressed', objectStream('<</S/L#61unch>>'), 'hostile'],
  ['a compressed form', objectStream('<</Type/Catalog>>'), null],
  ['a bomb', objectStream(Buffer.alloc(40 * 1024 * 1024, ' ')), 'hostile'],
  ['many streams', Buffer.concat(Array(2001).fill(objectStream('x'))), 'hostile'],
  ['a stream without compression', Buffer.from('/Type /ObjStm stream\nx endstream'), null],
  ['a script that plays media', Buffer.from('/S /Rendition /JS (x)'), 'hostile'],
  ['a comment before the action', Buffer.from('/S%\n\0/Launch'), 'hostile'],
  ['an action whose name is elsewhere', Buffer.from('<</S 9 0 R/JS(x)>> 9 0 obj/JavaScript endobj'), 'hostile'],
  ['an action before a checksum that is wrong', withWrongChecksum('<</S/JavaScript/JS(x)>>'), 'hostile'],
  ['a thousand streams that break after 16 MB', chainedStreams(1000, blanks(16)), 'damaged'],
  ['two thousand of them that may be encrypted', chainedStreams(2000, blanks(16), '/Encrypt'), 'hostile'],
  ['streams that unpack to nothing', chainedStreams(20, nothing(4), '/Encrypt'), 'hostile'],
])('of a PDF with %s it says so if it is hostile', async (_, inside, fault) =>
  expect(await findFault(Buffer.concat([Buffer.from('%PDF-1.7\n'), inside]), 'application/pdf')).toBe(fault),
)

const hex = (data: Buffer) => Buffer.from(`${data.toString('hex')}>`)
const [FLATE, HEX] = ['/Filter/FlateDecode', '/Filter/ASCIIHexDecode']
const upwards = (data: Buffer) => deflateSync(Buffer.concat([...data].map((one) => Buffer.from([0, one]))))

test.each<[string, Parameters<typeof darkPdf>[1], unknown, unknown]>([
  ['is in clear', {}, 'hostile', null],
  ['is deflated', { filter: FLATE, encode: deflateSync }, 'hostile', null],
  ['has another filter', { filter: HEX, encode: hex }, 'hostile', null],
  [
    'has two filters',
    { filter: '/Filter[/FlateDecode/ASCIIHexDecode]', encode: (data) => deflateSync(hex(data)) },
    'hostile',
    null,
  ],
  ['has a predictor', { filter: `${FLATE}/DecodeParms<</Predictor 10/Columns 1>>`, encode: upwards }, 'hostile', null],
  ['is encrypted and opens for everyone', { password: '' }, 'hostile', null],
  ['is deflated and encrypted', { filter: FLATE, encode: deflateSync, password: '' }, 'hostile', null],
  ['needs a password', { password: 'secret' }, 'hostile', 'hostile'],
])(
  'an object stream that %s hides no action, and is let through without one if it opens',
  async (_, dark, bad, good) => {
    for (const [action, fault] of [
      ['<</S/JavaScript/JS(x)>>', bad],
      ['<</S/GoTo/D[3 0 R]>>', good],
    ] as const)
      expect(await findFault(darkPdf(action, dark), 'application/pdf')).toBe(fault)
  },
)

const EICAR = String.raw`X5O!P%@AP[4\PZX54(P^)7CC)7}$` + 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!'

test.each<[string, AttachmentType, unknown]>([
  ['%PDF-1.7 fine', 'application/pdf', null],
  ['%PDF-1.7 /S /Launch', 'application/pdf', 'hostile'],
  ['a,b', 'application/pdf', 'unknown_format'],
  ['a,b\nä,ö', 'text/csv', null],
  ['a\0b', 'text/csv', 'unknown_format'],
  [EICAR, 'text/csv', 'hostile'],
  ['MZ\0\0program', 'text/csv', 'hostile'],
  ['PK\x03\x04…xl/workbook.xml', XLSX, null],
  ['PK\x03\x04…xl/workbook.xml…xl/VbaProject.bin', XLSX, 'hostile'],
  ['PK\x03\x04…word/document.xml', XLSX, 'unknown_format'],
  [`PK\x03\x04…mimetype${ODS}`, ODS, null],
  [`PK\x03\x04…mimetype${ODS}…Basic/Standard/script-lb.xml`, ODS, 'hostile'],
  [`PK\x03\x04…mimetype${ODS}…Scripts/python/macro.py`, ODS, 'hostile'],
])('of %j as %s it says %s', async (content, type, fault) =>
  expect(await findFault(Buffer.from(content), type)).toBe(fault),
)
