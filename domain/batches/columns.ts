/** The columns of a batch's file, and the faults of a file as a whole. */
import { ADDRESS_COLUMNS } from '../destinations/payee-address.ts'
import type { Separator } from '../csv.ts'
import { quoteName } from '../text.ts'

/** Columns of a bank account. */
export const BANK_COLUMNS = [
  'account_holder_name',
  'iban',
  'account_number',
  'aba_code',
  'sort_code',
  'swift_code',
  'bank_country',
] as const
/** Columns of the payee. */
const PAYEE_COLUMNS = ['payee_svc_id', 'payment_contact_id', ...BANK_COLUMNS] as const
export const NEEDED_COLUMNS = ['amount', 'currency', 'payout_reason', 'statement_description'] as const

/** Every column that a file may have, in the order of the template. Cells are sealed by place: new ones are the last. */
export const COLUMNS = [...PAYEE_COLUMNS, ...NEEDED_COLUMNS, 'internal_notes', 'reference', ...ADDRESS_COLUMNS] as const
export type Column = (typeof COLUMNS)[number]

/** Last columns of the file of results. An import skips them, so that results can be sent back. */
export const RESULT_COLUMNS = ['status', 'error', 'payment_id', 'fee', 'settled_at', 'bill_id'] as const

/** Cells of a row by column; a column that the file lacks is absent. */
export type Cells = Readonly<Partial<Record<Column, string>>>

/** A data row: its number and the line on which it begins, both from 1 on, and its cells. */
export type FileRow = { readonly rowNumber: number; readonly line: number; readonly cells: readonly string[] }

/** The columns of a file in the order of its header, and the separator of its results. Counts are of what carries no data. */
export type FileForm = {
  readonly columns: readonly Column[]
  readonly separator: Separator
  readonly emptyRows: number
  readonly emptyColumns: number
}

/** Rows that are read together. */
export type FileRows = FileForm & { readonly rows: readonly FileRow[] }

/** The header of a file: its columns, and the positions that are skipped: result columns, and those without a name. */
export type Header = {
  readonly columns: readonly Column[]
  readonly results: ReadonlySet<number>
  readonly unnamed: ReadonlySet<number>
}

export const ROWS_MAX = 50_000
/** Maximum of characters of a cell, whatever its column takes: of notes, and of what is on one line. */
export const CELL_MAX = 100_000
const LINE_CELL_MAX = 4000
/** Code units that a reader takes of a cell: CELL_MAX characters of any script. */
export const CELL_KEPT = 2 * CELL_MAX

/** Computes the maximum of characters of a cell; one without a column is behind the header. */
export const cellMaxOf = (column: Column | undefined): number =>
  column === 'internal_notes' ? CELL_MAX : LINE_CELL_MAX
/** Tells if a cell has more code units than its maximum of characters of any script. */
export const isCut = (column: Column | undefined, cell: string): boolean => cell.length > 2 * cellMaxOf(column)
/** Cuts a cell, so that it is noticed: judging a row takes time by its length. */
export const cutCell = (column: Column | undefined, cell: string): string =>
  isCut(column, cell) ? cell.slice(0, 2 * cellMaxOf(column) + 1) : cell

/** The reason why a file cannot be read; `line` is from 1 on, or null if it is the file as a whole. */
export type FileFault = { readonly line: number | null; readonly code: FileFaultCode; readonly message: string }

const FILE_FAULTS = {
  file_unreadable: () => 'The file is not in storage any more as it was sent. Please upload it again.',
  empty_file: () => 'The file is empty.',
  not_utf8: () => 'The file is not in UTF-8. Please save it as CSV in UTF-8.',
  unsupported_separator: () =>
    'The file separates its cells by another sign. Please use a comma, a semicolon or a tab.',
  not_csv: () =>
    'The file is a workbook. Please save it as CSV in UTF-8, or upload it as a document of the format xlsx.',
  not_a_workbook: () => 'The file is no workbook. Please save it as .xlsx, or upload it as CSV.',
  workbook_damaged: () => 'The workbook cannot be opened. Please open it, save it as .xlsx and upload it again.',
  workbook_protected: () =>
    'The workbook is protected by a password or of a form before 2007. Please save it as .xlsx without a password.',
  workbook_too_large: () => 'The workbook is too large once it is unpacked. Please split it, or save it as CSV.',
  formula_without_value: () =>
    'A formula has no result. Please open the file in a spreadsheet, save it and upload it again.',
  no_rows: () => 'The file has a header and no rows.',
  missing_column: (column: string) => `The header lacks the column ${column}.`,
  unknown_column: (column: string) => `The header has ${column}, which is no column of a batch.`,
  unnamed_column: (column: string) =>
    `The row has a value in column ${column}, which has no name in the header. Please name the column or empty it.`,
  duplicate_column: (column: string) => `The header names the column ${column} twice.`,
  unbalanced_quotes: () => 'A quote is not closed, or stands beside text that it does not enclose.',
  too_complex: () =>
    'The file takes too much memory or time to be read. Please split it, or save it anew without formats.',
  too_many_rows: () => `The file has more than ${ROWS_MAX.toLocaleString('en-US')} rows.`,
} as const
export type FileFaultCode = keyof typeof FILE_FAULTS

/** Thrown for a file that no try can read. */
export class UnreadableFile extends Error {
  constructor(readonly fault: FileFault) {
    super(fault.message)
  }
}

/** Makes a fault with its message. */
export const fileFault = (code: FileFaultCode, line: number | null, column = ''): FileFault => ({
  line,
  code,
  message: FILE_FAULTS[code](column),
})

/** Characters of an unknown column that are quoted. */
const SHOWN_MAX = 40

/** Makes the fault of a name that is no column. No character of it is halved, which the database refuses. */
export const unknownColumn = (name: string, line: number): FileFault =>
  fileFault(
    'unknown_column',
    line,
    quoteName(
      Array.from(name.slice(0, 2 * SHOWN_MAX))
        .slice(0, SHOWN_MAX)
        .join(''),
    ),
  )

/** Reads the names of a header, in any order and case, or finds the fault of one. A column may lack a name. */
export function readHeader(header: readonly string[], line: number): Header | FileFault {
  const names = header.map((name) => name.trim().toLowerCase())
  const unknown = names.findIndex((name) => name !== '' && !isColumn(name) && !isResult(name))
  if (unknown >= 0) return unknownColumn(header[unknown] ?? '', line)
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) return fileFault('duplicate_column', line, twice)
  const missing = NEEDED_COLUMNS.find((name) => !names.includes(name))
  if (missing) return fileFault('missing_column', line, missing)
  if (!PAYEE_COLUMNS.some((name) => names.includes(name))) return fileFault('missing_column', line, PAYEE_COLUMNS[0])
  const positionsOf = (matches: (name: string) => boolean) =>
    new Set(names.flatMap((name, index) => (matches(name) ? [index] : [])))
  return {
    columns: names.filter(isColumn),
    results: positionsOf(isResult),
    unnamed: positionsOf((name) => name === ''),
  }
}

const isResult = (name: string): boolean => (RESULT_COLUMNS as readonly string[]).includes(name)
const isColumn = (name: string): name is Column => (COLUMNS as readonly string[]).includes(name)

/** A header alone, in UTF-8 with a byte order mark for spreadsheets. */
export const TEMPLATE = `\uFEFF${COLUMNS.join(',')}\r\n`
