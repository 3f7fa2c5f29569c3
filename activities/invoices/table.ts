import { creditWords } from '../../domain/credit-notes/words.ts'
import type { InvoiceDocument } from '../../domain/invoices/document.ts'
import { sumRows } from '../../domain/invoices/rows.ts'
import { WORDS, decimalIn, moneyIn, rateIn } from '../../domain/invoices/words.ts'
import { decimalsOf } from '../../domain/money/money.ts'
import { MARGIN, type Part, RIGHT, type Sheet, type Style, heightOf } from './page.ts'

const COLUMNS = {
  description: { x: MARGIN, width: 224, align: 'left' },
  quantity: { x: MARGIN + 232, width: 52, align: 'right' },
  price: { x: MARGIN + 292, width: 78, align: 'right' },
  tax: { x: MARGIN + 378, width: 38, align: 'right' },
  amount: { x: MARGIN + 424, width: RIGHT - MARGIN - 424, align: 'right' },
} as const

const HEAD = { size: 8, colour: 'grey' } as const
const [GAP, HEAD_HEIGHT] = [5.5, 17]
/** Fewest lines kept together of a description that is longer than a page. */
const TOGETHER = 3

export function drawTableHead(sheet: Sheet, document: InvoiceDocument, row: Part | null): void {
  const words = WORDS[document.language]
  for (const [name, { align, ...box }] of Object.entries(COLUMNS)) {
    const label = words[name as keyof typeof COLUMNS] // it has these alone
    if (row) sheet.line(label, box, { ...HEAD, align }, sheet.part('TH', row))
    else sheet.draw(label, box, { ...HEAD, align })
  }
  sheet.y += HEAD_HEIGHT
}

export function drawLines(sheet: Sheet, document: InvoiceDocument): void {
  sheet.room(HEAD_HEIGHT + GAP * 2 + heightOf() * TOGETHER)
  const table = sheet.part('Table')
  drawTableHead(sheet, document, sheet.part('TR', table))
  sheet.rule(sheet.y)
  for (const line of document.lines) drawLine(sheet, document, line, sheet.part('TR', table))
  drawTotals(sheet, document)
}

function drawLine(sheet: Sheet, document: InvoiceDocument, line: InvoiceDocument['lines'][number], row: Part): void {
  const { x, width } = COLUMNS.description
  const lines = sheet.wrapped(line.description, width)
  const height = lines.length * heightOf() + GAP * 2
  sheet.room(height <= sheet.tallest - HEAD_HEIGHT ? height : TOGETHER * heightOf() + GAP * 2, true)
  sheet.y += GAP
  const description = sheet.part('TD', row)
  const decimals = decimalsOf(document.currency)
  const figures = [
    [COLUMNS.quantity, decimalIn(document, line.quantity)],
    [COLUMNS.price, decimalIn(document, line.price, decimals)],
    [COLUMNS.tax, rateIn(document, line.tax_percentage)],
    [COLUMNS.amount, decimalIn(document, line.total, decimals)],
  ] as const
  for (const [{ align, ...box }, figure] of figures) sheet.line(figure, box, { align }, sheet.part('TD', row))
  for (const words of lines) {
    sheet.room(heightOf(), true)
    sheet.line(words, { x, width }, {}, description)
    sheet.y += heightOf()
  }
  sheet.y += GAP
  sheet.rule(sheet.y)
}

const TOTALS_LEFT = COLUMNS.quantity.x
const TOTALS_WIDTH = { label: 166, value: RIGHT - TOTALS_LEFT - 172 }
const SMALL: Style = { size: 8, colour: 'grey' }
const TOTAL_GAP = 6

function drawTotals(sheet: Sheet, document: InvoiceDocument): void {
  const words = WORDS[document.language]
  const last = document.corrects ? creditWords(document).amount : words.payable
  const rows = [...sumRows(document), { label: last, value: moneyIn(document, document.total), reason: '' }]
  const [x, width] = [TOTALS_LEFT, RIGHT - TOTALS_LEFT]
  const drawn = rows.map(({ label, value, reason }) => ({
    label,
    value,
    reasons: reason ? sheet.wrapped(reason, width, SMALL) : [],
  }))
  const height = drawn.reduce((sum, { reasons }) => sum + rowHeight(reasons.length), GAP)
  sheet.room(Math.min(height, sheet.tallest))
  sheet.y += GAP
  for (const [index, { label, value, reasons }] of drawn.entries()) {
    const style = { bold: index === drawn.length - 1 }
    sheet.room(rowHeight(reasons.length))
    const part = sheet.part('P')
    sheet.line(label, { x, width: TOTALS_WIDTH.label }, style, part)
    const box = { x: x + TOTALS_WIDTH.label + 6, width: TOTALS_WIDTH.value }
    sheet.line(value, box, { ...style, align: 'right' }, part)
    sheet.y += heightOf()
    for (const line of reasons) {
      sheet.line(line, { x, width }, SMALL, part)
      sheet.y += heightOf(SMALL)
    }
    sheet.y += TOTAL_GAP
    if (index < drawn.length - 1) sheet.rule(sheet.y - TOTAL_GAP / 2 - 1, x)
  }
  sheet.y += 12
}

const rowHeight = (reasons: number): number => heightOf() + reasons * heightOf(SMALL) + TOTAL_GAP
