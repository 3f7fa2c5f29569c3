import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRows } from '../../documents/batches/csv.ts'
import { CELLS_MAX } from '../../documents/batches/table.ts'
import { cellsIn, read as verdictOn } from '../../services/batches/cells.ts'
import { COLUMNS, type Column, type FileRow, ROWS_MAX, TEMPLATE, UnreadableFile } from '../../domain/batches/columns.ts'
import { resultHeader, resultLine } from '../../domain/batches/results.ts'
import { type Reading, readCells, readMisaligned } from '../../domain/batches/row.ts'
import { anyCharacter } from '../support/http/any-text.ts'
import { fullScale } from '../support/model-runs.ts'

type Read = { columns: readonly Column[]; rows: FileRow[]; empty: [rows: number, columns: number] }

async function read(file: string | Buffer): Promise<Read> {
  const found: Read = { columns: [], rows: [], empty: [0, 0] }
  for await (const { columns, rows, emptyRows, emptyColumns } of readRows(Buffer.from(file))) {
    found.columns = columns
    found.empty = [emptyRows, emptyColumns]
    found.rows.push(...rows)
  }
  return found
}

async function faultOf(file: string | Buffer) {
  try {
    await read(file)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    expect(error.fault.message).toMatch(/^[A-Z].*\.$/)
    expect(error.fault.message).not.toMatch(/\p{Cs}/u) // a half character is no JSON of Postgres
    return [error.fault.line, error.fault.code]
  }
  return undefined
}

const HEADER = 'payee_svc_id,amount,currency,payout_reason,statement_description'
const cellsOf = async (file: string | Buffer) => (await read(file)).rows.map(({ cells }) => cells)

describe('a file is read as it was written', () => {
  test.each([
    ['with tabs between its cells', `${HEADER.replaceAll(',', '\t')}\na\t1.00\tUSD\tservices\tb\n`],
    ['with a line that names its separator', `sep=;\r\n${HEADER.replaceAll(',', ';')}\r\na;1.00;USD;services;b\r\n`],
    ['in UTF-16, little end first', Buffer.from(`\uFEFF${HEADER}\na,1.00,USD,services,b\n`, 'utf16le')],
    ['in UTF-16, big end first', Buffer.from(`\uFEFF${HEADER}\na,1.00,USD,services,b\n`, 'utf16le').swap16()],
    ['with empty lines', `\r\n\n${HEADER}\n\n\na,1.00,USD,services,b\n\n`],
    ['with capitals and blanks in its header', `${HEADER.toUpperCase().replaceAll(',', ' , ')}\na,1.00,USD,services,b`],
  ])('%s', async (_, file) => expect(await cellsOf(file)).toEqual([['a', '1.00', 'USD', 'services', 'b']]))

  test('with quotes, delimiters and line ends within quotes, and each row has the line on which it begins', async () => {
    const file = `${HEADER}\r\n"a, ""b""\r\nc","1.00",USD,x;y,"\n"\r\n\r\n5" pipe,2.00,USD,,z\r\n,,,,\r\n`
    const { rows } = await read(file)
    expect(rows).toEqual([
      { rowNumber: 1, line: 2, cells: ['a, "b"\r\nc', '1.00', 'USD', 'x;y', '\n'] },
      { rowNumber: 2, line: 6, cells: ['5" pipe', '2.00', 'USD', '', 'z'] },
    ])
  })

  test('whatever there is in a row: fewer cells, more cells, formulas, a cell of 4,000 characters', async () => {
    const odd = [['a'], ['a', '1', 'USD', 'x', 'y', 'z'], ['=1+1', '@x', '+1', '-1', '\t']]
    const rows = [...odd, ['x'.repeat(4000)]]
    expect(await cellsOf(`${HEADER}\n${rows.map((cells) => cells.join(',')).join('\n')}`)).toEqual(rows)
  })
})

