/** Reads the file of a batch that is a workbook of Excel: the first visible sheet, by the rules of a CSV file. */
import {
  type FileFaultCode,
  type FileRow,
  type FileRows,
  UnreadableFile,
  fileFault,
} from '../../domain/batches/columns.ts'
import { Table } from './table.ts'
import { recordsOf } from './workbook.ts'
import { isZip } from './zip.ts'

const fail = (code: FileFaultCode): never => {
  throw new UnreadableFile(fileFault(code, null))
}

/** Begin of the container of a protected workbook, and of one of a form before 2007. */
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const ROWS_AT_ONCE = 500

/** Reads every data row with the number of its row in the sheet. Throws UnreadableFile. */
export async function* readWorkbook(file: Buffer): AsyncGenerator<FileRows> {
  if (file.subarray(0, OLE.length).equals(OLE)) fail('workbook_protected')
  if (!isZip(file)) fail('not_a_workbook')
  const table = new Table(',', true)
  for await (const records of recordsOf(file)) {
    const rows = records.flatMap((record): FileRow[] => {
      const row = table.take(record)
      return row ? [row] : []
    })
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      yield { ...table.form, rows: rows.slice(at, at + ROWS_AT_ONCE) }
  }
  table.end()
  yield { ...table.form, rows: [] }
}
