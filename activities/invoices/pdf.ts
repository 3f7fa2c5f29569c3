/** An invoice as PDF/A-3b (ISO 19005-3), to be read, printed and kept; with its XML inside as Factur-X has it. */
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { encode } from 'uqr'
import type { InvoiceDocument } from '../../domain/invoices/document.ts'
import { paymentCodeOf } from '../../domain/invoices/payment-code.ts'
import { headRows, partyRows, paymentRows } from '../../domain/invoices/rows.ts'
import { WORDS, dayIn, moneyIn } from '../../domain/invoices/words.ts'
import { XML_NAME, metadataOf } from './metadata.ts'
import { COLOURS, MARGIN, RIGHT, Sheet, WIDTH, heightOf } from './page.ts'
import { drawLines, drawTableHead } from './table.ts'

const LOGO_SIZE = 52
const HALF = (RIGHT - MARGIN) / 2
const WHOLE = { x: MARGIN, width: RIGHT - MARGIN }
const LEFT_HALF = { x: MARGIN, width: HALF - 16 }
const RIGHT_HALF = { x: MARGIN + HALF, width: HALF }
const LABELS = { x: MARGIN, width: 112 }
const VALUES = { x: MARGIN + 116, width: RIGHT - LOGO_SIZE - 32 - MARGIN - 116 }
const GREY = { colour: 'grey' } as const
const BOLD = { bold: true } as const

/**
 * The bytes of the file, the same for the same document and logo. Its dates are those of the invoice.
 * @param logo a picture of any form that sharp reads
 * @param xml what stands inside as `factur-x.xml`
 */
export async function pdfOf(document: InvoiceDocument, logo: Buffer | null, xml: string | null): Promise<Uint8Array> {
  const words = WORDS[document.language]
  const title = `${words.title} ${document.number}`
  const at = new Date(`${document.issue_date}T00:00:00Z`)
  const sheet = new Sheet(
    {
      pdfVersion: '1.7',
      subset: 'PDF/A-3b',
      lang: document.language,
      displayTitle: true,
      // pdfkit writes these into XML as they are
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
  drawHead(sheet, document, logo && (await jpegOf(logo)))
  drawParties(sheet, document)
  drawOwed(sheet, document)
  drawLines(sheet, document)
  drawTexts(sheet, document)
  drawPayment(sheet, document)
  const note = xml === null ? words.lacking : `${words.lacking} ${words.inXml}`
  sheet.end(`${document.seller.name} · ${document.number}`, words.page, note)
  return written
}

/** What the XML is to the pages (ISO 19005-3, 6.8). */
const ALTERNATIVE = { description: 'Factur-X', relationship: 'Alternative' }

/** On white: a PDF takes no webp. */
const jpegOf = (logo: Buffer): Promise<Buffer> =>
  sharp(logo)
    .resize(LOGO_SIZE * 4)
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 90 })
    .toBuffer()

function drawHead(sheet: Sheet, document: InvoiceDocument, logo: Buffer | null): void {
  const words = WORDS[document.language]
  if (logo) {
    const figure = sheet.part('Figure', undefined, { alt: document.seller.name })
    figure.add(() => sheet.document.image(logo, RIGHT - LOGO_SIZE, MARGIN - 4, { width: LOGO_SIZE }))
  }
  sheet.line(words.title, { x: MARGIN, width: HALF }, { size: 22, bold: true }, sheet.part('H1'))
  sheet.y += 38
  for (const [index, [label, value]] of headRows(document).entries()) {
    const part = sheet.part('P')
    sheet.line(label, LABELS, index === 0 ? BOLD : {}, part)
    sheet.line(value, VALUES, index === 0 ? BOLD : {}, part)
    sheet.y += heightOf() + 1.5
  }
  sheet.y += 15
}

/** Seller and customer beside each other. */
function drawParties(sheet: Sheet, document: InvoiceDocument): void {
  const words = WORDS[document.language]
  const top = sheet.y
  const columns = [
    { ...LEFT_HALF, head: words.from, which: 'seller' },
    { ...RIGHT_HALF, head: words.billTo, which: 'buyer' },
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

/** What matters most, and where the invoice is on the web. */
function drawOwed(sheet: Sheet, document: InvoiceDocument): void {
  const words = WORDS[document.language]
  const style = { size: 15, bold: true }
  sheet.room(heightOf(style) * 2)
  sheet.line(words.owed(moneyIn(document, document.total), dayIn(document, document.due_date)), WHOLE, style)
  sheet.y += heightOf(style) + 4
  if (document.page_url) {
    const { page_url: url } = document
    sheet.link(words.view, url, { bold: true, colour: 'link' })
    sheet.y += heightOf()
  }
  sheet.y += 16
}

/** What people wrote about it, each paragraph as it is. */
function drawTexts(sheet: Sheet, { comments, notes }: InvoiceDocument): void {
  for (const [words, style] of [
    [comments, {}],
    [notes, GREY],
  ] as const) {
    if (!words?.trim()) continue
    sheet.paragraph(words, WHOLE, style)
    sheet.y += 10
  }
}

const [PADDING, CODE_SIZE] = [14, 92]

/** Where to pay, on a panel that stands on one page. */
function drawPayment(sheet: Sheet, document: InvoiceDocument): void {
  const words = WORDS[document.language]
  const lines = paymentRows(document)
  if (lines.length === 0) return
  const code = paymentCodeOf(document)
  const gap = heightOf() + 2
  const height = PADDING * 2 + Math.max(20 + lines.length * gap, code ? CODE_SIZE + 14 : 0)
  sheet.room(height)
  const top = sheet.y + 2
  sheet.artifact(() => sheet.document.roundedRect(MARGIN, top, RIGHT - MARGIN, height, 6).fill(COLOURS.panel))
  sheet.y = top + PADDING
  sheet.line(words.pay, { x: MARGIN + PADDING, width: HALF }, { bold: true, size: 10.5 }, sheet.part('H2'))
  sheet.y += 20
  for (const [label, value] of lines) {
    const part = sheet.part('P')
    sheet.line(label, { x: MARGIN + PADDING, width: 112 }, GREY, part)
    sheet.line(
      value,
      { x: MARGIN + PADDING + 116, width: WIDTH - MARGIN * 2 - 132 - PADDING * 2 - CODE_SIZE },
      {},
      part,
    )
    sheet.y += gap
  }
  if (code) drawCode(sheet, code, top + PADDING, words.scan)
  sheet.y = top + height
}

/** Empty modules around a code (ISO/IEC 18004). */
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
