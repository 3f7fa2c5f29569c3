/** Rows of a file's table: its header, and what carries no data is passed over and counted. */
import {
  CELL_KEPT,
  type FileFaultCode,
  type FileForm,
  type FileRow,
  type Header,
  ROWS_MAX,
  UnreadableFile,
  cutCell,
  fileFault,
  readHeader,
  unknownColumn,
} from '../../domain/batches/columns.ts'
import { type Separator, withoutGuards } from '../../domain/csv.ts'

/** Cells after which the rest of a row is its last cell: all columns, with empty ones between them. */
export const CELLS_MAX = 64

/** A record of a file: the line on which it begins, and its cells. */
export type FileRecord = Omit<FileRow, 'rowNumber'>

const fail = (code: FileFaultCode, line: number | null, column = ''): never => {
  throw new UnreadableFile(fileFault(code, line, column))
}

/** The table of a file, record by record. */
export class Table {
  private header: Header | undefined
  private rows = 0
  private emptyRows = 0
  /** Positions that the header skips, result columns and those without a name. */
  private skipped: ReadonlySet<number> = new Set()
  private width = 0

  /** @param isPadded rows end at their last value, as those of workbooks do */
  constructor(
    private readonly separator: Separator,
    private readonly isPadded: boolean,
  ) {}

  get form(): FileForm {
    const { columns = [], unnamed } = this.header ?? {}
    return { columns, separator: this.separator, emptyRows: this.emptyRows, emptyColumns: unnamed?.size ?? 0 }
  }

  /** Takes the next record, the header first. Returns its row; undefined for a header or a record without data. */
  take({ line, cells }: FileRecord): FileRow | undefined {
    if (cells.every(isBlank)) {
      this.emptyRows += 1
      return undefined
    }
    if (!this.header) {
      this.header = headerOf(cells, line)
      this.skipped = new Set([...this.header.results, ...this.header.unnamed])
      this.width = cells.length
      return undefined
    }
    this.rows += 1
    if (this.rows > ROWS_MAX) fail('too_many_rows', line)
    const { columns } = this.header
    const own = this.ownCells(this.fit(cells), line)
    return { rowNumber: this.rows, line, cells: own.map((cell, index) => cutCell(columns[index], cell)) }
  }

  /** Ends the table. Throws UnreadableFile if it has no row. */
  end(): void {
    if (!this.header) fail('empty_file', null)
    if (this.rows === 0) fail('no_rows', null)
  }

  /** Cuts empty cells behind the last column; pads the row of a workbook. */
  private fit(cells: readonly string[]): readonly string[] {
    if (cells.length > this.width && cells.slice(this.width).every(isBlank)) return cells.slice(0, this.width)
    if (!this.isPadded || cells.length >= this.width) return cells
    return [...cells, ...Array.from({ length: this.width - cells.length }, () => '')]
  }

  /** Drops skipped columns and, in a file of results, apostrophes against formulas. A cut cell stays as it is. */
  private ownCells(cells: readonly string[], line: number): readonly string[] {
    const { results, unnamed } = this.header ?? fail('empty_file', null)
    if (this.skipped.size === 0) return cells
    for (const index of unnamed) if (!isBlank(cells[index] ?? '')) fail('unnamed_column', line, String(index + 1))
    const own = cells.filter((_, index) => !this.skipped.has(index))
    if (results.size === 0) return own
    return own.map((cell) => (cell.length > CELL_KEPT ? cell : withoutGuards(cell, this.separator)))
  }
}

const isBlank = (cell: string): boolean => cell.length <= CELL_KEPT && cell.trim() === ''

function headerOf(cells: readonly string[], line: number): Header {
  if (cells.some((cell) => cell.includes('\0'))) fail('not_utf8', line) // UTF-16 of plain letters is UTF-8 with these
  const beyond = cells[CELLS_MAX] ?? ''
  const header = isBlank(beyond) ? readHeader(cells, line) : unknownColumn(beyond, line) // cells there have no place
  if ('code' in header) throw new UnreadableFile(header)
  return header
}