test('a row of millions of cells is one row, whose rest is a cell, and of a cell of millions of characters as many are kept as may be', async () => {
  const many = ','.repeat(1_000_000)
  const long = '\0'.repeat(1_000_000)
  const file = `${HEADER}\n${many}\n"${'""'.repeat(1_000_000)}",1,USD,x,y\n${long},1,USD,x,y\na,1,USD,x,y`
  const { columns, rows } = await read(file)
  const shapes = rows.map(({ rowNumber, line, cells }) => `${rowNumber}: ${line} ${cells.length}`)
  expect(shapes).toEqual([`1: 2 ${CELLS_MAX + 1}`, '2: 3 5', '3: 4 5', '4: 5 5'])
  expect(rows[0]?.cells.at(-1)).toBe(','.repeat(8001))
  expect([rows[1]?.cells[0], rows[2]?.cells[0]]).toEqual(['"'.repeat(8001), '\0'.repeat(8001)])
  const codes = rows.slice(0, 3).map(({ cells }) => verdictOn(cellsIn(columns, cells)).errors[0]?.code)
  expect(codes).toEqual(['too_many_cells', 'too_long', 'too_long'])
})

test('what a cell has behind what is kept of it is not left out unseen', async () => {
  const padded = `a${' '.repeat(200_000)}b`
  const { columns, rows } = await read(`${HEADER},internal_notes\n${padded},1,USD,x,y,${padded}`)
  const { errors } = readCells(cellsIn(columns, rows[0]?.cells ?? []).cells)
  expect(errors.map(({ column, code }) => [column, code])).toEqual([
    ['payee_svc_id', 'too_long'],
    ['internal_notes', 'too_long'],
  ])
})

describe('what carries no data is passed over and counted', () => {
  const row = ['a', '1.00', 'USD', 'services', 'b']
  test.each([
    ['rows', `,,,,\r\n${HEADER}\r\n,,,,\r\na,1.00,USD,services,b\r\n ," ",,,\r\n`, [3, 0]],
    ['columns without a name', `,${HEADER},,\n,a,1.00,USD,services,b,,\n`, [0, 3]],
    ['cells behind the last column', `${HEADER}\na,1.00,USD,services,b,,"", ,\n`, [0, 0]],
    ['hundreds of columns', `${HEADER}${','.repeat(300)}\na,1.00,USD,services,b${',""'.repeat(300)}\n`, [0, 60]],
  ])('%s', async (_, file, empty) => {
    const found = await read(file)
    expect([found.rows.map(({ cells }) => cells), found.empty]).toEqual([[row], empty])
  })

  test('but a value in a column without a name is not', async () => {
    expect(await faultOf(`${HEADER},\na,1,USD,x,y,\na,1,USD,x,y,z`)).toEqual([3, 'unnamed_column'])
    const far = `${HEADER}${','.repeat(300)}\na,1,USD,x,y${','.repeat(299)}z`
    expect(await faultOf(far)).toEqual([2, 'unnamed_column'])
  })
})

test('the file of results can be sent back: its own columns are passed over, wherever they stand', async () => {
  const file = `status,payee_svc_id,Error,amount,currency,payout_reason,statement_description,payment_id,fee,settled_at
failed,acme,insufficient_funds,1.00,USD,"'=x","y;'-1",,0.00,\ninvalid,b,,2.00,USD,x,it's,,,,z\nvalid,c`
  const { columns, rows } = await read(file)
  expect(columns).toEqual(HEADER.split(','))
  const shown = rows.map(({ cells }) => cells.join('|'))
  expect(shown).toEqual(['acme|1.00|USD|=x|y;-1', "b|2.00|USD|x|it's|z", 'c'])
  const codes = rows.map(({ cells }) => verdictOn(cellsIn(columns, cells)).errors[0]?.code)
  expect(codes).toEqual([undefined, 'too_many_cells', 'too_few_cells'])
  expect(await faultOf(`${HEADER},status,Status\na,1,USD,x,y,,`)).toEqual([1, 'duplicate_column'])
})

