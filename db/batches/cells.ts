/** The cells of a row at rest, as they were written: sealed, because bank details stand in them. */
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { log } from '../../platform/log.ts'
import { COLUMNS, type Cells, type Column } from '../../domain/batches/columns.ts'
import { type Reading, readCells, readMisaligned } from '../../domain/batches/row.ts'
import { type Coordinates, coordinatesIn } from '../../domain/contacts/destination.ts'

/** All cells of a row as they were written: by column, and those beyond the header. */
export type RowCells = {
  readonly cells: Cells
  readonly more: readonly string[]
  /** The row ends before the header does. */
  readonly short: boolean
}

/** Cells as they are kept, in hexadecimal. */
export type SealedCells = { readonly id: string; readonly sealed: string }

/** The cells of a row in a file whose header has these columns. */
export function cellsIn(columns: readonly Column[], row: readonly string[]): RowCells {
  const cells: Partial<Record<Column, string>> = {}
  for (const [index, column] of columns.entries()) {
    const cell = row[index]
    if (cell !== undefined) cells[column] = cell
  }
  return { cells, more: row.slice(columns.length), short: row.length < columns.length }
}

/** What a row says, by itself. */
export function read({ cells, more, short }: RowCells): Reading {
  if (short) return readMisaligned('too_few_cells')
  return more.length > 0 ? readMisaligned('too_many_cells') : readCells(cells)
}

/**
 * Cells as they are sealed: in the order of COLUMNS, null for one that is not there, and what is seldom only if it is.
 */
type Written = { readonly written: (string | null)[]; readonly more?: readonly string[]; readonly short?: true }

/** Seals cells for their row alone. Their names are left out: there are 50,000 rows to a file. */
export function sealCells(id: string, { cells, more, short }: RowCells): Buffer {
  const written = COLUMNS.map((column) => cells[column] ?? null)
  while (written.length > 0 && written.at(-1) === null) written.pop()
  const content: Written = { written, ...(more.length > 0 && { more }), ...(short && { short }) }
  return encryptForRow(id, content)
}

/** Opens what sealCells() sealed for this row; throws if it was another one's, or was changed. */
export function openCells({ id, sealed }: SealedCells): RowCells {
  // sealCells() wrote exactly these
  const { written, more = [], short = false } = decryptForRow(id, Buffer.from(sealed, 'hex')) as Written
  const cells: Partial<Record<Column, string>> = {}
  for (const [index, column] of COLUMNS.entries()) {
    const cell = written[index] ?? null
    if (cell !== null) cells[column] = cell
  }
  return { cells, more, short }
}

/** The same to be shown; undefined for cells that do not open, which is logged: they hide no other row. */
export function readableCells(row: SealedCells): RowCells | undefined {
  try {
    return openCells(row)
  } catch (error) {
    log.error({ err: error, row_id: row.id }, 'the cells of a row do not open')
    return undefined
  }
}

/**
 * The bank account that a row names, as coordinatesIn() answers those of a destination. Throws if the row names none,
 * or does not open.
 */
export function bankDetailsOf(row: SealedCells): Coordinates {
  const { payee } = read(openCells(row))
  const coordinates = payee?.way === 'bank' ? coordinatesIn({ ...payee.account, default: false }) : null
  if (!coordinates) throw new Error(`the row ${row.id} names no bank account`)
  return coordinates
}
