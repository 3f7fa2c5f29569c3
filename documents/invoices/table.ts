import { creditWords } from '../../domain/invoice-documents/credit-note-words.ts'
import type { InvoiceDocument } from '../../domain/invoice-documents/document.ts'
import { adjustmentRows, quantityIn, sumRows } from '../../domain/invoice-documents/rows.ts'
import { WORDS, decimalIn, moneyIn, rateIn } from '../../domain/invoice-documents/words.ts'
import { decimalsOf } from '../../domain/money/money.ts'
import { MARGIN, type Part, RIGHT, type Sheet, type Style, heightOf } from '../pdf/page.ts'

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
  const totals = fitTotals(sheet, document)
  const rows = document.lines.map((line) => fitLine(sheet, document, line))
  // the last line stays with the totals, so that these are never alone on a page
  const kept = rows.map(({ height }, index) => (index === rows.length - 1 ? height + totals.height : height))
  const first = kept[0] ?? 0
  sheet.room(HEAD_HEIGHT + (isShort(sheet, first) ? first : GAP * 2 + heightOf() * TOGETHER))
  const table = sheet.part('Table')
  drawTableHead(sheet, document, sheet.part('TR', table))
  sheet.rule(sheet.y)
  for (const [index, row] of rows.entries()) drawLine(sheet, row, kept[index] ?? row.height, sheet.part('TR', table))
  drawTotals(sheet, totals)
}

const isShort = (sheet: Sheet, height: number): boolean => height <= sheet.tallest - HEAD_HEIGHT

type FittedLine = ReturnType<typeof fitLine>

function fitLine(sheet: Sheet, document: InvoiceDocument, line: InvoiceDocument['lines'][number]) {
  const { width } = COLUMNS.description
  const decimals = decimalsOf(document.currency)
  const figures = [
    [COLUMNS.quantity, quantityIn(document, line)],
    [COLUMNS.price, decimalIn(document, line.price, decimals)],
    [COLUMNS.tax, rateIn(document, line.tax_percentage)],
    [COLUMNS.amount, decimalIn(document, line.total, decimals)],
  ] as const
  const fitted = figures.map(([column, figure]) => {
    const { align, ...box } = column
    return { box, value: sheet.fit(figure, box.width, { align }) }
  })
  const described = [
    ...sheet.wrapped(line.description, width).map((words) => ({ words, style: {} })),
    ...adjustmentRows(document, line).flatMap((row) =>
      sheet.wrapped(row, width, SMALL).map((words) => ({ words, style: SMALL })),
    ),
  ]
  const textHeight = described.reduce((sum, { style }) => sum + heightOf(style), 0)
  const height = Math.max(textHeight, ...fitted.map(({ value }) => value.height)) + GAP * 2
  return { fitted, described, height }
}

function drawLine(sheet: Sheet, { fitted, described, height }: FittedLine, kept: number, row: Part): void {
  const { x, width } = COLUMNS.description
  const together = isShort(sheet, kept) ? kept : isShort(sheet, height) ? height : TOGETHER * heightOf() + GAP * 2
  sheet.room(together, true)
  const bottom = sheet.y + height
  const page = sheet.page
  sheet.y += GAP
  const description = sheet.part('TD', row)
  for (const { box, value } of fitted) sheet.cell(value, box, sheet.part('TD', row))
  for (const { words, style } of described) {
    sheet.room(heightOf(style), true)
    sheet.line(words, { x, width }, style, description)
    sheet.y += heightOf(style)
  }
  sheet.y = sheet.page === page ? bottom : sheet.y + GAP
  sheet.rule(sheet.y)
}

const TOTALS_LEFT = COLUMNS.quantity.x
const TOTALS_WIDTH = { label: 166, value: RIGHT - TOTALS_LEFT - 172 }
const SMALL: Style = { size: 8, colour: 'grey' }
const TOTAL_GAP = 6

type Totals = ReturnType<typeof fitTotals>

function fitTotals(sheet: Sheet, document: InvoiceDocument) {
  const words = WORDS[document.language]
  const last = document.corrects ? creditWords(document).amount : words.payable
  const rows = [...sumRows(document), { label: last, value: moneyIn(document, document.total), reason: '' }]
  const fitted = rows.map(({ label, value, reason }, index) => {
    const style = { bold: index === rows.length - 1 }
    const [left, right] = [
      sheet.fit(label, TOTALS_WIDTH.label, style),
      sheet.fit(value, TOTALS_WIDTH.value, { ...style, align: 'right' }),
    ]
    const reasons = reason ? sheet.wrapped(reason, RIGHT - TOTALS_LEFT, SMALL) : []
    const height = Math.max(left.height, right.height) + reasons.length * heightOf(SMALL) + TOTAL_GAP
    return { left, right, reasons, height }
  })
  return { rows: fitted, height: fitted.reduce((sum, { height }) => sum + height, GAP) }
}

function drawTotals(sheet: Sheet, { rows, height: whole }: Totals): void {
  const [x, width] = [TOTALS_LEFT, RIGHT - TOTALS_LEFT]
  sheet.room(Math.min(whole, sheet.tallest))
  sheet.y += GAP
  for (const [index, { left, right, reasons, height }] of rows.entries()) {
    sheet.room(Math.min(height, sheet.tallest))
    const part = sheet.part('P')
    sheet.cell(left, { x, width: TOTALS_WIDTH.label }, part)
    sheet.cell(right, { x: x + TOTALS_WIDTH.label + 6, width: TOTALS_WIDTH.value }, part)
    sheet.y += Math.max(left.height, right.height)
    for (const line of reasons) {
      sheet.room(heightOf(SMALL))
      sheet.line(line, { x, width }, SMALL, part)
      sheet.y += heightOf(SMALL)
    }
    sheet.y += TOTAL_GAP
    if (index < rows.length - 1) sheet.rule(sheet.y - TOTAL_GAP / 2 - 1, x)
  }
  sheet.y += 12
}
