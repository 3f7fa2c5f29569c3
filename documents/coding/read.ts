/** Reads rows of codes from CSV, by the rules of the files of batches. */
import { fileFault, unknownColumn, UnreadableFile } from '../../domain/batches/columns.ts'
import { CODES_COLUMNS, type CodesFile, type CodesRow } from '../../domain/coding/csv.ts'
import { withoutGuards } from '../../domain/csv.ts'
import { readRecords } from '../batches/csv.ts'

/** Rows of a file: all values of all dimensions. */
const ROWS_MAX = 40_000

/** Reads the rows of a file under its header, without empty ones. Throws UnreadableFile. */
export function readCodes(file: Buffer, kind: CodesFile): CodesRow[] {
  const columns: readonly string[] = CODES_COLUMNS[kind]
  let header: string[] | undefined
  const rows: CodesRow[] = []
  for (const { cells: raw, line, separator } of readRecords(file)) {
    const cells = raw.map((cell) => withoutGuards(cell, separator).trim())
    if (cells.every((cell) => cell === '')) continue
    if (!header) {
      header = cells.map((name) => name.toLowerCase())
      const unknown = header.find((name) => !columns.includes(name))
      if (unknown !== undefined) throw new UnreadableFile(unknownColumn(unknown, line))
      const twice = header.find((name, at) => header?.indexOf(name) !== at)
      if (twice !== undefined) throw new UnreadableFile(fileFault('duplicate_column', line, twice))
      const missing = [kind === 'chart' ? 'code' : 'dimension'].find((name) => !header?.includes(name))
      if (missing !== undefined) throw new UnreadableFile(fileFault('missing_column', line, missing))
      continue
    }
    if (rows.length >= ROWS_MAX) throw new UnreadableFile(fileFault('too_many_rows', line))
    rows.push({ line, cells: nameCells(header, cells) })
  }
  if (!header) throw new UnreadableFile(fileFault('empty_file', null))
  return rows
}

const nameCells = (header: readonly string[], cells: readonly string[]): Record<string, string> =>
  Object.fromEntries(header.flatMap((name, at) => (cells[at] ? [[name, cells[at]]] : [])))
