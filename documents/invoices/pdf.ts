/** Files of an invoice: a PDF/A-3b (ISO 19005-3) with Factur-X inside, and the XML of its profile. */
import { buffer } from 'node:stream/consumers'
import { encode } from 'uqr'
import { creditWords } from '../../domain/invoice-documents/credit-note-words.ts'
import type { InvoiceDocument } from '../../domain/invoice-documents/document.ts'
import { swissBillOf } from '../../domain/invoice-documents/swiss-code.ts'
import { swissWordsOf } from '../../domain/invoice-documents/swiss-words.ts'
import { paymentCodeOf } from '../../domain/invoice-documents/payment-code.ts'
import { earlyRows, headRows, partyRows, paymentRows, titleOf } from '../../domain/invoice-documents/rows.ts'
import { WORDS, dayIn, moneyIn } from '../../domain/invoice-documents/words.ts'
import { escapeXml } from '../xml/text.ts'
import { ciiOf } from './cii.ts'
import type { AttachedFile } from './terms.ts'
import { COLOURS, MARGIN, RIGHT, Sheet, WIDTH, heightOf } from '../pdf/page.ts'
import { LOGO_SIZE, jpegOf } from '../pdf/logo.ts'
import { drawSwissPart } from './swiss-part.ts'
import { drawLines, drawTableHead } from './table.ts'
import { ublOf } from './ubl.ts'

const HALF = (RIGHT - MARGIN) / 2
const WHOLE = { x: MARGIN, width: RIGHT - MARGIN }
const LEFT_HALF = { x: MARGIN, width: HALF - 16 }
const RIGHT_HALF = { x: MARGIN + HALF, width: HALF }
const LABELS = { x: MARGIN, width: 112 }
const VALUES = { x: MARGIN + 116, width: RIGHT - LOGO_SIZE - 32 - MARGIN - 116 }
const GREY = { colour: 'grey' } as const
const BOLD = { bold: true } as const

/**
 * Writes the files of an invoice, the same bytes for the same document and logo. `xml` is UBL for XRechnung, CII for EN
 * 16931, null without a profile. The XML inside the PDF is always CII, as Factur-X requires, and only names the files.
 * @param logo a picture of any form that sharp reads
 */
export async function writeDocuments(
  document: InvoiceDocument,
  logo: Buffer | null,
  files: readonly AttachedFile[] = [],
): Promise<{ pdf: Uint8Array; xml: Uint8Array | null }> {
  const { profile } = document
  const cii = profile === 'none' ? null : ciiOf(document, 'en16931', files)
  const xml = profile === 'xrechnung' ? ublOf(document, profile, files) : cii
  // the files are beside it in the PDF, which mail servers refuse if they are in it twice
  const inside = cii === null || files.length === 0 ? cii : ciiOf(document, 'en16931', files.map(withoutBytes))
  return { pdf: await pdfOf(document, logo, { xml: inside, files }), xml: xml === null ? null : Buffer.from(xml) }
}

const withoutBytes = (file: AttachedFile): AttachedFile => ({ ...file, bytes: EMPTY })
const EMPTY = Buffer.alloc(0)

type EmbeddedFiles = { readonly xml: string | null; readonly files: readonly AttachedFile[] }

