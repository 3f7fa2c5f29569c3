import type { FileRows } from '../../domain/batches/columns.ts'
import { readRows } from './csv.ts'
import { readWorkbook } from './xlsx.ts'

/** Reads every data row of a batch's file. Throws UnreadableFile. */
export const readTable = (file: Buffer, isWorkbook: boolean): AsyncGenerator<FileRows> =>
  isWorkbook ? readWorkbook(file) : readRows(file)