test('apostrophes of a file that is none of results are the cells of who wrote them', async () =>
  expect(await cellsOf(`${HEADER}\na,1.00,USD,'=x,y;'-1`)).toEqual([['a', '1.00', 'USD', "'=x", "y;'-1"]]))

const latin = (line: string) => Buffer.from(line, 'latin1')

test.each([
  ['', null, 'empty_file'],
  ['\uFEFF\r\n\n', null, 'empty_file'],
  [`${HEADER}\n`, null, 'no_rows'],
  [TEMPLATE, null, 'no_rows'],
  [latin(`${HEADER}\r\na,1,USD,x,y\r\nb,1,USD,Caf\xe9,y\r\n`), 3, 'not_utf8'],
  [latin(`${HEADER}\ra,1,USD,x,y\rb,1,USD,Caf\xe9,y`), 3, 'not_utf8'],
  [latin(`${HEADER}\n"a\nb",1,USD,Caf\xe9,y`), 3, 'not_utf8'],
  [Buffer.from(`\uFEFF${HEADER}\na,1,USD,x,\ud800`, 'utf16le'), null, 'not_utf8'],
  [Buffer.from([0xfe, 0xff, 0]), null, 'not_utf8'],
  [`sep=|\n${HEADER}\na,1,USD,x,y`, 1, 'unsupported_separator'],
  ['PK\u0003\u0004'.padEnd(100, '\0'), null, 'not_csv'],
  [Buffer.from(`${HEADER}\na,1,USD,x,y`, 'utf16le'), 1, 'not_utf8'],
  [`\n${HEADER},payee\na,1,USD,x,y,z`, 2, 'unknown_column'],
  [`${HEADER},\na,1,USD,x,y,z`, 2, 'unnamed_column'],
  [`${HEADER},Amount\na,1,USD,x,y,z`, 1, 'duplicate_column'],
  ['payee_svc_id,amount,currency,payout_reason\na,1,USD,x', 1, 'missing_column'],
  ['amount,currency,payout_reason,statement_description\n1,USD,x,y', 1, 'missing_column'],
  [`${HEADER}\na,1,USD,x,y\n"b,1,USD,x,y\nc,1,USD,x,y`, 3, 'unbalanced_quotes'],
  [`${HEADER}\na,1,USD,x,"y"z\n`, 2, 'unbalanced_quotes'],
  [`${HEADER}\n"a\r\nb",1,USD,x,y\r\na, "b, c",USD,x,y\r\n`, 4, 'unbalanced_quotes'],
  // also in a file that begins with an empty cell
  [`,payee,${HEADER}\n`, 1, 'unknown_column'],
  [`${'x'.repeat(39)}\u{1f600},${HEADER}\na,a,1,USD,x,y`, 1, 'unknown_column'],
  ['\n"', 2, 'unbalanced_quotes'],
  [',"', 1, 'unbalanced_quotes'],
  [`${HEADER}\n${'a,1,USD,x,y\n'.repeat(ROWS_MAX + 2)}`, ROWS_MAX + 2, 'too_many_rows'], // the first one too many
] as const)('a file that cannot be read is refused with the line: %#', async (file, line, code) =>
  expect(await faultOf(file)).toEqual([line, code]),
)