async function pdfOf(
  document: InvoiceDocument,
  logo: Buffer | null,
  { xml, files }: EmbeddedFiles,
): Promise<Uint8Array> {
  const words = WORDS[document.language]
  const title = `${titleOf(document)} ${document.number}`
  const at = new Date(`${document.issue_date}T00:00:00Z`)
  const sheet = new Sheet(
    {
      pdfVersion: '1.7',
      subset: 'PDF/A-3b',
      lang: document.language,
      displayTitle: true,
      // pdfkit writes these into XML without escaping
      info: { Title: title.replaceAll(/[<>&]/g, ' '), CreationDate: at },
    },
    (next) => drawTableHead(next, document, null),
  )
  const written = buffer(sheet.document)
  sheet.document.appendXML(metadataOf(document, xml !== null))
  if (xml !== null) {
    const options = { name: XML_NAME, type: 'text/xml', creationDate: at, modifiedDate: at, ...ALTERNATIVE }
    sheet.document.file(Buffer.from(xml), options)
  }
  for (const { filename: name, content_type: type, description, bytes } of files) {
    const about = { ...(description && { description }), relationship: 'Supplement' }
    sheet.document.file(bytes, { name, type, creationDate: at, modifiedDate: at, ...about })
  }
  drawHead(sheet, document, logo && (await jpegOf(logo)))
  drawParties(sheet, document)
  drawOwed(sheet, document)
  drawLines(sheet, document)
  drawTexts(sheet, document)
  drawPayment(sheet, document)
  const bill = swissBillOf(document)
  if (bill) drawSwissPart(sheet, bill, swissWordsOf(document))
  const note = xml === null ? words.lacking : `${words.lacking} ${words.inXml}`
  sheet.end(`${document.seller.name} · ${document.number}`, words.page, note)
  return written
}

/** Relation of the XML to the pages (ISO 19005-3, 6.8). */
const ALTERNATIVE = { description: 'Factur-X', relationship: 'Alternative' }

function drawHead(sheet: Sheet, document: InvoiceDocument, logo: Buffer | null): void {
  if (logo) {
    const figure = sheet.part('Figure', undefined, { alt: document.seller.name })
    figure.add(() => sheet.document.image(logo, RIGHT - LOGO_SIZE, MARGIN - 4, { width: LOGO_SIZE }))
  }
  sheet.line(titleOf(document), { x: MARGIN, width: HALF }, { size: 22, bold: true }, sheet.part('H1'))
  sheet.y += 38
  for (const [index, [label, value]] of headRows(document).entries()) {
    const part = sheet.part('P')
    const style = index === 0 ? BOLD : {}
    const fitted = sheet.fit(value, VALUES.width, style)
    sheet.line(label, LABELS, style, part)
    sheet.cell(fitted, VALUES, part)
    sheet.y += fitted.height + 1.5
  }
  sheet.y += 15
}

function drawParties(sheet: Sheet, document: InvoiceDocument): void {
  const words = WORDS[document.language]
  const top = sheet.y
  const columns = [
    { ...LEFT_HALF, head: words.from, which: 'seller' },
    { ...RIGHT_HALF, head: document.corrects ? creditWords(document).creditTo : words.billTo, which: 'buyer' },
  ] as const
  const bottoms = columns.map(({ head, which, ...box }) => {
    sheet.y = top
    sheet.paragraph(head, box, GREY)
    sheet.paragraph(document[which].name, box, BOLD)
    for (const row of partyRows(document, which)) sheet.paragraph(row, box)
    return sheet.y
  })
  sheet.y = Math.max(...bottoms) + 20
}

function drawOwed(sheet: Sheet, document: InvoiceDocument): void {
  const words = WORDS[document.language]
  const style = { size: 15, bold: true }
  sheet.room(heightOf(style) * 2)
  const amount = moneyIn(document, document.total)
  const said = document.corrects
    ? creditWords(document).credits(amount)
    : words.owed(amount, dayIn(document, document.due_date))
  sheet.line(said, WHOLE, style)
  sheet.y += heightOf(style) + 4
  for (const row of earlyRows(document)) sheet.paragraph(row, WHOLE)
  if (document.page_url) {
    sheet.link(words.view, document.page_url, { bold: true, colour: 'link' })
    sheet.y += heightOf()
  }
  sheet.y += 16
}

function drawTexts(sheet: Sheet, document: InvoiceDocument): void {
  const { corrects, comments, notes } = document
  const said = corrects ? `${creditWords(document).reason}: ${comments ?? ''}` : comments
  for (const [words, style] of [[said, {}] as const, [notes, GREY] as const]) {
    if (!words?.trim()) continue
    sheet.paragraph(words, WHOLE, style)
    sheet.y += 10
  }
}

