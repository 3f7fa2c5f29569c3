/** The page of a receipt, in the design of invoices. */
import { buffer } from 'node:stream/consumers'
import { LOGO_SIZE, jpegOf } from '../pdf/logo.ts'
import { COLOURS, MARGIN, RIGHT, Sheet, type Style, heightOf } from '../pdf/page.ts'
import { PDF_A, describeDocument } from '../pdf/pdf-a.ts'
import { dayIn } from '../../domain/invoice-documents/words.ts'
import {
  type Receipt,
  amountsOf,
  detailsOf,
  headOf,
  moneyIn,
  partiesOf,
  verificationOf,
  writable,
} from '../../domain/payments/receipt.ts'

const HALF = (RIGHT - MARGIN) / 2
const WHOLE = { x: MARGIN, width: RIGHT - MARGIN }
const LABELS = { x: MARGIN, width: 112 }
const VALUES = { x: MARGIN + 116, width: RIGHT - MARGIN - 116 }
const HEAD_VALUES = { x: MARGIN + 116, width: RIGHT - LOGO_SIZE - 32 - MARGIN - 116 }
const GREY = { colour: 'grey' } as const
const BOLD = { bold: true } as const
const SMALL = { size: 8, colour: 'grey' } as const
const PADDING = 14
/** Lines of a name, of what is below it, and of other values: all of it fits on one page, however long it is. */
const [NAME_LINES, ROW_LINES, VALUE_LINES] = [6, 2, 3]
const LACKING = 'Where a letter is not in the font of this page, it is shown as "?".'

/** Draws a PDF of one page, the same bytes for the same receipt. Its properties hold names that the fonts lack. */
export async function drawReceipt(receipt: Receipt): Promise<Uint8Array<ArrayBuffer>> {
  const { payer, payee, id, logo, paid_at: paidAt, created_at: createdAt } = receipt
  const info = { Title: `Payment receipt ${id}`, CreationDate: new Date(paidAt ?? createdAt) }
  const sheet = new Sheet({ ...PDF_A, lang: 'en', displayTitle: true, info }, () => {})
  describeDocument(sheet.document, { author: payer, subject: `${payer} to ${payee}` })
  const written = buffer(sheet.document)
  drawHead(sheet, receipt, logo && (await jpegOf(logo)))
  drawParties(sheet, receipt)
  drawAmounts(sheet, receipt)
  drawLines(sheet, detailsOf(receipt), VALUES)
  drawVerification(sheet, receipt)
  sheet.end(`${writable(payer)} · Payment ${id}`, (number, pages) => `Page ${number} of ${pages}`, LACKING)
  return written
}

function drawHead(sheet: Sheet, receipt: Receipt, logo: Buffer | null): void {
  if (logo) {
    const figure = sheet.part('Figure', undefined, { alt: receipt.payer })
    figure.add(() => sheet.document.image(logo, RIGHT - LOGO_SIZE, MARGIN - 4, { width: LOGO_SIZE }))
  }
  const title = { x: MARGIN, width: RIGHT - LOGO_SIZE - 32 - MARGIN }
  sheet.line('Payment confirmation', title, { size: 22, bold: true }, sheet.part('H1'))
  sheet.y += 38
  drawLines(sheet, headOf(receipt), HEAD_VALUES)
  const { landing, paid_at: paidAt, created_at: createdAt } = receipt
  const day = dayIn({ language: 'en' }, (paidAt ?? createdAt).slice(0, 10))
  const style = { size: 15, bold: true }
  sheet.y += 6
  sheet.line(`${moneyIn(landing)} paid on ${day}`, WHOLE, style)
  sheet.y += heightOf(style) + 16
}

function drawParties(sheet: Sheet, receipt: Receipt): void {
  const { payer, payee } = partiesOf(receipt)
  const top = sheet.y
  const columns = [
    { head: 'Payer', ...payer, box: { x: MARGIN, width: HALF - 16 } },
    { head: 'Payee', ...payee, box: { x: MARGIN + HALF, width: HALF } },
  ]
  const bottoms = columns.map(({ head, name, rows, box }) => {
    sheet.y = top
    sheet.paragraph(head, box, GREY)
    drawValue(sheet, writable(name), box, BOLD, NAME_LINES)
    for (const row of rows) drawValue(sheet, row, box, {}, ROW_LINES)
    return sheet.y
  })
  sheet.y = Math.max(...bottoms) + 20
}

/** Draws a value in at most `most` lines. */
function drawValue(sheet: Sheet, words: string, box: typeof WHOLE, style: Style = {}, most = VALUE_LINES): void {
  const part = sheet.part('P')
  const lines = sheet.wrapped(words, box.width, style)
  for (const [index, line] of lines.slice(0, most).entries()) {
    sheet.line(index === most - 1 && lines.length > most ? `${line}…` : line, box, style, part)
    sheet.y += heightOf(style)
  }
  part.end()
}

/** Draws amounts between rules, the last of them bold. */
function drawAmounts(sheet: Sheet, receipt: Receipt): void {
  const amounts = amountsOf(receipt)
  sheet.rule(sheet.y)
  for (const [index, { label, value }] of amounts.entries()) {
    const style = index === amounts.length - 1 ? BOLD : {}
    const part = sheet.part('P')
    sheet.y += 5.5
    sheet.line(label, { x: MARGIN, width: HALF }, style, part)
    sheet.line(value, { x: MARGIN + HALF, width: HALF }, { ...style, align: 'right' }, part)
    sheet.y += heightOf() + 5.5
    sheet.rule(sheet.y)
  }
  sheet.y += 20
}

type Lines = readonly { readonly label: string; readonly value: string }[]

function drawLines(sheet: Sheet, lines: Lines, box: typeof VALUES): void {
  for (const { label, value } of lines) {
    sheet.line(label, LABELS, GREY)
    drawValue(sheet, value, box)
    sheet.y += 1.5
  }
  sheet.y += 10
}

function drawVerification(sheet: Sheet, receipt: Receipt): void {
  const lines = verificationOf(receipt)
  if (lines.length === 0) return
  const height = PADDING * 2 + lines.length * (heightOf(SMALL) + 1)
  const top = sheet.y
  sheet.artifact(() => sheet.document.roundedRect(MARGIN, top, RIGHT - MARGIN, height, 6).fill(COLOURS.panel))
  sheet.y = top + PADDING
  for (const line of lines) {
    sheet.line(line, { x: MARGIN + PADDING, width: RIGHT - MARGIN - PADDING * 2 }, SMALL)
    sheet.y += heightOf(SMALL) + 1
  }
  sheet.y = top + height
}