/** Writes a cell as a spreadsheet does: in quotes if necessary, or always. */
const written = (cell: string, delimiter: string, always: boolean) => {
  const isQuoted = always || /["\r\n]/.test(cell) || cell.includes(delimiter) || /^\s|\s$/.test(cell)
  return isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell
}

const piece = fc.oneof(
  anyCharacter,
  fc.constantFrom('"', '""', ',', ';', '\n', '\r\n', '\r', ' ', '\t', '=', '0', '1.00', 'E+12', 'USD', "'", '\u00a0'),
)
const cell = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
const table = fc
  .subarray([...COLUMNS].filter((name) => !HEADER.includes(name)))
  .chain((more) => fc.shuffledSubarray([...HEADER.split(','), ...more] as Column[], { minLength: 5 + more.length }))
  .chain((columns) => {
    const cells = fc.array(cell, { minLength: columns.length, maxLength: columns.length })
    const row = cells.filter((texts) => texts.some((text) => text.trim() !== '')) // a blank row is none
    return fc.record({ columns: fc.constant(columns), rows: fc.array(row, { minLength: 1, maxLength: 20 }) })
  })
const manner = fc.record({
  delimiter: fc.constantFrom(',', ';'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  bom: fc.boolean(),
  always: fc.boolean(),
  ended: fc.boolean(),
})

const isReading = ({ payee, money, errors }: Reading) => errors.length > 0 || (payee !== null && money !== null)

test('of any CSV that a spreadsheet can write, each row is read once, whole and in order, and has one verdict', async () => {
  await fc.assert(
    fc.asyncProperty(table, manner, async ({ columns, rows }, { delimiter, lineEnd, bom, always, ended }) => {
      const lines = [columns, ...rows].map((cells) =>
        cells.map((text) => written(text, delimiter, always)).join(delimiter),
      )
      const file = `${bom ? '\uFEFF' : ''}${lines.join(lineEnd)}${ended ? lineEnd : ''}`
      const found = await read(file)
      expect(found.columns).toEqual(columns)
      expect(found.rows.map(({ cells }) => cells)).toEqual(rows)
      expect(found.rows.map(({ rowNumber }) => rowNumber)).toEqual(rows.map((_, index) => index + 1))
      for (const [index, { line, cells }] of found.rows.entries()) {
        const before = lines.slice(0, index + 1).map((text) => `${text}${lineEnd}`)
        expect(line).toBe(1 + (before.join('').match(/\r\n|\r|\n/g) ?? []).length)
        const byColumn = Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? '']))
        expect(readCells(byColumn)).toSatisfy(isReading)
      }
    }),
    { numRuns: fullScale ? 2000 : 200 },
  )
})

test('whatever was imported, the file of its results is read as the same cells, with the same separator', async () => {
  const fate = {
    errors: [],
    payment_id: null,
    status_detail: null,
    fee: null,
    currency: null,
    settled_at: null,
    bill_id: null,
  }
  await fc.assert(
    fc.asyncProperty(table, fc.constantFrom(',', ';'), async ({ columns, rows }, separator) => {
      const lines = rows.map((row) =>
        resultLine(columns, separator, { ...fate, status: 'valid', cells: cellsIn(columns, row).cells }),
      )
      for await (const found of readRows(Buffer.from(`\uFEFF${resultHeader(columns, separator)}${lines.join('')}`))) {
        expect(found.separator).toBe(separator)
        expect(found.columns).toEqual(columns)
        expect(found.rows.map(({ cells }) => cells)).toEqual(rows)
      }
    }),
    { numRuns: fullScale ? 2000 : 200 },
  )
})

test('whatever bytes come, they are rows, each with a verdict, or a fault of the file', async () => {
  const junk = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.array(piece, { maxLength: 60 }).map((pieces) => Buffer.from(`${HEADER}\n${pieces.join('')}`)),
  )
  await fc.assert(
    fc.asyncProperty(junk, async (file) => {
      if (await faultOf(file)) return
      const { columns, rows } = await read(file)
      for (const { cells } of rows) {
        const aligned = cells.length === columns.length
        const byColumn = Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? '']))
        expect(aligned ? readCells(byColumn) : readMisaligned('too_few_cells')).toSatisfy(isReading)
      }
    }),
    { numRuns: fullScale ? 5000 : 500 },
  )
})

test('rows are handed on at most 500 at a time, however short they are, and each once', async () => {
  const parts: (readonly FileRow[])[] = []
  for await (const { rows } of readRows(Buffer.from(`${HEADER}\n${'a\n'.repeat(1501)}`))) parts.push(rows)
  expect(Math.max(...parts.map((rows) => rows.length))).toBe(500)
  expect(parts.flat().map(({ rowNumber }) => rowNumber)).toEqual(Array.from({ length: 1501 }, (_, index) => index + 1))
})