const [PADDING, CODE_SIZE] = [14, 92]

function drawPayment(sheet: Sheet, document: InvoiceDocument): void {
  const words = WORDS[document.language]
  if (document.corrects) return
  const box = { x: MARGIN + PADDING + 116, width: WIDTH - MARGIN * 2 - 132 - PADDING * 2 - CODE_SIZE }
  const lines = paymentRows(document).map(([label, value]) => ({ label, value: sheet.fit(value, box.width) }))
  if (lines.length === 0) return
  const code = paymentCodeOf(document)
  const rows = lines.reduce((sum, { value }) => sum + value.height + 2, 0)
  const height = PADDING * 2 + Math.max(20 + rows, code ? CODE_SIZE + 14 : 0)
  sheet.room(height)
  const top = sheet.y + 2
  sheet.artifact(() => sheet.document.roundedRect(MARGIN, top, RIGHT - MARGIN, height, 6).fill(COLOURS.panel))
  sheet.y = top + PADDING
  sheet.line(words.pay, { x: MARGIN + PADDING, width: HALF }, { bold: true, size: 10.5 }, sheet.part('H2'))
  sheet.y += 20
  for (const { label, value } of lines) {
    const part = sheet.part('P')
    sheet.line(label, { x: MARGIN + PADDING, width: 112 }, GREY, part)
    sheet.cell(value, box, part)
    sheet.y += value.height + 2
  }
  if (code) drawCode(sheet, code, top + PADDING, words.scan)
  sheet.y = top + height
}

/** Quiet zone around the code, in modules (ISO/IEC 18004). */
const QUIET = 4

function drawCode(sheet: Sheet, text: string, top: number, caption: string): void {
  const left = RIGHT - PADDING - CODE_SIZE
  const { data, size } = encode(text, { ecc: 'M', border: QUIET })
  const module = CODE_SIZE / size
  const figure = sheet.part('Figure', undefined, { alt: caption })
  figure.add(() => {
    sheet.document.rect(left, top, CODE_SIZE, CODE_SIZE).fill('#ffffff')
    for (const [row, modules] of data.entries()) {
      for (const [column, isDark] of modules.entries()) {
        if (isDark) sheet.document.rect(left + column * module, top + row * module, module, module)
      }
    }
    sheet.document.fill('#000000')
  })
  sheet.y = top + CODE_SIZE + 4
  sheet.line(caption, { x: left - 10, width: CODE_SIZE + 10 }, { size: 7.5, colour: 'grey', align: 'right' })
}

const XML_NAME = 'factur-x.xml'

const FACTUR_X_NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

/** Properties of Factur-X 1.0, which the file must describe (ISO 19005-3, 6.6.2.3). */
const PROPERTIES: readonly (readonly [name: string, value: string, description: string])[] = [
  ['DocumentType', 'INVOICE', 'The type of the hybrid document'],
  ['DocumentFileName', XML_NAME, 'The name of the embedded XML document'],
  ['Version', '1.0', 'The version of the standard'],
  ['ConformanceLevel', 'EN 16931', 'The profile of the embedded XML document'],
]

/** Writes the XMP (ISO 16684-1) that pdfkit lacks: the author, and the embedded invoice. */
const metadataOf = ({ seller }: InvoiceDocument, hasXml: boolean): string => `
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:creator><rdf:Seq><rdf:li>${escapeXml(seller.name)}</rdf:li></rdf:Seq></dc:creator>
</rdf:Description>${hasXml ? FACTUR_X : ''}`

const FACTUR_X = `
<rdf:Description rdf:about="" xmlns:fx="${FACTUR_X_NAMESPACE}">
${PROPERTIES.map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`).join('\n')}
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${FACTUR_X_NAMESPACE}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
${PROPERTIES.map(([name, , description]) => `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`).join('\n')}
</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`
