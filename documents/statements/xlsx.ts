/** An export as a workbook of Excel (Office Open XML), row by row: typed cells, and a header that stays in sight. */
import { type CellValue, type ColumnDef, writeXlsxStream } from 'hucre/xlsx'
import { type Column, type Report, type Row, tableOf } from '../../domain/exports/report.ts'
import { sayable } from '../xml/text.ts'

/** Limits of Excel, whose numbers are doubles. */
const CELL_CHARACTERS_MAX = 32_767
const NUMBER_DIGITS_MAX = 15
const SHEET_ROWS_MAX = 1_048_576

/** Text that Excel reads as an escaped character (ECMA-376, ST_Xstring); its underscore is escaped. */
const LIKE_AN_ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g

const SHEETS = { balance_statement: 'Statement', expenses: 'Expenses', transactions: 'Transactions' } as const
const FORMATS: Readonly<Record<Column['kind'], string | undefined>> = {
  text: '@',
  word: '@',
  number: '#,##0.00################',
  time: 'yyyy-mm-dd hh:mm:ss',
}

/** Writes a workbook, with more sheets if one is full. Amounts of over 15 digits are text, or Excel changes them. */
export async function* xlsxOf(report: Report, sheetRowsMax = SHEET_ROWS_MAX): AsyncGenerator<Uint8Array> {
  const { columns, pages } = tableOf(report)
  const stream = writeXlsxStream(cellsOf(columns, pages), {
    name: SHEETS[report.type],
    columns: columns.map(definitionOf),
    freezePane: { rows: 1 },
    maxRowsPerSheet: sheetRowsMax,
  })
  yield* stream
}

function definitionOf({ name, kind, width }: Column): ColumnDef {
  const numFmt = FORMATS[kind]
  return { header: name, width, ...(numFmt && { numFmt }) }
}

async function* cellsOf(columns: readonly Column[], pages: AsyncIterable<readonly Row[]>): AsyncGenerator<CellValue[]> {
  const kinds = columns.map(({ kind }) => kind)
  for await (const page of pages) {
    for (const row of page) yield row.map((cell, index) => valueOf(cell, kinds[index]))
  }
}

function valueOf(cell: string, kind: Column['kind'] | undefined): CellValue {
  if (cell === '') return null
  if (kind === 'time') return new Date(cell)
  if (kind === 'number') return isExact(cell) ? Number(cell) : cell
  const text = sayable(cell).replaceAll(LIKE_AN_ESCAPE, '_x005F_')
  return text.length > CELL_CHARACTERS_MAX ? `${text.slice(0, CELL_CHARACTERS_MAX - 1)}…` : text
}

const isExact = (decimal: string): boolean =>
  decimal.replace(/^-?0*\.?0*/, '').replace('.', '').length <= NUMBER_DIGITS_MAX
