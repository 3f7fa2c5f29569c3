/** The cells of a row at rest, as they were written: sealed, because bank details stand in them. */
import { decryptForRow, encryptForRow } from '../encryption.ts'
import { log } from '../log.ts'
import type { Cells, Column } from '../model/batches/columns.ts'
import { type Reading, readCells, readMisaligned } from '../model/batches/row.ts'
import { type Coordinates, coordinatesIn } from '../model/contacts/destination.ts'

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

/** Seals cells for their row alone. */
export const sealCells = (id: string, cells: RowCells): Buffer => encryptForRow(id, cells)

/** Opens what sealCells() sealed for this row; throws if it was another one's, or was changed. */
export const openCells = ({ id, sealed }: SealedCells): RowCells =>
  decryptForRow(id, Buffer.from(sealed, 'hex')) as RowCells // sealCells() wrote exactly these

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
 * The bank account that a row names, as coordinatesIn() answers those of a destination. Throws if the row names none.
 */
export function bankDetailsOf(row: SealedCells): Coordinates {
  const { payee } = read(openCells(row))
  const coordinates = payee?.way === 'bank' ? coordinatesIn({ ...payee.account, default: false }) : null
  if (!coordinates) throw new Error(`the row ${row.id} names no bank account`)
  return coordinates
}
