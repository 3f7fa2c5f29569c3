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
/** Rows or characters that are handed on at once. */
const PART = { rows: 500, characters: 64 * 1024 } as const

/** Reads every data row with the number of its row in the sheet. Throws UnreadableFile. */
export async function* readWorkbook(file: Buffer): AsyncGenerator<FileRows> {
  if (file.subarray(0, OLE.length).equals(OLE)) fail('workbook_protected')
  if (!isZip(file)) fail('not_a_workbook')
  const table = new Table(',', true)
  let [rows, characters]: [FileRow[], number] = [[], 0]
  for await (const records of recordsOf(file)) {
    for (const record of records) {
      const row = table.take(record)
      if (!row) continue
      rows.push(row)
      characters += row.cells.reduce((sum, cell) => sum + cell.length, 0)
      if (rows.length < PART.rows && characters < PART.characters) continue
      yield { ...table.form, rows }
      ;[rows, characters] = [[], 0]
    }
  }
  table.end()
  yield { ...table.form, rows }
}
